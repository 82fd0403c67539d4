#version 330 core
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the point in space that is nearest to the eye in every pixel, in two rounds over the points: how near it is, then
// its cluster. Of several as near, the first cluster. Nothing but minima of integers, so the order in which points come
// makes no difference.
//
// Buffers, a word for each pixel: nearest, the distance as its bits, which for positive floats are in the distances' order;
// owner, the cluster.
// Uniforms: naming, in the second round; those of compute_point_source.glsl and perspective.glsl.
#include "compute_point_source.glsl"
#include "perspective.glsl"

layout(std430, binding = 5) buffer Nearest { uint nearest[]; };
layout(std430, binding = 6) buffer Owner { uint owner[]; };

uniform bool naming;

void main() {
  int point = pointHere();
  if (point < 0) return;
  vec4 clip = clipOf(point);
  // Between the clip planes, which are before the eye; a coordinate that is no number fails.
  if (!(abs(clip.z) <= clip.w)) return;
  float eye_distance = eyeDistance(clip);
  ivec4 covered = pixelsUnder(clip.xy / clip.w, sizeAt(eye_distance));

  uint bits = floatBitsToUint(eye_distance);
  bool seen = false;
  for (int y = covered.y; y <= covered.w; ++y) {
    for (int x = covered.x; x <= covered.z; ++x) {
      int at = y * viewport.x + x;
      // Most points of a crowd are behind another, and reading says so for less than an atomic operation. What is read may
      // be old, then it is larger.
      if (naming)
        seen = seen || bits == nearest[at];
      else if (bits < nearest[at])
        atomicMin(nearest[at], bits);
    }
  }
  // Apart from the loop above, or compilers take the read out of it, and all points pay for what few need.
  if (!seen) return;
  uint cluster = uint(clusterOf(point));
  for (int y = covered.y; y <= covered.w; ++y) {
    for (int x = covered.x; x <= covered.z; ++x) {
      int at = y * viewport.x + x;
      if (bits == nearest[at]) atomicMin(owner[at], cluster);
    }
  }
}
