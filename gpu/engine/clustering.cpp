// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/clustering.hpp"

#include <cstring>
#include <stdexcept>

namespace lloyd {
namespace {

/// Where the accumulators lie in their block; every part on a 256-byte line of its own.
struct BlockLayout {
  explicit BlockLayout(const Problem& problem) {
    const auto k = static_cast<std::size_t>(problem.k);
    const auto take = [&](std::size_t size) {
      const std::size_t at = bytes;
      bytes += (size + 255) / 256 * 256;
      return at;
    };
    changed = take(sizeof(std::uint32_t));
    outcome = take(sizeof(UpdateOutcome));
    inertia = take(sizeof(double));
    counts = take(k * sizeof(std::uint32_t));
    read = bytes;
    sums = take(problem.centroidValues() * sizeof(double));
  }
  std::size_t changed = 0, outcome = 0, inertia = 0, counts = 0, sums = 0;
  std::size_t read = 0; ///< bytes that the host reads after an iteration: all but the sums
  std::size_t bytes = 0;
};

template <class T>
T* at(Buffer<std::byte>& block, std::size_t offset) {
  return reinterpret_cast<T*>(block.data() + offset);
}

template <class T>
T valueAt(const std::vector<std::byte>& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

const float* present(const PointMemory& memory) {
  return memory.nextPositions ? memory.nextPositions : memory.positions;
}

} // namespace

Clustering::Clustering(Device& device, const Problem& problem)
    : device_(device), problem_(problem), front_(device, problem.centroidValues()),
      back_(device, problem.centroidValues()), block_(device, BlockLayout(problem).bytes) {}

void Clustering::setCentroids(std::span<const float> centroids) {
  if (centroids.size() != problem_.centroidValues())
    throw std::invalid_argument("centroids are not k x d values");
  centroids_.assign(centroids.begin(), centroids.end());
  front_.upload(centroids_);
  iterations_ = 0;
}

void Clustering::moveCentroid(int cluster, std::span<const float> position) {
  const auto d = static_cast<std::size_t>(problem_.d);
  if (cluster < 0 || cluster >= problem_.k || position.size() != d)
    throw std::invalid_argument("no such centroid");
  std::copy(position.begin(), position.end(), centroids_.data() + static_cast<std::size_t>(cluster) * d);
  front_.upload(centroids_);
}

void Clustering::timed(Stage stage, const std::function<void()>& work) {
  const std::size_t first = 2 * timed_.size();
  while (events_.size() < first + 2)
    events_.push_back(device_.createEvent());
  timed_.push_back(stage);
  device_.record(*events_[first]);
  work();
  device_.record(*events_[first + 1]);
}

std::vector<std::byte> Clustering::readBlock(IterationResult& result) {
  const BlockLayout layout(problem_);
  std::vector<std::byte> bytes(layout.read);
  device_.download(bytes.data(), block_.data(), bytes.size());
  for (std::size_t i = 0; i < timed_.size(); ++i)
    result.times.set(timed_[i], device_.elapsedUs(*events_[2 * i], *events_[2 * i + 1]));
  if (result.times[Stage::inertia]) result.inertia = valueAt<double>(bytes, layout.inertia);
  result.sizes.resize(static_cast<std::size_t>(problem_.k));
  std::memcpy(result.sizes.data(), bytes.data() + layout.counts, result.sizes.size() * sizeof(std::uint32_t));
  return bytes;
}

void Clustering::makeRecords(const PointMemory& memory) {
  const float* points = present(memory);
  if (records_.size() == 0) records_ = Buffer<float>(device_, problem_.pointValues());
  if (recordsOf_ == points && !memory.nextPositions) return;
  device_.interleave(
      {.n = problem_.n, .d = problem_.d, .points = {points, memory.stride}, .records = records_.data()});
  recordsOf_ = points;
}

PointView Clustering::view(const Variant& variant, const PointMemory& memory) const {
  return {variant.info.layout == Layout::aos ? records_.data() : present(memory), memory.stride};
}

void Clustering::classify(const Plan& plan, const PointMemory& memory) {
  if (plan.wants(Layout::aos)) makeRecords(memory);
  const BlockLayout layout(problem_);
  auto* sums = at<double>(block_, layout.sums);
  auto* counts = at<std::uint32_t>(block_, layout.counts);
  auto* changed = at<std::uint32_t>(block_, layout.changed);
  if (plan.fused) {
    const FusedArgs args{.problem = problem_,
                         .points = view(*plan.fused, memory),
                         .centroids = front_.data(),
                         .oldLabels = memory.oldLabels,
                         .labels = memory.labels,
                         .changed = changed,
                         .sums = sums,
                         .counts = counts,
                         .tuning = plan.tuning};
    timed(Stage::fused, [&] { run(device_, *plan.fused, args); });
    return;
  }
  const ClassifyArgs args{.problem = problem_,
                          .points = view(*plan.classify, memory),
                          .centroids = front_.data(),
                          .oldLabels = memory.oldLabels,
                          .labels = memory.labels,
                          .changed = changed,
                          .tuning = plan.tuning};
  timed(Stage::classify, [&] { run(device_, *plan.classify, args); });
  const ReduceArgs reduce{.problem = problem_,
                          .points = view(*plan.reduce, memory),
                          .labels = memory.labels,
                          .pivots = front_.data(),
                          .sums = sums,
                          .counts = counts,
                          .tuning = plan.tuning};
  timed(Stage::reduce, [&] { run(device_, *plan.reduce, reduce); });
}

void Clustering::addInertia(const PointMemory& memory) {
  const BlockLayout layout(problem_);
  timed(Stage::inertia, [&] {
    device_.inertia({.problem = problem_,
                     .points = {present(memory), memory.stride},
                     .centroids = front_.data(),
                     .labels = memory.labels,
                     .inertia = at<double>(block_, layout.inertia)});
  });
}

IterationResult Clustering::iterate(const Plan& plan, const PointMemory& memory, bool inertia,
                                    const Step& step) {
  timed_.clear();
  IterationResult result;
  const BlockLayout layout(problem_);
  if (step.motion) timed(Stage::advance, [&] { step.motion->moveTo(step.shifts, memory); });
  block_.fill(0);
  classify(plan, memory);
  timed(Stage::update, [&] {
    run(device_, *plan.update,
        UpdateArgs{.problem = problem_,
                   .sums = at<double>(block_, layout.sums),
                   .counts = at<std::uint32_t>(block_, layout.counts),
                   .oldCentroids = front_.data(),
                   .centroids = back_.data(),
                   .outcome = at<UpdateOutcome>(block_, layout.outcome)});
  });
  if (inertia) addInertia(memory);

  const std::vector<std::byte> bytes = readBlock(result);
  std::vector<float> moved = back_.download();

  const Variant& labeller = plan.fused ? *plan.fused : *plan.classify;
  const auto changed = valueAt<std::uint32_t>(bytes, layout.changed);
  const auto outcome = valueAt<UpdateOutcome>(bytes, layout.outcome);
  result.iteration = ++iterations_;
  result.anyChanged = iterations_ == 1 || changed != 0;
  if (labeller.info.changed == Changed::points) result.changed = iterations_ == 1 ? problem_.n : changed;
  result.shift = static_cast<double>(outcome.shift);
  result.emptyClusters = outcome.emptyClusters;
  result.usedCentroids = std::move(centroids_);
  centroids_ = std::move(moved);
  result.centroids = centroids_;
  std::swap(front_, back_);
  return result;
}

IterationResult Clustering::finish(const Plan& plan, const PointMemory& memory) {
  timed_.clear();
  IterationResult result;
  block_.fill(0);
  classify(plan, memory);
  addInertia(memory);
  readBlock(result);
  result.iteration = iterations_;
  result.centroids = result.usedCentroids = centroids_;
  for (const std::uint32_t size : result.sizes)
    result.emptyClusters += size == 0 ? 1 : 0;
  return result;
}

} // namespace lloyd
