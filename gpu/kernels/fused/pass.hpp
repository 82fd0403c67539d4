// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The way of a block through its points, which the fused variants share: load, find the label, store it, add.
// How labels are found is the variant's own.
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/vectors.hpp"

namespace lloyd::fused {

// Points whose label takes longer to find than their neighbours' wait in shared memory, a queue for each
// warp.

/// A point that waits, and where in memory it is.
template <unsigned D>
LLOYD_DEVICE Slot<D> waiting(const float (&x)[D], unsigned i) {
  if constexpr (D == 1)
    return make_float2(x[0], __uint_as_float(i));
  else if constexpr (D == 2)
    return make_float4(x[0], x[1], 0, __uint_as_float(i));
  else
    return make_float4(x[0], x[1], x[2], __uint_as_float(i));
}
template <unsigned D>
LLOYD_DEVICE unsigned waiter(const Slot<D>& item, float (&x)[D]) {
  x[0] = item.x;
  if constexpr (D == 1) {
    return __float_as_uint(item.y);
  } else {
    x[1] = item.y;
    if constexpr (D == 3) x[2] = item.z;
    return __float_as_uint(item.w);
  }
}

/// Room for points of a warp that wait: up to 31 that are there, and 32 that come at once.
inline constexpr unsigned waitingRoom = 64;
template <unsigned D>
[[nodiscard]] constexpr std::size_t waitingBytes(int threads) {
  return static_cast<std::size_t>(threads) / 32 * waitingRoom * sizeof(Slot<D>);
}

/// The whole of a fused kernel but for what it prepares. Shared memory begins with the sums, then, when
/// points may wait, waitingBytes(); what find and settle read there is filled before. The other arguments are
/// the kernel's. Private: sums in slots; else in copies of a table.
///
/// find(x, label, deviation) labels Vectors x perVector points and says how far each is from its centroid. It
/// returns a bit for every point that would take longer: such a point waits until its warp has 32 of them,
/// which settle(x, label, deviation) then labels at once, each lane one. Otherwise 31 lanes would wait for
/// one.
///
/// Old labels may be the labels themselves. Who stores a vector's labels has loaded its old ones; a point
/// that waits keeps its old label in that store, and who settles it comes after a barrier of the warp, reads
/// that byte and replaces it.
///
/// A block takes chunks of whole vectors, a grid apart; what remains at the end, less than a chunk, is one
/// block's, point by point.
template <unsigned D, unsigned Vectors, class Stored, bool Private, bool MayWait, class Points,
          class PointVectors, class Centroids, class OldLabels, class OldWords, class Labels, class Words,
          class Changed, class Sums, class Counts, class Ticket, class Totals, class Find, class Settle>
LLOYD_DEVICE void pass(const Points& points, const PointVectors& vectors, std::size_t stride,
                       const Centroids& centroids, const OldLabels& oldLabels, const OldWords& oldWords,
                       const Labels& labels, const Words& words, const Changed& changed, const Sums& sums,
                       const Counts& counts, const Ticket& ticket, const Totals& totals, std::size_t n,
                       unsigned k, unsigned copies, const Bounds& bounds, const Find& find,
                       const Settle& settle) {
  const unsigned slotCount = Private ? k * blockDim.x : 0;
  const unsigned tableCount = Private ? 0 : k * tableWidth(D) * copies;
  const unsigned blockTotals = Private ? 0 : k;
  const unsigned room = MayWait ? blockDim.x / 32 * waitingRoom : 0;
  std::size_t at = 0;
  LLOYD_DYNAMIC_SHARED(Slot<D>, slots, at, slotCount);
  at += slotCount * sizeof(Slot<D>);
  LLOYD_DYNAMIC_SHARED(Slot<D>, queue, at, room);
  at += room * sizeof(Slot<D>);
  LLOYD_DYNAMIC_SHARED(long long, blockSums, at, blockTotals* D);
  at += blockTotals * D * sizeof(long long);
  LLOYD_DYNAMIC_SHARED(unsigned long long, blockCounts, at, blockTotals);
  at += blockTotals * sizeof(unsigned long long);
  LLOYD_DYNAMIC_SHARED(int, table, at, tableCount);
  LLOYD_SHARED(unsigned, last, 1);

  const unsigned t = threadIdx.x;
  const unsigned lane = t % 32;
  if constexpr (Private) {
    for (unsigned c = 0; c < k; ++c)
      slots[c * blockDim.x + t] = emptySlot<D>();
  } else {
    for (unsigned v = t; v < tableCount; v += blockDim.x)
      table[v] = 0;
    for (unsigned c = t; c < k; c += blockDim.x) {
      blockCounts[c] = 0;
      for (unsigned j = 0; j < D; ++j)
        blockSums[c * D + j] = 0;
    }
  }
  __syncthreads();

  const unsigned copy = Private ? 0 : t / 32 % copies * k * tableWidth(D);
  const auto add = [&](const float(&point)[D], unsigned label, const float(&deviation)[D]) {
    if constexpr (Private)
      addToSlot<D>(slots, label * blockDim.x + t, deviation);
    else
      addToTable<D>(table, copy + label * tableWidth(D), point, bounds.fixed);
  };

  const unsigned inChunk = blockDim.x * Vectors;
  const auto chunks = static_cast<unsigned>(n / perVector / inChunk);
  unsigned inTable = 0;
  unsigned newLabels = 0;
  const auto vectorOf = [&](unsigned chunk, unsigned r) {
    return static_cast<std::size_t>(chunk) * inChunk + r * blockDim.x + t;
  };
  struct Batch {
    float x[Vectors][perVector][D];
    unsigned old[Vectors][wordsPerVector<Stored>];
  };
  unsigned label[Vectors][perVector];
  float deviation[Vectors][perVector][D];
  const auto load = [&](Batch& batch, unsigned chunk) {
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      loadVector<D, Stored>(vectors, stride, oldWords, vectorOf(chunk, r), batch.x[r], batch.old[r]);
  };

  const unsigned firstWaiting = t / 32 * waitingRoom;
  unsigned nowWaiting = 0; // the same in all lanes
  // The last of those that wait, as many as there are lanes, each in a lane of its own.
  const auto settleLast = [&](unsigned count) {
    nowWaiting -= count;
    if (lane < count) {
      const Slot<D> item = queue[firstWaiting + nowWaiting + lane];
      float point[D];
      const unsigned i = waiter<D>(item, point);
      unsigned found = 0;
      float away[D];
      settle(point, found, away);
      const Stored before = oldLabels[i];
      if (before != found) {
        labels[i] = static_cast<Stored>(found);
        ++newLabels;
      }
      add(point, found, away);
    }
    __syncwarp();
  };
  // here: the lane has such a point. Its stored label is the old one until it is settled.
  const auto letWait = [&](bool here, const float(&point)[D], std::size_t i) {
    const unsigned lanes = __ballot_sync(0xffffffffu, here ? 1 : 0);
    if (lanes == 0) return;
    const auto before = static_cast<unsigned>(__popc(lanes & ((1u << lane) - 1u)));
    if (here) queue[firstWaiting + nowWaiting + before] = waiting<D>(point, static_cast<unsigned>(i));
    nowWaiting += static_cast<unsigned>(__popc(lanes));
    __syncwarp();
    if (nowWaiting >= 32) settleLast(32);
  };

  // The next points are asked for before the present ones are worked on, so that memory is never idle. Two
  // batches take turns: a copy from one to the other would cost an instruction a value.
  const auto work = [&](Batch& now, Batch& next, unsigned chunk) {
    if (chunk + gridDim.x < chunks) load(next, chunk + gridDim.x);
    const unsigned waits = find(now.x, label, deviation);
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      newLabels += storeVector<Stored>(words, vectorOf(chunk, r), label[r], now.old[r],
                                       MayWait ? waits >> (r * perVector) : 0);
    if constexpr (MayWait) {
      if (__any_sync(0xffffffffu, waits != 0 ? 1 : 0)) {
        LLOYD_UNROLL
        for (unsigned r = 0; r < Vectors; ++r)
          LLOYD_UNROLL
        for (unsigned m = 0; m < perVector; ++m)
          letWait((waits >> (r * perVector + m) & 1u) != 0, now.x[r][m], vectorOf(chunk, r) * perVector + m);
      }
    }
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r)
      LLOYD_UNROLL
    for (unsigned m = 0; m < perVector; ++m)
      if (!MayWait || (waits >> (r * perVector + m) & 1u) == 0)
        add(now.x[r][m], label[r][m], deviation[r][m]);
    if constexpr (!Private) {
      inTable += inChunk * perVector;
      if (inTable + inChunk * perVector <= pointsBeforeOverflow) return;
      inTable = 0;
      __syncthreads();
      emptyTable<D>(table, copies, k, blockSums, blockCounts);
      __syncthreads();
    }
  };
  Batch even;
  Batch odd;
  unsigned chunk = blockIdx.x;
  if (chunk < chunks) load(even, chunk);
  while (chunk < chunks) {
    work(even, odd, chunk);
    chunk += gridDim.x;
    if (chunk >= chunks) break;
    work(odd, even, chunk);
    chunk += gridDim.x;
  }
  if (blockIdx.x == chunks % gridDim.x) {
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r) {
      const std::size_t v = vectorOf(chunks, r);
      loadSome<D>(points, stride, v, pointsOfVector(v, n), bounds.low, even.x[r]);
    }
    const unsigned waits = find(even.x, label, deviation);
    LLOYD_UNROLL
    for (unsigned r = 0; r < Vectors; ++r) {
      const std::size_t v = vectorOf(chunks, r);
      const unsigned here = pointsOfVector(v, n);
      if constexpr (MayWait) {
        LLOYD_UNROLL
        for (unsigned m = 0; m < perVector; ++m)
          if ((waits >> (r * perVector + m) & 1u) != 0) settle(even.x[r][m], label[r][m], deviation[r][m]);
      }
      newLabels += storeSome<Stored>(labels, oldLabels, v, here, label[r]);
      LLOYD_UNROLL
      for (unsigned m = 0; m < perVector; ++m)
        if (m < here) add(even.x[r][m], label[r][m], deviation[r][m]);
    }
  }
  if constexpr (MayWait) {
    if (nowWaiting > 0) settleLast(nowWaiting);
  }

  addChanges(changed, 0, newLabels);
  if constexpr (Private) {
    handOverSlots<D>(slots, centroids, bounds, last, ticket, totals, sums, counts, n, k);
  } else {
    __syncthreads();
    emptyTable<D>(table, copies, k, blockSums, blockCounts);
    __syncthreads();
    handOverTable<D>(blockSums, blockCounts, centroids, bounds.fixed, last, ticket, totals, sums, counts, k);
  }
}

} // namespace lloyd::fused
