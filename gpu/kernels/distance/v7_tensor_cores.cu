// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v7, tensor cores: V6's product by warp matrix instructions. A warp multiplies 16 points x 16
// coordinates by 16 coordinates x 8 clusters in one instruction, and adds it to 16 x 8 unfinished scores that
// its lanes keep in registers: 2,048 multiply-adds where V6's instruction has 32.
//
// The factors are halves, of eleven digits (halves.hpp says how they keep their range), so scores are less
// exact than V6's and more points are in doubt. How much the rounding of a point and of the centroids took
// away is measured, and the bound in score.hpp takes it; a point for which halves have no room has an
// infinite bound.
//
// Scores never leave the chip. A warp keeps 32 x 64 of them, because a value from shared memory then serves
// 32 or 64 points or clusters, and each lane keeps the best two of the clusters that it sees of each of its
// points, even and odd ones apart. Whose they are is written over their last binary digits, so that four
// instructions take a score; the bound takes those digits as well. What lies within the bound is decided by
// distances at the end: the best of a lane, and where its second is within it too, all of that lane's
// clusters. A point with too many of them goes to V6's list.
//
// The points of a block are rounded once and stay in shared memory while all clusters go by, as far as there
// is room; the clusters' factors are copied there past the registers, two tiles ahead. Two blocks or four
// share a multiprocessor, so that one multiplies while another waits or compares. What to look at: the time
// beside V6's, and the share of points in doubt. This is ours; a card from compute capability 8.0 on.
#include "gpu/kernels/distance/doubts.hpp"
#include "gpu/kernels/distance/halves.hpp"
#include "gpu/kernels/distance/only_cluster.hpp"

#include <algorithm>
#include <bit>

namespace lloyd {
namespace {

constexpr unsigned side = halfSide;        // clusters of a warp
constexpr unsigned height = 32;            // points of it
constexpr unsigned rowTiles = height / 16; // of an instruction
constexpr unsigned columnTiles = side / 8;
constexpr unsigned depth = factorTile;    // coordinates of a tile
constexpr unsigned steps = halfSteps;     // instructions along it
constexpr unsigned quads = depth / 4;     // of coordinates: what a lane holds of a point
constexpr unsigned vectors = halfVectors; // of eight halves, that 64 clusters have in a tile
constexpr unsigned turns = 3;             // tiles of factors in shared memory
constexpr unsigned mostColumns = 4;
constexpr unsigned mostPairs = 1024;           // of points in doubt and clusters
constexpr std::size_t roomForTwo = 112 * 1024; // bytes of a block, where two share a multiprocessor

/// Columns warps share 32 points, and the others of a block have other points.
template <unsigned Columns>
struct Shape {
  static constexpr unsigned warps = Columns == 1 ? 4 : 8; // four blocks or two share a multiprocessor
  static constexpr unsigned threads = 32 * warps;
  static constexpr unsigned points = height * warps / Columns;
  static constexpr unsigned clusters = side * Columns;
  static constexpr unsigned parts = 8 * Columns; // four lanes, even and odd clusters
  static constexpr unsigned row = points + 2;    // of what is found: lanes that write meet in no bank
  static constexpr std::size_t pointBytes = std::size_t{points} * depth * 2; // of a tile
  static constexpr std::size_t factorBytes = std::size_t{clusters} * depth * 2;
  static constexpr std::size_t startBytes = std::size_t{clusters} * sizeof(float);
  static constexpr std::size_t foundBytes = std::size_t{parts} * row * sizeof(float2);
  /// Of a block that keeps so many tiles of points.
  [[nodiscard]] LLOYD_EVERYWHERE static constexpr std::size_t bytes(std::size_t kept) {
    const std::size_t tiles = kept * pointBytes + turns * (factorBytes + startBytes);
    return tiles < foundBytes ? foundBytes : tiles;
  }
};

/// Where four coordinates of a point lie among those of 16 points and 16 coordinates, so that lanes meet in
/// no bank, neither 16 points that are stored nor those of an instruction.
LLOYD_DEVICE unsigned quadAt(unsigned group, unsigned quad) { return quad * 8 + (group + 2 * quad) % 8; }

struct BestTwo {
  float best = -INFINITY;
  float second = -INFINITY;
};

/// tilesOfClusters: of Shape::clusters. kept: tiles of points in shared memory: all, or two that take turns.
/// mask: the digits that say whose a score is.
template <unsigned Columns>
LLOYD_KERNEL_UP_TO(512)
distance_v7(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            LLOYD_GLOBAL(const float4) shift, LLOYD_GLOBAL(const float) scale,
            LLOYD_GLOBAL(const uint4) factors, LLOYD_GLOBAL(const uint4) half,
            LLOYD_GLOBAL(const unsigned) greatest, LLOYD_GLOBAL(unsigned) listed,
            LLOYD_GLOBAL(unsigned) inList, LLOYD_GLOBAL(unsigned) rechecked, std::size_t n, unsigned d,
            unsigned k, unsigned tilesOfClusters, unsigned kept, unsigned mask) {
  using S = Shape<Columns>;
  constexpr unsigned threads = S::threads;
  if (n == 0) return;
  const unsigned tilesOfRows = (d + depth - 1) / depth;
  // At the end the tiles' memory takes the scores of [part][point]: the best two.
  const std::size_t ring = kept * S::pointBytes;
  const std::size_t starting = ring + turns * S::factorBytes;
  LLOYD_DYNAMIC_SHARED(unsigned, pointWords, 0,
                       ring / sizeof(unsigned));                      // [tile][16 points][step][quad][word]
  LLOYD_DYNAMIC_SHARED(uint4, pointVectors, 0, ring / sizeof(uint4)); // the same
  LLOYD_DYNAMIC_SHARED(uint4, factorTiles, ring, turns * S::factorBytes / sizeof(uint4));
  LLOYD_DYNAMIC_SHARED(uint4, startVectors, starting, turns * S::clusters / 4);
  LLOYD_DYNAMIC_SHARED(float2, starts, starting, turns * S::clusters / 2);
  LLOYD_DYNAMIC_SHARED(float2, bestOf, 0, S::parts * S::row);
  LLOYD_DYNAMIC_SHARED(float, differences, 0, S::bytes(kept) / sizeof(float)); // [pair][coordinate]
  LLOYD_SHARED(float2, norms, threads);
  LLOYD_SHARED(unsigned long long, nearest, S::points);
  LLOYD_SHARED(uint2, pairs, mostPairs);
  LLOYD_SHARED(unsigned, nearOf, S::warps);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned quad = lane % 4; // the instruction's own names for a lane's place
  const unsigned group = lane / 4;
  const unsigned column = warp % Columns;
  const unsigned row = warp / Columns;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * S::points;
  const float by = scale[0];

  constexpr unsigned sharers = threads / S::points; // threads that load a point
  constexpr unsigned together = quads / sharers;    // quads of it that each of them loads
  const unsigned own = threadIdx.x % S::points;
  const unsigned firstQuad = threadIdx.x / S::points;
  const std::size_t ownPoint = first + own < n ? first + own : n - 1;
  float2 norm = make_float2(0, 0); // and what rounding took away
  const auto load = [&](unsigned tile, float(&next)[together][4]) {
    std::size_t at = (tile * depth + firstQuad * 4) * stride + ownPoint;
    const bool whole = tile * depth + depth <= d;
    LLOYD_UNROLL
    for (unsigned t = 0; t < together; ++t) {
      LLOYD_UNROLL
      for (unsigned of = 0; of < 4; ++of) {
        const unsigned j = tile * depth + (t * sharers + firstQuad) * 4 + of;
        float x = 0;
        if (whole || j < d) x = points[at];
        next[t][of] = x;
        at += stride;
      }
      at += (sharers - 1) * 4 * stride;
    }
  };
  const auto store = [&](unsigned tile, unsigned slot, const float(&next)[together][4], bool firstTime) {
    const bool whole = tile * depth + depth <= d;
    LLOYD_UNROLL
    for (unsigned t = 0; t < together; ++t) {
      const unsigned q = t * sharers + firstQuad;
      const unsigned place = slot * (S::points * depth / 2) +
                             ((own / 16 * steps + q / 4) * 32 + quadAt(own % 8, q % 4)) * 4 + own / 8 % 2;
      const float4 origin = shift[tile * quads + q];
      float x[4] = {fmaf(next[t][0], by, -origin.x), fmaf(next[t][1], by, -origin.y),
                    fmaf(next[t][2], by, -origin.z), fmaf(next[t][3], by, -origin.w)};
      // Coordinates that are not there are 0 on both sides and add nothing.
      LLOYD_UNROLL
      for (unsigned of = 0; of < 4; ++of)
        if (!whole && tile * depth + q * 4 + of >= d) x[of] = 0;
      const unsigned low = packHalves(x[0], x[1]);
      const unsigned high = packHalves(x[2], x[3]);
      // Lanes of the first 16 points store their first word while the others store their second one, because
      // first ones share banks.
      const unsigned turned = own / 16 % 2 * 2;
      pointWords[place + turned] = turned == 0 ? low : high;
      pointWords[place + 2 - turned] = turned == 0 ? high : low;
      if (!firstTime) continue;
      const float lost[4] = {x[0] - lowHalf(low), x[1] - highHalf(low), x[2] - lowHalf(high),
                             x[3] - highHalf(high)};
      LLOYD_UNROLL
      for (unsigned of = 0; of < 4; ++of) {
        norm.x = fmaf(x[of], x[of], norm.x);
        norm.y = fmaf(lost[of], lost[of], norm.y);
      }
    }
  };
  // Two tiles of factors ahead of the one that is multiplied.
  unsigned copied = 0;
  unsigned copiedRow = 0;
  unsigned copiedTile = 0;
  unsigned copyTurn = 0;
  unsigned startTurn = 0;
  const auto copyFactors = [&] {
    if (copiedTile < tilesOfClusters) {
      LLOYD_UNROLL
      for (unsigned v = 0; v < Columns * vectors; v += threads)
        copyAhead(&factorTiles[copyTurn * (Columns * vectors) + v + threadIdx.x],
                  &factors[static_cast<std::size_t>(copied) * (Columns * vectors) + v + threadIdx.x]);
      if (copiedRow == 0) {
        if (threadIdx.x < S::clusters / 4)
          copyAhead(&startVectors[startTurn * (S::clusters / 4) + threadIdx.x],
                    &half[copiedTile * (S::clusters / 4) + threadIdx.x]);
        startTurn = startTurn + 1 < turns ? startTurn + 1 : 0;
      }
      ++copied;
      if (++copiedRow == tilesOfRows) {
        copiedRow = 0;
        ++copiedTile;
      }
      copyTurn = copyTurn + 1 < turns ? copyTurn + 1 : 0;
    }
    endOfCopies();
  };

  copyFactors();
  copyFactors();
  const bool keepsAll = kept == tilesOfRows;
  const unsigned loaded = keepsAll ? tilesOfRows : 1;
  float next[together][4];
  load(0, next);
  for (unsigned tile = 0; tile < loaded; tile += 2) {
    float after[together][4];
    if (together <= 4 && tile + 1 < loaded) load(tile + 1, after);
    store(tile, tile, next, true);
    if (tile + 1 == loaded) break;
    if (together > 4) load(tile + 1, after);
    if (together <= 4 && tile + 2 < loaded) load(tile + 2, next);
    store(tile + 1, tile + 1, after, true);
    if (together > 4 && tile + 2 < loaded) load(tile + 2, next);
  }

  const std::size_t decidedPoint = first + threadIdx.x / sharers;
  Label oldLabel = 0;
  if (decidedPoint < n) oldLabel = oldLabels[decidedPoint];
  BestTwo found[rowTiles][2][2]; // [16 points][half of them][even or odd]
  LLOYD_UNROLL
  for (unsigned r = 0; r < rowTiles; ++r) {
    LLOYD_UNROLL
    for (unsigned h = 0; h < 4; ++h)
      found[r][h / 2][h % 2] = BestTwo();
  }
  float score[rowTiles][columnTiles][4];
  const unsigned ownVector = row * rowTiles * steps * 32 + quadAt(group, quad);
  const unsigned ownFactor = column * vectors + lane;
  unsigned turn = 0;
  unsigned tileTurn = 0;
  unsigned slot = 0;
  for (unsigned clusters = 0; clusters < tilesOfClusters; ++clusters) {
    for (unsigned tile = 0; tile < tilesOfRows; ++tile) {
      waitForEarlierCopies(); // all but the last tile's have come
      __syncthreads();
      copyFactors();
      if (tile == 0) {
        LLOYD_UNROLL
        for (unsigned t = 0; t < columnTiles; ++t) {
          const float2 start = starts[tileTurn * (S::clusters / 2) + (column * side + t * 8) / 2 + quad];
          LLOYD_UNROLL
          for (unsigned r = 0; r < rowTiles; ++r) {
            score[r][t][0] = -start.x;
            score[r][t][1] = -start.y;
            score[r][t][2] = -start.x;
            score[r][t][3] = -start.y;
          }
        }
      }
      const unsigned nextTile = tile + 1 < tilesOfRows ? tile + 1 : 0;
      const bool loads =
          Columns == mostColumns && !keepsAll && (nextTile > 0 || clusters + 1 < tilesOfClusters);
      if (loads) load(nextTile, next);
      LLOYD_UNROLL
      for (unsigned step = 0; step < steps; ++step) {
        unsigned x[rowTiles][4];
        LLOYD_UNROLL
        for (unsigned r = 0; r < rowTiles; ++r) {
          const uint4 four =
              pointVectors[slot * (S::points * depth / 8) + ownVector + (r * steps + step) * 32];
          x[r][0] = four.x;
          x[r][1] = four.y;
          x[r][2] = four.z;
          x[r][3] = four.w;
        }
        LLOYD_UNROLL
        for (unsigned t = 0; t < columnTiles; t += 2) {
          const uint4 both =
              factorTiles[turn * (Columns * vectors) + ownFactor + step * (vectors / steps) + t * 16];
          const unsigned one[2] = {both.x, both.y};
          const unsigned other[2] = {both.z, both.w};
          LLOYD_UNROLL
          for (unsigned r = 0; r < rowTiles; ++r) {
            multiplyHalves(score[r][t], x[r], one);
            multiplyHalves(score[r][t + 1], x[r], other);
          }
        }
      }
      slot = slot + 1 < kept ? slot + 1 : 0;
      turn = turn + 1 < turns ? turn + 1 : 0;
      if (loads) store(nextTile, slot, next, clusters == 0 && nextTile > 0);
    }
    tileTurn = tileTurn + 1 < turns ? tileTurn + 1 : 0;
    LLOYD_UNROLL
    for (unsigned t = 0; t < columnTiles; ++t) {
      const unsigned whose = clusters * columnTiles + t;
      LLOYD_UNROLL
      for (unsigned r = 0; r < rowTiles; ++r) {
        LLOYD_UNROLL
        for (unsigned h = 0; h < 4; ++h) {
          BestTwo& of = found[r][h / 2][h % 2];
          const float marked = __uint_as_float((__float_as_uint(score[r][t][h]) & ~mask) | whose);
          of.second = fmaxf(of.second, fminf(of.best, marked));
          of.best = fmaxf(of.best, marked);
        }
      }
    }
  }

  __syncthreads(); // the tiles have been read
  LLOYD_UNROLL
  for (unsigned r = 0; r < rowTiles; ++r) {
    LLOYD_UNROLL
    for (unsigned h = 0; h < 4; ++h) {
      const BestTwo& of = found[r][h / 2][h % 2];
      const unsigned part = (column * 4 + quad) * 2 + h % 2;
      const unsigned point = (row * rowTiles + r) * 16 + h / 2 * 8 + group;
      bestOf[part * S::row + point] = make_float2(of.best, of.second);
    }
  }
  norms[threadIdx.x] = norm;
  __syncthreads();

  // The cluster that a part's score is of.
  const auto clusterOf = [&](unsigned part, unsigned whose) {
    return whose / columnTiles * S::clusters + part / 8 * side + whose % columnTiles * 8 + part % 8;
  };
  const unsigned free = d | 1; // between differences that lanes walk along, so that they meet in no bank
  const unsigned fit = static_cast<unsigned>(S::bytes(kept) / sizeof(float)) / free;
  const unsigned atOnce = fit < threads ? fit : threads;
  // Neighbouring threads share a point: each looks at what some parts have found of it, in each eight those
  // that lie in banks of their own.
  constexpr unsigned ownParts = S::parts / sharers;
  constexpr unsigned ofEight = 8 / sharers;
  const unsigned decided = threadIdx.x / sharers;
  const unsigned share = threadIdx.x % sharers;
  const bool isPoint = first + decided < n;
  const auto partAt = [&](unsigned at) { return at / ofEight * 8 + share * ofEight + at % ofEight; };
  float2 whole = make_float2(0, 0);
  for (unsigned part = 0; part < sharers; ++part) {
    const float2 one = norms[part * S::points + decided];
    whole.x += one.x;
    whole.y += one.y;
  }
  float2 two[ownParts];
  float best = -INFINITY;
  float other = -INFINITY; // the greatest of all others
  unsigned bestPart = 0;
  LLOYD_UNROLL
  for (unsigned at = 0; at < ownParts; ++at) {
    const float2 both = bestOf[partAt(at) * S::row + decided];
    two[at] = both;
    if (both.x > best) bestPart = partAt(at);
    other = fmaxf(other, fmaxf(fminf(best, both.x), both.y));
    best = fmaxf(best, both.x);
  }
  LLOYD_UNROLL
  for (int apart = 1; apart < static_cast<int>(sharers); apart *= 2) {
    const float bestThere = __shfl_xor_sync(0xffffffffu, best, apart);
    const float otherThere = __shfl_xor_sync(0xffffffffu, other, apart);
    const unsigned partThere = __shfl_xor_sync(0xffffffffu, bestPart, apart);
    if (bestThere > best || (bestThere == best && partThere < bestPart)) bestPart = partThere;
    other = fmaxf(fmaxf(other, otherThere), fminf(best, bestThere));
    best = fmaxf(best, bestThere);
  }
  auto label = static_cast<Label>(clusterOf(bestPart, __float_as_uint(best) & mask));
  const float back = 1 / by;
  const float margin =
      scoreMargin(d, cutBySixteens(d), 2 * (mask + 1), whole.x * back * back, whole.y * back * back,
                  __uint_as_float(greatest[0]), __uint_as_float(greatest[1]), best * back * back);
  const float limit = best - margin * by * by;
  const bool inDoubt = isPoint && !(other < limit);
  bool known = !inDoubt || limit > -INFINITY;
  // The best of a part is near, and where its second is near too, all of it may be. Every thread counts what
  // it has, and takes places behind those of the threads before it.
  const unsigned wholePart = tilesOfClusters * columnTiles;
  unsigned near = 0;
  LLOYD_UNROLL
  for (unsigned at = 0; at < ownParts; ++at)
    if (inDoubt && known && !(two[at].x < limit)) near += two[at].y < limit ? 1 : wholePart;
  if (near > mostPairs) near = mostPairs + 1;
  unsigned behind = near;
  for (unsigned apart = 1; apart < 32; apart *= 2) {
    const unsigned there = __shfl_up_sync(0xffffffffu, behind, apart);
    if (lane >= apart) behind += there;
  }
  if (lane == 31) nearOf[warp] = behind;
  if (inDoubt && share == 0) nearest[decided] = ~0ull;
  __syncthreads();
  unsigned place = behind - near;
  unsigned taken = 0;
  for (unsigned w = 0; w < S::warps; ++w) {
    const unsigned ofWarp = nearOf[w];
    if (w < warp) place += ofWarp;
    taken += ofWarp;
  }
  known = known && place + near <= mostPairs;
  if (taken > mostPairs) taken = mostPairs;
  if (near > 0) {
    LLOYD_UNROLL
    for (unsigned at = 0; at < ownParts; ++at) {
      if (two[at].x < limit) continue;
      const bool all = !(two[at].y < limit);
      const unsigned from = all ? 0 : __float_as_uint(two[at].x) & mask;
      for (unsigned c = 0; c < (all ? wholePart : 1) && place < mostPairs; ++c, ++place)
        pairs[place] = make_uint2(decided, clusterOf(partAt(at), from + c));
    }
  }
  LLOYD_UNROLL
  for (int apart = 1; apart < static_cast<int>(sharers); apart *= 2) {
    const int knownThere = __shfl_xor_sync(0xffffffffu, known ? 1 : 0, apart);
    known = known && knownThere != 0;
  }
  __syncthreads();

  // The distances of all pairs. Where they are few, all threads take differences first, and then a thread a
  // chain; where they would not fit at once, a thread takes a whole chain, and neighbours share what is read.
  const auto offer = [&](uint2 of, float distance) {
    const unsigned long long key = static_cast<unsigned long long>(__float_as_uint(distance)) << 32 | of.y;
    atomicMin(&nearest[of.x], key);
  };
  if (taken > atOnce) {
    for (unsigned p = threadIdx.x; p < taken; p += threads) {
      const uint2 of = pairs[p];
      if (of.y < k) offer(of, chainOf(points, stride, centroids, first + of.x, of.y, d));
    }
  } else {
    // A division in each turn would take as long as the loads.
    unsigned pair = threadIdx.x / d;
    unsigned j = threadIdx.x % d;
    LLOYD_UNROLL_BY(8) // whose loads are under way together
    for (unsigned v = threadIdx.x; v < taken * d; v += threads) {
      const uint2 of = pairs[pair];
      float difference = 0;
      if (of.y < k) {
        const float x = points[j * stride + first + of.x];
        const float center = centroids[static_cast<std::size_t>(of.y) * d + j];
        difference = x - center;
      }
      differences[pair * free + j] = difference;
      pair += threads / d;
      j += threads % d;
      if (j >= d) {
        j -= d;
        ++pair;
      }
    }
    __syncthreads();
    if (threadIdx.x < taken) {
      const uint2 of = pairs[threadIdx.x];
      float distance = 0;
      LLOYD_UNROLL_BY(8)
      for (unsigned v = 0; v < d; ++v) {
        const float difference = differences[threadIdx.x * free + v];
        distance = fmaf(difference, difference, distance);
      }
      if (of.y < k) offer(of, distance);
    }
  }
  __syncthreads();
  if (inDoubt && known) {
    const unsigned long long key = nearest[decided];
    label = static_cast<Label>(key & 0xffffffffu);
  }
  const bool isFirst = isPoint && share == 0;
  if (isFirst && known) labels[first + decided] = label;
  if (isFirst && !known) listed[atomicAdd(&inList[0], 1u)] = static_cast<unsigned>(first + decided);
  const int isNew = __syncthreads_count(isFirst && known && label != oldLabel);
  const int rechecks = __syncthreads_count(isFirst && known && inDoubt);
  if (threadIdx.x != 0) return;
  if (isNew > 0) atomicAdd(&changed[0], static_cast<unsigned>(isNew));
  if (rechecks > 0) atomicAdd(&rechecked[0], static_cast<unsigned>(rechecks));
}

/// Warps that share points: as many as find clusters to multiply, and more where all coordinates of a block's
/// points would not fit.
unsigned columnsFor(const Problem& problem) {
  const std::size_t tiles = paddedCoordinates(problem.d) / depth;
  if (problem.k <= static_cast<int>(side) && Shape<1>::bytes(tiles) <= roomForTwo) return 1;
  return Shape<2>::bytes(tiles) <= roomForTwo ? 2 : mostColumns;
}
std::size_t halfClusters(const Problem& problem) {
  const std::size_t tile = std::size_t{side} * columnsFor(problem);
  return (static_cast<std::size_t>(problem.k) + tile - 1) / tile * tile;
}

template <unsigned Columns>
void launchAs(const ClassifyArgs& args, LaunchContext& context) {
  using S = Shape<Columns>;
  const Problem& problem = args.problem;
  const std::size_t padded = halfClusters(problem);
  const ScoreMemory memory(args, padded);
  const std::size_t rows = paddedCoordinates(problem.d) / depth;
  const std::size_t vectorCount = padded / side * rows * vectors;
  const auto* const factors = reinterpret_cast<const uint4*>(memory.factors());
  launchKernel(context, {padded / 32 * rows, static_cast<int>(32 * prepareWarps)}, prepare_halves,
               global(args.centroids, problem.centroidValues()), global(memory.shift(), rows * depth),
               global(memory.scale(), 1), global(memory.greatest(), 2), global(memory.parts(), rows * padded),
               global(reinterpret_cast<uint2*>(memory.factors()), 2 * vectorCount), problem.d, problem.k,
               padded, Columns);
  prepareNorms(args, context, memory, padded);

  const bool keepsAll = S::bytes(rows) <= roomForTwo;
  const std::size_t kept = keepsAll ? rows : 2;
  const std::size_t bytes = S::bytes(kept);
  const auto tilesOfClusters = static_cast<unsigned>(padded / S::clusters);
  const unsigned mask = std::bit_ceil(tilesOfClusters * columnTiles) - 1;
  const float* const scale = memory.scale();
  const unsigned* const greatest = memory.greatest();
  launchKernel(context, {blocksFor(problem.n, S::points), static_cast<int>(S::threads), bytes},
               distance_v7<Columns>, global(args.points.data, pointExtent(problem, args.points.stride)),
               args.points.stride, global(args.centroids, problem.centroidValues()),
               global(args.oldLabels, problem.n), global(args.labels, problem.n), global(args.changed, 1),
               global(reinterpret_cast<const float4*>(memory.shift()), rows * depth / 4), global(scale, 1),
               global(factors, vectorCount),
               global(reinterpret_cast<const uint4*>(memory.half()), padded / 4), global(greatest, 2),
               global(memory.listed(), problem.n), global(memory.inList(), 1), global(memory.rechecked(), 1),
               problem.n, problem.d, problem.k, tilesOfClusters, kept, mask);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  if (args.problem.k == 1) return labelOnlyCluster(args, context);
  switch (columnsFor(args.problem)) {
  case 1:
    launchAs<1>(args, context);
    break;
  case 2:
    launchAs<2>(args, context);
    break;
  default:
    launchAs<mostColumns>(args, context);
  }
  settleDoubts(args, context, ScoreMemory(args, halfClusters(args.problem)));
}

WorkBytes halfBytes(const Problem& problem, const Tuning&) {
  return {.scratch = scorePlaces(problem, halfClusters(problem)).words * sizeof(float)};
}

/// Cards before 8.0 lack copies past the registers, and the instruction with sums of floats for 16
/// coordinates.
Reason matrixLimit(const Variant& variant, const Problem& problem, const DeviceInfo& device,
                   const Tuning& tuning) {
  const std::string& capability = device.computeCapability;
  if (device.backend == Backend::cuda && capability.size() < 4 && capability < "8.0")
    return variant.id() + " needs a card of compute capability 8.0, and " + device.name + " has " +
           capability + ": distance.v6 takes any";
  return scoreLimit(variant, problem, device, tuning);
}

} // namespace

LLOYD_REGISTER(distance_v7,
               {.family = "distance",
                .tag = "v7",
                .name = "tensor cores",
                .idea = "The product by warp matrix instructions on halves, and distances where those "
                        "cannot tell.",
                .changed = Changed::points,
                .canRun = matrixLimit,
                .workBytes = halfBytes},
               {.classify = launch})

} // namespace lloyd
