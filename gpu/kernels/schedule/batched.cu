// SPDX-License-Identifier: GPL-3.0-or-later
// schedule.batched: all sets in one launch. A grid has a row of blocks for each set, and a row does what
// fused.v1's grid does, to the same bits; a second kernel, with a block for each set, moves the centroids as
// update.v1 does, in place, clears what the next pass adds to, and ends the set when no label changed. So
// sixteen small clusterings fill a card that each of them would leave nearly empty, and an iteration of all
// of them costs two launches.
//
// Against the schedules with several streams: those overlap whole launches, each of which still costs the
// host its time; here there are as many launches as a single set needs. The card itself knows when a set is
// done, and its blocks return at once from then on, so that a late look at the flags costs launches that do
// nothing, and no iteration.
//
// What it costs: all sets have one size, and what is copied is there before anything begins. What to look at:
// microseconds an iteration of a set against those of one set, where N is small; with 2^20 points one set
// fills the card, and there is nothing to gain.
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/kernels/dispatch.hpp"
#include "gpu/kernels/fused/nearest.hpp"
#include "gpu/kernels/fused/pass.hpp"
#include "gpu/kernels/schedule/device_set.hpp"
#include "gpu/kernels/schedule/slice.hpp"
#include "gpu/kernels/update/moves.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace lloyd {
namespace {

using namespace fused;
using schedule::Slice;

constexpr int updateThreads = 256;

/// pointsOfSet: values from one set's points to the next one's, 0 where all share them. labelsOfSet: likewise
/// labels, a multiple of four. done: the iteration that ended a set; 0: none has.
template <unsigned D, unsigned Vectors, class Stored, bool Private>
LLOYD_KERNEL_UP_TO(512)
schedule_batched(LLOYD_GLOBAL(const float) points, LLOYD_GLOBAL(const float4) vectors, std::size_t stride,
                 std::size_t pointsOfSet, LLOYD_GLOBAL(const float) allCentroids,
                 LLOYD_GLOBAL_TWICE(Stored) allLabels, LLOYD_GLOBAL_TWICE(unsigned) allWords,
                 std::size_t labelsOfSet, LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(double) allSums,
                 LLOYD_GLOBAL(unsigned) allCounts, LLOYD_GLOBAL(unsigned) tickets,
                 LLOYD_GLOBAL(unsigned long long) allTotals, LLOYD_GLOBAL(const unsigned) done,
                 LLOYD_GLOBAL(const Bounds) allBounds, std::size_t n, unsigned k, unsigned copies,
                 std::size_t sumBytes) {
  const unsigned set = blockIdx.y;
  const unsigned ended = done[set];
  if (ended != 0) return; // all threads of the row's blocks read the same
  const Bounds bounds = allBounds[set];
  const std::size_t values = static_cast<std::size_t>(set) * k * D;
  const Slice centroids{allCentroids, values};
  const Slice labels{allLabels, set * labelsOfSet};
  const Slice words{allWords, set * labelsOfSet * sizeof(Stored) / sizeof(unsigned)};
  LLOYD_DYNAMIC_SHARED(float2, pairs, sumBytes, D == 1 ? 0 : k);
  LLOYD_DYNAMIC_SHARED(float, singles, sumBytes + (D == 1 ? 0 : k * sizeof(float2)), D == 2 ? 0 : k);
  const auto centers = loadCenters<D>(centroids, singles, pairs, k);
  pass<D, Vectors, Stored, Private, false>(
      Slice{points, set * pointsOfSet}, Slice{vectors, set * pointsOfSet / perVector}, stride, centroids,
      labels, words, labels, words, Slice{changed, set}, Slice{allSums, values},
      Slice{allCounts, static_cast<std::size_t>(set) * k}, Slice{tickets, set}, Slice{allTotals, values}, n,
      k, copies, bounds,
      [&](const float(&x)[Vectors][perVector][D], unsigned(&label)[Vectors][perVector],
          float(&deviation)[Vectors][perVector][D]) {
        nearestOf<D, Vectors>(centers, k, x, label, deviation);
        return 0u;
      },
      [](const float(&)[D], unsigned&, float(&)[D]) {});
}

/// A block for each set, a thread for a cluster at a time. iteration: counted from 1. mayEnd: 0 where every
/// set does as many as the others.
LLOYD_KERNEL_UP_TO(updateThreads)
schedule_batched_update(LLOYD_GLOBAL(double) sums, LLOYD_GLOBAL(unsigned) counts,
                        LLOYD_GLOBAL(unsigned) changed, LLOYD_GLOBAL(float) centroids,
                        LLOYD_GLOBAL(unsigned) sizes, LLOYD_GLOBAL(unsigned) done, unsigned iteration,
                        unsigned mayEnd, unsigned d, unsigned k) {
  const unsigned set = blockIdx.x;
  LLOYD_SHARED(unsigned, ended, 1);
  if (threadIdx.x == 0) ended[0] = done[set];
  __syncthreads();
  const unsigned before = ended[0];
  if (before != 0) return;
  for (unsigned c = threadIdx.x; c < k; c += blockDim.x) {
    const std::size_t cluster = static_cast<std::size_t>(set) * k + c;
    const unsigned count = counts[cluster];
    for (unsigned j = 0; j < d; ++j) {
      const std::size_t v = cluster * d + j;
      const float old = centroids[v];
      const double sum = sums[v];
      if (count > 0) centroids[v] = static_cast<float>(old + sum / count);
      sums[v] = 0;
    }
    sizes[cluster] = count;
    counts[cluster] = 0;
  }
  if (threadIdx.x != 0) return;
  const unsigned newLabels = changed[set];
  changed[set] = 0;
  // The first met labels that are no iteration's.
  if (newLabels == 0 && iteration > 1 && mayEnd != 0) done[set] = iteration;
}

/// All sets in device memory, and the order in which they run.
class BatchedRun final : public SetRun {
public:
  BatchedRun(Device& device, const SetStages& stages, std::span<ClusteringSet> sets, const SetParams& params)
      : device_(device), sets_(sets), params_(params), tuning_(stages.fused->complete(stages.fusedTuning)),
        queue_(device.createQueue()) {
    if (sets.empty()) return;
    const ClusteringSet& first = sets.front();
    problem_ = first.problem();
    for (const ClusteringSet& set : sets)
      if (set.problem() != problem_)
        throw RequestError("schedule.batched runs sets of one size: choose another schedule");
    shared_ = std::ranges::all_of(sets, [&](const ClusteringSet& set) { return set.points == first.points; });
    const std::size_t count = sets.size();
    const std::size_t values = count * problem_.centroidValues();
    const std::size_t clusters = count * static_cast<std::size_t>(problem_.k);
    width_ = stages.fused->labelWidth(problem_.k);
    labelsOfSet_ = (problem_.n + lane - 1) / lane * lane;
    points_ = Buffer<float>(device, first.points->size() * (shared_ ? 1 : count));
    centroids_ = Buffer<float>(device, values);
    labels_ = Buffer<std::byte>(device, count * labelsOfSet_ * bytesOf(width_));
    bounds_ = Buffer<Bounds>(device, count);
    sums_ = Buffer<double>(device, values);
    totals_ = Buffer<unsigned long long>(device, values);
    counts_ = Buffer<unsigned>(device, clusters);
    sizes_ = Buffer<unsigned>(device, clusters);
    words_ = Buffer<unsigned>(device, 3 * count);
    hostBounds_ = HostBuffer<Bounds>(device, count);
    flags_ = HostBuffer<std::uint32_t>(device, count * (static_cast<std::size_t>(params.late) + 1));
    for (int i = 0; i <= params.late; ++i)
      looked_.push_back(device.createEvent());
    const std::span<Bounds> bounds = hostBounds_.write();
    for (std::size_t s = 0; s < count; ++s) {
      bounds[s] = boundsOf(sets[s].box(), problem_.d);
      sets[s].width = width_;
    }
  }

  void run() override {
    if (sets_.empty()) return;
    queue_->synchronize(); // the run before may have ended by an exception
    copyUp();
    int given = 0;
    bool more = true;
    while (more) {
      iterate(++given);
      more = given < params_.most && !(given > params_.late && allDone(given - 1 - params_.late));
    }
    bringDown(given);
  }

private:
  static constexpr std::size_t lane = 128; ///< labels of a set begin on lines of their own

  // Words of each set, of which one fill clears all.
  [[nodiscard]] unsigned* changed() { return words_.data(); }
  [[nodiscard]] unsigned* tickets() { return words_.data() + sets_.size(); }
  [[nodiscard]] unsigned* done() { return words_.data() + 2 * sets_.size(); }
  [[nodiscard]] std::size_t slotOf(int iteration) const { // from 0
    return static_cast<std::size_t>(iteration % (params_.late + 1)) * sets_.size();
  }

  void copyUp() {
    const std::size_t pointsOfSet = sets_.front().points->size();
    for (std::size_t s = 0; s < (shared_ ? 1 : sets_.size()); ++s) {
      if (!shared_) queue_->concerns(s);
      queue_->upload(points_.data() + s * pointsOfSet, sets_[s].points->data(), sets_[s].points->bytes());
    }
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      queue_->concerns(s);
      queue_->upload(centroids_.data() + s * problem_.centroidValues(), sets_[s].start.data(),
                     sets_[s].start.bytes());
    }
    queue_->concerns(std::nullopt); // what follows is of all sets at once
    queue_->upload(bounds_.data(), hostBounds_.data(), hostBounds_.bytes());
    queue_->fill(labels_.data(), 0xff, labels_.bytes());
    queue_->fill(sums_.data(), 0, sums_.bytes());
    queue_->fill(totals_.data(), 0, totals_.bytes());
    queue_->fill(counts_.data(), 0, counts_.bytes());
    queue_->fill(words_.data(), 0, words_.bytes());
  }

  void iterate(int iteration) {
    queue_->launch("schedule.batched", [this](LaunchContext& context) { launchPass(context); });
    queue_->launch("schedule.batched", [this, iteration](LaunchContext& context) {
      const std::size_t clusters = sets_.size() * static_cast<std::size_t>(problem_.k);
      launchKernel(context, {sets_.size(), updateThreads}, schedule_batched_update,
                   global(sums_.data(), sums_.size()), global(counts_.data(), clusters),
                   global(changed(), sets_.size()), global(centroids_.data(), centroids_.size()),
                   global(sizes_.data(), clusters), global(done(), sets_.size()), iteration,
                   params_.all ? 0 : 1, problem_.d, problem_.k);
    });
    const std::size_t slot = slotOf(iteration - 1);
    queue_->download(flags_.data() + slot, done(), sets_.size() * sizeof(std::uint32_t));
    queue_->record(*looked_[slot / sets_.size()]);
  }

  void launchPass(LaunchContext& context) {
    const std::size_t n = problem_.n;
    const std::size_t beside = besideSums(problem_);
    const int block = tuning_.block;
    const SumShape sums = SumShape::of(problem_, block, context.sharedBytesPerBlock - beside);
    const std::size_t sharedBytes = sums.bytes + beside - staticSharedBytes;
    const std::size_t perBlock = static_cast<std::size_t>(block) * static_cast<std::size_t>(tuning_.items);
    const std::size_t pointsOfSet = shared_ ? 0 : sets_.front().points->size();
    const auto rows = static_cast<unsigned>(sets_.size());
    const auto launchAs = [&]<class Stored>(auto kernel, Stored* labels) {
      // As many blocks as fused.v1 has: which points a thread adds up in floats decides on the last bits.
      const std::size_t blocks =
          std::min(blocksFor(n, perBlock), blocksAtOnce(context, kernel, block, sharedBytes));
      const std::size_t labelCount = rows * labelsOfSet_;
      launchKernel(
          context, {.blocks = blocks, .threads = block, .sharedBytes = sharedBytes, .rows = rows}, kernel,
          global(static_cast<const float*>(points_.data()), points_.size()),
          global(reinterpret_cast<const float4*>(points_.data()), points_.size() / perVector),
          sets_.front().stride(), pointsOfSet,
          global(static_cast<const float*>(centroids_.data()), centroids_.size()), global(labels, labelCount),
          global(reinterpret_cast<unsigned*>(labels_.data()), labelCount * sizeof(Stored) / sizeof(unsigned)),
          labelsOfSet_, global(changed(), rows), global(sums_.data(), sums_.size()),
          global(counts_.data(), counts_.size()), global(tickets(), rows),
          global(totals_.data(), totals_.size()), global(static_cast<const unsigned*>(done()), rows),
          global(static_cast<const Bounds*>(bounds_.data()), rows), n, problem_.k, sums.copies, sums.bytes);
    };
    const auto launchFor = [&](auto d, auto items) {
      constexpr unsigned vectors = items / perVector;
      if (width_ == LabelWidth::two)
        launchAs(schedule_batched<d, vectors, std::uint16_t, false>,
                 reinterpret_cast<std::uint16_t*>(labels_.data()));
      else if (sums.isPrivate)
        launchAs(schedule_batched<d, vectors, std::uint8_t, true>,
                 reinterpret_cast<std::uint8_t*>(labels_.data()));
      else
        launchAs(schedule_batched<d, vectors, std::uint8_t, false>,
                 reinterpret_cast<std::uint8_t*>(labels_.data()));
    };
    dispatch(launchFor, oneOf<1, 2, 3>(problem_.d), oneOf<4, 8>(tuning_.items));
  }

  /// Waits until the flags of an iteration, 0 for the first, are here.
  [[nodiscard]] bool allDone(int iteration) {
    const std::size_t slot = slotOf(iteration);
    device_.waitFor(*looked_[slot / sets_.size()]);
    return std::ranges::all_of(flags_.read(slot, sets_.size()),
                               [](std::uint32_t ended) { return ended != 0; });
  }

  void bringDown(int given) {
    const auto k = static_cast<std::size_t>(problem_.k);
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      ClusteringSet& set = sets_[s];
      queue_->concerns(s);
      queue_->download(set.foundCentroids.data(), centroids_.data() + s * problem_.centroidValues(),
                       set.foundCentroids.bytes());
      queue_->download(set.foundSizes.data(), sizes_.data() + s * k, set.foundSizes.bytes());
      queue_->download(set.foundLabels.data(), labels_.data() + s * labelsOfSet_ * bytesOf(width_),
                       problem_.n * bytesOf(width_));
    }
    queue_->concerns(std::nullopt);
    queue_->synchronize();
    const auto ended = flags_.read(slotOf(given - 1), sets_.size());
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      sets_[s].needed = static_cast<int>(ended[s]);
      sets_[s].iterations = ended[s] != 0 ? sets_[s].needed : given;
    }
  }

  Device& device_;
  std::span<ClusteringSet> sets_;
  SetParams params_;
  Tuning tuning_;
  Problem problem_;
  LabelWidth width_ = LabelWidth::one;
  bool shared_ = false; ///< all sets have the same points, which are copied once
  std::size_t labelsOfSet_ = 0;
  Buffer<float> points_;
  Buffer<float> centroids_;
  Buffer<std::byte> labels_;
  Buffer<Bounds> bounds_;
  Buffer<double> sums_;
  Buffer<unsigned long long> totals_;
  Buffer<unsigned> counts_;
  Buffer<unsigned> sizes_;
  Buffer<unsigned> words_;
  HostBuffer<Bounds> hostBounds_;
  HostBuffer<std::uint32_t> flags_; ///< a ring
  std::vector<std::unique_ptr<Event>> looked_;
  std::unique_ptr<Queue> queue_; ///< ends before the memory that its work is in
};

std::unique_ptr<SetRun> prepareBatched(Device& device, const SetStages& stages, std::span<ClusteringSet> sets,
                                       const SetParams& params) {
  return std::make_unique<BatchedRun>(device, stages, sets, params);
}

/// What fused.v1 cannot take, its pass cannot take here. The processor's version has no pass of its own.
Reason canRun(const Variant& variant, const Problem& problem, const DeviceInfo& device, const Tuning&) {
  if (device.backend == Backend::cpu) return std::nullopt;
  if (!Registry::instance().find(variant.info.pass)->whyNot(Stage::fused, problem, device, {}))
    return std::nullopt;
  return variant.id() + " has the pass of " + std::string(variant.info.pass) + ", which cannot take " +
         std::to_string(problem.d) + " dimensions with so many clusters: schedule.multi takes any";
}

} // namespace

LLOYD_REGISTER(schedule_batched,
               {.family = "schedule",
                .tag = "batched",
                .name = "all sets in one launch",
                .idea = "A grid has a row of blocks for each set, so that small sets fill the card together.",
                .parameters = {schedule::late()},
                .canRun = canRun,
                .place = 6,
                .pass = "fused.v1"},
               {.sets = prepareBatched})

} // namespace lloyd
