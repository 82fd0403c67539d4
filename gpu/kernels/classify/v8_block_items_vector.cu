// SPDX-License-Identifier: GPL-3.0-or-later
// classify.v8, block, items, vector: the three levels of the multi-level parallelism paper as parameters of
// one kernel. `block` is its threads, `items` the points that a thread takes, `vector` how many of them lie
// side by side, so that a coordinate of theirs is one load of 4, 8 or 16 bytes and their labels are one
// store. Vectors of a thread are a whole grid apart. Old labels are asked for last, when registers that held
// coordinates are free: the paper's "register re-assignment".
//
// What it costs: registers, 2 + D values for every point of a thread. What does not fit a multiprocessor's
// 65,536 is refused beforehand, and nothing is spilled. What to look at: occupancy against time over `block`
// and `items`, for the paper finds that the highest occupancy is not the fastest; requests to global memory
// against `vector`, a quarter with 4, and the bytes that move, which stay. Against the paper: it prints no
// kernel of that kind, so its shape is inferred from what it says of it; every point's index is checked
// against N, and the search starts at +infinity with label 0. Ours, as in V4: clusters outside, points
// inside.
#include "gpu/kernels/ladder.hpp"

#include <cmath>

namespace lloyd {
namespace {

/// What so many floats, and so many labels, are moved as.
template <unsigned Vector>
struct Moved;
template <>
struct Moved<1> {
  using Floats = float;
  using Words = unsigned;
};
template <>
struct Moved<2> {
  using Floats = float2;
  using Words = uint2;
};
template <>
struct Moved<4> {
  using Floats = float4;
  using Words = uint4;
};

LLOYD_DEVICE void unpack(float from, float (&to)[1]) { to[0] = from; }
LLOYD_DEVICE void unpack(float2 from, float (&to)[2]) {
  to[0] = from.x;
  to[1] = from.y;
}
LLOYD_DEVICE void unpack(float4 from, float (&to)[4]) {
  to[0] = from.x;
  to[1] = from.y;
  to[2] = from.z;
  to[3] = from.w;
}
LLOYD_DEVICE unsigned packed(const unsigned (&from)[1]) { return from[0]; }
LLOYD_DEVICE uint2 packed(const unsigned (&from)[2]) { return make_uint2(from[0], from[1]); }
LLOYD_DEVICE uint4 packed(const unsigned (&from)[4]) {
  return make_uint4(from[0], from[1], from[2], from[3]);
}
LLOYD_DEVICE bool same(unsigned a, unsigned b) { return a == b; }
LLOYD_DEVICE bool same(uint2 a, uint2 b) { return a.x == b.x && a.y == b.y; }
LLOYD_DEVICE bool same(uint4 a, uint4 b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

/// The largest block whose threads find their registers: 64 in a block of 1,024, 128 in one of 512, 255 in
/// one of 256.
constexpr unsigned mostThreads(unsigned d, unsigned items) {
  if ((d + 2) * items > 80) return 256;
  return d * items >= 16 ? 512 : 1024;
}

template <unsigned D, unsigned Items, unsigned Vector>
LLOYD_KERNEL_UP_TO(mostThreads(D, Items))
classify_v8(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const typename Moved<Vector>::Floats) vectors,
            std::size_t stride, LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL(const Label) oldLabels,
            LLOYD_GLOBAL(const typename Moved<Vector>::Words) oldWords, LLOYD_GLOBAL(Label) labels,
            LLOYD_GLOBAL(typename Moved<Vector>::Words) words, LLOYD_GLOBAL(unsigned) changed, std::size_t n,
            unsigned k) {
  using Floats = typename Moved<Vector>::Floats;
  using Words = typename Moved<Vector>::Words;
  constexpr unsigned parts = Items / Vector;
  LLOYD_DYNAMIC_SHARED(float, centroid, 0, k* D);
  LLOYD_SHARED(unsigned, blockChanged, 1);

  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  float x[parts][Vector][D];
  LLOYD_UNROLL
  for (unsigned p = 0; p < parts; ++p) {
    const std::size_t v = first + p * threads;
    const bool whole = (v + 1) * Vector <= n;
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j) {
      float values[Vector];
      if (whole) {
        const Floats some = vectors[j * (stride / Vector) + v];
        unpack(some, values);
      } else {
        LLOYD_UNROLL
        for (unsigned q = 0; q < Vector; ++q) {
          float value = 0;
          if (v * Vector + q < n) value = points[j * stride + v * Vector + q];
          values[q] = value;
        }
      }
      LLOYD_UNROLL
      for (unsigned q = 0; q < Vector; ++q)
        x[p][q][j] = values[q];
    }
  }
  for (unsigned v = threadIdx.x; v < k * D; v += blockDim.x)
    centroid[v] = centroids[v];
  if (threadIdx.x == 0) blockChanged[0] = 0;
  __syncthreads();

  float nearest[parts][Vector];
  unsigned label[parts][Vector];
  LLOYD_UNROLL
  for (unsigned p = 0; p < parts; ++p)
    LLOYD_UNROLL
  for (unsigned q = 0; q < Vector; ++q) {
    nearest[p][q] = INFINITY;
    label[p][q] = 0;
  }
  LLOYD_ROLLED
  for (unsigned c = 0; c < k; ++c) {
    float center[D];
    LLOYD_UNROLL
    for (unsigned j = 0; j < D; ++j)
      center[j] = centroid[c * D + j];
    LLOYD_UNROLL
    for (unsigned p = 0; p < parts; ++p)
      LLOYD_UNROLL
    for (unsigned q = 0; q < Vector; ++q) {
      float distance = 0;
      LLOYD_UNROLL
      for (unsigned j = 0; j < D; ++j)
        distance = addSquare(distance, x[p][q][j], center[j]);
      if (distance < nearest[p][q]) {
        nearest[p][q] = distance;
        label[p][q] = c;
      }
    }
  }

  bool anyChanged = false;
  LLOYD_UNROLL
  for (unsigned p = 0; p < parts; ++p) {
    const std::size_t v = first + p * threads;
    if ((v + 1) * Vector <= n) {
      const Words before = oldWords[v];
      const Words now = packed(label[p]);
      words[v] = now;
      anyChanged = anyChanged || !same(before, now);
      continue;
    }
    LLOYD_UNROLL
    for (unsigned q = 0; q < Vector; ++q) {
      const std::size_t i = v * Vector + q;
      if (i >= n) continue;
      const Label before = oldLabels[i];
      labels[i] = static_cast<Label>(label[p][q]);
      anyChanged = anyChanged || before != static_cast<Label>(label[p][q]);
    }
  }
  if (anyChanged) blockChanged[0] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned flag = blockChanged[0];
    if (flag > 0) changed[0] = 1;
  }
}

Reason limits(const Variant& variant, const Problem& problem, const DeviceInfo& device,
              const Tuning& tuning) {
  if (tuning.vector > tuning.items)
    return variant.id() + " loads " + std::to_string(tuning.vector) +
           " floats at a time, and a thread takes " + std::to_string(tuning.items) +
           (tuning.items == 1 ? " point" : " points") + ": items of " + std::to_string(tuning.vector) +
           ", or a vector of " + std::to_string(tuning.items) + ", can";
  if (auto reason = dimensionLimit(variant, "classify.general", problem)) return reason;
  const unsigned most = mostThreads(static_cast<unsigned>(problem.d), static_cast<unsigned>(tuning.items));
  if (auto reason = registerLimit(variant, problem, tuning, most)) return reason;
  return centroidLimit(variant, problem, device, tuning);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const auto launchAs = [&](auto d, auto items, auto vector) {
    if constexpr (vector <= items) {
      using Floats = typename Moved<vector>::Floats;
      using Words = typename Moved<vector>::Words;
      const std::size_t whole = problem.n / vector;
      const std::size_t pointVectors =
          whole == 0 ? 0 : static_cast<std::size_t>(problem.d - 1) * (args.points.stride / vector) + whole;
      launchKernel(
          context, shapeOf(problem, args.tuning, centroidBytes(problem, args.tuning)),
          classify_v8<d, items, vector>, global(args.points.data, pointExtent(problem, args.points.stride)),
          global(reinterpret_cast<const Floats*>(args.points.data), pointVectors), args.points.stride,
          global(args.centroids, problem.centroidValues()), global(args.oldLabels, problem.n),
          global(reinterpret_cast<const Words*>(args.oldLabels), whole), global(args.labels, problem.n),
          global(reinterpret_cast<Words*>(args.labels), whole), global(args.changed, 1), problem.n,
          static_cast<unsigned>(problem.k));
    }
  };
  dispatch(launchAs, oneOf<1, 2, 3>(problem.d), oneOf<1, 2, 4, 8, 16, 32>(args.tuning.items),
           oneOf<1, 2, 4>(args.tuning.vector));
}

} // namespace

LLOYD_REGISTER(
    classify_v8,
    {.family = "classify",
     .tag = "v8",
     .name = "block, items, vector",
     .idea = "Threads a block, points a thread and points a load are parameters, each value compiled.",
     .paper = "Multi-level parallelism paper",
     .changed = Changed::flag,
     .parameters = {{"block", {32, 64, 128, 256, 512, 1024}, 128},
                    {"items", {1, 2, 4, 8, 16, 32}, 8},
                    {"vector", {1, 2, 4}, 4}},
     .canRun = limits},
    {.classify = launch})

} // namespace lloyd
