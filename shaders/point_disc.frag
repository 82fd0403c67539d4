#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// A round point of a flat drawing with a soft edge, premultiplied. Where points overlap the pixel that is covered most
// wins through the depth test, so nothing is blended, crowds stay solid, and the order of drawing does not matter.
//
// Inputs: point_colour; point_pixels, the diameter.
flat in vec3 point_colour;
flat in float point_pixels;

layout(location = 0) out vec4 colour;

void main() {
  float from_centre = length(gl_PointCoord - 0.5) * point_pixels;
  float coverage = clamp(0.5 * point_pixels - from_centre, 0.0, 1.0);
  if (coverage < 0.05) discard;
  colour = vec4(point_colour * coverage, coverage);
  // Inside, the point's rank decides; at an edge, coverage first.
  gl_FragDepth = coverage < 1.0 ? 1.0 - 0.49 * coverage - 0.01 * (1.0 - gl_FragCoord.z) : 0.5 * gl_FragCoord.z;
}
