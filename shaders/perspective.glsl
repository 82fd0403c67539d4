// SPDX-License-Identifier: GPL-3.0-or-later
// How points in space shrink and fade with their distance from the eye, for points.vert and compute_depth_splat.*.
//
// Uniforms: point_size (pixels, of a point in the middle of eye_range), eye_range, the distances between which they do;
// orthographic: they fade, but do not shrink; largest_size (pixels) that nearness gives at most.
uniform float point_size;
uniform float largest_size;
uniform vec2 eye_range;
uniform bool orthographic;

float eyeDistance(vec4 clip) {
  return orthographic ? mix(eye_range.x, eye_range.y, 0.5 * clip.z / clip.w + 0.5) : clip.w;
}

float sizeAt(float eye_distance) {
  if (orthographic) return clamp(point_size, 1.0, largest_size);
  return clamp(point_size * 0.5 * (eye_range.x + eye_range.y) / eye_distance, 1.0, largest_size);
}

vec3 fadedAt(float eye_distance, vec3 colour, vec3 background) {
  float away = clamp((eye_distance - eye_range.x) / (eye_range.y - eye_range.x), 0.0, 1.0);
  return mix(colour, background, 0.55 * away * away);
}
