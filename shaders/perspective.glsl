// SPDX-License-Identifier: GPL-3.0-or-later
// How points in space shrink and fade with their distance from the eye, for points.vert and compute_depth_splat.*.
//
// Uniforms: point_size (pixels, of a point in the middle of eye_range), eye_range, the distances between which they do.
uniform float point_size;
uniform vec2 eye_range;

float sizeAt(float eye_distance) {
  return clamp(point_size * 0.5 * (eye_range.x + eye_range.y) / eye_distance, 1.0, 48.0);
}

vec3 fadedAt(float eye_distance, vec3 colour, vec3 background) {
  float away = clamp((eye_distance - eye_range.x) / (eye_range.y - eye_range.x), 0.0, 1.0);
  return mix(colour, background, 0.55 * away * away);
}
