#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest points: every pixel of the square, opaque.
//
// Inputs: point_colour.
flat in vec3 point_colour;

layout(location = 0) out vec4 colour;

void main() { colour = vec4(point_colour, 1.0); }
