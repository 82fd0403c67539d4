// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/set_schedule.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lloyd {
namespace {

std::shared_ptr<HostBuffer<float>> rowsOf(Device& device, const Problem& problem,
                                          std::span<const float> values, HostMemory memory) {
  if (values.size() != problem.pointValues()) throw std::invalid_argument("a set needs n x d values");
  const std::size_t stride = rowStride(problem.n);
  auto rows =
      std::make_shared<HostBuffer<float>>(device, static_cast<std::size_t>(problem.d) * stride, memory);
  const std::span<float> to = rows->write();
  std::ranges::fill(to, 0.0f);
  for (std::size_t j = 0; problem.n > 0 && j < static_cast<std::size_t>(problem.d); ++j)
    std::ranges::copy(values.subspan(j * problem.n, problem.n), to.subspan(j * stride).begin());
  return rows;
}

} // namespace

ClusteringSet::ClusteringSet(Device& device, const Problem& problem, std::shared_ptr<HostBuffer<float>> rows,
                             const Box& box, std::span<const float> centroids, HostMemory memory)
    : points(std::move(rows)), start(device, problem.centroidValues(), memory),
      foundCentroids(device, problem.centroidValues(), memory),
      foundSizes(device, static_cast<std::size_t>(problem.k), memory),
      foundLabels(device, problem.n * sizeof(Label), memory), problem_(problem), box_(box), memory_(memory) {
  if (centroids.size() != problem.centroidValues())
    throw std::invalid_argument("a set needs k x d centroids");
  std::ranges::copy(centroids, start.write().begin());
}

ClusteringSet::ClusteringSet(Device& device, const Problem& problem, std::span<const float> values,
                             std::span<const float> centroids, HostMemory memory)
    : ClusteringSet(device, problem, rowsOf(device, problem, values, memory),
                    boxOf(values.data(), problem.n, problem.d), centroids, memory) {}

ClusteringSet::ClusteringSet(Device& device, const ClusteringSet& other, std::span<const float> centroids)
    : ClusteringSet(device, other.problem_, other.points, other.box_, centroids, other.memory_) {}

std::vector<Label> ClusteringSet::labels() const {
  std::vector<Label> found(problem_.n);
  const auto stored = foundLabels.read(0, problem_.n * bytesOf(width));
  if (width == LabelWidth::four && !found.empty())
    std::memcpy(found.data(), stored.data(), stored.size());
  else if (!found.empty())
    widen({stored.data(), width}, found);
  return found;
}

std::vector<float> ClusteringSet::centroids() const {
  const auto found = foundCentroids.read();
  return {found.begin(), found.end()};
}

std::vector<std::uint32_t> ClusteringSet::sizes() const {
  const auto found = foundSizes.read();
  return {found.begin(), found.end()};
}

Reason whyNotSets(const Variant& schedule, const SetStages& stages, const Problem& problem,
                  const DeviceInfo& device, const SetParams& params) {
  Tuning tuning;
  tuning.streams = params.streams;
  tuning.late = params.late;
  if (auto why = schedule.whyNot(Stage::sets, problem, device, tuning)) return why;
  if (!schedule.parameter("streams") && params.streams != 1)
    return schedule.id() + " has one queue: leave streams out";
  const std::string_view pass = schedule.info.pass;
  if (!pass.empty() && device.backend != Backend::cpu && !(stages.fused && stages.fused->id() == pass))
    return schedule.id() + " has the pass of " + std::string(pass) + ": choose that, or another schedule";
  if (params.most < 1) return schedule.id() + " needs at least one iteration to do";
  if (stages.fused && stages.fused->info.tileSize)
    return stages.fused->id() + " works on points in tiles, which " + schedule.id() +
           " does not make: fused.v1 takes them as they are";
  if (stages.fused) {
    if (auto why = stages.fused->whyNot(Stage::fused, problem, device, stages.fusedTuning)) return why;
  } else {
    if (auto why = stages.classify->whyNot(Stage::classify, problem, device, stages.classifyTuning))
      return why;
    if (auto why = stages.reduce->whyNot(Stage::reduce, problem, device, stages.reduceTuning)) return why;
  }
  return stages.update->whyNot(Stage::update, problem, device, {});
}

std::unique_ptr<SetRun> prepareSets(const Variant& schedule, Device& device, const SetStages& stages,
                                    std::span<ClusteringSet> sets, const SetParams& params) {
  for (const ClusteringSet& set : sets)
    if (const auto why = whyNotSets(schedule, stages, set.problem(), device.info(), params))
      throw RequestError(*why);
  return schedule.on(device.backend()).sets(device, stages, sets, params);
}

void runSets(const Variant& schedule, Device& device, const SetStages& stages, std::span<ClusteringSet> sets,
             const SetParams& params) {
  prepareSets(schedule, device, stages, sets, params)->run();
}

} // namespace lloyd
