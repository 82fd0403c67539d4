#version 330 core
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts points of a flat drawing: one more in every pixel that the point covers, for the kind (colour) of its cluster.
// Nothing but sums of integers, so the order in which points come makes no difference.
//
// Buffers: table, kinds + 1 sheets of cells, the last for points without a cluster; pixels, only when cells are larger: a
// sheet with the count of each pixel, then present_sheets with a bit for each kind that has a point there.
// Uniforms: point_size; kind_of, of each cluster (256 texels a row); kinds; cell_shift, the logarithm to base 2 of a cell's
// edge in pixels; cells, of the table, across and up; present_sheets; those of compute_point_source.glsl.
#include "compute_point_source.glsl"

layout(std430, binding = 5) buffer Table { uint table[]; };
layout(std430, binding = 6) buffer Pixels { uint pixels[]; };

uniform float point_size;
uniform isampler2D kind_of;
uniform int kinds;
uniform int cell_shift;
uniform ivec2 cells;
uniform int present_sheets;

void main() {
  int point = pointHere();
  if (point < 0) return;
  ivec4 covered = pixelsUnder(clipOf(point).xy, point_size);
  if (covered.z < covered.x || covered.w < covered.y) return;

  int cluster = clusterOf(point);
  int kind = cluster < clusters ? texelFetch(kind_of, ivec2(cluster & 255, cluster >> 8), 0).r : kinds;
  int sheet = kind * cells.x * cells.y;
  for (int y = covered.y; y <= covered.w; ++y) {
    for (int x = covered.x; x <= covered.z; ++x) {
      atomicAdd(table[sheet + (y >> cell_shift) * cells.x + (x >> cell_shift)], 1u);
      if (cell_shift == 0) continue;
      int at = y * viewport.x + x;
      atomicAdd(pixels[at], 1u);
      if (present_sheets > 0) atomicOr(pixels[at + (1 + (kind >> 5)) * viewport.x * viewport.y], 1u << (kind & 31));
    }
  }
}
