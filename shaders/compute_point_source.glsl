// SPDX-License-Identifier: GPL-3.0-or-later
// What a compute shader has before it that takes one point an invocation (ComputePointSource).
//
// Buffers: coordinate_0, coordinate_1, coordinate_2 (those beyond dimensions are not read) and labels, bound from a little
// before the point window_first on; order, the point of each position of a sample order.
// Uniforms: dimensions, origin, clip_from_offset as in points.vert; first, the point (when ordered: the position in order) of
// invocation 0; invocations; ordered; base, added to order's point; window_first, window_end: other points are left alone;
// row_skip_0, row_skip_1, row_skip_2, label_skip, where the point window_first is in the buffers; label_bits, 8 and 16
// without a sign, 32 with; hides, whether a label of -2 is that of a point that is not drawn; clusters; viewport, pixels.
layout(local_size_x = 256) in;

layout(std430, binding = 0) readonly buffer Coordinate0 { float coordinate_0[]; };
layout(std430, binding = 1) readonly buffer Coordinate1 { float coordinate_1[]; };
layout(std430, binding = 2) readonly buffer Coordinate2 { float coordinate_2[]; };
layout(std430, binding = 3) readonly buffer Labels { uint labels[]; };
layout(std430, binding = 4) readonly buffer Order { uint order[]; };

uniform int dimensions;
uniform vec3 origin;
uniform mat4 clip_from_offset;
uniform int first;
uniform int invocations;
uniform int base;
uniform bool ordered;
uniform int window_first;
uniform int window_end;
uniform int row_skip_0;
uniform int row_skip_1;
uniform int row_skip_2;
uniform int label_skip;
uniform int label_bits;
uniform bool hides;
uniform int clusters;
uniform ivec2 viewport;

int labelAt(int index) {
  if (label_bits == 32) return int(labels[index]);
  int bit = (index * label_bits) & 31;
  return int(labels[(index * label_bits) >> 5] >> bit) & ((1 << label_bits) - 1);
}

// The invocation's point, negative when it has none, or one that is not drawn.
int pointHere() {
  int invocation = int(gl_GlobalInvocationID.x);
  if (invocation >= invocations) return -1;
  int point = ordered ? base + int(order[first + invocation]) : first + invocation;
  if (point < window_first || point >= window_end) return -1;
  return hides && labelAt(label_skip + point - window_first) == -2 ? -1 : point;
}

// Where the point is drawn, in clip space.
vec4 clipOf(int point) {
  int index = point - window_first;
  float value = coordinate_0[row_skip_0 + index];
  vec3 position = dimensions == 1 ? vec3(float(point), value, 0.0) : vec3(value, coordinate_1[row_skip_1 + index], 0.0);
  if (dimensions == 3) position.z = coordinate_2[row_skip_2 + index];
  return clip_from_offset * vec4(position - origin, 1.0);
}

// The point's cluster; clusters when it has none.
int clusterOf(int point) {
  int label = labelAt(label_skip + point - window_first);
  return label >= 0 && label < clusters ? label : clusters;
}

// The pixels whose middle a square of edge size covers, from xy to zw; between two pixels the right one and, because rows
// are counted upwards here and downwards in the window, the lower one. None, zw below xy, for one that is out of sight or
// nowhere.
ivec4 pixelsUnder(vec2 normalised, float size) {
  vec2 pixel = (0.5 * normalised + 0.5) * vec2(viewport);
  // Written so that a coordinate that is no number fails.
  if (!(all(greaterThan(pixel, vec2(-size))) && all(lessThan(pixel, vec2(viewport) + size)))) return ivec4(0, 0, -1, -1);
  vec2 from = pixel - 0.5 * size, to = pixel + 0.5 * size;
  return ivec4(max(ivec2(floor(from.x + 0.5), ceil(from.y - 0.5)), ivec2(0)),
               min(ivec2(floor(to.x - 0.5), ceil(to.y - 0.5) - 1.0), viewport - 1));
}
