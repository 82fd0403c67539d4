// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/core/contract/tiled_points.hpp"
#include "gpu/engine/motion.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/interop/shared_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

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
  double shift = 0; ///< largest distance a centroid moved in the update
  std::optional<double> inertia;
  std::uint32_t emptyClusters = 0;
  std::vector<float> usedCentroids; ///< [k][d]
  std::vector<float> centroids;     ///< [k][d]
  std::vector<std::uint32_t> sizes; ///< [k]
  std::uint64_t hostBytes = 0;      ///< that crossed between host and device for it
  StageTimes times;
};

/// Moving points' next positions, when they move.
struct Step {
  Motion* motion = nullptr;
  std::span<const float> shifts;
};

/// One k-means problem on one device: the centroids, the accumulators and the iteration itself, whole or in
/// halves. Does not own the points. The device must outlive it; one thread at a time. After an exception the
/// state is that before the call.
class Clustering {
public:
  Clustering(Device& device, const Problem& problem);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Starts again from these centroids, host [k][d]: the next iteration is the first.
  void setCentroids(std::span<const float> centroids);
  /// Replaces one centroid, host [d], and goes on counting. A classify half without its update is taken back:
  /// its labels are no longer those of the present centroids.
  void moveCentroid(int cluster, std::span<const float> position);
  [[nodiscard]] const std::vector<float>& centroids() const { return centroids_; }
  [[nodiscard]] int iterations() const { return iterations_; } ///< whole ones
  [[nodiscard]] bool halfway() const { return halfway_; }
  /// The points in tiles that the last plan which wanted any has left here; null for none.
  [[nodiscard]] const TiledPoints* tiles() const { return tiled_ ? &*tiled_ : nullptr; }

  /// One Lloyd iteration: (move,) classify, reduce, update, and the inertia of the labels just written when
  /// asked for. Not while halfway(). Labels of a variant of tiles stay by tiles (LabelForm) while they are
  /// memory.unseen; all else here leaves them in the points' own order.
  IterationResult iterate(const Plan& plan, const PointMemory& memory, bool inertia, const Step& step = {});

  /// Iterations by plan.schedule, until one changes no label, or moves no centroid farther than tolerance
  /// where that is above 0; at most most of them, which is at least 1. The result is that of the last one,
  /// bit for bit as iterate() without inertia has it; its time is the stage iterate's, of all of them
  /// together. A tolerance below 0 lets most alone decide. Not while halfway(), and points do not move
  /// meanwhile. What is recorded is kept for the next call with the same plan and memory. Cancelled is thrown
  /// between replays of at most iterationsAtOnce iterations, which a GPU cannot be stopped in. Labels are
  /// written in place to memory.labels: after an exception these are no iteration's, and memory.oldLabels
  /// still hold the last one's.
  IterationResult iterateUntil(const Plan& plan, const PointMemory& memory, double tolerance, int most);
  static constexpr int iterationsAtOnce = 256;

  /// The first half: (move,) classify, and the inertia when asked for. Not while halfway(). Sizes come from a
  /// reduction that is not timed: the reduction belongs to the second half, unless a fused variant has done
  /// both.
  IterationResult classifyHalf(const Plan& plan, const PointMemory& memory, bool inertia,
                               const Step& step = {});
  /// The second half: reduce and update, or update alone after a fused variant. The result is the whole
  /// iteration's but for its times. The labels are read where classifyHalf() wrote them: at memory.labels
  /// when written, else at memory.oldLabels (and memory.positions), because they have become the front since.
  IterationResult updateHalf(const Plan& plan, const PointMemory& memory, bool written);
  /// False when updateHalf() needs relabel() first: the sums that a fused variant divides are gone.
  [[nodiscard]] bool readyToUpdate(const Plan& plan) const { return !plan.fused || sumsReady_; }

  /// Classifies once more without an update, so that labels, sizes and inertia belong to centroids(). No half
  /// and no iteration: what comes next is what would have come without it.
  IterationResult finish(const Plan& plan, const PointMemory& memory);
  /// Writes the labels of the last classification again to memory.labels; before the first, those of
  /// centroids().
  void relabel(const Plan& plan, const PointMemory& memory);
  /// Finds the labels of the last classification once more, for the next one to compare with: for when
  /// memory.oldLabels does not hold them. They are those of the points as they lie in memory now.
  void recoverOldLabels(const Plan& plan, const PointMemory& memory);
  /// Goes back to the state that result tells of, and writes its labels to memory.labels: result.centroids
  /// are the present ones, result.usedCentroids those the labels belong to. usedBefore: for a state that is
  /// halfway, the centroids that the labels before it were found with; empty for none. Returns result; before
  /// the first iteration (0, which the first half of it goes back to) with sizes and inertia found anew.
  IterationResult goBack(const IterationResult& result, std::span<const float> usedBefore, const Plan& plan,
                         const PointMemory& memory);

private:
  void label(const Plan& plan, const PointMemory& memory, const float* centroids, LabelView oldLabels,
             LabelSpan labels, bool isTimed);
  void sum(const Plan& plan, const PointView& points, const LabelView& labels, bool isTimed);
  void addInertia(const PointMemory& memory);
  void update(const Plan& plan);
  void takeUpdate(IterationResult& result, const std::vector<std::byte>& bytes, std::vector<float> moved);
  void makeRecords(const float* points, std::size_t stride, bool always);
  void makeTiles(unsigned size, const PointView& points, bool always, bool isTimed);
  void recordFor(const Plan& plan, const PointMemory& memory, const LabelSpan& labels);
  [[nodiscard]] LabelView oldLabels(const PointMemory& memory) const;
  [[nodiscard]] LabelWidth widthOf(const Plan& plan) const;
  [[nodiscard]] LabelForm formOf(const Plan& plan, const PointMemory& memory) const;
  [[nodiscard]] LabelView inOwnOrder(const LabelView& labels, const PointMemory& memory);
  [[nodiscard]] LabelView stored(const LabelView& labels, LabelWidth width);
  [[nodiscard]] PointView view(const Variant& variant, const PointView& points) const;
  [[nodiscard]] IterationResult labelled(const Plan& plan, const std::vector<std::byte>& bytes);
  void timed(Stage stage, bool isTimed, const std::function<void()>& work);
  /// Waits for the device and fills in what was timed, the sizes and the inertia.
  std::vector<std::byte> readBlock(IterationResult& result);

  Device& device_;
  Problem problem_;
  Buffer<float> front_; ///< the centroids to classify with
  Buffer<float> back_;  ///< where the update writes
  /// changed, outcome, inertia, counts and sums in one block, so that one fill clears and one copy reads
  /// them.
  Buffer<std::byte> block_;
  Buffer<float> records_; ///< the points as records, for variants that want them
  const float* recordsOf_ = nullptr;
  std::optional<TiledPoints> tiled_; ///< the points in tiles, for variants that want them
  const float* tiledOf_ = nullptr;
  const void* tiledLabels_ = nullptr; ///< the memory whose labels are those of the tiles; null for none
  Buffer<Label> recovered_;           ///< old labels that memory does not hold; empty otherwise
  LabelWidth recoveredWidth_ = LabelWidth::four;
  Buffer<Label> converted_;             ///< labels of one plan as another wants them; made when plans change
  Buffer<std::uint8_t> lookedUp_;       ///< labels by tiles in the points' own order; made when plans change
  std::unique_ptr<IterationLoop> loop_; ///< of the last iterateUntil()
  std::vector<float> centroids_;
  std::vector<float> used_;       ///< with which the last classification labelled; empty before the first
  std::vector<float> usedBefore_; ///< and the one before it, while halfway
  int iterations_ = 0;
  bool halfway_ = false;
  bool sumsReady_ = false;   ///< halfway: block_ holds the sums of the present labels
  IterationResult half_;     ///< halfway: what the first half found
  std::vector<Stage> timed_; ///< in order; stage i lies between events 2 i and 2 i + 1
  std::vector<std::unique_ptr<Event>> events_;
};

} // namespace lloyd
