// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure_stage.hpp"

#include "app/model/starting_centroids.hpp"
#include "gpu/engine/clustering.hpp"
#include "gpu/engine/plan.hpp"
#include "gpu/reference/compare.hpp"
#include "gpu/reference/reference.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// Tiles of so few points take the most memory, if not by much.
constexpr unsigned smallestTile = 128;

/// The points of a problem as many as there are tiles of the candidate.
Problem ofTiles(const Candidate& candidate, const Problem& problem) {
  Problem tiles = problem;
  const std::size_t size = candidate.variant->info.tileSize(problem, candidate.tuning);
  tiles.n = (problem.n + size - 1) / size;
  return tiles;
}

bool passesOverTiles(const Candidate& candidate) {
  return candidate.stage == Stage::fused && candidate.variant->info.tileSize;
}

} // namespace

std::size_t leastBytes(Stage stage, const Problem& problem, LabelWidth width) {
  const std::size_t points = problem.pointValues() * sizeof(float);
  const std::size_t labels = problem.n * bytesOf(width);
  const std::size_t centroids = problem.centroidValues() * sizeof(float);
  const std::size_t sums =
      problem.centroidValues() * sizeof(double) + static_cast<std::size_t>(problem.k) * sizeof(std::uint32_t);
  switch (stage) {
  case Stage::classify:
    return points + 2 * labels + centroids; // the old label is read to see what changed
  case Stage::reduce:
    return points + labels + centroids + sums;
  case Stage::fused:
  case Stage::iterate:
    return points + 2 * labels + centroids + sums;
  case Stage::update:
    return sums + 2 * centroids;
  case Stage::layout:
    return 2 * points;
  case Stage::order:
    return 2 * points + problem.n * sizeof(std::uint32_t); // the points in order, and where each went
  case Stage::labels:
    return problem.n * sizeof(std::uint32_t) + labels;
  default:
    return 0;
  }
}

std::size_t leastBytes(const Candidate& candidate, const Problem& problem) {
  if (!passesOverTiles(candidate))
    return leastBytes(candidate.stage, problem, candidate.variant->labelWidth(problem.k));
  const Problem tiles = ofTiles(candidate, problem);
  const std::size_t sums = tiles.pointValues() * sizeof(std::int64_t);
  return leastBytes(Stage::fused, tiles, LabelWidth::two) + tiles.pointValues() * sizeof(float) + sums;
}

double leastOperations(Stage stage, const Problem& problem) {
  const auto values = static_cast<double>(problem.pointValues());
  const double distance = 3 * values; // to one centroid: differences and multiply-adds
  switch (stage) {
  case Stage::classify:
    return distance * problem.k;
  case Stage::reduce:
    return 2 * values;
  case Stage::fused:
  case Stage::iterate:
    return distance + 2 * values;
  case Stage::update:
    return 2 * static_cast<double>(problem.centroidValues());
  default:
    return 0;
  }
}

double leastOperations(const Candidate& candidate, const Problem& problem) {
  return leastOperations(candidate.stage, passesOverTiles(candidate) ? ofTiles(candidate, problem) : problem);
}

StageBench::StageBench(Device& device, const PointSet& points, int k, const Init& init, std::uint64_t seed,
                       Truth truth)
    : device_(device), problem_(problemOf(points, k)), points_(points),
      devicePoints_(device, points.n, points.d, points.values.data(), false), memory_(devicePoints_.map()),
      deviceLabels_(device, problem_.n), centroids_(device, problem_.centroidValues()),
      moved_(device, problem_.centroidValues()), sums_(device, problem_.centroidValues()),
      counts_(device, static_cast<std::size_t>(k)), givenSums_(device, problem_.centroidValues()),
      givenCounts_(device, static_cast<std::size_t>(k)), changed_(device, 1), outcome_(device, 1) {
  Clustering clustering(device, problem_);
  clustering.setCentroids(
      seedCentroids(device, problem_, {memory_.positions, memory_.stride}, readerOf(points), init, seed));
  const Plan plan = makePlan({}, problem_, device.info());
  const Box box = boxOf(points);
  memory_.box = box;
  const IterationResult first = clustering.iterate(plan, memory_, false);
  devicePoints_.unmap(true); // the labels just written become the old ones
  memory_ = devicePoints_.map();
  oldLabels_.resize(problem_.n);
  memory_.box = box;
  downloadLabels(device, memory_.oldLabels, oldLabels_);
  keepOldLabels();
  if (truth == Truth::device) {
    static_cast<void>(clustering.finish(plan, memory_));
    labels_.resize(problem_.n);
    downloadLabels(device, *memory_.labels, labels_);
  }
  computeExpected(points, first.centroids);
  TiledBytes tiles = tiledBytes(problem_.n, problem_.d, smallestTile);
  tiles.kept *= 2;
  hasRoomForTiles_ = tiles.fitIn(device.freeMemory());
}

void StageBench::computeExpected(const PointSet& points, const std::vector<float>& centroids) {
  pivots_ = reference::asDoubles(centroids);
  if (labels_.empty()) labels_ = reference::classify(problem_, points.values, pivots_).labels;
  reference::Reduction reduction = reference::reduce(problem_, points.values, labels_, pivots_);
  expectedSums_ = std::move(reduction.sums);
  expectedCounts_ = std::move(reduction.counts);
  centroids_.upload(centroids);
  deviceLabels_.upload(labels_);
  givenSums_.upload(expectedSums_);
  givenCounts_.upload(expectedCounts_);
}

/// In each of the widths that variants of this problem want them in.
void StageBench::keepOldLabels() {
  wideOldLabels_ = Buffer<Label>(device_, problem_.n);
  wideOldLabels_.upload(oldLabels_);
  const LabelWidth width = narrowest(problem_.k);
  narrowOldLabels_ = Buffer<std::byte>(device_, problem_.n * bytesOf(width));
  device_.convertLabels({problem_.n, {wideOldLabels_.data()}, {narrowOldLabels_.data(), width}});
}

std::optional<std::string> StageBench::whyNot(const Candidate& candidate) const {
  if (auto reason = candidate.variant->whyNot(candidate.stage, problem_, device_.info(), candidate.tuning))
    return reason;
  return candidate.stage == Stage::iterate ? whyNotRepeated(candidate) : std::nullopt;
}

PointView StageBench::view(const Variant& variant) {
  return {variant.info.layout == Layout::soa ? memory_.positions : records(), memory_.stride, memory_.box};
}

TiledPoints& StageBench::tiled(const Candidate& candidate) {
  const unsigned size = candidate.variant->info.tileSize(problem_, candidate.tuning);
  if (!tiled_ || tiled_->size() != size) {
    tiled_.reset(); // before there are two
    tiled_.emplace(device_, problem_.n, problem_.d, size);
    tiled_->order({memory_.positions, memory_.stride, memory_.box});
    tiled_->takeLabels({narrowOldLabels_.data(), narrowest(problem_.k)});
  }
  return *tiled_;
}

const float* StageBench::records() {
  if (records_.size() == 0) {
    records_ = Buffer<float>(device_, problem_.pointValues());
    device_.interleave({.n = problem_.n,
                        .d = problem_.d,
                        .points = {memory_.positions, memory_.stride},
                        .records = records_.data()});
  }
  return records_.data();
}

void StageBench::clear() {
  sums_.fill(0);
  counts_.fill(0);
  changed_.fill(0);
}

template <class Work>
void StageBench::withArguments(const Candidate& candidate, const Work& work) {
  const PointView points = view(*candidate.variant);
  const LabelWidth width = candidate.variant->labelWidth(problem_.k);
  switch (candidate.stage) {
  case Stage::classify:
    return work(ClassifyArgs{.problem = problem_,
                             .points = points,
                             .centroids = centroids_.data(),
                             .oldLabels = wideOldLabels_.data(),
                             .labels = static_cast<Label*>(memory_.labelsOf(LabelWidth::four).data),
                             .changed = changed_.data(),
                             .tuning = candidate.tuning});
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
                          .tiled = passesOverTiles(candidate) ? &tiled(candidate) : nullptr});
  case Stage::iterate:
    return work(loopOf(candidate).args());
  case Stage::layout:
    if (rows_.size() == 0) {
      rows_ = Buffer<float>(device_, memory_.stride * static_cast<std::size_t>(problem_.d));
      rows_.fill(0xff);
    }
    return work(LayoutArgs{.problem = problem_,
                           .records = records(),
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

void StageBench::launch(const Candidate& candidate) {
  if (candidate.stage == Stage::order)
    return tiled(candidate).order({memory_.positions, memory_.stride, memory_.box});
  if (candidate.stage == Stage::labels)
    return tiled(candidate).writeLabels(memory_.labelsOf(LabelWidth::one));
  if (candidate.stage == Stage::iterate) return loopOf(candidate).replay();
  withArguments(candidate, [&](const auto& arguments) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(arguments)>, IterateArgs>)
      run(device_, *candidate.variant, arguments);
  });
}

std::optional<KernelResources> StageBench::resources(const Candidate& candidate) {
  if (device_.backend() != Backend::cuda) return std::nullopt;
  if (candidate.stage == Stage::order || candidate.stage == Stage::labels) return std::nullopt;
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

} // namespace lloyd
