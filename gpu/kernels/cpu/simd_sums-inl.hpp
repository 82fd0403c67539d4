// SPDX-License-Identifier: GPL-3.0-or-later
// How cpu.v2 and cpu.v3 add one block of labelled points to its clusters, in one thread. Highway compiles
// this file once for every instruction set, which is why it has a guard of its own kind and no #pragma once.
#if defined(LLOYD_SIMD_SUMS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LLOYD_SIMD_SUMS_INL
#undef LLOYD_SIMD_SUMS_INL
#else
#define LLOYD_SIMD_SUMS_INL
#endif

#include "gpu/core/contract/device.hpp"

#include <hwy/highway.h>

#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace lloyd::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR
using Record = hn::FixedTag<float, 4>; ///< a point's coordinates and a 1 that counts it
using RecordVector = hn::Vec<Record>;

/// Four points from i on, turned from the first J rows into records. One addition then moves a whole point,
/// its count included where there is room.
template <int J>
HWY_INLINE void transpose(const PointView& rows, std::size_t i, RecordVector (&records)[4]) {
  const Record tag;
  const RecordVector one = hn::Set(tag, 1.0f);
  const RecordVector x = hn::LoadU(tag, rows.data + i);
  RecordVector y = one;
  if constexpr (J > 1) y = hn::LoadU(tag, rows.data + rows.stride + i);
  const RecordVector low = hn::InterleaveLower(tag, x, y);
  const RecordVector high = hn::InterleaveUpper(tag, x, y);
  RecordVector lowRest = one; // for one row and two the upper half is the count, or of no interest
  RecordVector highRest = one;
  if constexpr (J > 2) {
    const RecordVector z = hn::LoadU(tag, rows.data + 2 * rows.stride + i);
    RecordVector last = one;
    if constexpr (J > 3) last = hn::LoadU(tag, rows.data + 3 * rows.stride + i);
    lowRest = hn::InterleaveLower(tag, z, last);
    highRest = hn::InterleaveUpper(tag, z, last);
  }
  records[0] = hn::ConcatLowerLower(tag, lowRest, low);
  records[1] = hn::ConcatUpperUpper(tag, lowRest, low);
  records[2] = hn::ConcatLowerLower(tag, highRest, high);
  records[3] = hn::ConcatUpperUpper(tag, highRest, high);
}

inline constexpr int recordTables = 8;
inline constexpr int recordClusters = 64;

/// Sums J coordinates from first on of up to some thousand points in float, and counts the points unless
/// J = 4. Neighbours go to different tables, so that an addition need not wait for the one before when both
/// points belong to one cluster; no table sees more than an eighth of the block, so nothing is lost to
/// rounding before the doubles take over.
template <int J>
void accumulateRecords(const ReduceArgs& args, std::size_t first, std::size_t begin, std::size_t end,
                       double* sums, std::uint32_t* counts) {
  const Record tag;
  const auto k = static_cast<std::size_t>(args.problem.k);
  const auto d = static_cast<std::size_t>(args.problem.d);
  // Kept apart from args, which the compiler must suppose a vector store to change.
  const Label* const labels = args.labels;
  const PointView rows{args.points.data + first * args.points.stride, args.points.stride};
  HWY_ALIGN float pivots[recordClusters * 4];
  HWY_ALIGN float tables[recordTables][recordClusters * 4];
  for (std::size_t cluster = 0; cluster < k; ++cluster)
    for (std::size_t j = 0; j < 4; ++j)
      pivots[cluster * 4 + j] = j < J ? args.pivots[cluster * d + first + j] : 0.0f;
  for (float* table : tables)
    std::memset(table, 0, k * 4 * sizeof(float));

  const auto add = [&](RecordVector record, std::size_t i, float* table) HWY_ATTR {
    const auto at = static_cast<std::size_t>(labels[i]) * 4;
    const RecordVector deviation = hn::Sub(record, hn::Load(tag, pivots + at));
    hn::Store(hn::Add(hn::Load(tag, table + at), deviation), tag, table + at);
  };
  std::size_t i = begin;
  RecordVector records[4];
  for (; i + 8 <= end; i += 8) {
    for (std::size_t half = 0; half < 8; half += 4) {
      transpose<J>(rows, i + half, records);
      for (std::size_t lane = 0; lane < 4; ++lane)
        add(records[lane], i + half + lane, tables[half + lane]);
    }
  }
  for (; i < end; i += 4) {
    transpose<J>(rows, i, records);
    for (std::size_t lane = 0; lane < 4 && i + lane < end; ++lane)
      add(records[lane], i + lane, tables[lane]);
  }

  for (std::size_t cluster = 0; cluster < k; ++cluster) {
    double total[4] = {};
    for (const float* table : tables)
      for (std::size_t lane = 0; lane < 4; ++lane)
        total[lane] += static_cast<double>(table[cluster * 4 + lane]);
    for (std::size_t j = 0; j < J; ++j)
      sums[cluster * d + first + j] += total[j];
    if constexpr (J < 4) counts[cluster] += static_cast<std::uint32_t>(total[J]);
  }
}

/// Counts alone, in two tables for the reason that accumulateRecords() has eight.
inline void countLabels(const ReduceArgs& args, std::size_t begin, std::size_t end, std::uint32_t* counts) {
  std::uint32_t odd[recordClusters] = {};
  std::size_t i = begin;
  for (; i + 2 <= end; i += 2) {
    ++counts[args.labels[i]];
    ++odd[args.labels[i + 1]];
  }
  if (i < end) ++counts[args.labels[i]];
  for (int cluster = 0; cluster < args.problem.k; ++cluster)
    counts[cluster] += odd[cluster];
}

/// For K of recordClusters at most and any D: four coordinates at a time, and what is left with the counts.
inline void accumulateGroups(const ReduceArgs& args, std::size_t begin, std::size_t end, double* sums,
                             std::uint32_t* counts) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  std::size_t first = 0;
  for (; first + 4 <= d; first += 4)
    accumulateRecords<4>(args, first, begin, end, sums, counts);
  switch (d - first) {
  case 1:
    return accumulateRecords<1>(args, first, begin, end, sums, counts);
  case 2:
    return accumulateRecords<2>(args, first, begin, end, sums, counts);
  case 3:
    return accumulateRecords<3>(args, first, begin, end, sums, counts);
  default:
    return countLabels(args, begin, end, counts);
  }
}
#endif

/// For any K and D: row after row, straight into doubles.
inline void accumulateRows(const ReduceArgs& args, std::size_t begin, std::size_t end, double* sums,
                           std::uint32_t* counts) {
  const auto d = static_cast<std::size_t>(args.problem.d);
  for (std::size_t i = begin; i < end; ++i)
    ++counts[args.labels[i]];
  for (std::size_t j = 0; j < d; ++j) {
    const float* row = args.points.data + j * args.points.stride;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t at = static_cast<std::size_t>(args.labels[i]) * d + j;
      sums[at] += static_cast<double>(row[i] - args.pivots[at]);
    }
  }
}

/// Adds points begin .. end - 1, at most 4096, to sums [k][d] and counts [k].
inline void accumulateBlock(const ReduceArgs& args, std::size_t begin, std::size_t end, double* sums,
                            std::uint32_t* counts) {
#if HWY_TARGET != HWY_SCALAR
  if (args.problem.k <= recordClusters) return accumulateGroups(args, begin, end, sums, counts);
#endif
  accumulateRows(args, begin, end, sums, counts);
}

} // namespace lloyd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
