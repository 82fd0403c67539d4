#version 330 core
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shading_language_420pack : require
// SPDX-License-Identifier: GPL-3.0-or-later
// The colour of the nearest point of each pixel, for pixels that were found one.
//
// Buffers: nearest, owner as in compute_depth_splat.comp.
// Uniforms: viewport; palette, the colour of each cluster (256 texels a row); clusters; unlabelled, background; those of
// perspective.glsl.
#include "perspective.glsl"

layout(std430, binding = 5) readonly buffer Nearest { uint nearest[]; };
layout(std430, binding = 6) readonly buffer Owner { uint owner[]; };

uniform ivec2 viewport;
uniform sampler2D palette;
uniform int clusters;
uniform vec3 unlabelled;
uniform vec3 background;

layout(location = 0) out vec4 colour;

const uint no_owner = 0xffffffffu;

void main() {
  int at = int(gl_FragCoord.y) * viewport.x + int(gl_FragCoord.x);
  uint cluster = owner[at];
  if (cluster == no_owner) discard;
  vec3 own = int(cluster) < clusters ? texelFetch(palette, ivec2(cluster & 255u, cluster >> 8), 0).rgb : unlabelled;
  colour = vec4(fadedAt(uintBitsToFloat(nearest[at]), own, background), 1.0);
}
