// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/point_source.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/streamed/batch_memory.hpp"
#include "gpu/engine/streamed/kept_tiles.hpp"
#include "gpu/engine/streamed/streamed_plan.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// Where points stay that the device does not hold.
enum class PointsKept {
  pinned,   ///< in host memory that a card reads by itself
  ordinary, ///< in host memory, from which batches are copied to pinned memory
  file      ///< in a file, of which batches are read
};

/// How they are to go through the device. What is left open is decided by the free memory.
struct StreamOptions {
  std::size_t batchPoints = 0; ///< rounded up to what the plan's variants need; 0: open
  std::size_t atOnce = 0;      ///< batches that are on the device at the same time; 0: open
  std::optional<bool> pinned = {};
};

/// What a person reads about it.
struct StreamFacts {
  PointsKept kept = PointsKept::ordinary;
  std::size_t batches = 0;
  std::size_t batchPoints = 0;
  bool onlyShared = false;   ///< iterations bring only tiles that several clusters share: StreamedClustering
  bool exact = true;         ///< BatchRule::exact
  std::uint64_t bytesUp = 0; ///< of points that went to the device so far
  std::uint64_t bytesDown = 0; ///< of labels that came back
};

/// One k-means problem whose points the device does not hold: every iteration takes them through it in
/// batches, over queues, so that one is copied while another is computed on. What an iteration finds is what
/// Clustering::advance finds with the same plan, bit for bit where BatchRule::exact says so; the inertia is
/// added up in another order.
///
/// No labels of points are kept between iterations. Each batch is labelled by the centroids of the iteration
/// before, too, which tells how many labels changed: that costs less than to copy labels back and forth. So
/// an iteration that failed or was cancelled has left nothing behind, and can be tried again.
///
/// Of a plan that works on tiles and points that are kept pinned, most points stay where they are: the tiles'
/// boxes, sums and labels are on the device, which tells the tiles with one label from those that several
/// clusters share. Only the latter's points, and of those that were shared in the iteration before, are
/// gathered into batches. These points are put in order once, when this is made; else in every iteration.
///
/// Memory: some slots, whose size does not depend on the number of points, and for tiles that are kept about
/// a third of a byte a point. Device and source must outlive it; one thread at a time. Throws
/// DeviceError, Cancelled, and what the source throws.
class StreamedClustering {
public:
  using Progress = std::function<void(std::size_t batch, std::size_t batches)>;

  /// plan: of makeStreamedPlan(). cancel: as Device::setCancel(), looked at between batches.
  StreamedClustering(Device& device, const Problem& problem, const PointSource& source, const Plan& plan,
                     const StreamOptions& options = {}, const std::atomic<bool>* cancel = nullptr);
  ~StreamedClustering();

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const Clustering::State& state() const { return state_; }
  [[nodiscard]] const StreamFacts& facts() const { return facts_; }
  /// Goes on from there, not from halfway, and counts bytes anew.
  void restore(Clustering::State state);
  /// Called when a batch was given to the device, by the calling thread; empty for nothing.
  void setProgress(Progress progress) { progress_ = std::move(progress); }

  /// One Lloyd iteration; its time is the stage iterate's, copies included.
  IterationResult advance(bool inertia);
  /// Classifies without an update, so that labels, sizes and inertia belong to the state's centroids. labels:
  /// [n], or empty where nobody wants them.
  IterationResult finish(std::span<Label> labels);

private:
  /// What is done to each batch of a pass.
  struct Pass {
    const float* centroids = nullptr; ///< [k][d], device memory
    const float* before = nullptr;    ///< those of the last iteration, to compare with; null: nothing is
    bool inertia = false;
    bool writes = false; ///< labels go to the host
    std::span<Label> labels = {};
  };

  [[nodiscard]] std::size_t first(std::size_t batch) const { return batch * shape_.points; }
  [[nodiscard]] std::size_t countOf(std::size_t batch) const {
    return std::min(shape_.points, problem_.n - first(batch));
  }
  [[nodiscard]] bool tiled() const { return shape_.tile != 0; }
  void decideShape(const StreamOptions& options);
  [[nodiscard]] std::size_t affordablePoints() const;
  void keepPinned();
  void keepRows(std::size_t batch);

  void run(const Pass& pass);
  void runAll(const Pass& pass);
  void runShared(const Pass& pass);
  void look(const float* centroids, Accumulators& totals, Buffer<std::byte>& cleared,
            const std::uint16_t* old, std::uint16_t* labels);
  void passTiles(const Problem& problem, const TileView& view, const TileLabelView& old,
                 const TileLabelSpan& labels, const float* centroids, Accumulators& totals,
                 Buffer<std::byte>& cleared, bool handsOver);
  void bringShared(BatchSlot& slot, std::span<const std::uint32_t> tiles);
  void given(BatchSlot& slot, std::size_t batch, std::size_t batches);
  void settle();
  void stage(BatchSlot& slot, std::size_t batch);
  void bring(BatchSlot& slot, std::size_t batch);
  void release(BatchSlot& slot, const Pass& pass);
  void computeRows(BatchSlot& slot, const Pass& pass);
  void order(BatchSlot& slot);
  void computeTiles(BatchSlot& slot, const Pass& pass, bool handsOver);
  void throwIfCancelled() const;

  Device& device_;
  Problem problem_;
  const PointSource& source_;
  Plan plan_;
  BatchRule rule_;
  const std::atomic<bool>* cancel_;
  BatchShape shape_;
  FixedPoint fixed_;
  StreamFacts facts_;
  Progress progress_;
  Clustering::State state_;
  bool unfinished_ = false; ///< the pass before ended by an exception

  Buffer<float> front_; ///< the centroids to classify with
  Buffer<float> used_;  ///< those before
  Buffer<float> back_;  ///< where the update writes
  Accumulators totals_;
  Accumulators others_; ///< of the labels before, which nobody reads
  Buffer<std::byte> cleared_;
  Buffer<std::byte> othersCleared_;
  Buffer<std::byte> scratch_;
  HostBuffer<float> keptRows_;           ///< all batches, as they go up; empty where they are read
  std::unique_ptr<KeptTiles> keptTiles_; ///< the same of a plan that works on tiles
  double inertiaOfWhole_ = 0;            ///< of tiles that the last pass did not bring
  std::unique_ptr<Event> begun_;
  std::vector<BatchSlot> slots_;
  // Last: a queue ends before the memory that its work is in.
  std::unique_ptr<Queue> copies_;
  std::unique_ptr<Queue> work_;
};

} // namespace lloyd
