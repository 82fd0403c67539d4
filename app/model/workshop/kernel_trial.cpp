// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_trial.hpp"

#include "app/data/generate/generators.hpp"
#include "app/data/point_set.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/reference/verify.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(KernelTrial)
};

// Enough points for several blocks, and few enough that all of a trial takes a second.
constexpr std::size_t tracedPoints = 4096;
constexpr int triedClusters = 16;
constexpr std::uint64_t seed = 1;
// A lane that reads too early finds the right value in one order and none in another. Counters are those of
// the first.
constexpr std::array orders{simt::Schedule{}, simt::Schedule{simt::Schedule::Order::reverse},
                            simt::Schedule{simt::Schedule::Order::seeded, seed}};

/// One stage of one variant, tried part by part.
class Trial {
public:
  Trial(const OwnVariant& own, const Variant* alike, Stage stage, const std::atomic<bool>* cancel,
        const TrialProgress& progress)
      : own_(own), rival_(alike ? alike : own.original), alike_(alike), stage_(stage), cancel_(cancel),
        progress_(progress), device_(simt::createSimtDevice()) {
    device_->setCancel(cancel);
    trial_.variant = qtext(own.variant->id());
    trial_.stage = qtext(name(stage));
  }

  [[nodiscard]] KernelTrial run() {
    tuning_ = own_.variant->complete({});
    if (!verified()) {
      explain();
    } else if (traced()) {
      trial_.right = true;
      trial_.verdict = Words::tr("%1 is right.").arg(trial_.variant);
      raced();
    }
    return trial_;
  }

private:
  [[nodiscard]] bool wrong(const QString& verdict) {
    trial_.verdict = verdict;
    return false;
  }

  bool verified() {
    const std::vector<VerifyResult> results =
        verifyVariants(*device_, {.patterns = {own_.variant->id()}}, [&](const VerifyProgress& now) {
          if (cancel_ && cancel_->load()) throw Cancelled();
          progress_(Words::tr("verify, case %1 of %2: %3")
                        .arg(now.done + 1)
                        .arg(now.total)
                        .arg(qtext(now.caseName)));
        });
    for (const VerifyResult& result : results) {
      if (result.stage != stage_ || result.variant != own_.variant->id()) continue;
      trial_.parts << Words::tr("verified: %1 of %2 cases match double precision, %3 do not, %4 do not apply")
                          .arg(result.passed)
                          .arg(result.cases)
                          .arg(result.failed)
                          .arg(result.cases - result.passed - result.failed);
      if (!result.ok())
        return wrong(Words::tr("%1 is wrong: %2").arg(trial_.variant, qtext(result.firstFailure)));
      if (result.passed > 0) return true;
      return wrong(Words::tr("%1 ran none of the cases: %2")
                       .arg(trial_.variant,
                            result.skipped.empty() ? QString() : qtext(result.skipped.front().reason)));
    }
    return wrong(Words::tr("%1 has nothing that could be verified").arg(trial_.variant));
  }

  /// The points that the rest happens on: as few dimensions as the variant takes.
  [[nodiscard]] bool findPoints(const Tuning& tuning) {
    for (const int d : {2, 3, 1, 8}) {
      Problem problem{tracedPoints, d, triedClusters};
      if (own_.variant->whyNot(stage_, problem, device_->info(), tuning)) continue;
      auto points = generatePoints("blobs:n=" + std::to_string(tracedPoints) + ",d=" + std::to_string(d) +
                                   ",k=" + std::to_string(triedClusters));
      if (!points) continue;
      points_ = std::make_shared<const PointSet>(*std::move(points));
      problem_ = problem;
      return true;
    }
    return false;
  }

  /// A value that is wrong names no line, and a race that made it so names two.
  void explain() {
    if (!findPoints(tuning_)) return;
    const std::vector<float> centroids = startingCentroids(*points_, problem_, {}, seed, cancel_);
    progress_(Words::tr("trace"));
    for (const simt::Schedule& schedule : orders) {
      const simt::Trace own = trace(*own_.variant, tuning_, centroids, schedule);
      if (own.races == 0) continue;
      trial_.parts << Words::tr("it has a race: %1").arg(qtext(raceOf(own)));
      return;
    }
  }

  bool traced() {
    if (!findPoints(tuning_)) return true; // verify ran it on others
    const std::vector<float> centroids = startingCentroids(*points_, problem_, {}, seed, cancel_);
    progress_(Words::tr("trace"));
    const simt::Trace own = trace(*own_.variant, tuning_, centroids);
    const bool original = originalTakesIt();
    trial_.parts << Words::tr("traced: %1").arg(askedText(own.counters));
    if (original)
      trial_.parts << Words::tr("%1 there: %2")
                          .arg(qtext(own_.original->id()),
                               askedText(trace(*own_.original, originalTuning(), centroids).counters));
    if (!sound(own)) return false;
    return std::all_of(orders.begin() + 1, orders.end(), [&](const simt::Schedule& schedule) {
      return sound(trace(*own_.variant, tuning_, centroids, schedule));
    });
  }
  [[nodiscard]] bool sound(const simt::Trace& own) {
    if (!own.faults.empty())
      return wrong(Words::tr("%1 is wrong: %2").arg(trial_.variant, qtext(own.faults.front())));
    if (own.races > 0) return wrong(Words::tr("%1 has a race: %2").arg(trial_.variant, qtext(raceOf(own))));
    return true;
  }

  [[nodiscard]] static std::string raceOf(const simt::Trace& trace) {
    for (const simt::Race& race : trace.examples)
      if (!race.sameValue) return race.what;
    return trace.examples.empty() ? std::string() : trace.examples.front().what;
  }
  [[nodiscard]] simt::Trace trace(const Variant& variant, const Tuning& tuning,
                                  const std::vector<float>& centroids,
                                  const simt::Schedule& schedule = {}) const {
    return simt::traceStage({.variant = &variant,
                             .stage = stage_,
                             .problem = problem_,
                             .points = points_->values,
                             .centroids = centroids,
                             .oldLabels = {},
                             .tuning = tuning,
                             .schedule = schedule,
                             .cancel = cancel_})
        .trace;
  }
  /// The original at the own variant's launch shape, as far as it has such parameters.
  [[nodiscard]] Tuning originalTuning() const {
    Tuning tuning;
    for (const Parameter& parameter : own_.original->info.parameters) {
      const int value = tuning_.value(parameter.name);
      if (own_.variant->parameter(parameter.name) && parameter.allows(value))
        tuning.set(parameter.name, value);
    }
    return own_.original->complete(tuning);
  }
  [[nodiscard]] bool originalTakesIt() const {
    return own_.original && own_.original->has(stage_, Backend::simt) &&
           !own_.original->whyNot(stage_, problem_, device_->info(), originalTuning());
  }
  [[nodiscard]] static QString askedText(const simt::Counters& asked) {
    return Words::tr(
               "%1 global requests in %2 sectors, %3 shared requests with %4 bank conflicts, %5 atomics, "
               "%6 barriers")
        .arg(countText(asked.globalLoadRequests + asked.globalStoreRequests),
             countText(asked.globalLoadSectors + asked.globalStoreSectors), countText(asked.sharedRequests),
             countText(asked.bankConflicts), countText(asked.sharedAtomics + asked.globalAtomics),
             countText(asked.barriers));
  }

  void raced() {
    if (!points_ || !originalTakesIt()) return;
    progress_(Words::tr("race"));
    StageHarness bench(*device_, *points_, triedClusters, {}, seed);
    const std::array candidates{Candidate{own_.variant, stage_, tuning_},
                                Candidate{rival_, stage_, originalTuning()}};
    RaceOptions options;
    options.rounds = 30;
    options.analyses = 2;
    options.budgetSeconds = 0.8;
    options.warmUpSeconds = 0.1;
    const RaceResult race = measure(bench, candidates, options, [&](const RaceProgress&) {
      if (cancel_ && cancel_->load()) throw Cancelled();
    });
    const Measurement& own = race.rows[0];
    const Measurement& original = race.rows[1];
    if (!own.comparable() || !original.comparable()) return;
    const Comparison comparison = compareRows(own, original, race.conditions);
    trial_.parts << Words::tr("raced on the simulator: %1 µs against %2 µs of %3, %4 pairs")
                        .arg(microsecondsText(own.times.median), microsecondsText(original.times.median),
                             qtext(own_.original->id()))
                        .arg(comparison.pairs);
    const QString rival = qtext(own_.original->id());
    trial_.verdict +=
        QLatin1Char(' ') +
        standing(comparison, alike_ ? rival : Words::tr("%1, which another compiler optimised").arg(rival));
  }

  [[nodiscard]] static QString standing(const Comparison& comparison, const QString& original) {
    const double percent = std::abs(1 - comparison.ratio) * 100;
    const QString share = QString::number(percent, 'f', percent < 10 ? 1 : 0);
    switch (comparison.verdict) {
    case Verdict::faster:
      return Words::tr("On the simulator, which is no card, it takes %1 % less time than %2.")
          .arg(share, original);
    case Verdict::slower:
      return Words::tr("On the simulator, which is no card, it takes %1 % more time than %2.")
          .arg(share, original);
    case Verdict::same:
      return Words::tr("On the simulator, which is no card, it takes as long as %1.").arg(original);
    default:
      return Words::tr("On the simulator, which is no card, it cannot be told apart from %1.").arg(original);
    }
  }

  const OwnVariant& own_;
  const Variant* rival_; ///< the original, where it can be compiled as the variant is
  bool alike_;
  Stage stage_;
  const std::atomic<bool>* cancel_;
  const TrialProgress& progress_;
  std::unique_ptr<simt::SimtDevice> device_;
  KernelTrial trial_;
  SharedPointSet points_;
  Problem problem_;
  Tuning tuning_;
};

} // namespace

QString KernelTrial::text() const {
  QString text = verdict + QLatin1Char('\n');
  for (const QString& part : parts)
    text += QStringLiteral("  ") + part + QLatin1Char('\n');
  return text;
}

QJsonObject trialJson(const KernelTrial& trial) {
  return {{QStringLiteral("variant"), trial.variant},
          {QStringLiteral("stage"), trial.stage},
          {QStringLiteral("right"), trial.right},
          {QStringLiteral("verdict"), trial.verdict},
          {QStringLiteral("parts"), QJsonArray::fromStringList(trial.parts)}};
}

std::optional<KernelTrial> trialFrom(const QJsonObject& json) {
  if (!json.contains(QStringLiteral("verdict"))) return std::nullopt;
  KernelTrial trial{json[u"variant"].toString(),
                    json[u"stage"].toString(),
                    json[u"right"].toBool(),
                    json[u"verdict"].toString(),
                    {}};
  for (const auto& part : json[u"parts"].toArray())
    trial.parts << part.toString();
  return trial;
}

std::vector<KernelTrial> tryKernel(const OwnVariant& own, const Variant* alike,
                                   const std::atomic<bool>* cancel, const TrialProgress& progress) {
  std::vector<KernelTrial> trials;
  for (const Stage stage : measuredStages)
    if (own.variant->has(stage, Backend::simt))
      trials.push_back(Trial(own, alike, stage, cancel, progress).run());
  return trials;
}

} // namespace lloyd
