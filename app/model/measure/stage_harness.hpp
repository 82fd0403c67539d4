// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/measure/candidate.hpp"
#include "app/model/measure/sets_harness.hpp"
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/engine/point_layouts.hpp"
#include "gpu/engine/seeding.hpp"
#include "gpu/interop/shared_points.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

/// What results are held against: labels found in double precision on the host; or, where a problem is so
/// large that those would take longer than all else, the labels of the device's own default variants. Sums
/// and centroids are double precision's in either case, and so is the decision between two different labels.
enum class Truth { doublePrecision, device };

/// One problem on one device, laid out so that any variant can be launched at any stage, again and again: the
/// state of a run's second iteration. Moving points stand still. Device and points must outlive it; one
/// thread at a time.
class StageHarness {
public:
  /// Seeds and iterates once on the device; the results to check against come from double precision on the
  /// host, the labels among them unless truth says otherwise. Throws RequestError, DeviceError, Cancelled.
  StageHarness(Device& device, const PointSet& points, int k, const Init& init, std::uint64_t seed,
               Truth truth = Truth::doublePrecision);
  StageHarness(Device& device, PointSet&& points, int k, const Init& init, std::uint64_t seed,
               Truth truth = Truth::doublePrecision) = delete;

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] Device& device() { return device_; }
  /// Whether the device had room at first for points in tiles twice: those of fused variants, and a
  /// schedule's own. Without it the program's choice works on none.
  [[nodiscard]] bool hasRoomForTiles() const { return hasRoomForTiles_; }
  /// Why the candidate cannot run here; nothing when it can.
  [[nodiscard]] std::optional<std::string> whyNot(const Candidate& candidate);
  /// Which variants schedules repeat, the fused one or classify and reduce; what is open is the program's
  /// choice for points that stand still. Throws RequestError.
  void repeat(const Selection& selection);
  /// Moves all device memory to other addresses, with what it holds: where it lies decides on some of the
  /// time that kernels take. Returns when the device has no more to do with what was given back. False, with
  /// the memory where it is or partly moved, where there is no room.
  [[nodiscard]] bool placeAnew();
  /// Clears what stages add to.
  void clear();
  /// The same, takes a schedule back to where it begins, and has tiles of the candidate's size in order.
  void prepare(const Candidate& candidate);
  /// One launch, in the device's order of work; of a schedule, a replay or a run of iterationsOf()
  /// iterations.
  void launch(const Candidate& candidate);
  [[nodiscard]] std::uint32_t iterationsOf(const Candidate& candidate);
  /// leastBytes() of the candidate, for one iteration.
  [[nodiscard]] std::size_t bytes(const Candidate& candidate) const;
  /// What a reader must know of the candidate's times, behind check(); empty when there is nothing.
  [[nodiscard]] std::string noteOn(const Candidate& candidate);
  /// Of the points, how many scores could not tell about in check(): 0 to 1; nothing of what filters nothing.
  [[nodiscard]] std::optional<double> recheckedOn(const Candidate& candidate);
  /// Launches once and compares with double precision: the first difference in words, or nothing.
  [[nodiscard]] std::optional<std::string> check(const Candidate& candidate);
  /// One run of a schedule of sets, recorded. Throws DeviceError and Cancelled.
  [[nodiscard]] Timeline record(const Candidate& candidate) {
    return sets().record(*candidate.variant, candidate.tuning);
  }
  /// Registers, shared memory and occupancy of the candidate's kernels; nothing on a device that has none.
  [[nodiscard]] std::optional<KernelResources> resources(const Candidate& candidate);

private:
  [[nodiscard]] PointView view(Layout layout);
  [[nodiscard]] TiledPoints& tiled(const Candidate& candidate); ///< of its size, with the old labels
  /// Calls work with the arguments of the candidate's stage.
  template <class T>
  void moveElsewhere(Buffer<T>& buffer);
  template <class Work>
  void withArguments(const Candidate& candidate, const Work& work);
  [[nodiscard]] Plan planFor(const Candidate& candidate) const;
  [[nodiscard]] std::optional<std::string> whyNotRepeated(const Candidate& candidate);
  [[nodiscard]] IterationLoop& loopOf(const Candidate& candidate); ///< made when first asked for
  [[nodiscard]] std::string checkIterated(const Candidate& candidate);
  [[nodiscard]] SetsHarness& sets(); ///< made when first asked for
  [[nodiscard]] std::string checkSets(const Candidate& candidate);
  [[nodiscard]] std::string compareIteration(const std::vector<Label>& labels,
                                             const std::vector<std::uint32_t>& sizes,
                                             const std::vector<float>& centroids);
  void keepOldLabels();
  void computeExpected(const PointSet& points, const std::vector<float>& centroids);
  [[nodiscard]] std::string compareTiled(const Candidate& candidate);
  [[nodiscard]] std::string compareLabelled(const Candidate& candidate);
  [[nodiscard]] std::string compareSummed(const std::vector<Label>& labels);
  [[nodiscard]] std::string compareUpdated();
  [[nodiscard]] std::string compareLaidOut();

  Device& device_;
  std::size_t freeAtFirst_; ///< bytes of device memory
  Problem problem_;
  const PointSet& points_;
  std::optional<DevicePoints> devicePoints_; ///< what memory_ is of, until memory is placed anew
  Buffer<float> positions_;                  ///< and from then on
  Buffer<Label> written_;
  LabelSpan writtenSpan_;
  PointMemory memory_;
  std::unique_ptr<PointLayouts> layouts_;
  std::vector<Label> oldLabels_; ///< of the first iteration
  std::vector<Label> labels_;    ///< of the second, by Truth
  std::vector<double> pivots_;   ///< the centroids that the second iteration starts from
  std::vector<double> expectedSums_;
  std::vector<std::uint32_t> expectedCounts_;
  Buffer<float> rows_;         ///< [d][stride], what layout writes
  Buffer<Label> deviceLabels_; ///< labels_, for reduce
  Buffer<Label> wideOldLabels_;
  Buffer<std::byte> narrowOldLabels_; ///< of narrowest(k)
  Buffer<float> centroids_;
  Buffer<float> moved_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<double> givenSums_; ///< expectedSums_, for update
  Buffer<std::uint32_t> givenCounts_;
  Buffer<std::uint32_t> changed_;
  Buffer<std::uint32_t> rechecked_;
  Buffer<UpdateOutcome> outcome_;
  Selection repeated_; ///< by schedules, as far as it was asked for
  std::unique_ptr<SetsHarness> sets_;
  bool hasRoomForTiles_ = false;
  std::vector<std::unique_ptr<IterationLoop>> loops_;
  std::vector<Buffer<std::byte>> gaps_; ///< between what was placed last
  std::uint64_t places_ = 0;
};

} // namespace lloyd
