#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A line as a rectangle in pixels.
//
// Attributes: pixel, from the top left; across, signed distance from the line's middle in pixels; half_width; ink,
// straight alpha.
// Uniforms: viewport, pixels.
layout(location = 0) in vec2 pixel;
layout(location = 1) in float across;
layout(location = 2) in float half_width;
layout(location = 3) in vec4 ink;

uniform vec2 viewport;

out float line_across;
flat out float line_half_width;
out vec4 line_ink;

void main() {
  gl_Position = vec4(2.0 * pixel.x / viewport.x - 1.0, 1.0 - 2.0 * pixel.y / viewport.y, 0.0, 1.0);
  line_across = across;
  line_half_width = half_width;
  line_ink = ink;
}
