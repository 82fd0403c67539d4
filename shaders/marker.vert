#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A round marker as a square in pixels.
//
// Attributes: pixel, from the top left; offset from the marker's middle in pixels; radius of the outer edge; ring, the
// ring's width; fill and edge, inks with straight alpha.
// Uniforms: viewport, pixels.
layout(location = 0) in vec2 pixel;
layout(location = 1) in vec2 offset;
layout(location = 2) in float radius;
layout(location = 3) in float ring;
layout(location = 4) in vec4 fill;
layout(location = 5) in vec4 edge;

uniform vec2 viewport;

out vec2 marker_offset;
flat out float marker_radius;
flat out float marker_ring;
flat out vec4 marker_fill;
flat out vec4 marker_edge;

void main() {
  gl_Position = vec4(2.0 * pixel.x / viewport.x - 1.0, 1.0 - 2.0 * pixel.y / viewport.y, 0.0, 1.0);
  marker_offset = offset;
  marker_radius = radius;
  marker_ring = ring;
  marker_fill = fill;
  marker_edge = edge;
}
