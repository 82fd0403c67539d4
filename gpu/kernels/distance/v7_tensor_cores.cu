// SPDX-License-Identifier: GPL-3.0-or-later
// distance.v7, tensor cores: V6's product by warp matrix instructions. A warp multiplies 16 points x 8
// coordinates by 8 coordinates x 8 clusters in one instruction, and adds it to 16 x 8 unfinished scores that
// its lanes keep in registers: 1,024 multiply-adds where V6's instruction has 32.
//
// The factors have eleven digits (TF32), so scores are less exact than V6's and more points are in doubt; how
// much the rounding of a point and of the centroids took away is measured, and the bound in score.hpp takes
// it. Scores never leave the chip. A lane keeps the best two clusters of each of its four points, out of the
// eighth of all clusters that it sees, so that a point has up to sixteen candidates; the distances of those
// within the bound are computed at the end. A lane's third best within it is rare, and sends the point to a
// list.
//
// Eight warps share a block's 128 points and 128 clusters, 32 x 64 each, because a value from shared memory
// then serves 32 or 64 points or clusters. While they multiply one tile, the next one's loads are under way.
// What to look at: the time beside V6's, and the share of points in doubt. This is ours; a card from compute
// capability 8.0 on.
#include "gpu/kernels/distance/doubts.hpp"
#include "gpu/kernels/distance/score.hpp"

namespace lloyd {
namespace {

constexpr unsigned width = 128;      // points, and clusters, of a block's tile
constexpr unsigned depth = 16;       // coordinates of it
constexpr unsigned threads = 256;    // of a block
constexpr unsigned warpRows = 32;    // points of a warp
constexpr unsigned warpColumns = 64; // clusters of it
constexpr unsigned rowTiles = warpRows / 16;
constexpr unsigned columnTiles = warpColumns / 8;
constexpr unsigned pairs = depth / 2; // of coordinates of a tile
// A lane's four factors of 16 points x 8 coordinates are those of two points and two coordinates that lie
// side by side, and one load from shared memory brings them. Behind each row of such fours, and of clusters'
// pairs, some are free, so that lanes that read four rows meet in no bank.
constexpr unsigned fourRow = width / 2 + 2;
constexpr unsigned pairRow = width + 4;
constexpr unsigned fours = pairs * fourRow;
constexpr unsigned twos = pairs * pairRow;
constexpr unsigned eachFour = pairs * width / 2 / threads; // that a thread loads
constexpr unsigned eachTwo = pairs * width / threads;
constexpr unsigned parts = 8; // of the clusters: four lanes in each half of them
/// What is found of a point lies at its place, where all first points of pairs come before all second ones.
constexpr unsigned foundRow = width + 2; // of fours, and of pairs:
constexpr unsigned thirdRow = width + 4;
LLOYD_DEVICE unsigned pointAt(unsigned place) { return place % (width / 2) * 2 + place / (width / 2); }
static_assert(width == scoreTile && factorTile % depth == 0);

struct BestTwo {
  float best = -INFINITY;
  float second = -INFINITY;
  float third = -INFINITY;
  Label label = 0;
  Label other = 0; ///< the second's
};
/// What is not a number is passed over: the margin is infinite where there could be one.
LLOYD_DEVICE void takeScore(BestTwo& of, float score, Label label) {
  const bool isBest = score > of.best;
  const bool isSecond = score > of.second;
  of.third = fmaxf(of.third, fminf(of.second, score));
  of.second = fmaxf(of.second, fminf(of.best, score));
  of.best = fmaxf(of.best, score);
  if (isSecond) of.other = isBest ? of.label : label;
  if (isBest) of.label = label;
}

LLOYD_KERNEL_UP_TO(512)
distance_v7(LLOYD_GLOBAL(const float) points, std::size_t stride, LLOYD_GLOBAL(const float) centroids,
            LLOYD_GLOBAL(const Label) oldLabels, LLOYD_GLOBAL(Label) labels, LLOYD_GLOBAL(unsigned) changed,
            LLOYD_GLOBAL(const float2) shift, LLOYD_GLOBAL(const float2) factors,
            LLOYD_GLOBAL(const float) half, LLOYD_GLOBAL(const float) largest, LLOYD_GLOBAL(const float) lost,
            LLOYD_GLOBAL(unsigned) listed, LLOYD_GLOBAL(unsigned) inList, LLOYD_GLOBAL(unsigned) rechecked,
            std::size_t n, unsigned d, unsigned padded) {
  if (n == 0) return;
  // At the end the tiles' memory takes the scores of [part][place]: the best two, whose they are; the third.
  LLOYD_SHARED(float4, pointTile, 2 * fours);  // two of [pair of coordinates][pair of points], in turn
  LLOYD_SHARED(float2, factorPairs, 2 * twos); // two of [pair of coordinates][cluster]
  LLOYD_SHARED(float2, norms, 4 * width);      // [quarter of the coordinates][place]: its norm and its loss
  LLOYD_SHARED(float, least, width);           // the least score of a candidate
  LLOYD_SHARED(Label, decided, width);
  LLOYD_SHARED(unsigned, doubtful, width);
  LLOYD_SHARED(unsigned, doubts, 1);
  LLOYD_SHARED(unsigned, slots, 1);
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned inGroup = lane % 4; // the instruction's own names for a lane's place
  const unsigned group = lane / 4;
  const unsigned firstPair = warp % 4 * warpRows / 2;  // of this warp's points in the tile
  const unsigned firstColumn = warp / 4 * warpColumns; // of its clusters
  // This thread loads two points, of every fourth pair of coordinates, and one cluster, of every second.
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * width;
  const unsigned ownPair = threadIdx.x % (width / 2);
  const unsigned quarter = threadIdx.x / (width / 2);
  const unsigned ownCluster = threadIdx.x % width;
  const unsigned ownHalf = threadIdx.x / width;
  const std::size_t one = first + 2 * ownPair < n ? first + 2 * ownPair : n - 1;
  const unsigned apart = one + 1 < n ? 1 : 0; // of the other, which is the same where there is none
  float2 norm = make_float2(0, 0);            // of the two points
  float2 loss = make_float2(0, 0);
  if (threadIdx.x == 0) doubts[0] = 0;

  BestTwo found[rowTiles][2];
  // Each by itself: nvcc 13.0 begins but the first row of an array of two dimensions as its type says.
  LLOYD_UNROLL
  for (unsigned r = 0; r < rowTiles; ++r) {
    LLOYD_UNROLL
    for (unsigned h = 0; h < 2; ++h)
      found[r][h] = BestTwo();
  }
  float score[rowTiles][columnTiles][4];
  float4 nextFour[eachFour];
  float2 nextTwo[eachTwo];

  const auto load = [&](unsigned from, unsigned firstCluster) {
    const bool whole = from + depth <= d;
    std::size_t at = (from + 2 * quarter) * stride + one;
    LLOYD_UNROLL
    for (unsigned q = 0; q < eachFour; ++q, at += 8 * stride) {
      const unsigned j = from + 2 * (q * 4 + quarter);
      float4 four = make_float4(0, 0, 0, 0);
      if (whole || j < d) {
        four.x = points[at];
        four.y = points[at + apart];
      }
      if (whole || j + 1 < d) {
        four.z = points[at + stride];
        four.w = points[at + stride + apart];
      }
      nextFour[q] = four;
    }
    LLOYD_UNROLL
    for (unsigned q = 0; q < eachTwo; ++q) {
      const float2 two = factors[(from / 2 + q * 2 + ownHalf) * padded + firstCluster + ownCluster];
      nextTwo[q] = two;
    }
  };
  const auto store = [&](unsigned turn, unsigned from, bool firstTime) {
    LLOYD_UNROLL
    for (unsigned q = 0; q < eachFour; ++q) {
      const unsigned pair = from / 2 + q * 4 + quarter;
      const float2 origin = shift[pair];
      float4 x = nextFour[q];
      x.x -= origin.x;
      x.y -= origin.x;
      x.z -= origin.y;
      x.w -= origin.y;
      // Coordinates that are not there are 0 on both sides and add nothing.
      if (from + depth > d) {
        if (2 * pair >= d) x.x = x.y = 0;
        if (2 * pair + 1 >= d) x.z = x.w = 0;
      }
      const float4 rounded =
          make_float4(roundedToTf32(x.x), roundedToTf32(x.y), roundedToTf32(x.z), roundedToTf32(x.w));
      if (firstTime) {
        norm.x = fmaf(x.z, x.z, fmaf(x.x, x.x, norm.x));
        norm.y = fmaf(x.w, x.w, fmaf(x.y, x.y, norm.y));
        loss.x = fmaf(x.z - rounded.z, x.z - rounded.z, fmaf(x.x - rounded.x, x.x - rounded.x, loss.x));
        loss.y = fmaf(x.w - rounded.w, x.w - rounded.w, fmaf(x.y - rounded.y, x.y - rounded.y, loss.y));
      }
      pointTile[turn * fours + (q * 4 + quarter) * fourRow + ownPair] = rounded;
    }
    LLOYD_UNROLL
    for (unsigned q = 0; q < eachTwo; ++q)
      factorPairs[turn * twos + (q * 2 + ownHalf) * pairRow + ownCluster] = nextTwo[q];
  };

  load(0, 0);
  store(0, 0, true);
  unsigned present = 0; // which of the two is multiplied
  for (unsigned firstCluster = 0; firstCluster < padded; firstCluster += width) {
    LLOYD_UNROLL
    for (unsigned t = 0; t < columnTiles; ++t) {
      const float even = half[firstCluster + firstColumn + t * 8 + inGroup * 2];
      const float odd = half[firstCluster + firstColumn + t * 8 + inGroup * 2 + 1];
      LLOYD_UNROLL
      for (unsigned r = 0; r < rowTiles; ++r) {
        score[r][t][0] = -even;
        score[r][t][1] = -odd;
        score[r][t][2] = -even;
        score[r][t][3] = -odd;
      }
    }
    for (unsigned from = 0; from < d; from += depth) {
      __syncthreads();
      const bool lastOfTile = from + depth >= d;
      const bool more = !lastOfTile || firstCluster + width < padded;
      const unsigned next = lastOfTile ? 0 : from + depth;
      if (more) load(next, lastOfTile ? firstCluster + width : firstCluster);
      LLOYD_UNROLL
      for (unsigned j = 0; j < pairs; j += 4) {
        unsigned x[rowTiles][4];
        LLOYD_UNROLL
        for (unsigned r = 0; r < rowTiles; ++r) {
          const float4 four =
              pointTile[present * fours + (j + inGroup) * fourRow + firstPair + r * 8 + group];
          x[r][0] = __float_as_uint(four.x);
          x[r][1] = __float_as_uint(four.y);
          x[r][2] = __float_as_uint(four.z);
          x[r][3] = __float_as_uint(four.w);
        }
        LLOYD_UNROLL
        for (unsigned t = 0; t < columnTiles; ++t) {
          const float2 two =
              factorPairs[present * twos + (j + inGroup) * pairRow + firstColumn + t * 8 + group];
          const unsigned factor[2] = {__float_as_uint(two.x), __float_as_uint(two.y)};
          LLOYD_UNROLL
          for (unsigned r = 0; r < rowTiles; ++r)
            multiplyTf32(score[r][t], x[r], factor);
        }
      }
      present = 1 - present;
      if (more) store(present, next, firstCluster == 0 && !lastOfTile);
    }

    LLOYD_UNROLL
    for (unsigned t = 0; t < columnTiles; ++t) {
      const auto cluster = static_cast<Label>(firstCluster + firstColumn + t * 8 + inGroup * 2);
      LLOYD_UNROLL
      for (unsigned r = 0; r < rowTiles; ++r) {
        takeScore(found[r][0], score[r][t][0], cluster);
        takeScore(found[r][0], score[r][t][1], cluster + 1);
        takeScore(found[r][1], score[r][t][2], cluster);
        takeScore(found[r][1], score[r][t][3], cluster + 1);
      }
    }
  }

  __syncthreads(); // the tiles have been read
  LLOYD_UNROLL
  for (unsigned r = 0; r < rowTiles; ++r) {
    LLOYD_UNROLL
    for (unsigned h = 0; h < 2; ++h) {
      const BestTwo& of = found[r][h];
      const unsigned place = h * (width / 2) + firstPair + r * 8 + group;
      const unsigned part = warp / 4 * 4 + inGroup;
      pointTile[part * foundRow + place] =
          make_float4(of.best, of.second, __uint_as_float(static_cast<unsigned>(of.label)),
                      __uint_as_float(static_cast<unsigned>(of.other)));
      factorPairs[part * thirdRow + place] = make_float2(of.third, 0);
    }
  }
  norms[quarter * width + ownPair] = make_float2(norm.x, loss.x);
  norms[quarter * width + width / 2 + ownPair] = make_float2(norm.y, loss.y);
  __syncthreads();

  const float others = greatestOf(largest, padded / 32);
  const float otherLoss = greatestOf(lost, padded / 32);
  const unsigned own = threadIdx.x; // the place that this thread decides on
  const std::size_t point = first + pointAt(own % width);
  const bool isPoint = own < width && point < n;
  bool known = true;
  bool inDoubt = false;
  Label label = 0;
  if (isPoint) {
    float2 whole = make_float2(0, 0);
    for (unsigned part = 0; part < 4; ++part) {
      const float2 share = norms[part * width + own];
      whole.x += share.x;
      whole.y += share.y;
    }
    float best = -INFINITY;
    for (unsigned part = 0; part < parts; ++part) {
      const float4 two = pointTile[part * foundRow + own];
      if (two.x > best) label = static_cast<Label>(__float_as_uint(two.z));
      best = fmaxf(best, two.x);
    }
    const float limit = best - scoreMargin(d, 3, whole.x, whole.y, others, otherLoss, best);
    unsigned candidates = 0;
    for (unsigned part = 0; part < parts; ++part) {
      const float4 two = pointTile[part * foundRow + own];
      const float2 third = factorPairs[part * thirdRow + own];
      if (!(two.x < limit)) ++candidates;
      if (!(two.y < limit)) ++candidates;
      if (!(third.x < limit)) known = false;
    }
    least[own] = limit;
    inDoubt = known && candidates > 1;
    if (inDoubt) doubtful[atomicAdd(&doubts[0], 1u)] = own;
  }
  __syncthreads();

  // A warp takes a point in doubt, and a lane one of its candidates.
  const unsigned doubted = doubts[0];
  for (unsigned at = warp; at < doubted; at += threads / 32) {
    const unsigned p = doubtful[at];
    float nearest = INFINITY;
    Label nearestLabel = 0;
    if (lane < 2 * parts) {
      const float4 two = pointTile[lane / 2 * foundRow + p];
      const float limit = least[p];
      if (!((lane % 2 == 0 ? two.x : two.y) < limit)) {
        nearestLabel = static_cast<Label>(__float_as_uint(lane % 2 == 0 ? two.z : two.w));
        nearest =
            chainOf(points, stride, centroids, first + pointAt(p), static_cast<unsigned>(nearestLabel), d);
      }
    }
    nearestOfWarp(nearest, nearestLabel);
    if (lane == 0) decided[p] = nearestLabel;
  }
  __syncthreads();
  if (inDoubt) {
    const Label nearest = decided[own];
    label = nearest;
  }
  keepOrList(isPoint, point, known, label, oldLabels, labels, changed, listed, inList, slots);
  if (threadIdx.x == 0 && doubted > 0) atomicAdd(&rechecked[0], doubted);
}

void launch(const ClassifyArgs& args, LaunchContext& context) {
  prepareScores<true>(args, context);
  launchScores(args, context, width, threads, distance_v7);
  settleDoubts(args, context);
}

/// Cards before 8.0 have no such instruction for floats.
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
                .idea = "The product by warp matrix instructions on eleven digits, and distances where those "
                        "cannot tell.",
                .changed = Changed::points,
                .canRun = matrixLimit,
                .workBytes = scoreBytes},
               {.classify = launch})

} // namespace lloyd
