// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/engine/point_layouts.hpp"
#include "gpu/engine/stage_clock.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// What the stages of an iteration add to, in one block of device memory, so that one fill clears it and one
/// copy brings what the host reads. The device must outlive it.
class Accumulators {
public:
  Accumulators(Device& device, const Problem& problem)
      : device_(device), k_(static_cast<std::size_t>(problem.k)),
        sums_(countsAt + roundedUp(k_ * sizeof(std::uint32_t))),
        block_(device, sums_ + roundedUp(problem.centroidValues() * sizeof(double))) {}

  [[nodiscard]] std::uint32_t* changed() { return at<std::uint32_t>(0); }
  [[nodiscard]] UpdateOutcome* outcome() { return at<UpdateOutcome>(line); }
  [[nodiscard]] double* inertia() { return at<double>(2 * line); }
  [[nodiscard]] std::uint32_t* rechecked() { return at<std::uint32_t>(3 * line); }
  [[nodiscard]] std::uint32_t* counts() { return at<std::uint32_t>(countsAt); } ///< [k]
  [[nodiscard]] double* sums() { return at<double>(sums_); }                    ///< [k][d]

  void clear() { block_.fill(0); }
  /// And counts; the rest stays.
  void clearSums() { device_.fill(block_.data() + countsAt, 0, block_.bytes() - countsAt); }

  /// All but the sums, in host memory.
  struct Values {
    std::uint32_t changed = 0;
    UpdateOutcome outcome;
    double inertia = 0;
    std::uint32_t rechecked = 0;
    std::vector<std::uint32_t> counts;
  };
  /// Waits for the device.
  [[nodiscard]] Values read() const {
    std::vector<std::byte> bytes(sums_);
    device_.download(bytes.data(), block_.data(), bytes.size());
    Values values;
    values.counts.resize(k_);
    std::memcpy(&values.changed, bytes.data(), sizeof(values.changed));
    std::memcpy(&values.outcome, bytes.data() + line, sizeof(values.outcome));
    std::memcpy(&values.inertia, bytes.data() + 2 * line, sizeof(values.inertia));
    std::memcpy(&values.rechecked, bytes.data() + 3 * line, sizeof(values.rechecked));
    std::memcpy(values.counts.data(), bytes.data() + countsAt, k_ * sizeof(std::uint32_t));
    return values;
  }

private:
  static constexpr std::size_t line = 256; ///< every part has lines of its own
  static constexpr std::size_t countsAt = 4 * line;

  static std::size_t roundedUp(std::size_t bytes) { return (bytes + line - 1) / line * line; }

  template <class T>
  [[nodiscard]] T* at(std::size_t offset) {
    return reinterpret_cast<T*>(block_.data() + offset);
  }

  Device& device_;
  std::size_t k_;
  std::size_t sums_; ///< where they begin, behind all that the host reads
  Buffer<std::byte> block_;
};

/// Whether the variant filters by scores at that stage, and counts the points that those could not tell
/// about.
[[nodiscard]] inline bool rechecks(const Variant& variant, Stage stage) {
  return stage == Stage::classify && variant.info.workBytes != nullptr;
}

/// What a device needs to move points: where they are at rest, and which component each follows. The points'
/// position is a pure function of the components' shifts, so time can be set, not only advanced.
class Motion {
public:
  /// base: host, [d][n]; component: host, [n]. The device must outlive this.
  Motion(Device& device, std::size_t n, int d, const float* base, std::span<const std::uint8_t> component)
      : device_(device), n_(n), d_(d), stride_(rowStride(n)),
        base_(device, stride_ * static_cast<std::size_t>(d)), component_(device, component) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j)
      device.upload(base_.data() + j * stride_, base + j * n, n * sizeof(float));
  }
  /// Writes memory.nextPositions = base + shifts of each point's component; shifts: host, [components][d].
  void moveTo(std::span<const float> shifts, const PointMemory& memory) {
    if (shifts_.size() != shifts.size()) shifts_ = Buffer<float>(device_, shifts.size());
    shifts_.upload(shifts);
    device_.advance({.n = n_,
                     .d = d_,
                     .stride = stride_,
                     .base = base_.data(),
                     .out = memory.nextPositions,
                     .component = component_.data(),
                     .shifts = shifts_.data()});
  }

private:
  Device& device_;
  std::size_t n_;
  int d_;
  std::size_t stride_;
  Buffer<float> base_;
  Buffer<std::uint8_t> component_;
  Buffer<float> shifts_;
};

/// The two halves of a Lloyd iteration: points take the label of their nearest centroid, then centroids move
/// to the mean of their points.
enum class Half { classify, update };

/// What one iteration found. labels, inertia and sizes belong to usedCentroids; centroids come after the
/// update.
struct IterationResult {
  int iteration = 0; ///< 1 for the first
  /// Classified and not updated yet: centroids are still usedCentroids, shift is 0, and the numbers of
  /// the labels (changed, inertia, sizes) are the iteration's.
  bool halfway = false;
  std::optional<std::uint64_t>
      changed; ///< points whose label changed (all in the first); none where a variant has only a flag
  bool anyChanged = true;
  std::optional<std::uint64_t> rechecked; ///< points that a filter of scores could not tell; none: no filter
  double shift = 0;                       ///< largest distance a centroid moved in the update
  std::optional<double> inertia;
  std::uint32_t emptyClusters = 0;
  std::vector<float> usedCentroids; ///< [k][d]
  std::vector<float> centroids;     ///< [k][d]
  std::vector<std::uint32_t> sizes; ///< [k]
  std::uint64_t hostBytes = 0;      ///< that crossed between host and device for it
  StageTimes times;
};

/// What to do of an iteration.
struct Step {
  std::optional<Half> half = {}; ///< that alone; none: the whole iteration
  bool inertia = false;          ///< finds that of the labels just written; not with an update alone
  Motion* motion = nullptr;      ///< moves the points first, when they move; not with an update alone
  std::span<const float> shifts = {};
  /// Of an update alone: labels are read at memory.labels, where relabel() has just written them. Else they
  /// are read at memory.oldLabels (and memory.positions), because they have become the front since.
  bool written = false;
};

/// One k-means problem on one device: the centroids, the accumulators and the iteration itself, whole or in
/// halves. Owns neither the points nor their layouts, in whose tiles no other one has its labels meanwhile.
/// Device and layouts must outlive it; one thread at a time. After an exception the state is that before the
/// call.
class Clustering {
public:
  enum class Phase { whole, halfway };

  /// What the next part of an iteration depends on besides points and labels.
  struct State {
    std::vector<float> centroids = {}; ///< [k][d], the present ones
    std::vector<float> used = {}; ///< with which the last classification labelled; empty before the first
    std::vector<float> usedBefore = {}; ///< halfway: with which the one before it did; empty for none
    int iterations = 0;                 ///< whole ones
    Phase phase = Phase::whole;
    IterationResult half = {}; ///< halfway: what the first half found, without times

    /// The centroids that the labels of the last classification belong to; before the first, the present
    /// ones.
    [[nodiscard]] const std::vector<float>& labelled() const { return used.empty() ? centroids : used; }
    /// The state that result tells of; its used centroids are those that the labels belong to. Iteration 0 is
    /// the start, which the first half of the first iteration goes back to. usedBefore: as above.
    [[nodiscard]] static State after(const IterationResult& result, std::vector<float> usedBefore);
  };

  Clustering(Device& device, const Problem& problem, PointLayouts& layouts);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const State& state() const { return state_; }
  [[nodiscard]] bool halfway() const { return state_.phase == Phase::halfway; }
  /// Goes on from there: with no more than centroids, the next iteration is the first.
  void restore(State state);

  /// One Lloyd iteration: (move,) classify, reduce, update, and the inertia of the labels just written; or
  /// the half of it that is due. The result of the second half is the whole iteration's but for its times.
  /// Labels of a variant of tiles that whole iterations write stay in the tiled layout (LabelLayout) while
  /// they are memory.unseen; all else here leaves them in input order. Sizes of the first half come from a
  /// reduction that is not timed: the reduction belongs to the second half, unless a fused variant has done
  /// both.
  IterationResult advance(const Plan& plan, const PointMemory& memory, const Step& step = {});
  /// Halfway: false when an update alone needs relabel() first: the sums that a fused variant divides are
  /// gone.
  [[nodiscard]] bool readyToUpdate(const Plan& plan) const {
    return !plan.fused || summed_ == state_.centroids;
  }

  /// Iterations by plan.schedule, until one changes no label, or moves no centroid farther than tolerance
  /// where that is above 0; at most most of them, which is at least 1. The result is that of the last one,
  /// bit for bit as advance() without inertia has it; its time is the stage iterate's, of all of them
  /// together. A tolerance below 0 lets most alone decide. Not while halfway(), and points do not move
  /// meanwhile. What is recorded is kept for the next call with the same plan and memory. Cancelled is thrown
  /// between replays of at most iterationsAtOnce iterations, which a GPU cannot be stopped in. Labels are
  /// written in place to memory.labels: after an exception these are no iteration's, and memory.oldLabels
  /// still hold the last one's.
  IterationResult iterateUntil(const Plan& plan, const PointMemory& memory, double tolerance, int most);
  static constexpr int iterationsAtOnce = 256;

  /// Classifies without an update, so that labels, sizes and inertia belong to the state's centroids. No half
  /// and no iteration: what comes next is what would have come without it.
  IterationResult finish(const Plan& plan, const PointMemory& memory, const State& state);
  /// Writes the labels of the state's last classification again to memory.labels.
  void relabel(const Plan& plan, const PointMemory& memory, const State& state);
  /// Finds the labels of the last classification once more, for the next one to compare with: for when
  /// memory.oldLabels does not hold them. They are those of the points as they lie in memory now.
  void recoverOldLabels(const Plan& plan, const PointMemory& memory);

private:
  /// In both kinds of memory.
  struct Centroids {
    const std::vector<float>& values;
    const float* data; ///< device memory
  };
  [[nodiscard]] Centroids onDevice(const std::vector<float>& centroids);
  void label(const Plan& plan, const PointMemory& memory, const Centroids& centroids, LabelView oldLabels,
             LabelSpan labels);
  void sum(const Plan& plan, const PointView& points, const LabelView& labels, const Centroids& centroids);
  void addInertia(const PointMemory& memory, const float* centroids);
  void update(const Plan& plan);
  Accumulators::Values read(IterationResult& result);
  void take(const IterationResult& result);
  void sumAgain(const Plan& plan, const PointMemory& memory, bool written);
  void makeTiles(unsigned size, const PointView& points, StageClock* clock);
  void recordFor(const Plan& plan, const PointMemory& memory, const LabelSpan& labels);
  [[nodiscard]] LabelView oldLabels(const PointMemory& memory) const;
  [[nodiscard]] LabelWidth widthOf(const Plan& plan) const;
  [[nodiscard]] LabelLayout layoutOf(const Plan& plan, const PointMemory& memory) const;
  [[nodiscard]] LabelView inInputOrder(const LabelView& labels, const PointMemory& memory);
  [[nodiscard]] LabelView stored(const LabelView& labels, LabelWidth width);

  Device& device_;
  Problem problem_;
  PointLayouts& layouts_;
  Buffer<float> front_; ///< the centroids to classify with
  Buffer<float> back_;  ///< where the update writes
  Accumulators totals_;
  StageClock clock_;
  const void* tiledLabels_ = nullptr; ///< the memory whose labels are those of the tiles; null for none
  Buffer<Label> recovered_;           ///< old labels that memory does not hold; empty otherwise
  LabelWidth recoveredWidth_ = LabelWidth::four;
  Buffer<Label> converted_;             ///< labels of one plan as another wants them; made when plans change
  Buffer<std::uint8_t> lookedUp_;       ///< tiled labels in input order; made when plans change
  std::unique_ptr<IterationLoop> loop_; ///< of the last iterateUntil()
  State state_;
  std::vector<float> summed_; ///< the centroids whose clusters' sums totals_ holds; empty for none
};

} // namespace lloyd
