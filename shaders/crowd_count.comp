#version 330 core
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// Counts points of a flat drawing, one invocation each: one more in every pixel that the point covers, for the kind
// (colour) of its cluster. Nothing but sums of integers, so the order in which points come makes no difference.
//
// Buffers: coordinate_0, coordinate_1 (not read with one dimension) and labels, bound from a little before the point
// window_first on; order, the point of each position of a sample order; table, kinds + 1 sheets of cells, the last for
// points without a cluster; pixels, only when cells are larger: a sheet with the count of each pixel, then
// present_sheets with a bit for each kind that has a point there.
// Uniforms: dimensions, origin, clip_from_offset, point_size as in points.vert; first, the point (when ordered: the
// position in order) of invocation 0; invocations; ordered; base, added to order's point; window_first, window_end:
// other points are left alone; row_skip_0, row_skip_1, label_skip, where the point window_first is in the buffers;
// label_bits, 8 and 16 without a sign, 32 with; kind_of, of each cluster (256 texels a row); clusters; kinds; viewport,
// pixels; cell_shift, the logarithm to base 2 of a cell's edge in pixels; cells, of the table, across and up;
// present_sheets; tile_size, places, tile_labels, point_labels, point_labels_at as in points.vert.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Coordinate0 { float coordinate_0[]; };
layout(std430, binding = 1) readonly buffer Coordinate1 { float coordinate_1[]; };
layout(std430, binding = 2) readonly buffer Labels { uint labels[]; };
layout(std430, binding = 3) readonly buffer Order { uint order[]; };
layout(std430, binding = 4) buffer Table { uint table[]; };
layout(std430, binding = 5) buffer Pixels { uint pixels[]; };

uniform int dimensions;
uniform vec3 origin;
uniform mat4 clip_from_offset;
uniform float point_size;
uniform int first;
uniform int invocations;
uniform int base;
uniform bool ordered;
uniform int window_first;
uniform int window_end;
uniform int row_skip_0;
uniform int row_skip_1;
uniform int label_skip;
uniform int label_bits;
uniform isampler2D kind_of;
uniform int clusters;
uniform int kinds;
uniform ivec2 viewport;
uniform int cell_shift;
uniform ivec2 cells;
uniform int present_sheets;
uniform int tile_size;
uniform usamplerBuffer places;
uniform usamplerBuffer tile_labels;
uniform usamplerBuffer point_labels;
uniform int point_labels_at;

const int mixed_tile = 0x100; // its points have labels of their own

int clusterOf(int point) {
  int place = int(texelFetch(places, point).r);
  int all = int(texelFetch(tile_labels, place / tile_size).r);
  return all == mixed_tile ? int(texelFetch(point_labels, point_labels_at + place).r) : all;
}

int labelAt(int index) {
  if (label_bits == 32) return int(labels[index]);
  int bit = (index * label_bits) & 31;
  return int(labels[(index * label_bits) >> 5] >> bit) & ((1 << label_bits) - 1);
}

void main() {
  int invocation = int(gl_GlobalInvocationID.x);
  if (invocation >= invocations) return;
  int point = ordered ? base + int(order[first + invocation]) : first + invocation;
  if (point < window_first || point >= window_end) return;
  int index = point - window_first;

  float value = coordinate_0[row_skip_0 + index];
  vec3 position = dimensions == 1 ? vec3(float(point), value, 0.0) : vec3(value, coordinate_1[row_skip_1 + index], 0.0);
  vec2 clip = (clip_from_offset * vec4(position - origin, 1.0)).xy;
  vec2 pixel = (0.5 * clip + 0.5) * vec2(viewport);
  // Written so that a coordinate that is no number fails.
  vec2 margin = vec2(point_size);
  if (!(all(greaterThan(pixel, -margin)) && all(lessThan(pixel, vec2(viewport) + margin)))) return;

  int label = tile_size == 0 ? labelAt(label_skip + index) : clusterOf(point);
  int kind = label >= 0 && label < clusters ? texelFetch(kind_of, ivec2(label & 255, label >> 8), 0).r : kinds;
  int sheet = kind * cells.x * cells.y;
  // The pixels whose middle the point's square covers; between two pixels the right one and, because rows are counted
  // upwards here and downwards in the window, the lower one.
  vec2 reach = vec2(0.5 * point_size);
  vec2 from = pixel - reach, to = pixel + reach;
  ivec2 low = max(ivec2(floor(from.x + 0.5), ceil(from.y - 0.5)), ivec2(0));
  ivec2 high = min(ivec2(floor(to.x - 0.5), ceil(to.y - 0.5) - 1.0), viewport - 1);
  for (int y = low.y; y <= high.y; ++y) {
    for (int x = low.x; x <= high.x; ++x) {
      atomicAdd(table[sheet + (y >> cell_shift) * cells.x + (x >> cell_shift)], 1u);
      if (cell_shift == 0) continue;
      int at = y * viewport.x + x;
      atomicAdd(pixels[at], 1u);
      if (present_sheets > 0) atomicOr(pixels[at + (1 + (kind >> 5)) * viewport.x * viewport.y], 1u << (kind & 31));
    }
  }
}
