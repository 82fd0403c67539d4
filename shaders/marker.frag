#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A filled disc with a ring and a soft shadow that parts it from points of its own colour, premultiplied.
//
// Inputs: marker_offset, marker_radius, marker_ring, marker_fill, marker_edge.
// Uniforms: shadow_width, pixels.
in vec2 marker_offset;
flat in float marker_radius;
flat in float marker_ring;
flat in vec4 marker_fill;
flat in vec4 marker_edge;

uniform float shadow_width;

layout(location = 0) out vec4 colour;

void main() {
  float from_centre = length(marker_offset);
  float outer = clamp(marker_radius + 0.5 - from_centre, 0.0, 1.0);
  float inner = clamp(marker_radius - marker_ring + 0.5 - from_centre, 0.0, 1.0);
  vec4 edge = vec4(marker_edge.rgb, 1.0) * (marker_edge.a * outer);
  vec4 fill = vec4(marker_fill.rgb, 1.0) * marker_fill.a;
  vec4 marker = mix(edge, fill, inner);
  float shadow = 0.45 * marker_edge.a * clamp(1.0 - (from_centre - marker_radius) / shadow_width, 0.0, 1.0);
  colour = marker + vec4(0.0, 0.0, 0.0, shadow) * (1.0 - outer);
}
