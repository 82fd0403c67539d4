#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Places one point and looks up the colour of its cluster.
//
// Attributes: coordinate_0, coordinate_1, coordinate_2, three rows of the positions (those beyond dimensions are not read); label, the
// cluster, negative when there is none, -2 for a point that is not drawn.
// Uniforms: dimensions (1: the value is drawn against the point's position in memory; 2; 3), origin (close to what the
// camera looks at, taken away first for precision), clip_from_offset, palette (256 texels a row), clusters, unlabelled,
// background; those of perspective.glsl.
#include "perspective.glsl"

layout(location = 0) in float coordinate_0;
layout(location = 1) in float coordinate_1;
layout(location = 2) in float coordinate_2;
layout(location = 3) in int label;

uniform int dimensions;
uniform vec3 origin;
uniform mat4 clip_from_offset;
uniform sampler2D palette;
uniform int clusters;
uniform vec3 unlabelled;
uniform vec3 background;

flat out vec3 point_colour;
flat out float point_pixels;

void main() {
  vec3 position = vec3(coordinate_0, coordinate_1, dimensions == 3 ? coordinate_2 : 0.0);
  if (dimensions == 1) position = vec3(float(gl_VertexID), coordinate_0, 0.0);
  gl_Position = clip_from_offset * vec4(position - origin, 1.0);

  point_colour = label >= 0 && label < clusters
                     ? texelFetch(palette, ivec2(label & 255, label >> 8), 0).rgb
                     : unlabelled;
  point_pixels = point_size;
  if (dimensions == 3) {
    float eye_distance = eyeDistance(gl_Position);
    point_colour = fadedAt(eye_distance, point_colour, background);
    point_pixels = sizeAt(eye_distance);
  } else {
    // A flat drawing has no depth: a scattered rank decides who is on top, the same in whatever order points are drawn.
    uint rank = (uint(gl_VertexID) * 2654435769u) >> 8;
    gl_Position.z = gl_Position.w * (float(rank) * (2.0 / 16777216.0) - 1.0);
  }
  gl_PointSize = point_pixels;
  if (label == -2) gl_Position = vec4(0.0, 0.0, 2.0, 1.0); // hidden: beyond the clip planes
}
