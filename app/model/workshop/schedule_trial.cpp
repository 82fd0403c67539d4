// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/schedule_trial.hpp"

#include "app/data/generate/generators.hpp"
#include "app/data/point_set.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "app/model/workshop/standing_text.hpp"
#include "app/model/workshop/trial_race.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/core/timeline/order_counter.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/reference/verify.hpp"
#include "gpu/simt/exec/simt_device.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(ScheduleTrial)
};

using Order = simt::Schedule::Order;

constexpr std::uint64_t seed = 1;
constexpr Problem orderedProblem{200, 2, 8};
constexpr std::size_t orderedSets = 5; // one more than there are queues: a queue gets a second set
constexpr int orderedIterations = 8;
constexpr std::size_t racedOnProcessors = std::size_t{1} << 14;
constexpr std::size_t racedOnCard = std::size_t{1} << 18; // of each of SetsHarness::sets
constexpr int racedClusters = 16;

/// An order of the queues' turns, and the parameters to run with in it; 0 streams: the usual parameters.
struct Turn {
  simt::Schedule order;
  int streams = 0;
  int late = 0;
};
constexpr std::array turns{Turn{{}},
                           Turn{{Order::reverse}},
                           Turn{{Order::seeded, 1}},
                           Turn{{Order::seeded, 2}},
                           Turn{{Order::seeded, 3}, 1, 0},
                           Turn{{Order::seeded, 4}, 2, 1},
                           Turn{{Order::seeded, 5}, 3, 2},
                           Turn{{Order::reverse}, 16, 32}};

QString orderText(const simt::Schedule& order) {
  switch (order.order) {
  case Order::forward:
    return Words::tr("queues take turns as their work was given");
  case Order::reverse:
    return Words::tr("the last queue goes first");
  default:
    return Words::tr("queues take turns by lot, seed %1").arg(order.seed);
  }
}

/// The pass that the schedule has, else one kernel for each stage.
SetStages stagesFor(const Variant& schedule) {
  const Registry& registry = Registry::instance();
  SetStages stages;
  stages.update = registry.find("update.v1");
  if (!schedule.info.pass.empty()) {
    stages.fused = registry.find(schedule.info.pass);
  } else {
    stages.classify = registry.find("classify.general");
    stages.reduce = registry.find("reduce.general");
    stages.reduceTuning.block = 64; // the simulator plays idle threads too
  }
  return stages;
}

PointSet blobs(const Problem& problem) {
  return generatePoints("blobs:n=" + std::to_string(problem.n) + ",d=" + std::to_string(problem.d) +
                        ",k=" + std::to_string(problem.k))
      .value();
}

/// Every set has points and centroids of its own, so that none can be taken for another's.
std::vector<ClusteringSet> makeSets(Device& device, const PointSet& points, HostMemory memory) {
  const auto n = orderedProblem.n;
  const auto d = static_cast<std::size_t>(orderedProblem.d);
  std::vector<ClusteringSet> sets;
  for (std::size_t s = 0; s < orderedSets; ++s) {
    std::vector<float> moved = points.values;
    for (float& value : moved)
      value += static_cast<float>(s);
    std::vector<float> centroids(orderedProblem.centroidValues());
    for (std::size_t at = 0; at < centroids.size(); ++at)
      centroids[at] = moved[at % d * n + (at / d + s * 7) % n];
    sets.emplace_back(device, orderedProblem, moved, centroids, memory);
  }
  return sets;
}

/// What two schedules must agree on to the last bit; empty where they do.
QString difference(const ClusteringSet& found, const ClusteringSet& right) {
  if (found.iterations != right.iterations || found.needed != right.needed)
    return Words::tr("did %1 iterations, %2 of them needed; by schedule.single it does %3, %4 of them needed")
        .arg(found.iterations)
        .arg(found.needed)
        .arg(right.iterations)
        .arg(right.needed);
  const std::vector<float> centroids = found.centroids(), rightCentroids = right.centroids();
  if (found.labels() != right.labels()) return Words::tr("has other labels than by schedule.single");
  if (found.sizes() != right.sizes()) return Words::tr("has clusters of other sizes than by schedule.single");
  if (std::memcmp(centroids.data(), rightCentroids.data(), centroids.size() * sizeof(float)) != 0)
    return Words::tr("has other centroids than by schedule.single");
  return {};
}

QString orderedText(const HostOrders& orders) {
  return Words::tr("%1 launches, %2 copies up and %3 down, %4 fills, %5 events, %6 waits of queues for them, "
                   "%7 waits of the host")
             .arg(countText(orders.launches), countText(orders.copiesUp), countText(orders.copiesDown),
                  countText(orders.fills), countText(orders.events), countText(orders.queueWaits),
                  countText(orders.hostWaits)) +
         (orders.queues == 1 ? Words::tr(", one queue") : Words::tr(", %1 queues").arg(orders.queues));
}

/// One schedule, tried part by part.
class Trial {
public:
  Trial(const OwnVariant& own, const AlikeOriginal& alike, BeginningCard& card,
        const std::atomic<bool>* cancel, const TrialProgress& progress)
      : own_(*own.variant), original_(own.original), alike_(alike), begun_(card), cancel_(cancel),
        progress_(progress), simulator_(simt::createSimtDevice()) {
    simulator_->setCancel(cancel);
    trial_.variant = qtext(own_.id());
    trial_.stage = qtext(name(Stage::sets));
    if (!original_ || !original_->has(Stage::sets, Backend::simt)) original_ = nullptr;
  }

  [[nodiscard]] KernelTrial run() {
    tuning_ = own_.complete({});
    if (verified(*simulator_) && rightInEveryOrder() && counted() && rightWhereItIsRaced()) {
      trial_.right = true;
      trial_.verdict = Words::tr("%1 is right.").arg(trial_.variant);
      try {
        raced();
      } catch (const DeviceError& error) { // too little memory for the race's sets makes nothing wrong
        trial_.parts << Words::tr("not raced: %1").arg(QString::fromUtf8(error.meaning()));
      }
    }
    return trial_;
  }

private:
  [[nodiscard]] bool wrong(const QString& verdict) {
    trial_.verdict = verdict;
    return false;
  }
  [[nodiscard]] bool wrong(const DeviceError& error) {
    return wrong(Words::tr("%1 is wrong: %2").arg(trial_.variant, QString::fromUtf8(error.what())));
  }
  void pass(const QString& doing) const {
    if (cancel_ && cancel_->load()) throw Cancelled();
    progress_(doing);
  }

  /// Two sets at a time, whatever the parameters: rightInEveryOrder() has more, and tries those.
  bool verified(Device& device) {
    const QString where = placeOf(device);
    const auto results = verifyVariants(device, {.patterns = {own_.id()}, .everyParameter = false},
                                        [&](const VerifyProgress& now) { pass(inputText(now, where)); });
    const auto result =
        std::ranges::find_if(results, [](const VerifyResult& one) { return one.stage == Stage::sets; });
    if (result == results.end())
      return wrong(Words::tr("%1 has nothing that could be verified").arg(trial_.variant));
    const QString cases =
        result->faulted > 0
            ? faultedText(*result, Words::tr("in %1 two sets match double precision and single iterations"),
                          Words::tr("in %1 they do not"))
            : Words::tr("in %1 of %2 cases two sets match double precision and single iterations, in %3 they "
                        "do not, %4 do not apply")
                  .arg(result->passed)
                  .arg(result->cases)
                  .arg(result->failed)
                  .arg(result->cases - result->passed - result->failed);
    trial_.parts << Words::tr("verified%1: %2").arg(where, cases);
    if (!result->ok())
      return wrong(Words::tr("%1 is wrong%2: %3").arg(trial_.variant, where, qtext(result->firstFailure)));
    if (result->passed > 0) return true;
    return wrong(Words::tr("%1 ran none of the cases: %2")
                     .arg(trial_.variant,
                          result->skipped.empty() ? QString() : qtext(result->skipped.front().reason)));
  }

  /// Parameters that the schedule has not, and those of one whose pass decides how late is too late, stay.
  [[nodiscard]] Tuning tuningOf(const Turn& turn) const {
    Tuning tuning = tuning_;
    if (turn.streams == 0 || !own_.info.pass.empty()) return tuning;
    for (const auto& [name, value] : {std::pair("streams", turn.streams), std::pair("late", turn.late)})
      if (const Parameter* parameter = own_.parameter(name); parameter && parameter->allows(value))
        tuning.set(name, value);
    return tuning;
  }

  bool rightInEveryOrder() {
    const PointSet points = blobs(orderedProblem);
    const Variant& single = *Registry::instance().find("schedule.single");
    const SetStages stages = stagesFor(own_);
    std::map<int, std::vector<ClusteringSet>>
        rightBy; // single's streams are one: results by how late it looks
    for (const Turn& turn : turns) {
      pass(Words::tr("orders of turns"));
      const SetParams params = SetParams::of(tuningOf(turn), orderedIterations);
      const QString setting = Words::tr("%1; streams %2, late %3")
                                  .arg(orderText(turn.order))
                                  .arg(params.streams)
                                  .arg(params.late);
      std::vector<ClusteringSet>& right = rightBy[params.late];
      if (right.empty()) {
        simulator_->setSchedule({});
        right = makeSets(*simulator_, points, single.info.hostMemory);
        runSets(single, *simulator_, stages, right, {.late = params.late, .most = params.most});
      }
      simulator_->setSchedule(turn.order);
      std::vector<ClusteringSet> found = makeSets(*simulator_, points, own_.info.hostMemory);
      QString other;
      try {
        const auto run = prepareSets(own_, *simulator_, stages, found, params);
        run->run();
        run->run(); // events, flags and memory are now as a run has left them
        for (std::size_t s = 0; s < found.size() && other.isEmpty(); ++s)
          if (const QString one = difference(found[s], right[s]); !one.isEmpty())
            other = Words::tr("set %1 %2").arg(s).arg(one);
        simulator_->synchronize(); // reports results that were not waited for before they were read
      } catch (const DeviceError& error) {
        return wrong(error);
      }
      if (!other.isEmpty())
        return wrong(Words::tr("%1 is wrong (%2): %3").arg(trial_.variant, setting, other));
    }
    trial_.parts
        << Words::tr("in %1 orders of the queues' turns, with other parameters too: %2 sets find what they "
                     "find by schedule.single, and again in a second run")
               .arg(turns.size())
               .arg(orderedSets);
    return true;
  }

  /// What one run gives to queues.
  [[nodiscard]] HostOrders ordersOf(const Variant& schedule, const Tuning& tuning, const PointSet& points) {
    simulator_->setSchedule({});
    OrderCounter counter(*simulator_);
    std::vector<ClusteringSet> sets = makeSets(counter, points, schedule.info.hostMemory);
    const auto run =
        prepareSets(schedule, counter, stagesFor(schedule), sets, SetParams::of(tuning, orderedIterations));
    counter.forget();
    run->run();
    return counter.orders();
  }

  bool counted() {
    const PointSet points = blobs(orderedProblem);
    pass(Words::tr("count"));
    try {
      trial_.parts << Words::tr("traced, a run of %1 sets: %2")
                          .arg(orderedSets)
                          .arg(orderedText(ordersOf(own_, tuning_, points)));
    } catch (const DeviceError& error) {
      return wrong(error);
    }
    if (original_)
      trial_.parts << Words::tr("%1 there: %2")
                          .arg(qtext(original_->id()),
                               orderedText(ordersOf(*original_, originalTuning(), points)));
    return true;
  }
  /// The original with the own schedule's parameters, as far as it has them.
  [[nodiscard]] Tuning originalTuning() const {
    Tuning tuning;
    for (const Parameter& parameter : original_->info.parameters)
      if (own_.parameter(parameter.name) && parameter.allows(tuning_.value(parameter.name)))
        tuning.set(parameter.name, tuning_.value(parameter.name));
    return original_->complete(tuning);
  }

  /// A card where there is one, else the processors. What ran for ever or was wrong on the simulator never
  /// comes here.
  bool rightWhereItIsRaced() {
    if (own_.has(Stage::sets, Backend::cuda)) timed_ = begun_.get();
    if (!timed_ && own_.has(Stage::sets, Backend::cpu)) {
      processors_ = createCpuDevice();
      timed_ = processors_.get();
    }
    if (!timed_) return true;
    try {
      timed_->setCancel(cancel_);
      return verified(*timed_);
    } catch (const DeviceError& error) {
      return wrong(Words::tr("%1 cannot run%2: %3")
                       .arg(trial_.variant, placeOf(*timed_), QString::fromUtf8(error.what())));
    }
  }
  [[nodiscard]] static QString placeOf(Device& device) {
    switch (device.backend()) {
    case Backend::simt:
      return {};
    case Backend::cpu:
      return Words::tr(" on the processors");
    default:
      return Words::tr(" on the %1").arg(qtext(device.info().name));
    }
  }

  /// Not on the simulator, which plays what a schedule is about.
  void raced() {
    if (!timed_ || !original_) return;
    const Variant* const alike = alike_();
    const Variant& other = alike ? *alike : *original_;
    if (!other.has(Stage::sets, timed_->backend())) return;
    const bool onCard = timed_->backend() == Backend::cuda;
    const PointSet points = blobs({onCard ? racedOnCard : racedOnProcessors, 2, racedClusters});
    pass(Words::tr("race"));
    StageHarness bench(*timed_, points, racedClusters, {}, seed);
    RaceOptions options;
    options.rounds = 60;
    options.analyses = 2;
    options.budgetSeconds = 0.1;
    options.warmUpSeconds = 0.03;
    const auto race = raceTwo(bench, {&own_, Stage::sets, tuning_}, {&other, Stage::sets, originalTuning()},
                              options, cancel_);
    if (!race) return;
    const QString rival = qtext(original_->id());
    trial_.parts
        << Words::tr(
               "raced%1: %2 µs against %3 µs of %4 for an iteration of one set, copies included, %5 pairs")
               .arg(placeOf(*timed_), microsecondsText(race->ownUs), microsecondsText(race->rivalUs), rival)
               .arg(race->comparison.pairs);
    const QString where = onCard ? Words::tr("On the %1").arg(qtext(timed_->info().name))
                                 : Words::tr("On the processors, where nothing overlaps,");
    trial_.race = OwnRace{.device = qtext(timed_->info().name),
                          .problem = {points.n, 2, racedClusters},
                          .us = race->ownUs,
                          .rival = rival,
                          .rivalUs = race->rivalUs,
                          .verdict = standingText(race->comparison, where, rival)};
    trial_.verdict += QLatin1Char(' ') + trial_.race->verdict;
  }

  const Variant& own_;
  const Variant* original_; ///< null: there is none that is a schedule of sets
  const AlikeOriginal& alike_;
  BeginningCard& begun_;
  const std::atomic<bool>* cancel_;
  const TrialProgress& progress_;
  std::unique_ptr<simt::SimtDevice> simulator_;
  std::unique_ptr<Device> processors_;
  Device* timed_ = nullptr; ///< null: the schedule is made for the simulator alone
  KernelTrial trial_;
  Tuning tuning_;
};

} // namespace

KernelTrial trySchedule(const OwnVariant& own, const AlikeOriginal& alike, BeginningCard& card,
                        const std::atomic<bool>* cancel, const TrialProgress& progress) {
  return Trial(own, alike, card, cancel, progress).run();
}

} // namespace lloyd
