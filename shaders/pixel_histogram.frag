#version 330 core
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// The colour that most points of a pixel have, of several with as many the first, and how many points there are. With
// cells larger than pixels it is, of the colours that the pixel has (of all where that is not known), the one that most
// points of the cell have.
//
// Buffers: table and pixels, as in pixel_histogram.comp.
// Uniforms: kinds, viewport, cell_shift, cells, present_sheets as there; kind_colours (256 texels a row), unlabelled.
layout(std430, binding = 5) readonly buffer Table { uint table[]; };
layout(std430, binding = 6) readonly buffer Pixels { uint pixels[]; };

uniform int kinds;
uniform ivec2 viewport;
uniform int cell_shift;
uniform ivec2 cells;
uniform int present_sheets;
uniform sampler2D kind_colours;
uniform vec3 unlabelled;

layout(location = 0) out vec4 colour;
layout(location = 1) out float count;

void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  int at = place.y * viewport.x + place.x;
  int cell = (place.y >> cell_shift) * cells.x + (place.x >> cell_shift);
  uint points = cell_shift > 0 ? pixels[at] : 0u;
  colour = vec4(0.0);
  count = float(points);
  if (cell_shift > 0 && points == 0u) return;

  uint most = 0u;
  uint sum = 0u;
  int winner = kinds;
  uint present = 0xffffffffu;
  for (int kind = 0; kind <= kinds; ++kind) {
    if (present_sheets > 0 && (kind & 31) == 0) {
      present = pixels[at + (1 + (kind >> 5)) * viewport.x * viewport.y];
      if (present == 0u) {
        kind += 31;
        continue;
      }
    }
    if ((present >> (kind & 31) & 1u) == 0u) continue;
    uint here = table[kind * cells.x * cells.y + cell];
    sum += here;
    if (here > most) {
      most = here;
      winner = kind;
    }
  }
  if (sum == 0u) return;
  if (cell_shift == 0) count = float(sum);
  vec3 shown = winner < kinds ? texelFetch(kind_colours, ivec2(winner & 255, winner >> 8), 0).rgb : unlabelled;
  colour = vec4(shown, 1.0);
}
