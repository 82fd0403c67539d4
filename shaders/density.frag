#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a crowd: the pixel's colour, and its count as lightness on a logarithmic scale, from close to the
// background for a lone point to the full colour at full_count and beyond it towards white or black.
//
// Uniforms: picture, counts, full_count, background (premultiplied: of no alpha where the picture has none behind
// the points), beyond (where the fullest pixels tend to).
uniform sampler2D picture;
uniform sampler2D counts;
uniform float full_count;
uniform vec4 background;
uniform vec3 beyond;

layout(location = 0) out vec4 colour;

void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float count = texelFetch(counts, pixel, 0).r;
  if (count <= 0.0) discard;
  vec4 cluster = vec4(texelFetch(picture, pixel, 0).rgb, 1.0);
  float level = log2(1.0 + count) / log2(1.0 + full_count);
  vec4 shown = mix(background, cluster, clamp(0.30 + 0.70 * level, 0.0, 1.0));
  shown = mix(shown, vec4(beyond, 1.0), clamp((level - 1.0) * 0.5, 0.0, 0.35));
  colour = shown;
}
