#version 330 core
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the point that is drawn nearest to a pixel, in two rounds over the points: how near it is, then which it is. Of
// several as near, the first. Nothing but minima of integers, so the order in which points come makes no difference.
//
// Buffer found: the square of the distance as its bits, which for positive floats are in the squares' order, and the point.
// Uniforms: pixel, from the lower left corner; naming, in the second round; those of compute_point_source.glsl.
#include "compute_point_source.glsl"

layout(std430, binding = 5) buffer Found { uint found[2]; };

uniform vec2 pixel;
uniform bool naming;

void main() {
  int point = pointHere();
  if (point < 0) return;
  vec4 clip = clipOf(point);
  // Between the clip planes, which are before the eye; a coordinate that is no number fails.
  if (!(clip.w > 0.0 && abs(clip.z) <= clip.w)) return;
  vec2 off = (0.5 * clip.xy / clip.w + 0.5) * vec2(viewport) - pixel;
  uint bits = floatBitsToUint(dot(off, off));
  // Almost all points are farther, and reading says so for less than an atomic operation. What is read may be old, then it
  // is larger.
  if (naming) {
    if (bits == found[0]) atomicMin(found[1], uint(point));
  } else if (bits < found[0]) {
    atomicMin(found[0], bits);
  }
}
