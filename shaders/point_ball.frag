#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A round point in space: lit a little from above, darker towards its rim, so that it stands out from the points of the
// same colour behind it.
//
// Inputs: point_colour; point_pixels, the diameter.
flat in vec3 point_colour;
flat in float point_pixels;

layout(location = 0) out vec4 colour;

void main() {
  vec2 from_centre = 2.0 * gl_PointCoord - 1.0;
  float radius_2 = dot(from_centre, from_centre);
  float edge = clamp((1.0 - sqrt(radius_2)) * 0.5 * point_pixels + 0.5, 0.0, 1.0);
  if (edge < 0.5) discard;
  float shade = 1.04 - 0.34 * radius_2 - 0.10 * from_centre.y;
  colour = vec4(min(point_colour * shade, 1.0), 1.0);
}
