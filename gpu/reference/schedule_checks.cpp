// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/schedule_checks.hpp"

#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace lloyd {
namespace {

using reference::Comparison;

constexpr std::uint32_t iterations = 2; ///< the fewest of which one meets what another left
/// Without an end but their number.
constexpr LoopParams paramsFor(std::uint32_t most) { return {.tolerance = -1, .most = most, .fresh = 0}; }

/// A fused variant and update.v1 by turns.
class OneByOne {
public:
  OneByOne(Device& device, const Variant& fused, const Tuning& tuning, const PointView& points,
           const PreparedCase& prepared)
      : device_(device), fused_(fused), tuning_(tuning), points_(points), problem_(prepared.problem),
        width_(fused.labelWidth(problem_.k)), centroids_(device, problem_.centroidValues()),
        next_(device, problem_.centroidValues()), oldLabels_(device, problem_.n * bytesOf(width_)),
        labels_(device, problem_.n * bytesOf(width_)), changed_(device, 1),
        sums_(device, problem_.centroidValues()), counts_(device, static_cast<std::size_t>(problem_.k)),
        outcome_(device, 1) {
    next_.upload(prepared.inputs.centroids);
    device.convertLabels({problem_.n, {prepared.oldLabels.data()}, {labels_.data(), width_}});
  }

  void iterate() {
    std::swap(centroids_, next_);
    std::swap(oldLabels_, labels_);
    changed_.fill(0);
    sums_.fill(0);
    counts_.fill(0);
    run(device_, fused_,
        FusedArgs{.problem = problem_,
                  .points = points_,
                  .centroids = centroids_.data(),
                  .oldLabels = {oldLabels_.data(), width_},
                  .labels = {labels_.data(), width_},
                  .changed = changed_.data(),
                  .sums = sums_.data(),
                  .counts = counts_.data(),
                  .tuning = tuning_});
    run(device_, *Registry::instance().find("update.v1"),
        UpdateArgs{.problem = problem_,
                   .sums = sums_.data(),
                   .counts = counts_.data(),
                   .oldCentroids = centroids_.data(),
                   .centroids = next_.data(),
                   .outcome = outcome_.data()});
  }
  [[nodiscard]] LoopState state() const {
    return {.outcome = {.iterations = 0,
                        .changed = changed_.download().front(),
                        .update = outcome_.download().front(),
                        .settled = 0},
            .centroids = next_.download(),
            .used = centroids_.download(),
            .sizes = counts_.download()};
  }
  [[nodiscard]] std::vector<std::byte> labels() const { return labels_.download(); }

private:
  Device& device_;
  const Variant& fused_;
  Tuning tuning_;
  PointView points_;
  Problem problem_;
  LabelWidth width_;
  Buffer<float> centroids_;
  Buffer<float> next_;
  Buffer<std::byte> oldLabels_;
  Buffer<std::byte> labels_;
  Buffer<std::uint32_t> changed_;
  Buffer<double> sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<UpdateOutcome> outcome_;
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// What a replay left is what single iterations left, to the last bit. What is not is named.
void compareStates(Comparison& result, const LoopState& found, const LoopState& right,
                   const std::string& where) {
  const auto require = [&](bool holds, const char* what) {
    result.require(holds, [&] { return where + what + " are not those of single iterations"; });
  };
  require(sameBits(found.used, right.used), "the centroids labelled with");
  require(sameBits(found.centroids, right.centroids), "the next centroids");
  require(found.sizes == right.sizes, "the sizes");
  require(found.outcome.changed == right.outcome.changed, "the changes");
  require(sameBits({found.outcome.update.shift}, {right.outcome.update.shift}), "the largest shifts");
  require(found.outcome.update.emptyClusters == right.outcome.update.emptyClusters, "the empty clusters");
}

/// Labels of the centroids they were found with, and the means of the points so labelled.
void compareWithReference(Comparison& result, const PreparedCase& prepared, const LoopState& state,
                          const std::vector<Label>& labels) {
  const Problem& problem = prepared.problem;
  const std::vector<double> used = reference::asDoubles(state.used);
  const auto right = reference::classify(problem, prepared.inputs.points, used);
  result.append(reference::compareLabels(problem, prepared.inputs.points, used, labels, right));
  if (!result.ok()) return;
  const auto own = reference::reduce(problem, prepared.inputs.points, labels, used);
  result.require(state.sizes == own.counts, [] { return "the sizes are not those of the labels"; });
  const auto next = reference::update(problem, own, used);
  result.append(reference::compareCentroids(problem, reference::ranges(problem, prepared.inputs.points, used),
                                            state.centroids, next.centroids));
  result.require(state.outcome.update.emptyClusters == next.emptyClusters,
                 [] { return "the empty clusters are not those of the labels"; });
}

void checkFusedBy(Comparison& result, Device& device, const Variant& schedule, const Variant& fused,
                  const PreparedCase& prepared) {
  const std::size_t n = prepared.problem.n;
  const LabelWidth width = fused.labelWidth(prepared.problem.k);
  PointView points = prepared.points(fused.info.layout);
  points.box = boxOf(prepared.inputs.points.data(), n, prepared.problem.d);
  Buffer<std::byte> labels(device, n * bytesOf(width));
  device.convertLabels({n, {prepared.oldLabels.data()}, {labels.data(), width}});
  IterationLoop loop(device, {.schedule = &schedule,
                              .fused = &fused,
                              .tuning = {},
                              .problem = prepared.problem,
                              .points = points,
                              .labels = {labels.data(), width}});
  OneByOne single(device, fused, {}, points, prepared);

  loop.start(prepared.inputs.centroids, paramsFor(iterations));
  std::uint32_t done = 0;
  for (const std::uint32_t most : {iterations, std::uint32_t{1}}) { // and on from there
    if (done > 0) loop.setParams(paramsFor(most));
    loop.replay();
    for (std::uint32_t i = 0; i < most; ++i)
      single.iterate();
    done += most;
    const LoopState state = loop.read();
    const std::string where = "after " + std::to_string(done) + " iterations of " + fused.id() + " ";
    result.require(state.outcome.iterations == most && state.outcome.settled == 0, [&] {
      return where + std::to_string(state.outcome.iterations) + " are reported of this replay, not " +
             std::to_string(most);
    });
    compareStates(result, state, single.state(), where);
    const std::vector<std::byte> stored = labels.download();
    result.require(stored == single.labels(),
                   [&] { return where + "the labels are not those of single iterations"; });
    if (done != iterations || !result.ok()) continue;
    std::vector<Label> found(n);
    widen({stored.data(), width}, found);
    compareWithReference(result, prepared, state, found);
  }
}

/// The first variant of a stage that can take the problem; null when there is none.
const Variant* firstAble(Stage stage, const Problem& problem, const DeviceInfo& device) {
  for (const Variant* variant : Registry::instance().of(stage, device.backend))
    if (!variant->info.tileSize && !variant->whyNot(stage, problem, device, {})) return variant;
  return nullptr;
}

/// With the smallest block that takes all points: the simulator plays its idle threads too.
Tuning snugTuning(const Variant& fused, const Problem& problem, const DeviceInfo& device) {
  Tuning tuning = fused.complete({});
  const auto items = static_cast<std::size_t>(std::max(1, tuning.items));
  if (const Parameter* block = fused.parameter("block"))
    for (const int threads : block->values)
      if (threads < tuning.block && static_cast<std::size_t>(threads) * items >= problem.n)
        tuning.block = threads;
  return fused.whyNot(Stage::fused, problem, device, tuning) ? Tuning() : tuning;
}

} // namespace

Comparison checkIterate(Device& device, const Variant& schedule, const PreparedCase& prepared) {
  Comparison result;
  for (const Variant* fused : Registry::instance().of(Stage::fused, device.backend()))
    if (result.ok() && !fused->whyNot(Stage::fused, prepared.problem, device.info(), {}))
      checkFusedBy(result, device, schedule, *fused, prepared);
  return result;
}

Comparison checkSets(Device& device, const Variant& schedule, const Tuning& tuning,
                     const PreparedCase& prepared) {
  const Problem& problem = prepared.problem;
  SetStages stages;
  stages.update = Registry::instance().find("update.v1");
  const bool own = !schedule.info.pass.empty() && device.backend() != Backend::cpu;
  stages.fused =
      own ? Registry::instance().find(schedule.info.pass) : firstAble(Stage::fused, problem, device.info());
  if (stages.fused && !own) stages.fusedTuning = snugTuning(*stages.fused, problem, device.info());
  if (!stages.fused) {
    stages.classify = firstAble(Stage::classify, problem, device.info());
    stages.reduce = firstAble(Stage::reduce, problem, device.info());
  }
  Comparison result;
  if (!stages.fused && !(stages.classify && stages.reduce)) return result;
  const SetParams params = SetParams::of(schedule.complete(tuning), stages.fused ? 2 : 1);
  std::vector<ClusteringSet> sets;
  sets.reserve(2);
  for (int s = 0; s < 2; ++s)
    sets.emplace_back(device, problem, prepared.inputs.points, prepared.inputs.centroids,
                      schedule.info.hostMemory);
  runSets(schedule, device, stages, sets, params);

  LoopState right{.outcome = {}, .centroids = {}, .used = prepared.inputs.centroids, .sizes = {}};
  std::vector<std::byte> rightLabels;
  if (stages.fused) {
    PointView points = prepared.points(stages.fused->info.layout);
    points.box = boxOf(prepared.inputs.points.data(), problem.n, problem.d);
    OneByOne single(device, *stages.fused, stages.fusedTuning, points, prepared);
    for (int i = 0; i < sets.front().iterations; ++i)
      single.iterate();
    right = single.state();
    rightLabels = single.labels();
  }
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const std::string where = "of set " + std::to_string(s) + " ";
    const ClusteringSet& set = sets[s];
    const std::vector<Label> labels = set.labels();
    LoopState found = right;
    found.centroids = set.centroids();
    found.sizes = set.sizes();
    if (stages.fused) {
      compareStates(result, found, right, where);
      const auto stored = set.foundLabels.read(0, rightLabels.size());
      result.require(std::ranges::equal(stored, rightLabels),
                     [&] { return where + "the labels are not those of single iterations"; });
    } else {
      found.outcome.update.emptyClusters =
          static_cast<std::uint32_t>(std::ranges::count(found.sizes, std::uint32_t{0}));
    }
    if (result.ok()) compareWithReference(result, prepared, found, labels);
  }
  return result;
}

} // namespace lloyd
