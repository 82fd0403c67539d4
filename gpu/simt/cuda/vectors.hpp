// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CUDA's small vectors: one load or store of a kernel moves all members.

namespace lloyd::simt::words {

struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

[[nodiscard]] constexpr float2 make_float2(float x, float y) { return {x, y}; }
[[nodiscard]] constexpr float3 make_float3(float x, float y, float z) { return {x, y, z}; }
[[nodiscard]] constexpr float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
[[nodiscard]] constexpr int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
[[nodiscard]] constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}

} // namespace lloyd::simt::words
