// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/run_counts.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/settings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/iteration_loop.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/core/timeline/order_counter.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/cpu/work_tally.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t setsOfSchedule = 4; ///< as in the Scheduling article
/// Orders do not depend on how many points there are; the simulator's time does.
constexpr std::size_t mostPointsOfSchedule = 4096;
constexpr std::size_t mostDifferences = std::size_t{1} << 19; ///< of an iteration of a set
constexpr int mostIterations = 100;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(RunCounts)
};

struct Quantity {
  const char* name;
  bool whole;
};
constexpr std::array quantities{
    // of a schedule
    Quantity{"launches", true},
    Quantity{"rounds", true},
    Quantity{"copies up", true},
    Quantity{"copies down", true},
    Quantity{"bytes up", true},
    Quantity{"bytes down", true},
    Quantity{"fills", true},
    Quantity{"host waits", true},
    Quantity{"queue waits", true},
    Quantity{"events recorded", true},
    Quantity{"queues", true},
    Quantity{"extra iterations", true},
    // of a variant for processors
    Quantity{"points taken", true},
    Quantity{"bytes of points", true},
    Quantity{"new labels", true},
    Quantity{"blocks taken", true},
    Quantity{"points of a block", false},
    Quantity{"parts", true},
    Quantity{"vectors labelled", true},
    Quantity{"points of a vector", false},
    Quantity{"scores of a point", false},
    Quantity{"points in doubt", true},
};

/// What a run is made on.
struct Subject {
  Problem problem;
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
};

std::size_t pointsOfSchedule(const PointSet& points, int k) {
  const auto clusters = static_cast<std::size_t>(std::max(k, 1));
  const std::size_t values = clusters * static_cast<std::size_t>(points.d);
  return std::max(clusters, std::min(mostPointsOfSchedule, mostDifferences / values));
}

Subject subjectOf(const PointSet& points, std::size_t most, int k, const Init& init,
                  const std::atomic<bool>* cancel) {
  PointSet some = points;
  some.n = std::min(points.n, most);
  some.values.clear();
  for (int j = 0; j < points.d; ++j)
    some.values.insert(some.values.end(), points.row(j), points.row(j) + some.n);
  const Problem problem = problemOf(some, k);
  return {problem, some.values, startingCentroids(some, problem, init, 1, cancel)};
}

QString problemText(const Problem& problem) {
  return Words::tr("%1 points, D = %2, K = %3").arg(countText(problem.n)).arg(problem.d).arg(problem.k);
}

RunCounts countsOf(const HostOrders& orders) {
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  return {.values = {{QStringLiteral("launches"), number(orders.launches)},
                     {QStringLiteral("copies up"), number(orders.copiesUp)},
                     {QStringLiteral("copies down"), number(orders.copiesDown)},
                     {QStringLiteral("bytes up"), number(orders.bytesUp)},
                     {QStringLiteral("bytes down"), number(orders.bytesDown)},
                     {QStringLiteral("fills"), number(orders.fills)},
                     {QStringLiteral("host waits"), number(orders.hostWaits)},
                     {QStringLiteral("queue waits"), number(orders.queueWaits)},
                     {QStringLiteral("events recorded"), number(orders.events)},
                     {QStringLiteral("queues"), number(orders.queues)}}};
}

const Variant& variantOf(std::string_view id) {
  const Variant* variant = Registry::instance().find(id);
  if (!variant) throw RequestError("this program has no " + std::string(id));
  return *variant;
}

/// The one pass that the schedule has, or the two stages that the article's iterations are made of, by the
/// kernels that take any problem.
SetStages stagesFor(const Variant& schedule) {
  SetStages stages;
  stages.update = &variantOf("update.v1");
  if (!schedule.info.pass.empty()) {
    stages.fused = &variantOf(schedule.info.pass);
  } else {
    stages.classify = &variantOf("classify.general");
    stages.reduce = &variantOf("reduce.general");
  }
  return stages;
}

/// ", streams 4, late 0": the schedule's own parameters.
QString parametersText(const Variant& schedule, const SetParams& params) {
  QStringList parts;
  if (schedule.parameter("streams")) parts << Words::tr("streams\u00a0%1").arg(params.streams);
  if (schedule.parameter("late")) parts << Words::tr("late\u00a0%1").arg(params.late);
  return parts.isEmpty() ? QString() : QStringLiteral(", ") + parts.join(QStringLiteral(", "));
}

RunCounts countSets(const Variant& schedule, const Subject& subject, const Tuning& tuning, Device& device) {
  OrderCounter counter(device);
  const SetStages stages = stagesFor(schedule);
  const SetParams params = SetParams::of(schedule.complete(tuning), mostIterations);
  std::vector<ClusteringSet> sets;
  for (std::size_t s = 0; s < setsOfSchedule; ++s)
    sets.emplace_back(counter, subject.problem, subject.points, subject.centroids, schedule.info.hostMemory);
  const auto run = prepareSets(schedule, counter, stages, sets, params);
  counter.forget();
  run->run();
  RunCounts counts = countsOf(counter.orders());
  const ClusteringSet& one = sets.front(); // all are alike
  const bool converged = std::ranges::all_of(sets, &ClusteringSet::converged);
  int beyond = 0;
  for (const ClusteringSet& set : sets) {
    counts.iterations += set.iterations;
    beyond += set.iterations - set.needed;
  }
  if (converged) counts.values[QStringLiteral("extra iterations")] = beyond;
  counts.sets = static_cast<double>(sets.size());
  counts.setting =
      Words::tr("%1 sets of %2%3")
          .arg(sets.size())
          .arg(problemText(subject.problem), parametersText(schedule, params)) +
      u'\n' +
      (converged ? Words::tr("Each set needs %1 iterations of %2")
                 : Words::tr("Each set is ended after %1 iterations of %2"))
          .arg(converged ? one.needed : one.iterations)
          .arg(stages.fused ? Words::tr("one pass and update") : Words::tr("classify, reduce and update"));
  return counts;
}

/// What is repeated where any will do: one kernel a pass.
const Variant& passOf(const Problem& problem, const DeviceInfo& device) {
  const Variant& first = variantOf("fused.v1");
  if (!first.whyNot(Stage::fused, problem, device, {})) return first;
  for (const Variant* variant : Registry::instance().of(Stage::fused, device.backend))
    if (!variant->info.tileSize && !variant->whyNot(Stage::fused, problem, device, {})) return *variant;
  throw RequestError(*first.whyNot(Stage::fused, problem, device, {}));
}

RunCounts countLoop(const Variant& schedule, const Subject& subject, Device& device) {
  OrderCounter counter(device);
  const Problem& problem = subject.problem;
  if (const auto why = schedule.whyNot(Stage::iterate, problem, counter.info(), {})) throw RequestError(*why);
  const Variant& pass = passOf(problem, counter.info());
  const ClusteringSet host(counter, problem, subject.points, subject.centroids); // pads the rows
  const Buffer<float> rows(counter, host.points->read());
  Buffer<Label> labels(counter, problem.n);
  IterationLoop loop(counter, {.schedule = &schedule,
                               .fused = &pass,
                               .tuning = {},
                               .problem = problem,
                               .points = {rows.data(), host.stride(), host.box()},
                               .labels = LabelSpan(labels.data(), pass.labelWidth(problem.k))});
  counter.forget();
  loop.start(subject.centroids, {.tolerance = 0, .most = mostIterations, .fresh = 1});
  loop.replay();
  const LoopState state = loop.read();
  RunCounts counts = countsOf(counter.orders());
  counts.values[QStringLiteral("rounds")] = static_cast<double>(counter.orders().rounds);
  counts.sets = 1;
  counts.iterations = state.outcome.iterations;
  counts.setting =
      Words::tr("%1, which are on the card\nThe run needs %2 iterations of %3 and the small kernel")
          .arg(problemText(problem))
          .arg(state.outcome.iterations)
          .arg(QString::fromStdString(pass.id()));
  return counts;
}

/// The first iteration of a variant for processors, with all stages that it has.
RunCounts countIteration(const Variant& variant, const Subject& subject, const Tuning& tuning,
                         Device& device) {
  const Problem& problem = subject.problem;
  const bool whole = variant.on(Backend::cpu).has(Stage::fused);
  if (const auto why = variant.whyNot(whole ? Stage::fused : Stage::classify, problem, device.info(), tuning))
    throw RequestError(*why);
  const ClusteringSet host(device, problem, subject.points, subject.centroids); // pads the rows
  Buffer<float> points(device, host.points->read());
  if (variant.info.layout == Layout::aos) {
    Buffer<float> records(device, problem.pointValues());
    device.interleave({.n = problem.n,
                       .d = problem.d,
                       .points = {points.data(), host.stride(), host.box()},
                       .records = records.data()});
    points = std::move(records);
  }
  const PointView view{points.data(), host.stride(), host.box()};
  const Buffer<float> centroids(device, subject.centroids);
  Buffer<Label> oldLabels(device, problem.n), labels(device, problem.n);
  Buffer<double> sums(device, problem.centroidValues());
  Buffer<std::uint32_t> counted(device, static_cast<std::size_t>(problem.k)), changed(device, 1),
      doubts(device, 1);
  oldLabels.fill(0xff);
  sums.fill(0);
  for (Buffer<std::uint32_t>* zero : {&counted, &changed, &doubts})
    zero->fill(0);
  WorkTally tally;
  {
    const WorkWatch watch(&tally);
    if (whole) {
      run(device, variant,
          FusedArgs{.problem = problem,
                    .points = view,
                    .centroids = centroids.data(),
                    .oldLabels = LabelView(oldLabels.data()),
                    .labels = LabelSpan(labels.data()),
                    .changed = changed.data(),
                    .sums = sums.data(),
                    .counts = counted.data(),
                    .tuning = tuning,
                    .rechecked = doubts.data()});
    } else {
      run(device, variant,
          ClassifyArgs{.problem = problem,
                       .points = view,
                       .centroids = centroids.data(),
                       .oldLabels = oldLabels.data(),
                       .labels = labels.data(),
                       .changed = changed.data(),
                       .tuning = tuning,
                       .rechecked = doubts.data()});
      run(device, variant,
          ReduceArgs{.problem = problem,
                     .points = view,
                     .labels = labels.data(),
                     .pivots = centroids.data(),
                     .sums = sums.data(),
                     .counts = counted.data(),
                     .tuning = tuning});
    }
  }
  const auto n = static_cast<double>(problem.n);
  const auto of = [](const WorkTally::Count& count) { return static_cast<double>(count.load()); };
  RunCounts counts;
  counts.iterations = 1;
  counts.values = {{QStringLiteral("points taken"), of(tally.points)},
                   {QStringLiteral("bytes of points"), of(tally.points) * problem.d * sizeof(float)},
                   {QStringLiteral("new labels"), changed.download().front()},
                   {QStringLiteral("blocks taken"), of(tally.blocks)},
                   {QStringLiteral("parts"), of(tally.parts)},
                   {QStringLiteral("vectors labelled"), of(tally.vectors)},
                   {QStringLiteral("points in doubt"), doubts.download().front()}};
  if (tally.blocks > 0)
    counts.values[QStringLiteral("points of a block")] = of(tally.points) / of(tally.blocks);
  if (tally.vectors > 0) counts.values[QStringLiteral("points of a vector")] = n / of(tally.vectors);
  if (tally.scores > 0) counts.values[QStringLiteral("scores of a point")] = of(tally.scores) / n;
  counts.setting = Words::tr("The first iteration on %1\nThis processor has %2")
                       .arg(problemText(problem), qtext(device.info().runtime));
  return counts;
}

} // namespace

std::optional<NamedCount> runQuantity(const QString& name, const RunCounts& run) {
  const auto known =
      std::ranges::find_if(quantities, [&](const Quantity& one) { return name == QLatin1String(one.name); });
  if (known == quantities.end()) return std::nullopt;
  NamedCount count{.value = {}, .text = {}, .whole = known->whole};
  const auto found = run.values.find(name);
  if (found == run.values.end()) return count;
  count.value = found->second;
  count.text = known->whole ? countText(static_cast<std::uint64_t>(found->second))
                            : QString::number(found->second, 'f', 2);
  return count;
}

RunCounts countRun(const Variant& variant, const PointSet& points, int k, const Init& init,
                   const Tuning& tuning, const std::atomic<bool>* cancel) {
  const bool sets = variant.has(Stage::sets);
  const bool loop = variant.has(Stage::iterate);
  if (!sets && !loop && !variant.on(Backend::cpu).has(Stage::fused) &&
      !(variant.on(Backend::cpu).has(Stage::classify) && variant.on(Backend::cpu).has(Stage::reduce)))
    throw std::invalid_argument(variant.id() + " is a kernel: a launch of it is counted, not a run");
  const std::size_t most = sets || loop ? pointsOfSchedule(points, k) : points.n;
  const Subject subject = subjectOf(points, most, k, init, cancel);
  const std::unique_ptr<Device> device = sets || loop ? simt::createSimtDevice() : createCpuDevice();
  device->setCancel(cancel);
  const Tuning complete = tuningParametersFor(variant, tuning);
  if (sets) return countSets(variant, subject, complete, *device);
  if (loop) return countLoop(variant, subject, *device);
  return countIteration(variant, subject, complete, *device);
}

} // namespace lloyd
