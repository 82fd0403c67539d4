#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// The finished picture of the points, to be blended over the background (premultiplied).
//
// Uniforms: picture.
uniform sampler2D picture;

layout(location = 0) out vec4 colour;

void main() { colour = texelFetch(picture, ivec2(gl_FragCoord.xy), 0); }
