// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that lie by tiles (gpu/core/tiles/tiles.hpp), for points.vert and point_feed.glsl.
//
// Uniforms: tile_size, the points of a tile where labels lie by tiles, else 0. By tiles: places, where each point is in the
// order that is cut into tiles; tile_labels, of each tile; point_labels, in that order from point_labels_at on.
uniform int tile_size;
uniform usamplerBuffer places;
uniform usamplerBuffer tile_labels;
uniform usamplerBuffer point_labels;
uniform int point_labels_at;

const int mixed_tile = 0x100; // its points have labels of their own

int labelByTile(int point) {
  int place = int(texelFetch(places, point).r);
  int all = int(texelFetch(tile_labels, place / tile_size).r);
  return all == mixed_tile ? int(texelFetch(point_labels, point_labels_at + place).r) : all;
}
