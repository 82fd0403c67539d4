// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/stage_harness.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/reference/reference.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace lloyd {
namespace {

/// Tiles of so few points take the most memory, if not by much.
constexpr unsigned smallestTile = 128;
/// Bytes between what is placed anew.
constexpr std::size_t smallestGap = std::size_t{1} << 10;
constexpr std::size_t largestGap = std::size_t{1} << 22;
/// CUDA's driver clears memory that was given back, and kernels share the bandwidth with it meanwhile: on an
/// H200 a pass over 2^27 points took 8 % longer for some ten milliseconds. It clears several times as fast.
constexpr double clearedBytesASecond = 25e9;
constexpr double longestRestSeconds = 1;

/// A launch may take seconds. The time of an event is waited for only as long as nobody cancels.
void waitUnlessCancelled(Device& device) {
  const auto done = device.createEvent();
  device.record(*done);
  static_cast<void>(device.elapsedUs(*done, *done));
}

/// What the variant says of changes against what did change, by its own meaning of the word.
std::string compareChanged(Changed meaning, std::uint32_t said, const std::vector<Label>& labels,
                           const std::vector<Label>& oldLabels) {
  if (meaning == Changed::none) return {};
  const auto kept = std::transform_reduce(labels.begin(), labels.end(), oldLabels.begin(), std::size_t{0},
                                          std::plus<>(), std::equal_to<>());
  const std::size_t truth = labels.size() - kept;
  const bool right = meaning == Changed::points ? said == truth : (said != 0) == (truth != 0);
  if (right) return {};
  return "it says that " + std::to_string(said) + " labels changed, but " + std::to_string(truth) + " did";
}

/// Enough that the start of a replay is no part of the time. A processor has no such start.
constexpr std::uint32_t iterationsOnGpu = 32;
constexpr std::uint32_t iterationsOnProcessor = 4;

/// How wrong labels are as a whole, before one of them is named.
std::string labelsText(const Problem& problem, const std::vector<float>& points,
                       const std::vector<double>& centroids, const std::vector<Label>& labels,
                       const std::vector<Label>& expected, const reference::Comparison& found) {
  std::string text = std::to_string(found.wrong) + " of " + std::to_string(problem.n) + " labels are wrong";
  const bool named =
      std::all_of(labels.begin(), labels.end(), [&](Label label) { return label >= 0 && label < problem.k; });
  if (named)
    text += ", inertia is " + reference::describe(reference::inertia(problem, points, centroids, labels)) +
            " instead of " + reference::describe(reference::inertia(problem, points, centroids, expected));
  return text + "; " + found.firstFailure;
}

/// How far the worst coordinate of a centroid would be from where it must be.
std::string sumsText(const Problem& problem, const std::vector<double>& sums,
                     const std::vector<std::uint32_t>& counts, const std::vector<double>& expectedSums,
                     const std::vector<std::uint32_t>& expectedCounts, const reference::Comparison& found) {
  const auto d = static_cast<std::size_t>(problem.d);
  double largest = 0;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    const auto mean = [&](double sum, std::uint32_t count) { return count > 0 ? sum / count : sum; };
    const double error =
        std::abs(mean(sums[at], counts[at / d]) - mean(expectedSums[at], expectedCounts[at / d]));
    if (!(error <= largest) && !std::isnan(largest)) largest = error; // NaN is the worst, and stays
  }
  return "the largest centroid error is " + reference::describe(largest) + "; " + found.firstFailure;
}

} // namespace

StageHarness::StageHarness(Device& device, const PointSet& points, int k, const Init& init,
                           std::uint64_t seed, Truth truth)
    : device_(device), freeAtFirst_(device.freeMemory()), problem_(problemOf(points, k)), points_(points),
      devicePoints_(std::in_place, device, points.n, points.d, points.values.data(), false),
      memory_(devicePoints_->map()), layouts_(std::make_unique<PointLayouts>(device, problem_.n, problem_.d)),
      deviceLabels_(device, problem_.n), centroids_(device, problem_.centroidValues()),
      moved_(device, problem_.centroidValues()), sums_(device, problem_.centroidValues()),
      counts_(device, static_cast<std::size_t>(k)), givenSums_(device, problem_.centroidValues()),
      givenCounts_(device, static_cast<std::size_t>(k)), changed_(device, 1), rechecked_(device, 1),
      outcome_(device, 1) {
  Clustering clustering(device, problem_, *layouts_);
  clustering.restore({.centroids = seedCentroids(device, problem_, view(Layout::soa), readerOf(points),
                                                 initOn(points, init, problem_.k), seed)});
  const Plan plan = makePlan({}, problem_, device.info());
  const Box box = boxOf(points);
  memory_.box = box;
  const IterationResult first = clustering.advance(plan, memory_);
  devicePoints_->unmap(true); // the labels just written become the old ones
  memory_ = devicePoints_->map();
  oldLabels_.resize(problem_.n);
  memory_.box = box;
  downloadLabels(device, memory_.oldLabels, oldLabels_);
  keepOldLabels();
  if (truth == Truth::device) {
    static_cast<void>(clustering.finish(plan, memory_, clustering.state()));
    labels_.resize(problem_.n);
    downloadLabels(device, *memory_.labels, labels_);
  }
  computeExpected(points, first.centroids);
  TiledBytes tiles = tiledBytes(problem_.n, problem_.d, smallestTile);
  tiles.kept *= 2;
  hasRoomForTiles_ = tiles.fitIn(device.freeMemory());
}

void StageHarness::computeExpected(const PointSet& points, const std::vector<float>& centroids) {
  pivots_ = reference::asDoubles(centroids);
  if (labels_.empty()) labels_ = reference::classify(problem_, points.values, pivots_, device_.cancel());
  reference::Reduction reduction =
      reference::reduce(problem_, points.values, labels_, pivots_, device_.cancel());
  expectedSums_ = std::move(reduction.sums);
  expectedCounts_ = std::move(reduction.counts);
  centroids_.upload(centroids);
  deviceLabels_.upload(labels_);
  givenSums_.upload(expectedSums_);
  givenCounts_.upload(expectedCounts_);
}

/// In each of the widths that variants of this problem want them in.
void StageHarness::keepOldLabels() {
  wideOldLabels_ = Buffer<Label>(device_, problem_.n);
  wideOldLabels_.upload(oldLabels_);
  const LabelWidth width = narrowest(problem_.k);
  narrowOldLabels_ = Buffer<std::byte>(device_, problem_.n * bytesOf(width));
  device_.convertLabels({problem_.n, {wideOldLabels_.data()}, {narrowOldLabels_.data(), width}});
}

std::optional<std::string> StageHarness::whyNot(const Candidate& candidate) {
  if (auto reason = candidate.variant->whyNot(candidate.stage, problem_, device_.info(), candidate.tuning))
    return reason;
  if (candidate.stage != Stage::iterate && candidate.stage != Stage::sets) return std::nullopt;
  return whyNotRepeated(candidate);
}

PointView StageHarness::view(Layout layout) {
  return layouts_->view(layout, {memory_.positions, memory_.stride, memory_.box});
}

TiledPoints& StageHarness::tiled(const Candidate& candidate) {
  const unsigned size = candidate.variant->info.tileSize(problem_, candidate.tuning);
  if (!layouts_->hasTiles(size)) {
    layouts_->makeTiles(size, view(Layout::soa));
    layouts_->tiles()->takeLabels({narrowOldLabels_.data(), narrowest(problem_.k)});
  }
  return *layouts_->tiles();
}

void StageHarness::clear() {
  sums_.fill(0);
  counts_.fill(0);
  changed_.fill(0);
  rechecked_.fill(0);
}

/// The new address differs from the old one, which is still taken, and a gap of some random size keeps it
/// from being the one before that.
template <class T>
void StageHarness::moveElsewhere(Buffer<T>& buffer) {
  if (buffer.size() == 0) return;
  const std::size_t largest = std::clamp(buffer.bytes(), smallestGap, largestGap);
  gaps_.emplace_back(device_, smallestGap + randomBits(places_, gaps_.size(), 0) % largest);
  Buffer<T> elsewhere(device_, buffer.size());
  device_.copy(elsewhere.data(), buffer.data(), buffer.bytes());
  buffer = std::move(elsewhere);
}

bool StageHarness::placeAnew() {
  ++places_;
  const std::size_t free = device_.freeMemory();
  const std::size_t held = freeAtFirst_ - std::min(free, freeAtFirst_);
  try {
    loops_.clear(); // which were recorded with the old addresses
    if (sets_) sets_->clear();
    layouts_ = std::make_unique<PointLayouts>(device_, problem_.n, problem_.d);
    gaps_.clear();
    if (devicePoints_) {
      positions_ = Buffer<float>(device_, memory_.stride * static_cast<std::size_t>(problem_.d));
      written_ = Buffer<Label>(device_, problem_.n);
      device_.copy(positions_.data(), memory_.positions, positions_.bytes());
    } else {
      moveElsewhere(positions_);
      moveElsewhere(written_);
    }
    writtenSpan_ = {written_.data()};
    memory_.positions = positions_.data();
    memory_.labels = &writtenSpan_;
    memory_.oldLabels = {}; // wideOldLabels_ has them
    devicePoints_.reset();
    std::apply([&](auto&... buffers) { (moveElsewhere(buffers), ...); },
               std::tie(rows_, deviceLabels_, wideOldLabels_, narrowOldLabels_, centroids_, moved_, sums_,
                        counts_, givenSums_, givenCounts_, changed_, rechecked_, outcome_));
  } catch (const DeviceError& error) {
    if (error.severity() != Severity::retrySmaller) throw;
    return false;
  }
  if (device_.backend() == Backend::cuda) {
    device_.synchronize();
    const double seconds = static_cast<double>(held) / clearedBytesASecond;
    device_.rest(std::min(seconds, longestRestSeconds));
  }
  return true;
}

template <class Work>
void StageHarness::withArguments(const Candidate& candidate, const Work& work) {
  const PointView points = view(candidate.variant->info.layout);
  const LabelWidth width = candidate.variant->labelWidth(problem_.k);
  switch (candidate.stage) {
  case Stage::classify:
    return work(ClassifyArgs{.problem = problem_,
                             .points = points,
                             .centroids = centroids_.data(),
                             .oldLabels = wideOldLabels_.data(),
                             .labels = static_cast<Label*>(memory_.labelsOf(LabelWidth::four).data),
                             .changed = changed_.data(),
                             .tuning = candidate.tuning,
                             .rechecked = rechecked_.data()});
  case Stage::reduce:
    return work(ReduceArgs{.problem = problem_,
                           .points = points,
                           .labels = deviceLabels_.data(),
                           .pivots = centroids_.data(),
                           .sums = sums_.data(),
                           .counts = counts_.data(),
                           .tuning = candidate.tuning});
  case Stage::fused:
    return work(FusedArgs{.problem = problem_,
                          .points = points,
                          .centroids = centroids_.data(),
                          .oldLabels = width == LabelWidth::four ? LabelView{wideOldLabels_.data()}
                                                                 : LabelView{narrowOldLabels_.data(), width},
                          .labels = memory_.labelsOf(width),
                          .changed = changed_.data(),
                          .sums = sums_.data(),
                          .counts = counts_.data(),
                          .tuning = candidate.tuning,
                          .tiled = passesOverTiles(candidate) ? &tiled(candidate) : nullptr,
                          .rechecked = rechecked_.data()});
  case Stage::iterate:
    return work(loopOf(candidate).args());
  case Stage::layout:
    if (rows_.size() == 0) {
      rows_ = Buffer<float>(device_, memory_.stride * static_cast<std::size_t>(problem_.d));
      rows_.fill(0xff);
    }
    return work(LayoutArgs{.problem = problem_,
                           .records = view(Layout::aos).data,
                           .rows = rows_.data(),
                           .stride = memory_.stride,
                           .tuning = candidate.tuning});
  default:
    return work(UpdateArgs{.problem = problem_,
                           .sums = givenSums_.data(),
                           .counts = givenCounts_.data(),
                           .oldCentroids = centroids_.data(),
                           .centroids = moved_.data(),
                           .outcome = outcome_.data()});
  }
}

void StageHarness::launch(const Candidate& candidate) {
  if (candidate.stage == Stage::order) return tiled(candidate).order(view(Layout::soa));
  if (candidate.stage == Stage::labels)
    return tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
  if (candidate.stage == Stage::iterate) return loopOf(candidate).replay();
  if (candidate.stage == Stage::sets) return sets().run(*candidate.variant, candidate.tuning);
  withArguments(candidate, [&](const auto& arguments) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(arguments)>, IterateArgs>)
      run(device_, *candidate.variant, arguments);
  });
}

std::optional<KernelResources> StageHarness::resources(const Candidate& candidate) {
  if (device_.backend() != Backend::cuda) return std::nullopt;
  if (candidate.stage == Stage::order || candidate.stage == Stage::labels || candidate.stage == Stage::sets)
    return std::nullopt;
  std::vector<KernelResources> kernels;
  const Launchers& launchers = candidate.variant->on(device_.backend());
  withArguments(candidate, [&](const auto& arguments) {
    device_.launch(candidate.variant->id(), [&](LaunchContext& context) {
      context.describe = &kernels;
      using Arguments = std::decay_t<decltype(arguments)>;
      if constexpr (std::is_same_v<Arguments, ClassifyArgs>) launchers.classify(arguments, context);
      if constexpr (std::is_same_v<Arguments, ReduceArgs>) launchers.reduce(arguments, context);
      if constexpr (std::is_same_v<Arguments, FusedArgs>) launchers.fused(arguments, context);
      if constexpr (std::is_same_v<Arguments, UpdateArgs>) launchers.update(arguments, context);
      if constexpr (std::is_same_v<Arguments, IterateArgs>) launchers.iterate(arguments, context);
      if constexpr (std::is_same_v<Arguments, LayoutArgs>) launchers.layout(arguments, context);
    });
  });
  if (kernels.empty()) return std::nullopt;
  // Where a variant launches several kernels, the hungriest decides.
  return *std::min_element(kernels.begin(), kernels.end(),
                           [](const auto& a, const auto& b) { return a.occupancy < b.occupancy; });
}

// The part of StageHarness that repeats whole iterations.

void StageHarness::repeat(const Selection& selection) {
  repeated_ = selection;
  sets_.reset();
}

/// Throws RequestError where no fused variant can run, or not the one that was asked for.
Plan StageHarness::planFor(const Candidate& candidate) const {
  return makePlan({.classify = {},
                   .reduce = {},
                   .fused = repeated_.fused,
                   .update = {},
                   .schedule = candidate.variant->id(),
                   .tuning = {}},
                  problem_, device_.info(), TuningTable::present(),
                  hasRoomForTiles_ ? Ordering::once : Ordering::never);
}

SetsHarness& StageHarness::sets() {
  if (!sets_) {
    const Plan plan = makePlan({.classify = repeated_.classify,
                                .reduce = repeated_.reduce,
                                .fused = repeated_.fused,
                                .update = {},
                                .schedule = {},
                                .tuning = {}},
                               problem_, device_.info());
    sets_ = std::make_unique<SetsHarness>(device_, points_, problem_,
                                          std::vector<float>(pivots_.begin(), pivots_.end()));
    sets_->use(plan.setStages());
  }
  return *sets_;
}

std::optional<std::string> StageHarness::whyNotRepeated(const Candidate& candidate) {
  try {
    if (candidate.stage == Stage::sets) return sets().whyNot(*candidate.variant, candidate.tuning);
    static_cast<void>(planFor(candidate));
  } catch (const RequestError& error) {
    return error.what();
  }
  return std::nullopt;
}

std::uint32_t StageHarness::iterationsOf(const Candidate& candidate) {
  if (candidate.stage == Stage::sets) return SetsHarness::allIterations;
  if (candidate.stage != Stage::iterate) return 1;
  return device_.backend() == Backend::cuda ? iterationsOnGpu : iterationsOnProcessor;
}

std::string StageHarness::noteOn(const Candidate& candidate) {
  if (candidate.stage == Stage::sets) return sets().noteOn(*candidate.variant, candidate.tuning);
  if (const auto share = recheckedOn(candidate))
    return "of " + reference::describe(std::round(1e6 * *share) / 1e4) +
           " % of the points scores were too near to tell, and distances decided";
  if (candidate.stage != Stage::iterate) return {};
  return "one iteration, out of replays of " + std::to_string(iterationsOf(candidate)) +
         " that no tolerance ends, each with " + planFor(candidate).fused->id();
}

std::optional<double> StageHarness::recheckedOn(const Candidate& candidate) {
  const bool mayRecheck = rechecks(*candidate.variant, candidate.stage) || candidate.stage == Stage::fused;
  if (!mayRecheck || problem_.n == 0) return std::nullopt;
  const std::uint32_t count = rechecked_.download().front();
  if (candidate.stage == Stage::fused && count == 0) return std::nullopt; // most of them have no scores
  return static_cast<double>(count) / static_cast<double>(problem_.n);
}

std::size_t StageHarness::bytes(const Candidate& candidate) const {
  if (candidate.stage != Stage::iterate) return leastBytes(candidate, problem_);
  const Plan plan = planFor(candidate);
  const Tuning tuning = plan.fused->complete(plan.tuningOf(Stage::fused));
  return leastBytes(Candidate{plan.fused, Stage::fused, tuning}, problem_);
}

IterationLoop& StageHarness::loopOf(const Candidate& candidate) {
  const Plan plan = planFor(candidate);
  const LoopSubject subject{.schedule = candidate.variant,
                            .fused = plan.fused,
                            .tuning = plan.fused->complete(plan.tuningOf(Stage::fused)),
                            .problem = problem_,
                            .points = view(plan.fused->info.layout),
                            .labels = memory_.labelsOf(plan.fused->labelWidth(problem_.k))};
  for (const auto& loop : loops_)
    if (loop->isFor(subject)) return *loop;
  return *loops_.emplace_back(std::make_unique<IterationLoop>(device_, subject));
}

/// Every sample begins where the second iteration does; tiles of another size are put in order before it.
void StageHarness::prepare(const Candidate& candidate) {
  clear();
  if (candidate.variant->info.tileSize) static_cast<void>(tiled(candidate));
  if (candidate.stage == Stage::sets) return sets().prepare(*candidate.variant, candidate.tuning);
  if (candidate.stage != Stage::iterate) return;
  const std::vector<float> start(pivots_.begin(), pivots_.end()); // they were floats
  loopOf(candidate).start(start, {.tolerance = -1, .most = iterationsOf(candidate), .fresh = 0});
}

/// One iteration, by the loop, from the old labels and centroids.
std::string StageHarness::checkIterated(const Candidate& candidate) {
  IterationLoop& loop = loopOf(candidate);
  const LabelSpan stored = loop.subject().labels;
  device_.convertLabels({problem_.n, {wideOldLabels_.data()}, stored});
  const std::vector<float> start(pivots_.begin(), pivots_.end());
  loop.start(start, {.tolerance = -1, .most = 1, .fresh = 0});
  loop.replay();
  const LoopState state = loop.read();
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, stored, labels);
  const auto found = reference::compareLabels(problem_, points_.values, pivots_, labels, labels_);
  if (!found.ok()) return found.firstFailure;
  if (loop.subject().fused->info.changed == Changed::points)
    if (std::string wrong = compareChanged(Changed::points, state.outcome.changed, labels, oldLabels_);
        !wrong.empty())
      return wrong;
  return compareIteration(labels, state.sizes, state.centroids);
}

/// One iteration of every set, from the second iteration's centroids.
std::string StageHarness::checkSets(const Candidate& candidate) {
  const std::vector<ClusteringSet> found = sets().iterateOnce(*candidate.variant, candidate.tuning);
  for (std::size_t s = 0; s < found.size(); ++s) {
    const std::vector<Label> labels = found[s].labels();
    const auto compared = reference::compareLabels(problem_, points_.values, pivots_, labels, labels_);
    const std::string wrong = !compared.ok()
                                  ? compared.firstFailure
                                  : compareIteration(labels, found[s].sizes(), found[s].centroids());
    if (!wrong.empty()) return "set " + std::to_string(s) + ": " + wrong;
  }
  return {};
}

/// What whole iterations find beside labels, which have been looked at, against double precision.
std::string StageHarness::compareIteration(const std::vector<Label>& labels,
                                           const std::vector<std::uint32_t>& sizes,
                                           const std::vector<float>& centroids) {
  const auto own = labels == labels_
                       ? reference::Reduction{expectedSums_, expectedCounts_}
                       : reference::reduce(problem_, points_.values, labels, pivots_, device_.cancel());
  if (sizes != own.counts) return "the sizes of clusters are not those of the labels";
  const auto next = reference::update(problem_, own, pivots_);
  return reference::compareCentroids(problem_, reference::ranges(problem_, points_.values, pivots_),
                                     centroids, next.centroids)
      .firstFailure;
}

// The part of StageHarness that holds a variant's results against double precision.

std::optional<std::string> StageHarness::check(const Candidate& candidate) {
  clear();
  rows_.fill(0xff); // NaN, so that a value that another variant left there is not taken for this one's
  if (candidate.stage != Stage::iterate && candidate.stage != Stage::sets) {
    launch(candidate);
    waitUnlessCancelled(device_);
  }
  const auto compare = [&]() -> std::string {
    switch (candidate.stage) {
    case Stage::order:
    case Stage::labels:
      return compareTiled(candidate);
    case Stage::fused:
      // Tiles keep their labels; what they had before comes back, for every launch to find the same.
      if (candidate.variant->info.tileSize) {
        tiled(candidate).keepPass();
        tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
        tiled(candidate).keepPass();
      }
      return compareLabelled(candidate);
    case Stage::classify:
      return compareLabelled(candidate);
    case Stage::reduce:
      return compareSummed(labels_);
    case Stage::iterate:
      return checkIterated(candidate);
    case Stage::sets:
      return checkSets(candidate);
    case Stage::layout:
      return compareLaidOut();
    default:
      return compareUpdated();
    }
  };
  std::string difference = compare();
  if (difference.empty()) return std::nullopt;
  return difference;
}

std::string StageHarness::compareLaidOut() {
  std::vector<float> found(problem_.n);
  for (int j = 0; j < problem_.d; ++j) {
    waitUnlessCancelled(device_); // between rows of so many points somebody may
    const float* right = points_.row(j);
    device_.download(found.data(), rows_.data() + static_cast<std::size_t>(j) * memory_.stride,
                     found.size() * sizeof(float));
    for (std::size_t i = 0; i < problem_.n; ++i)
      if (found[i] != right[i])
        return "point " + std::to_string(i) + ", dimension " + std::to_string(j) + " is " +
               reference::describe(static_cast<double>(found[i])) + ", but must be " +
               reference::describe(static_cast<double>(right[i]));
  }
  return {};
}

/// The labels that went into the tiles come out of them again, each at its own point.
std::string StageHarness::compareTiled(const Candidate& candidate) {
  tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, *memory_.labels, labels);
  const auto [found, right] = std::mismatch(labels.begin(), labels.end(), oldLabels_.begin());
  if (found == labels.end()) return {};
  return "point " + std::to_string(found - labels.begin()) + " has label " + std::to_string(*found) +
         ", but went in with " + std::to_string(*right);
}

std::string StageHarness::compareLabelled(const Candidate& candidate) {
  std::vector<Label> labels(problem_.n);
  downloadLabels(device_, *memory_.labels, labels);
  const auto found = reference::compareLabels(problem_, points_.values, pivots_, labels, labels_);
  if (!found.ok()) return labelsText(problem_, points_.values, pivots_, labels, labels_, found);
  std::string wrongChange =
      compareChanged(candidate.variant->info.changed, changed_.download().front(), labels, oldLabels_);
  if (!wrongChange.empty() || candidate.stage == Stage::classify) return wrongChange;
  return compareSummed(labels);
}

std::string StageHarness::compareSummed(const std::vector<Label>& labels) {
  const auto ranges = reference::ranges(problem_, points_.values, pivots_);
  const auto sums = sums_.download();
  const auto counts = counts_.download();
  const auto compare = [&](const std::vector<double>& right, const std::vector<std::uint32_t>& rightCounts) {
    const auto found = reference::compareSums(problem_, ranges, sums, counts, right, rightCounts);
    return found.ok() ? std::string() : sumsText(problem_, sums, counts, right, rightCounts, found);
  };
  if (labels == labels_) return compare(expectedSums_, expectedCounts_);
  // A tie that rounding decided otherwise moves a point to another sum, which is as right.
  const auto own = reference::reduce(problem_, points_.values, labels, pivots_, device_.cancel());
  return compare(own.sums, own.counts);
}

std::string StageHarness::compareUpdated() {
  const auto expected = reference::update(problem_, {expectedSums_, expectedCounts_}, pivots_);
  const auto ranges = reference::ranges(problem_, points_.values, pivots_);
  const auto found = reference::compareCentroids(problem_, ranges, moved_.download(), expected.centroids);
  if (!found.ok()) return found.firstFailure;
  const UpdateOutcome outcome = outcome_.download().front();
  if (outcome.emptyClusters == expected.emptyClusters) return {};
  return "it counts " + std::to_string(outcome.emptyClusters) + " empty clusters, but there are " +
         std::to_string(expected.emptyClusters);
}

} // namespace lloyd
