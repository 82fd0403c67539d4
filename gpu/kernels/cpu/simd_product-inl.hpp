// SPDX-License-Identifier: GPL-3.0-or-later
// How cpu.v4 finds the nearest centroids of one block of points by a matrix product, in one thread. Highway
// compiles this file once for every instruction set, which is why it has a guard of its own kind and no
// #pragma once.
//
// The nearest centroid has the greatest score x.c - |c|^2 / 2. gpu/kernels/distance/score.hpp proves how far
// scores may be trusted; the names here are those of its proof. What is rounded here is less than it allows
// for, and the bound is so much tighter:
//
// 1. Nothing is rounded once more: R is 0.
// 2. Half the squared norm is added up in doubles and rounded once, so that with the rounding of the shifted
//    values it is off by 3 u |c|^2 / 2, and the product by 2 u |x| |c| for the same reason. Each of the D
//    products is added to a sum that never exceeds B, which is D u B where multiply-adds round once. Where
//    they round twice, the products' own rounding is another u |x| |c|. Together E = (D + 4) u B, of which
//    u B covers what is of higher order.
// 3. to 5. are as they are there, but for tiny: 2^-126 is no less, and no denormal number, which would cost a
//    hundred cycles whenever it is added. |x| |c| is the product of two roots: the root of |x|^2 |c|^2 would
//    be 0 for coordinates around 10^-12, which are no denormal numbers.
#if defined(LLOYD_SIMD_PRODUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LLOYD_SIMD_PRODUCT_INL
#undef LLOYD_SIMD_PRODUCT_INL
#else
#define LLOYD_SIMD_PRODUCT_INL
#endif

#include "gpu/kernels/cpu/product_memory.hpp"
#include "gpu/kernels/cpu/simd_labels-inl.hpp"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr std::size_t floatLanes = hn::MaxLanes(Floats());
inline constexpr bool manyRegisters = HWY_ARCH_ARM_A64 || floatLanes == 16;
/// Scores in registers: of so many clusters and vectors of points. A load of either is shared by all of the
/// other.
inline constexpr int groupClusters = manyRegisters ? 12 : 6;
inline constexpr int tileVectors = 2;
inline constexpr std::size_t tileWidth = tileVectors * floatLanes;
/// Chains in registers: of so many vectors of clusters, and of chainPoints points or one.
inline constexpr int panelVectors = manyRegisters ? 4 : 2;
inline constexpr int chainPoints = 4;
inline constexpr std::size_t panelWidth = panelVectors * floatLanes;
static_assert(cpu::productClusters % groupClusters == 0 && cpu::chainClusters % panelWidth == 0 &&
              cpu::tilePoints % tileWidth == 0);

/// So many points ahead coordinates are asked for.
inline constexpr std::size_t prefetched = 2 * cpu::tilePoints;

/// Prepares clusters from first to before last; first is a multiple of preparedClusters.
inline void prepareClusters(const Problem& problem, const float* centroids, const cpu::ProductMemory& memory,
                            std::size_t first, std::size_t last) {
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  for (std::size_t c = first; c < cpu::roundedUp(last, groupClusters); ++c) {
    float* const factors = memory.factors + c / groupClusters * groupClusters * d + c % groupClusters;
    double norm = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const float value = c < k ? centroids[c * d + j] - memory.shift[j] : 0.0f;
      factors[j * groupClusters] = value;
      norm += static_cast<double>(value) * static_cast<double>(value);
    }
    memory.start[c] = c < k ? static_cast<float>(-norm / 2) : -std::numeric_limits<float>::infinity();
  }
  for (std::size_t c = first; c < cpu::roundedUp(last, panelWidth); ++c) {
    float* const chains = memory.chains + c / panelWidth * panelWidth * d + c % panelWidth;
    const float* const centroid = centroids + std::min(c, k - 1) * d; // the last one again loses every tie
    for (std::size_t j = 0; j < d; ++j)
      chains[j * panelWidth] = centroid[j];
  }
}

/// Points turned at a time: a tile of the scalar target has two.
inline constexpr std::size_t turned = std::min<std::size_t>(4, tileWidth);

/// Four rows of so many points, turned into the points' records; rows that are not there become 0.
inline void turn(const float* row, std::size_t stride, std::size_t rows, float* record, std::size_t step) {
#if HWY_TARGET != HWY_SCALAR
  const hn::FixedTag<float, 4> four;
  using Four = hn::Vec<hn::FixedTag<float, 4>>;
  const Four zero = hn::Zero(four);
  const Four a = hn::LoadU(four, row);
  const Four b = rows > 1 ? hn::LoadU(four, row + stride) : zero;
  const Four c = rows > 2 ? hn::LoadU(four, row + 2 * stride) : zero;
  const Four e = rows > 3 ? hn::LoadU(four, row + 3 * stride) : zero;
  const Four low = hn::InterleaveLower(four, a, b);
  const Four high = hn::InterleaveUpper(four, a, b);
  const Four lowRest = hn::InterleaveLower(four, c, e);
  const Four highRest = hn::InterleaveUpper(four, c, e);
  hn::StoreU(hn::ConcatLowerLower(four, lowRest, low), four, record);
  hn::StoreU(hn::ConcatUpperUpper(four, lowRest, low), four, record + step);
  hn::StoreU(hn::ConcatLowerLower(four, highRest, high), four, record + 2 * step);
  hn::StoreU(hn::ConcatUpperUpper(four, highRest, high), four, record + 3 * step);
#else
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t i = 0; i < turned; ++i)
      record[i * step + j] = j < rows ? row[j * stride + i] : 0.0f;
#endif
}

/// Brings points begin .. begin + count - 1 into the block, as tiles and as records: tile by tile, so that
/// what is written stays in the first-level cache until it is whole.
inline void takeBlock(const Problem& problem, const PointView& points, const cpu::ProductMemory& memory,
                      cpu::ProductBlock& block, std::size_t begin, std::size_t count) {
  const Floats floats;
  const auto d = static_cast<std::size_t>(problem.d);
  for (std::size_t at = 0; at < count; at += tileWidth) { // rows are padded to whole tiles
    float* const tile = block.tiles + at * d;
    FloatVector norm[tileVectors];
    for (int v = 0; v < tileVectors; ++v)
      norm[v] = hn::Zero(floats);
    for (std::size_t first = 0; first < d; first += 4) {
      const std::size_t rows = std::min<std::size_t>(4, d - first);
      const float* const row = points.data + first * points.stride + begin + at;
      for (std::size_t j = 0; j < rows; ++j) {
        // The next points of a row lie in the next line, but those of the next row are far away.
        for (std::size_t i = 0; i < tileWidth; i += 16)
          hwy::Prefetch(row + j * points.stride + i + prefetched);
        const FloatVector shift = hn::Set(floats, memory.shift[first + j]);
        for (int v = 0; v < tileVectors; ++v) {
          const std::size_t i = static_cast<std::size_t>(v) * floatLanes;
          const FloatVector x = hn::Sub(hn::LoadU(floats, row + j * points.stride + i), shift);
          hn::Store(x, floats, tile + (first + j) * tileWidth + i);
          norm[v] = hn::MulAdd(x, x, norm[v]);
        }
      }
      float* const record = block.records + at * block.record() + first;
      for (std::size_t i = 0; i < tileWidth; i += turned)
        turn(row + i, points.stride, rows, record + i * block.record(), block.record());
    }
    for (int v = 0; v < tileVectors; ++v)
      hn::Store(norm[v], floats, block.norms + at + static_cast<std::size_t>(v) * floatLanes);
  }
}

/// The best of some clusters for a vector of points. A constructor that nobody writes would not be compiled
/// for the instruction set.
struct Best {
  HWY_INLINE Best() {}
  HWY_INLINE Best(FloatVector greatest, FloatVector next, LabelVector whose)
      : score(greatest), second(next), found(whose) {}

  FloatVector score;  ///< the greatest
  FloatVector second; ///< the next after it
  LabelVector found;  ///< whose the greatest is
};

/// Of two sets of clusters: those of the first come before those of the second.
HWY_INLINE Best better(const Best& first, const Best& second) {
  const auto isBetter = hn::RebindMask(Labels(), hn::Gt(second.score, first.score));
  return {hn::Max(first.score, second.score),
          hn::Max(hn::Max(first.second, second.second), hn::Min(first.score, second.score)),
          hn::IfThenElse(isBetter, second.found, first.found)};
}

/// Of two clusters; found counts from base on.
HWY_INLINE Best betterOfTwo(FloatVector first, FloatVector second, LabelVector number) {
  const Labels labels;
  const auto isBetter = hn::RebindMask(labels, hn::Gt(second, first));
  return {hn::Max(first, second), hn::Min(first, second),
          hn::IfThenElse(isBetter, hn::Add(number, hn::Set(labels, 1)), number)};
}

/// Scores of a tile and one group of clusters, the first of which is given. They never leave the registers.
HWY_INLINE void scoreGroup(const float* HWY_RESTRICT tile, const float* HWY_RESTRICT factors,
                           const float* HWY_RESTRICT start, std::size_t d, std::size_t first,
                           Best (&known)[tileVectors]) {
  const Floats floats;
  const Labels labels;
  FloatVector score[groupClusters][tileVectors];
#pragma GCC unroll 16
  for (int c = 0; c < groupClusters; ++c)
#pragma GCC unroll 2
    for (int v = 0; v < tileVectors; ++v)
      score[c][v] = hn::Set(floats, start[c]);
#pragma GCC unroll 4
  for (std::size_t j = 0; j < d; ++j) {
    FloatVector x[tileVectors];
#pragma GCC unroll 2
    for (int v = 0; v < tileVectors; ++v)
      x[v] = hn::Load(floats, tile + j * tileWidth + static_cast<std::size_t>(v) * floatLanes);
#pragma GCC unroll 16
    for (int c = 0; c < groupClusters; ++c) {
      const FloatVector factor = hn::Set(floats, factors[j * groupClusters + static_cast<std::size_t>(c)]);
#pragma GCC unroll 2
      for (int v = 0; v < tileVectors; ++v)
        score[c][v] = hn::MulAdd(x[v], factor, score[c][v]);
    }
  }
  // A tree: its branches wait for each other less than a chain would.
  const LabelVector base = hn::Set(labels, static_cast<Label>(first));
#pragma GCC unroll 2
  for (int v = 0; v < tileVectors; ++v) {
    Best best[groupClusters / 2];
#pragma GCC unroll 8
    for (int pair = 0; pair < groupClusters / 2; ++pair) {
      const std::ptrdiff_t even = std::ptrdiff_t{2} * pair;
      best[pair] = betterOfTwo(score[even][v], score[even + 1][v], hn::Add(base, hn::Set(labels, 2 * pair)));
    }
#pragma GCC unroll 4
    for (int step = 1; step < groupClusters / 2; step *= 2)
#pragma GCC unroll 4
      for (int pair = 0; pair + step < groupClusters / 2; pair += 2 * step)
        best[pair] = better(best[pair], best[pair + step]);
    known[v] = better(known[v], best[0]);
  }
}

/// Groups of clusters that stay in the second-level cache while all tiles of a block go by.
inline std::size_t groupsAtOnce(std::size_t d) {
  constexpr std::size_t values = std::size_t{1} << 18; // 1 MiB
  return std::max<std::size_t>(1, values / (d * groupClusters));
}

/// The greatest scores of a block's points, the next after them, and whose the greatest are.
inline void scoreBlock(const Problem& problem, const cpu::ProductMemory& memory, cpu::ProductBlock& block,
                       std::size_t count) {
  const Floats floats;
  const Labels labels;
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t groups = (static_cast<std::size_t>(problem.k) + groupClusters - 1) / groupClusters;
  const std::size_t atOnce = groupsAtOnce(d);
  std::size_t scored = 0; // tiles, each with a group
  for (std::size_t from = 0; from < groups; from += atOnce)
    for (std::size_t begin = 0; begin < count; begin += tileWidth) {
      Best known[tileVectors];
      for (int v = 0; v < tileVectors; ++v) {
        const std::size_t at = begin + static_cast<std::size_t>(v) * floatLanes;
        const FloatVector least = hn::Set(floats, -std::numeric_limits<float>::infinity());
        known[v].score = from == 0 ? least : hn::Load(floats, block.best + at);
        known[v].second = from == 0 ? least : hn::Load(floats, block.second + at);
        known[v].found = from == 0 ? hn::Zero(labels) : hn::Load(labels, block.found + at);
      }
      for (std::size_t g = from; g < std::min(groups, from + atOnce); ++g, ++scored)
        scoreGroup(block.tiles + begin * d, memory.factors + g * groupClusters * d,
                   memory.start + g * groupClusters, d, g * groupClusters, known);
      for (int v = 0; v < tileVectors; ++v) {
        const std::size_t at = begin + static_cast<std::size_t>(v) * floatLanes;
        hn::Store(known[v].score, floats, block.best + at);
        hn::Store(known[v].second, floats, block.second + at);
        hn::Store(known[v].found, labels, block.found + at);
      }
    }
  WorkWatch::add(&WorkTally::scores, scored * tileWidth * groupClusters);
}

/// Lists the points of a block whose second score is not farther below the first than scores may be wrong;
/// returns how many. largest: the greatest squared norm of a shifted centroid.
inline std::size_t listDoubts(const Problem& problem, float largest, cpu::ProductBlock& block,
                              std::size_t count) {
  const Floats floats;
  const auto d = static_cast<float>(problem.d);
  const auto set = [&](float value) { return hn::Set(floats, value); };
  const FloatVector infinite = set(std::numeric_limits<float>::infinity());
  const FloatVector others = set(largest);
  const FloatVector root = hn::Sqrt(others);
  const FloatVector rounding = set((d + 4) * 0x1p-24f);
  const FloatVector chains = set((d + 2) * 0x1p-24f);
  const FloatVector tiny = set(std::numeric_limits<float>::min());
  std::size_t doubts = 0;
  std::uint8_t told[8] = {}; // a bit a lane
  for (std::size_t begin = 0; begin < count; begin += floatLanes) {
    const FloatVector norm = hn::Load(floats, block.norms + begin);
    const FloatVector best = hn::Load(floats, block.best + begin);
    const FloatVector sums = hn::MulAdd(hn::Sqrt(norm), root, hn::Mul(set(0.5f), others));
    const FloatVector twice = hn::Mul(set(2), hn::Mul(rounding, sums)); // 2 E
    const FloatVector squared = hn::Max(hn::Sub(norm, hn::Add(best, best)), hn::Zero(floats));
    const FloatVector bound =
        hn::MulAdd(set(1.02f), hn::MulAdd(chains, hn::Add(squared, twice), twice), tiny);
    const FloatVector margin = hn::IfThenElse(hn::Lt(hn::Add(norm, others), set(1e37f)), bound, infinite);
    // Where a score is no number the first is not farther from the second than anything.
    const auto sure = hn::Gt(hn::Sub(best, hn::Load(floats, block.second + begin)), margin);
    if (hn::AllTrue(floats, sure)) continue;
    hn::StoreMaskBits(floats, sure, told);
    for (std::size_t lane = 0; lane < std::min(floatLanes, count - begin); ++lane)
      if ((told[lane / 8] >> lane % 8 & 1) == 0)
        block.doubts[doubts++] = static_cast<std::uint32_t>(begin + lane);
  }
  return doubts;
}

/// The nearest centroids of P points of the block by the chains of all clusters, which decide.
template <int P>
void nearestByChains(const Problem& problem, const cpu::ProductMemory& memory, cpu::ProductBlock& block,
                     const std::uint32_t* which) {
  const Floats floats;
  const Labels labels;
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  const float* record[P];
  FloatVector best[P];
  LabelVector found[P];
  for (int p = 0; p < P; ++p) {
    record[p] = block.records + which[p] * block.record();
    best[p] = hn::Set(floats, std::numeric_limits<float>::infinity());
    found[p] = hn::Zero(labels);
  }
  for (std::size_t first = 0; first < k; first += panelWidth) {
    const float* const panel = memory.chains + first * d;
    FloatVector distance[P][panelVectors];
    for (int p = 0; p < P; ++p)
      for (int u = 0; u < panelVectors; ++u)
        distance[p][u] = hn::Zero(floats);
    for (std::size_t j = 0; j < d; ++j) {
      FloatVector c[panelVectors];
      for (int u = 0; u < panelVectors; ++u)
        c[u] = hn::Load(floats, panel + j * panelWidth + static_cast<std::size_t>(u) * floatLanes);
#pragma GCC unroll 4
      for (int p = 0; p < P; ++p) {
        const FloatVector x = hn::Set(floats, record[p][j]);
#pragma GCC unroll 4
        for (int u = 0; u < panelVectors; ++u)
          distance[p][u] = addProduct(floats, hn::Sub(x, c[u]), distance[p][u]);
      }
    }
    for (int u = 0; u < panelVectors; ++u) {
      const auto begin = static_cast<Label>(first + static_cast<std::size_t>(u) * floatLanes);
      const LabelVector cluster = hn::Iota(labels, begin);
      for (int p = 0; p < P; ++p) {
        const auto nearer = hn::Lt(distance[p][u], best[p]);
        best[p] = hn::IfThenElse(nearer, distance[p][u], best[p]);
        found[p] = hn::IfThenElse(hn::RebindMask(labels, nearer), cluster, found[p]);
      }
    }
  }
  HWY_ALIGN float distances[16];
  HWY_ALIGN Label clusters[16];
  for (int p = 0; p < P; ++p) {
    hn::Store(best[p], floats, distances);
    hn::Store(found[p], labels, clusters);
    std::size_t least = 0;
    for (std::size_t lane = 1; lane < floatLanes; ++lane)
      if (distances[lane] < distances[least] ||
          (distances[lane] == distances[least] && clusters[lane] < clusters[least]))
        least = lane;
    block.found[which[p]] = clusters[least];
  }
}

/// Labels points begin .. end - 1, no more than a block has; their records stay in the block.
inline cpu::BlockCounts labelBlock(const ClassifyArgs& args, const cpu::ProductMemory& memory, float largest,
                                   cpu::ProductBlock& block, std::size_t begin, std::size_t end) {
  const Problem& problem = args.problem;
  const std::size_t count = end - begin;
  takeBlock(problem, args.points, memory, block, begin, count);
  scoreBlock(problem, memory, block, count);
  const std::size_t doubts = listDoubts(problem, largest, block, count);
  std::size_t done = 0;
  for (; done + chainPoints <= doubts; done += chainPoints)
    nearestByChains<chainPoints>(problem, memory, block, block.doubts + done);
  for (; done < doubts; ++done)
    nearestByChains<1>(problem, memory, block, block.doubts + done);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    changed += block.found[i] != args.oldLabels[begin + i] ? 1 : 0;
    args.labels[begin + i] = block.found[i];
  }
  return {changed, doubts};
}

/// Adds a labelled block of count points to sums [k][d] and counts [k]: each point's record at once, in
/// doubles.
inline void addRecords(const Problem& problem, const float* pivots, const cpu::ProductBlock& block,
                       std::size_t count, double* sums, std::uint32_t* counts) {
  const hn::CappedTag<double, 8> doubles;
  const hn::Rebind<float, decltype(doubles)> floats;
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t lanes = hn::Lanes(doubles);
  for (std::size_t i = 0; i < count; ++i) {
    const auto cluster = static_cast<std::size_t>(block.found[i]);
    const float* const record = block.records + i * block.record();
    const float* const pivot = pivots + cluster * d;
    double* const sum = sums + cluster * d;
    ++counts[cluster];
    std::size_t j = 0;
    for (; j + lanes <= d; j += lanes) {
      const auto deviation = hn::Sub(hn::LoadU(floats, record + j), hn::LoadU(floats, pivot + j));
      hn::StoreU(hn::Add(hn::LoadU(doubles, sum + j), hn::PromoteTo(doubles, deviation)), doubles, sum + j);
    }
    for (; j < d; ++j)
      sum[j] += static_cast<double>(record[j] - pivot[j]);
  }
}

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
