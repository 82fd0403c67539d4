// SPDX-License-Identifier: GPL-3.0-or-later
// fused.v4, many coordinates: one pass as in V1, for points of 4 to 16 coordinates and up to 64 clusters.
// There the distances of V1 would take longer than reading the points, and its slots, one for each thread and
// cluster, would not fit.
//
// Labels come from scores that tensor cores compute, and from distances where scores are too near to tell
// (point_scores.hpp): they are those of every other variant. Sums are private as in V1, but a slot holds one
// coordinate, not a point: a lane adds up one coordinate of every second or fourth point of its warp, so that
// its slots take a word for each cluster, no two lanes meet in a bank, and nobody waits for anybody.
//
// A warp puts 32 points, or 64, into shared memory, where it finds what the instruction wants and what it
// adds up, and the next ones are under way while it works on these. What it costs: registers, so that 16
// warps find room on a multiprocessor. What to look at: the time beside the stages apart, and against the
// points' bytes; the share of points that needed distances.
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/block_sums.hpp"
#include "gpu/kernels/fused/point_scores.hpp"
#include "gpu/kernels/fused/vectors.hpp"
#include "gpu/kernels/limits.hpp"

#include <algorithm>
#include <bit>

namespace lloyd {
namespace {

using namespace fused;

constexpr unsigned lanes = 32; // and points that a warp takes at a time
constexpr unsigned leastCoordinates = 4;
constexpr unsigned mostCoordinates = 16;
constexpr unsigned mostClusters = 64;
/// Turns of a warp after which its slots are emptied: in float, a sum of ever more values would stand still.
constexpr unsigned turnsInFloat = 128;

/// Behind each row of a warp's points some words are free, so that lanes that read four rows at two places,
/// or eight rows at one, meet in no bank.
constexpr unsigned pointPitch = lanes + 8;

/// Times 32 points that a warp takes in a turn: while instructions of the one wait for their operands, those
/// of the other do not.
template <unsigned Width, unsigned Tiles>
constexpr unsigned partsFor = Width == 8 && Tiles == 2 ? 2 : 1;

/// Where the parts of a block's shared memory begin, in bytes.
struct Places {
  std::size_t starts = 0; ///< [tile of clusters][4] fours: what the scores of two clusters begin with, twice
  std::size_t factors; ///< [tile of coordinates][cluster][4] pairs of coordinates, 4 apart, for the product
  std::size_t norms;   ///< [warp] pairs: the greatest |c|^2 and the greatest loss of its clusters
  std::size_t ranges;  ///< [warp][coordinate] pairs: the least and the greatest of its clusters' coordinates
  std::size_t points;  ///< [warp][part of a turn][coordinate][point], a row every pointPitch values
  std::size_t slots;   ///< [warp][cluster][lane], one cluster more
  std::size_t centers; ///< [cluster][lane]: the coordinate that the lane adds up; one cluster more
  std::size_t columns; ///< [coordinate][cluster]: the centroids
  std::size_t counts;  ///< [cluster], then new labels and points in doubt
  std::size_t bytes;

  LLOYD_EVERYWHERE Places(unsigned width, unsigned tiles, unsigned parts, unsigned k, unsigned warps) {
    const std::size_t clusters = std::size_t{8} * tiles;
    factors = starts + tiles * 4 * sizeof(float4);
    norms = factors + clusters * width * sizeof(float);
    ranges = norms + (warps + 1) / 2 * 2 * sizeof(float2);
    points = ranges + std::size_t{warps} * width * sizeof(float2);
    slots = points + std::size_t{warps} * parts * width * pointPitch * sizeof(float);
    centers = slots + std::size_t{warps} * (k + 1) * lanes * sizeof(float);
    columns = centers + (k + 1) * lanes * sizeof(float);
    counts = columns + (clusters + 1) * width * sizeof(float);
    bytes = counts + (k + 2) * sizeof(unsigned);
  }
};

template <unsigned Width, unsigned Tiles>
[[nodiscard]] Places placesOf(const Problem& problem, const Tuning& tuning) {
  return {Width, Tiles, partsFor<Width, Tiles>, static_cast<unsigned>(problem.k),
          static_cast<unsigned>(tuning.block) / lanes};
}

/// Adds up what the lanes' slots hold of one cluster and coordinate, and gives it to all of them.
template <unsigned Width>
LLOYD_DEVICE float sumOverLanes(float sum) {
  LLOYD_UNROLL
  for (unsigned apart = lanes / 2; apart >= Width; apart /= 2)
    sum += __shfl_xor_sync(everyLane, sum, static_cast<int>(apart));
  return sum;
}

/// Not a number is the greatest.
LLOYD_DEVICE float greater(float a, float b) { return a > b || a != a ? a : b; }

/// Sums of blocks are cut to grains, so fine that nothing shows of it, and so coarse that doubles add such
/// sums without rounding: in whatever order blocks come, the bits are the same. The grain depends on how
/// far apart the centroids are along the coordinate: points more than eight times as far away leave their
/// order in the last bits.
struct Grain {
  double each = 0; ///< none: sums stay as they are
  double inOne = 0;
};
/// Of sums of at most 2^bits values.
LLOYD_DEVICE Grain grainOf(float spread, int bits) {
  if (!(spread > 0x1p-100f && spread < 0x1p100f)) return {};
  int exponent = 0;
  frexp(static_cast<double>(spread), &exponent);
  const int finest = exponent + 3 + bits - 52;
  return {ldexp(1.0, finest), ldexp(1.0, -finest)};
}
LLOYD_DEVICE double inGrains(double sum, const Grain& grain) {
  return grain.each > 0 ? rint(sum * grain.inOne) * grain.each : sum;
}

template <unsigned Width, unsigned Tiles>
LLOYD_KERNEL_UP_TO(512)
fused_v4(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float4) vectors, std::size_t stride,
         LLOYD_GLOBAL(const float) centroids, LLOYD_GLOBAL_TWICE(const std::uint8_t) oldLabels,
         LLOYD_GLOBAL_TWICE(std::uint8_t) labels, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) sums,
         LLOYD_GLOBAL(unsigned) counts, LLOYD_GLOBAL(unsigned) rechecked, std::size_t n, unsigned d,
         unsigned k, int digits, bool asked) {
  constexpr unsigned clusters = 8 * Tiles;
  constexpr unsigned steps = Width / 8;     // of the product
  constexpr unsigned apart = lanes / Width; // points that the lanes of a warp add up at the same time
  const unsigned warps = blockDim.x / lanes;
  constexpr unsigned parts = partsFor<Width, Tiles>;
  const Places places(Width, Tiles, parts, k, warps);
  LLOYD_DYNAMIC_SHARED(float, starts, places.starts, Tiles * 16);
  LLOYD_DYNAMIC_SHARED(float4, startFours, places.starts, Tiles * 4);
  LLOYD_DYNAMIC_SHARED(float, factors, places.factors, clusters* Width);
  LLOYD_DYNAMIC_SHARED(float2, factorPairs, places.factors, clusters * Width / 2);
  LLOYD_DYNAMIC_SHARED(float2, norms, places.norms, warps);
  LLOYD_DYNAMIC_SHARED(float2, ranges, places.ranges, warps * Width);
  LLOYD_DYNAMIC_SHARED(float, pointTile, places.points, std::size_t{warps} * parts * Width * pointPitch);
  LLOYD_DYNAMIC_SHARED(float4, pointFours, places.points,
                       std::size_t{warps} * parts * Width * pointPitch / perVector);
  LLOYD_DYNAMIC_SHARED(float, slots, places.slots, std::size_t{warps} * (k + 1) * lanes);
  LLOYD_DYNAMIC_SHARED(float4, slotFours, places.slots, std::size_t{warps} * (k + 1) * lanes / perVector);
  LLOYD_DYNAMIC_SHARED(float, centers, places.centers, (k + 1) * lanes);
  LLOYD_DYNAMIC_SHARED(float, columns, places.columns, columnPitch<Tiles>* Width);
  LLOYD_DYNAMIC_SHARED(unsigned, blockCounts, places.counts, k + 2);
  const unsigned lane = threadIdx.x % lanes;
  const unsigned warp = threadIdx.x / lanes;
  const unsigned inGroup = lane % inQuad; // the instruction's own names for a lane's place
  const unsigned group = lane / inQuad;
  const unsigned ownRow = lane % Width; // the coordinate that this lane adds up
  const unsigned ownPoint = lane / Width;

  // A lane loads four points of a row, and of every fourth row.
  constexpr unsigned inTurn = parts * lanes; // points
  constexpr unsigned rowsAtOnce = 4;
  constexpr unsigned loads = Width / rowsAtOnce;
  const unsigned loadRow = lane / (lanes / perVector);
  const unsigned loadFour = lane % (lanes / perVector);
  float4 next[parts][loads];
  unsigned nextOld[parts] = {};
  const auto wholeTurns = static_cast<unsigned>(n / inTurn);
  const auto turns = static_cast<unsigned>((n + inTurn - 1) / inTurn);
  const auto pointsOf = [&](unsigned turn, unsigned part) {
    if (turn < wholeTurns) return lanes;
    const auto rest = static_cast<unsigned>(n % inTurn);
    return rest < part * lanes ? 0 : rest - part * lanes < lanes ? rest - part * lanes : lanes;
  };
  // place: the lane's own first point; four: where the first four values lie that it loads.
  const auto load = [&](unsigned turn, std::size_t place, std::size_t four) {
    if (turn < wholeTurns) {
      LLOYD_UNROLL
      for (unsigned part = 0; part < parts; ++part) {
        nextOld[part] = oldLabels[place + part * lanes];
        LLOYD_UNROLL
        for (unsigned q = 0; q < loads; ++q)
          if (q * rowsAtOnce + loadRow < d)
            next[part][q] = vectors[four + q * stride + part * (lanes / perVector)];
      }
      return;
    }
    LLOYD_UNROLL
    for (unsigned part = 0; part < parts; ++part) {
      const unsigned here = pointsOf(turn, part);
      if (lane < here) nextOld[part] = oldLabels[place + part * lanes];
      LLOYD_UNROLL
      for (unsigned q = 0; q < loads; ++q) {
        float of[perVector] = {}; // of points that are not there 0
        LLOYD_UNROLL
        for (unsigned m = 0; m < perVector; ++m)
          if (q * rowsAtOnce + loadRow < d && loadFour * perVector + m < here)
            of[m] = points[(four + q * stride) * perVector + part * lanes + m];
        next[part][q] = make_float4(of[0], of[1], of[2], of[3]);
      }
    }
  };
  const unsigned step = gridDim.x * warps;
  unsigned turn = blockIdx.x * warps + warp;
  std::size_t ownPlace = static_cast<std::size_t>(turn) * inTurn + lane;
  std::size_t ownFour = (loadRow * stride + static_cast<std::size_t>(turn) * inTurn) / perVector + loadFour;
  if (turn < turns) load(turn, ownPlace, ownFour);

  // The point that all is shifted by: the mean of the first centroids. This lane's coordinate of it.
  constexpr unsigned shiftedBy = 16;
  const unsigned few = k < shiftedBy ? k : shiftedBy;
  const float share = 1.0f / static_cast<float>(few);
  const bool isRow = ownRow < d;
  const unsigned someRow = isRow ? ownRow : 0;
  const auto centerOf = [&](unsigned c) {
    float center = 0;
    if (c < k && isRow) center = centroids[c * d + ownRow];
    return center;
  };
  float nextCenter = centerOf(warp);
  float mean = 0;
  LLOYD_UNROLL
  for (unsigned c = 0; c < shiftedBy; ++c) {
    const float center = centroids[(c < few ? c : 0) * d + someRow];
    mean = fmaf(center, c < few ? share : 0, mean);
  }
  if (!isRow) mean = 0;
  // The centroids, as the product, the distances and the sums want them: a warp takes a cluster.
  float2 greatest = make_float2(0, 0);             // |c|^2 and loss
  float2 range = make_float2(INFINITY, -INFINITY); // of the lane's coordinate
  LLOYD_ROLLED
  for (unsigned c = warp; c < clusters; c += warps) {
    const bool here = c < k && isRow;
    const float center = nextCenter;
    nextCenter = centerOf(c + warps);
    if (c < k) range = make_float2(fminf(range.x, center), fmaxf(range.y, center));
    const float shifted = here ? center - mean : 0;
    const float rounded = roundedToEleven(shifted);
    float norm = shifted * shifted;
    float loss = (shifted - rounded) * (shifted - rounded);
    LLOYD_UNROLL
    for (unsigned other = Width / 2; other > 0; other /= 2) {
      norm += __shfl_xor_sync(everyLane, norm, static_cast<int>(other));
      loss += __shfl_xor_sync(everyLane, loss, static_cast<int>(other));
    }
    greatest.x = greater(norm, greatest.x);
    greatest.y = greater(loss, greatest.y);
    if (c < k) centers[c * lanes + lane] = center;
    if (lane < Width) {
      columns[ownRow * columnPitch<Tiles> + c] = center;
      factors[((ownRow / 8 * clusters + c) * 4 + ownRow % 4) * 2 + ownRow % 8 / 4] = rounded;
    }
    if (lane < 2) starts[c / 8 * 16 + c % 8 / 2 * 4 + c % 2 + 2 * lane] = c < k ? -norm / 2 : noScore;
  }
  if (lane == 0) norms[warp] = greatest;
  if (lane < Width) ranges[warp * Width + lane] = range;
  if (warp == 0) centers[k * lanes + lane] = 0;
  constexpr unsigned tileFours = Width * pointPitch / perVector; // of a part
  const unsigned ownTile = warp * parts * Width * pointPitch;
  LLOYD_ROLLED
  for (unsigned v = lane + d * (pointPitch / perVector); v < tileFours; v += lanes) {
    LLOYD_UNROLL
    for (unsigned part = 0; part < parts; ++part)
      pointFours[ownTile / perVector + part * tileFours + v] = make_float4(0, 0, 0, 0);
  }
  LLOYD_ROLLED
  for (unsigned v = lane; v < (k + 1) * lanes / perVector; v += lanes)
    slotFours[warp * (k + 1) * lanes / perVector + v] = make_float4(0, 0, 0, 0);
  LLOYD_ROLLED
  for (unsigned c = threadIdx.x; c < k + 2; c += blockDim.x)
    blockCounts[c] = 0;
  __syncthreads();

  greatest = make_float2(0, 0);
  if (lane < warps) greatest = norms[lane];
  LLOYD_UNROLL
  for (int other = 16; other > 0; other /= 2) {
    greatest.x = greater(__shfl_xor_sync(everyLane, greatest.x, other), greatest.x);
    greatest.y = greater(__shfl_xor_sync(everyLane, greatest.y, other), greatest.y);
  }
  const Margin margin = marginOf(Width, greatest.x, greatest.y);
  float origin[Width / 4]; // of the coordinates that this lane has of four points
  LLOYD_UNROLL
  for (unsigned h = 0; h < Width / 4; ++h)
    origin[h] = __shfl_sync(everyLane, mean, static_cast<int>(4 * h + inGroup));

  const unsigned laneSlots = kept(warp * (k + 1) * lanes + lane);
  // In fours: where the lane stores what it loads, reads what it has of four points, and what it adds up.
  // Every other four rows take the other one of two neighbours then: eight rows meet in no bank.
  const unsigned storeAt = kept((ownTile + loadRow * pointPitch) / perVector + loadFour);
  const unsigned readAt = kept((ownTile + inGroup * pointPitch) / perVector + group);
  const unsigned firstAdded = ownPoint ^ ownRow / 4 % 2;
  const unsigned addAt = kept((ownTile + ownRow * pointPitch) / perVector + firstAdded);
  const unsigned addFrom = kept(firstAdded * perVector); // and the lane whose point that is
  unsigned isOn[5]; // all bits set where that one of the lane's number is
  LLOYD_UNROLL
  for (unsigned bit = 0; bit < 5; ++bit)
    isOn[bit] = kept(0u - (lane >> bit & 1u));
  unsigned counted[clusters > lanes ? 2 : 1] = {};
  unsigned newLabels = 0;
  unsigned inDoubt = 0;

  // Where they are few, the factors stay in registers.
  constexpr bool keeps = Tiles * Width <= 16;
  float4 keptStarts[keeps ? Tiles : 1];
  float2 keptFactors[keeps ? Tiles : 1];
  if constexpr (keeps) {
    LLOYD_UNROLL
    for (unsigned tile = 0; tile < Tiles; ++tile) {
      keptStarts[tile] = startFours[tile * 4 + inGroup];
      keptFactors[tile] = factorPairs[tile * lanes + lane];
    }
  }
  /// The label of the lane's own point where scores can tell it, and the clusters that it may be: only one
  /// where they can.
  const auto candidatesOf = [&](unsigned part) {
    float ofPoint[inQuad];
    unsigned x[steps][2][4];
    LLOYD_UNROLL
    for (unsigned h = 0; h < Width / 4; ++h) {
      const float4 four = pointFours[part * tileFours + readAt + h * pointPitch];
      const float of[perVector] = {four.x, four.y, four.z, four.w};
      LLOYD_UNROLL
      for (unsigned p = 0; p < inQuad; ++p) {
        const float scaled = (of[p] - origin[h]) * halfStepUp;
        ofPoint[p] = h == 0 ? scaled * scaled : fmaf(scaled, scaled, ofPoint[p]); // no less than |x|^2
        x[h / 2][p / 2][h % 2 * 2 + p % 2] = __float_as_uint(scaled);
      }
    }
    const float norm = joinInQuad(ofPoint, [](float a, float b) { return a + b; });

    float score[Tiles][2][4];
    LLOYD_UNROLL
    for (unsigned tile = 0; tile < Tiles; ++tile) {
      float4 start = keptStarts[keeps ? tile : 0];
      if constexpr (!keeps) start = startFours[tile * 4 + inGroup];
      LLOYD_UNROLL
      for (unsigned r = 0; r < 2; ++r) {
        score[tile][r][0] = start.x;
        score[tile][r][1] = start.y;
        score[tile][r][2] = start.z;
        score[tile][r][3] = start.w;
      }
      LLOYD_UNROLL
      for (unsigned s = 0; s < steps; ++s) {
        float2 two = keptFactors[keeps ? tile : 0];
        if constexpr (!keeps) two = factorPairs[s * clusters * 4 + tile * lanes + lane];
        const unsigned factor[2] = {__float_as_uint(two.x), __float_as_uint(two.y)};
        LLOYD_UNROLL
        for (unsigned r = 0; r < 2; ++r)
          multiplyTf32(score[tile][r], x[s][r], factor);
      }
      LLOYD_UNROLL
      for (unsigned p = 0; p < inQuad; ++p) {
        const float two = fmaxf(score[tile][p / 2][p % 2 * 2], score[tile][p / 2][p % 2 * 2 + 1]);
        ofPoint[p] = tile == 0 ? two : fmaxf(ofPoint[p], two);
      }
    }
    const float best = joinInQuad(ofPoint, [](float a, float b) { return fmaxf(a, b); });
    const float limit = best - marginOf(margin, norm, best);

    CandidateBits<Tiles> candidates[inQuad];
    LLOYD_UNROLL
    for (unsigned p = 0; p < inQuad; ++p) {
      const float limitOf = __shfl_sync(everyLane, limit, static_cast<int>(group * inQuad + p));
      unsigned bits = 0;
      LLOYD_UNROLL
      for (unsigned at = 2 * Tiles; at > 0; --at) {
        const float over = limitOf - score[(at - 1) / 2][p / 2][p % 2 * 2 + (at - 1) % 2];
        bits = bits << 1 | __float_as_uint(over) >> 31;
      }
      candidates[p] = static_cast<CandidateBits<Tiles>>(bits) << (inGroup * 2 * Tiles);
    }
    const auto all =
        joinInQuad(candidates, [](CandidateBits<Tiles> a, CandidateBits<Tiles> b) { return a | b; });
    return limit > -INFINITY ? all : ~CandidateBits<Tiles>{0};
  };
  // Counts the labels of the lanes that are here: each lane those of the clusters that have its number.
  const auto count = [&](unsigned label, unsigned here) {
    LLOYD_UNROLL
    for (unsigned bit = 0; bit < 5 && (1u << bit) < clusters; ++bit)
      here &= ~(__ballot_sync(everyLane, (label & 1u << bit) != 0 ? 1 : 0) ^ isOn[bit]);
    if constexpr (clusters > lanes) {
      const unsigned votes = __ballot_sync(everyLane, (label & lanes) != 0 ? 1 : 0);
      counted[1] += static_cast<unsigned>(__popc(here & votes));
      here &= ~votes;
    }
    counted[0] += static_cast<unsigned>(__popc(here));
  };
  /// Along the lane's coordinate.
  const auto ownGrain = [&] {
    float2 all = make_float2(INFINITY, -INFINITY);
    LLOYD_UNROLL_BY(4)
    for (unsigned w = 0; w < warps; ++w) {
      const float2 of = ranges[w * Width + ownRow];
      all = make_float2(fminf(all.x, of.x), fmaxf(all.y, of.y));
    }
    return grainOf(all.y - all.x, digits);
  };

  for (unsigned inFloat = 1; turn < turns; ++inFloat) {
    bool isPoint[parts];
    unsigned old[parts];
    __syncwarp(); // the last turn's points have been read
    LLOYD_UNROLL
    for (unsigned part = 0; part < parts; ++part) {
      isPoint[part] = lane < pointsOf(turn, part);
      old[part] = nextOld[part];
      LLOYD_UNROLL
      for (unsigned q = 0; q < loads; ++q)
        if (q * rowsAtOnce + loadRow < d)
          pointFours[part * tileFours + storeAt + q * pointPitch] = next[part][q];
    }
    __syncwarp();
    const std::size_t place = ownPlace;
    turn += step;
    ownPlace += static_cast<std::size_t>(step) * inTurn;
    ownFour += static_cast<std::size_t>(step) * (inTurn / perVector);
    if (turn < turns) load(turn, ownPlace, ownFour);

    CandidateBits<Tiles> candidates[parts];
    LLOYD_UNROLL
    for (unsigned part = 0; part < parts; ++part)
      candidates[part] = candidatesOf(part);
    LLOYD_UNROLL
    for (unsigned part = 0; part < parts; ++part) {
      unsigned label = k; // of no cluster: behind the last point
      if (isPoint[part]) {
        label = clusterOfBit<Tiles>(lowestBit(candidates[part]));
        if ((candidates[part] & (candidates[part] - 1)) != 0) {
          ++inDoubt;
          label =
              labelByChains<Width, Tiles>(candidates[part], pointTile,
                                          ownTile + part * Width * pointPitch + lane, pointPitch, columns, k);
        }
        labels[place + part * lanes] = static_cast<std::uint8_t>(label);
        if (label != old[part]) ++newLabels;
      }
      __syncwarp();
      count(label, __ballot_sync(everyLane, isPoint[part] ? 1 : 0));
      const unsigned ofLabel = label * lanes;
      LLOYD_UNROLL
      for (unsigned h = 0; h < Width / 4; ++h) {
        const float4 four = pointFours[part * tileFours + addAt + h * apart];
        const float x[perVector] = {four.x, four.y, four.z, four.w};
        LLOYD_UNROLL
        for (unsigned m = 0; m < perVector; ++m) {
          const unsigned at =
              __shfl_sync(everyLane, ofLabel, static_cast<int>(addFrom + h * apart * perVector + m));
          const float center = centers[at + lane];
          const float sum = slots[at + laneSlots];
          slots[at + laneSlots] = sum + (x[m] - center);
        }
      }
    }
    if (inFloat % turnsInFloat != 0) continue;
    const Grain grain = ownGrain();
    for (unsigned c = 0; c < k; ++c) {
      const float value = slots[c * lanes + laneSlots];
      slots[c * lanes + laneSlots] = 0;
      const float sum = sumOverLanes<Width>(value);
      if (lane < d && lane < Width && sum != 0)
        atomicAdd(&sums[c * d + lane], inGrains(static_cast<double>(sum), grain));
    }
  }
  LLOYD_UNROLL
  for (unsigned c = lane; c < clusters; c += lanes)
    if (c < k && counted[c / lanes] > 0) atomicAdd(&blockCounts[c], counted[c / lanes]);
  addChanges(blockCounts, k, newLabels);
  if (asked) addChanges(blockCounts, k + 1, inDoubt);
  const Grain grain = ownGrain();
  __syncthreads();

  for (unsigned v = threadIdx.x; v < k * lanes; v += blockDim.x) {
    float sum = 0;
    LLOYD_UNROLL_BY(4)
    for (unsigned w = 0; w < warps; ++w) {
      const float value = slots[w * (k + 1) * lanes + v];
      sum += value;
    }
    sum = sumOverLanes<Width>(sum);
    if (lane < d && lane < Width && sum != 0)
      atomicAdd(&sums[v / lanes * d + lane], inGrains(static_cast<double>(sum), grain));
  }
  for (unsigned c = threadIdx.x; c < k + 2; c += blockDim.x) {
    const unsigned number = blockCounts[c];
    if (number == 0) continue;
    if (c < k) atomicAdd(&counts[c], number);
    if (c == k) atomicAdd(&changed[0], number);
    if (c == k + 1) atomicAdd(&rechecked[0], number);
  }
}

/// Calls action with the width and the tiles of a problem as constants.
bool dispatchShape(const Problem& problem, const auto& action) {
  const unsigned tiles = problem.k <= 16 ? 2 : problem.k <= 32 ? 4 : 8; // of eight clusters
  return dispatch(action, oneOf<8, 16>(problem.d <= 8 ? 8 : 16), oneOf<2, 4, 8>(tiles));
}

void launch(const FusedArgs& args, LaunchContext& context) {
  const Problem& problem = args.problem;
  const std::size_t n = problem.n;
  const std::size_t extent = pointExtent(problem, args.points.stride);
  const int block = args.tuning.block;
  dispatchShape(problem, [&](auto width, auto tiles) {
    const auto kernel = fused_v4<width, tiles>;
    const std::size_t bytes = placesOf<width, tiles>(problem, args.tuning).bytes;
    const std::size_t perBlock = static_cast<std::size_t>(block) * partsFor<width, tiles>;
    const std::size_t blocks = std::min(blocksFor(n, perBlock), blocksAtOnce(context, kernel, block, bytes));
    launchKernel(context, {blocks, block, bytes}, kernel, global(args.points.data, extent),
                 global(reinterpret_cast<const float4*>(args.points.data), extent / perVector),
                 args.points.stride, global(args.centroids, problem.centroidValues()),
                 global(static_cast<const std::uint8_t*>(args.oldLabels.data), n),
                 global(static_cast<std::uint8_t*>(args.labels.data), n), global(args.changed, 1),
                 global(args.sums, problem.centroidValues()),
                 global(args.counts, static_cast<std::size_t>(problem.k)),
                 global(args.rechecked, args.rechecked ? 1 : 0), n, problem.d, problem.k,
                 static_cast<int>(std::bit_width(n)), args.rechecked != nullptr);
  });
}

std::optional<std::string> canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device,
                                  const Tuning& tuning) {
  if (problem.d < static_cast<int>(leastCoordinates) || problem.d > static_cast<int>(mostCoordinates))
    return variant.id() + " takes 4 to 16 dimensions, the data has " + std::to_string(problem.d) +
           (problem.d < static_cast<int>(leastCoordinates) ? ": fused.v1 takes fewer"
                                                           : ": classify.general takes any");
  if (problem.k > static_cast<int>(mostClusters))
    return variant.id() + " takes up to 64 clusters, and there are " + std::to_string(problem.k) +
           ": classify.general takes any number";
  const std::string& capability = device.computeCapability;
  if (device.backend == Backend::cuda && capability.size() < 4 && capability < "8.0")
    return variant.id() + " needs a card of compute capability 8.0, and " + device.name + " has " +
           capability + ": classify.general takes any";
  std::size_t bytes = 0;
  dispatchShape(problem,
                [&](auto width, auto tiles) { bytes = placesOf<width, tiles>(problem, tuning).bytes; });
  return sharedLimit(variant, "reduce.general", "sums of every warp", bytes + staticSharedBytes, device);
}

} // namespace

LLOYD_REGISTER(fused_v4,
               {.family = "fused",
                .tag = "v4",
                .name = "many coordinates",
                .idea = "Tensor cores find labels, and a lane adds up one coordinate, so that one pass takes "
                        "up to 16 of them.",
                .changed = Changed::points,
                .narrowLabels = true,
                .parameters = {{"block", {128, 256, 512}, 512}},
                .canRun = canRun},
               {.fused = launch})

} // namespace lloyd
