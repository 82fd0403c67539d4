// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/iteration_stats.hpp"
#include "app/model/compute/set_runs.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/compute/undo_history.hpp"
#include "gpu/core/contract/device.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/engine/streamed/streamed_clustering.hpp"
#include "gpu/interop/shared_points.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

/// count values in the host memory from which the device copies fastest. Keeps the device alive, because the
/// memory is the device's to free; may be released on any thread.
template <class T>
class HostArray {
public:
  HostArray(std::shared_ptr<Device> device, std::size_t count)
      : device_(std::move(device)), count_(count),
        data_(static_cast<T*>(
            device_->allocateHost(count == 0 ? sizeof(T) : count * sizeof(T), HostMemory::pinned))) {}
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() { device_->releaseHost(data_, HostMemory::pinned); }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + count_; }

private:
  std::shared_ptr<Device> device_;
  std::size_t count_;
  T* data_;
};

/// A few arrays of one size, used in turn: the first that nobody else holds any more.
template <class T>
class HostArrayPool {
public:
  [[nodiscard]] std::shared_ptr<HostArray<T>> take(const std::shared_ptr<Device>& device, std::size_t count) {
    for (auto& array : arrays_)
      if (array.use_count() == 1 && array->size() == count) return array;
    if (arrays_.size() >= 4) arrays_.erase(arrays_.begin());
    return arrays_.emplace_back(std::make_shared<HostArray<T>>(device, count));
  }
  void clear() { arrays_.clear(); }

private:
  std::vector<std::shared_ptr<HostArray<T>>> arrays_;
};

/// Labels, and positions when they move, in host memory for a window that cannot share. Immutable once
/// published.
struct Frame {
  std::shared_ptr<const HostArray<Label>> labels;    ///< [n]
  std::shared_ptr<const HostArray<float>> positions; ///< soa with row stride; null when points stand still
  std::size_t stride = 0;
};

/// A state of a run that another run on the same points can go on from.
struct RunState {
  IterationResult result;
  std::vector<float> usedBefore; ///< halfway: what the labels before it were found with; empty for none
  double driftTime = 0;          ///< of moving points: the steps they have taken
  /// Where a centroid was moved by hand since the last classification: what that labelled with, for the next
  /// to tell which labels change. Empty otherwise.
  std::vector<float> usedLast = {};
  /// A person has moved, added or removed a centroid since the run was seeded.
  bool byHand = false;
  std::vector<IterationStats> history = {}; ///< the iterations that led to it; empty where nobody kept them
};

/// Everything that computes, without a thread of its own: device, points, clustering. The command line calls
/// it directly, the session from its worker thread. One thread at a time. Throws RequestError, DeviceError,
/// Cancelled.
class KMeansRunner {
public:
  /// Makes the device for a choice; tests give one that fails on purpose.
  using DeviceFactory = std::function<ChosenDevice(BackendRequest)>;

  explicit KMeansRunner(DeviceFactory factory = lloyd::chooseDevice);
  ~KMeansRunner();

  /// While the flag is true, running work unwinds with Cancelled within 100 ms.
  void setCancel(const std::atomic<bool>* cancel) {
    cancel_ = cancel;
    if (device_) device_->setCancel(cancel);
  }

  /// Makes the device that the choice names, dropping the one before with all that lived on it. Does nothing
  /// when the choice is the present one and the device is not lost.
  void chooseDevice(BackendRequest choice);
  [[nodiscard]] bool hasDevice() const { return device_ != nullptr; }
  [[nodiscard]] Device& device() { return *device_; }
  /// Why a better device is not used; empty when there is none better.
  [[nodiscard]] const std::string& whyDevice() const { return why_; }
  /// Drops a lost device, so that chooseDevice makes a new one; data are kept in host memory.
  void forgetDevice();

  /// Sets the data; a new set ends the run. Points reach the device with usePrivatePoints(), or are lent with
  /// each call (registered buffers). file: where the points are that data has no values of; null for none.
  void setData(SharedPointSet data, std::shared_ptr<const PointSource> file = nullptr);
  [[nodiscard]] const SharedPointSet& data() const { return data_; }
  /// A run goes on where it was: centroids, and the moment of moving points, are the runner's own.
  /// unseen: nobody asks for frame(), so that labels may stay with tiles until finish(), and points that
  /// stand still and for which the device has no memory stay with the host, and go through it in batches.
  /// What is done then are iterate() and finish(), by variants that makeStreamedPlan() takes.
  void usePrivatePoints(Sharing sharing, bool unseen = false);
  /// Says that memory will be lent with each call instead; releases the private points.
  void useLentPoints();
  [[nodiscard]] double uploadUs() const { return uploadUs_; }
  /// What became of points that go through the device in batches; null for others, and before configure().
  [[nodiscard]] const StreamFacts* streamed() const { return streamed_ ? &streamed_->facts() : nullptr; }
  /// Called for each batch of such points, by the computing thread.
  void onBatch(StreamedClustering::Progress progress) {
    onBatch_ = std::move(progress);
    if (streamed_) streamed_->setProgress(onBatch_);
  }

  /// Called by the computing thread while first centroids are searched for, so often at most: so many of them
  /// are found. Where it was called at all, it is called last when all are, or when the search has ended.
  void onSeed(std::function<void(int done, int of)> progress,
              std::chrono::milliseconds between = std::chrono::milliseconds(200)) {
    onSeed_ = std::move(progress);
    betweenSeeds_ = between;
  }

  /// Applies settings: checks k against the data, makes the plan, seeds at the next iteration when k, init,
  /// seed or the data changed. A variant or parameter change keeps the centroids. The plan's own choice may
  /// work on tiles where points stand still and the device has room for them; the same settings again leave
  /// it as it is. Throws RequestError and changes nothing.
  void configure(const Settings& settings);
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] Problem problem() const {
    return {.n = data_ ? data_->n : 0, .d = data_ ? data_->d : 0, .k = settings_.k};
  }
  /// Seeds again at the next iteration.
  void restart() { seedDue_ = true; }

  /// Whether iterations are remembered, so that stepBack() works; off at first.
  void keepUndoHistory(bool on) { keepsUndoHistory_ = on; }

  // Work on the points. lent: the memory of registered buffers; null for private points. Each seeds first
  // when that is due. After a call with lent memory, wroteBack() says whether the side that was written must
  // become the front; with private points it has become it.

  /// Iterates once, or does the second half of an iteration that is half done.
  IterationResult iterate(bool inertia, const PointMemory* lent = nullptr) {
    if (streamed_) return iterateStreamed(inertia);
    return halfway() ? update(lent) : classify(lent, true, inertia);
  }
  /// Iterates by the plan's schedule until it is over as converged() has it, or most iterations are done;
  /// private points that stand still, and not halfway(). Returns the last iteration, without inertia, and
  /// what all of them took. None of them can be taken back.
  IterationResult iterateUntil(double tolerance, int most);
  /// A set of these points, which stand still and are private, from the first centroids of a seed, for the
  /// plan's schedule of sets. What is seen stays as it is.
  [[nodiscard]] SetStart setFrom(std::uint64_t seed);
  /// As finish(), of other centroids.
  IterationResult finishFrom(const std::vector<float>& centroids, std::vector<Label>* labels);
  /// Does the next half of an iteration, inertia included.
  IterationResult halfStep(const PointMemory* lent = nullptr) {
    return halfway() ? update(lent) : classify(lent, false, true);
  }
  /// Takes the last half back: state and result are as they were before it, the result's times are empty.
  /// canStepBack() must be true.
  IterationResult stepBack(const PointMemory* lent = nullptr);
  /// Goes on from another run's state, whose k must be the settings': labels are found anew, the result's
  /// times are empty, and nothing before it can be taken back. Where all sizes of the result are 0, they and
  /// the inertia are found too. Throws RequestError when it is of other sizes.
  IterationResult takeState(const RunState& state, const PointMemory* lent = nullptr);
  /// The present state for takeState(), but for the result, which the last call returned.
  [[nodiscard]] RunState stateBeside() const;
  /// Makes the labels that are to be seen at present, where new buffers have none: those of the last
  /// classification; those of the present centroids before the first and when a centroid was moved by hand
  /// since.
  IterationResult preview(const PointMemory* lent = nullptr);
  /// Classifies without an update, so that labels, sizes and inertia belong to the centroids. labels, when
  /// given, receives the labels. What is seen, and what comes next, stay as they are.
  IterationResult finish(const PointMemory* lent = nullptr, std::vector<Label>* labels = nullptr);
  [[nodiscard]] bool wroteBack() const { return wroteBack_; }
  [[nodiscard]] bool halfway() const { return seeded() && clustering_ && clustering_->halfway(); }
  [[nodiscard]] bool canStepBack() const {
    if (!seeded() || !clustering_ || past_.empty()) return false;
    return !clustering_->halfway() || clustering_->state().iterations == 0 || past_.size() > 1;
  }
  /// Takes the first half of an iteration that is half done back.
  void moveCentroid(int cluster, const std::vector<float>& position);
  [[nodiscard]] bool seeded() const { return (clustering_ || streamed_) && !seedDue_; }
  [[nodiscard]] double driftTime() const { return time_; } ///< steps that moving points have taken
  /// The initial centroids of the present run, [k][d].
  [[nodiscard]] const std::vector<float>& initialCentroids() const { return initial_; }

  /// The labels (and moved positions) of the last iteration; private points only. Returns what the copy took
  /// in times.
  [[nodiscard]] Frame frame(StageTimes* times = nullptr);

private:
  class Lease;

  [[nodiscard]] Plan planFor(const Settings& settings, const Problem& problem) const;
  [[nodiscard]] bool hasRoomFor(const Plan& plan, const Problem& problem) const;
  [[nodiscard]] bool hasRoomForPoints() const;
  void configureStreamed(const Settings& settings, const Problem& problem);
  std::optional<double> seedStreamedWhenDue();
  IterationResult iterateStreamed(bool inertia);
  IterationResult finishStreamed(std::vector<Label>* labels);
  /// What it took; nothing when it is not due.
  std::optional<double> seedWhenDue(const PointMemory& memory);
  /// Points that move reach the other side of their buffers at the moment they are at.
  void moveToPresent(const PointMemory& memory) {
    if (motion_) motion_->moveTo(shifts_, memory);
  }
  IterationResult finish(Lease& lease, const Clustering::State& state, std::vector<Label>* labels);
  IterationResult classify(const PointMemory* lent, bool whole, bool inertia);
  IterationResult update(const PointMemory* lent);
  void takeMove(IterationResult& result);
  IterationResult goTo(Lease& lease, IterationResult result, std::vector<float> usedBefore, double time);
  void show(const IterationResult& result) {
    shown_ = result;
    shown_.times = {};
  }
  /// Where each component stands after the given number of steps, in the points' (scaled) units.
  [[nodiscard]] std::vector<float> shiftsAt(double time) const;
  [[nodiscard]] PointReader reader() const;
  [[nodiscard]] PointReader tellingReader() const;

  DeviceFactory factory_;
  const std::atomic<bool>* cancel_ = nullptr;
  std::optional<BackendRequest> choice_;
  std::shared_ptr<Device> device_; // shared with the frames that the window still holds
  std::string why_;
  SharedPointSet data_;
  Box box_; ///< of data_, wherever its points move
  HostArrayPool<Label> labelArrays_;
  HostArrayPool<float> positionArrays_;
  std::unique_ptr<DevicePoints> points_;
  std::unique_ptr<Motion> motion_;
  std::unique_ptr<PointLayouts> layouts_;
  std::unique_ptr<Clustering> clustering_;
  std::shared_ptr<const PointSource> file_;
  std::shared_ptr<const PointSource> source_;    ///< of points that the device does not hold; null for others
  std::unique_ptr<StreamedClustering> streamed_; ///< in the place of the five above
  StreamedClustering::Progress onBatch_;
  std::function<void(int, int)> onSeed_;
  std::chrono::milliseconds betweenSeeds_{0};
  Settings settings_;
  Plan plan_;
  UndoHistory past_;
  IterationResult shown_; ///< what the present state was found to be, without times
  bool keepsUndoHistory_ = false;
  bool seedDue_ = true;
  bool frontIsLast_ = false; ///< the front labels are those of the last classification
  bool moved_ = false;       ///< a centroid was moved by hand since then
  bool byHand_ = false;      ///< or at any time since the run was seeded
  bool wroteBack_ = false;
  std::vector<float> initial_;
  std::vector<float> shifts_;
  double time_ = 0; ///< steps that moving points have taken
  double uploadUs_ = 0;
};

/// Whether a run is over after this iteration: no label changed, or no centroid moved farther than the
/// tolerance.
[[nodiscard]] bool converged(const IterationResult& result, double tolerance);

} // namespace lloyd
