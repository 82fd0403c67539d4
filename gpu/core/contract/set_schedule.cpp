// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/set_schedule.hpp"

#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lloyd {
namespace {

std::vector<SetSchedule>& known() {
  static std::vector<SetSchedule> schedules;
  return schedules;
}

Reason outside(const SetSchedule& schedule, std::string_view option, int value, int least, int most) {
  if (value >= least && value <= most) return std::nullopt;
  return std::string(schedule.id) + " takes " + std::string(option) + " of " + std::to_string(least) +
         (most > least ? " to " + std::to_string(most) : "") + ", not " + std::to_string(value);
}

} // namespace

ClusteringSet::ClusteringSet(Device& device, const Problem& problem, std::span<const float> values,
                             std::span<const float> centroids)
    : points(device, static_cast<std::size_t>(problem.d) * rowStride(problem.n)),
      start(device, problem.centroidValues()), foundCentroids(device, problem.centroidValues()),
      foundSizes(device, static_cast<std::size_t>(problem.k)), foundLabels(device, problem.n * sizeof(Label)),
      problem_(problem), box_(boxOf(values.data(), problem.n, problem.d)) {
  if (values.size() != problem.pointValues() || centroids.size() != problem.centroidValues())
    throw std::invalid_argument("a set needs n x d values and k x d centroids");
  const std::span<float> rows = points.write();
  std::ranges::fill(rows, 0.0f);
  for (std::size_t j = 0; problem.n > 0 && j < static_cast<std::size_t>(problem.d); ++j)
    std::ranges::copy(values.subspan(j * problem.n, problem.n), rows.subspan(j * stride()).begin());
  std::ranges::copy(centroids, start.write().begin());
}

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

std::vector<SetSchedule> setSchedules() {
  std::vector<SetSchedule> sorted = known();
  std::ranges::sort(sorted, {}, &SetSchedule::id);
  return sorted;
}

bool addSetSchedule(const SetSchedule& schedule) {
  known().push_back(schedule);
  return true;
}

Reason whyNotSets(const SetSchedule& schedule, const SetStages& stages, const Problem& problem,
                  const DeviceInfo& device, const SetParams& params) {
  if (auto why = outside(schedule, "streams", params.streams, 1,
                         schedule.severalQueues ? SetParams::mostStreams : 1))
    return why;
  if (auto why = outside(schedule, "late", params.late, 0, SetParams::mostLate)) return why;
  if (params.most < 1) return std::string(schedule.id) + " needs at least one iteration to do";
  if (stages.fused && stages.fused->info.tileSize)
    return stages.fused->id() + " works on points in tiles, which " + std::string(schedule.id) +
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

std::unique_ptr<SetRun> prepareSets(const SetSchedule& schedule, Device& device, const SetStages& stages,
                                    std::span<ClusteringSet> sets, const SetParams& params) {
  for (const ClusteringSet& set : sets)
    if (const auto why = whyNotSets(schedule, stages, set.problem(), device.info(), params))
      throw RequestError(*why);
  return schedule.prepare(device, stages, sets, params);
}

void runSets(const SetSchedule& schedule, Device& device, const SetStages& stages,
             std::span<ClusteringSet> sets, const SetParams& params) {
  prepareSets(schedule, device, stages, sets, params)->run();
}

} // namespace lloyd
