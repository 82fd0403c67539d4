// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/kernel_trial.hpp"

#include "app/data/point_set.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "app/model/workshop/card_kernels.hpp"
#include "app/model/workshop/schedule_trial.hpp"
#include "app/model/workshop/standing_text.hpp"
#include "app/model/workshop/trial_problem.hpp"
#include "app/model/workshop/trial_race.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cuda/cuda_device.hpp"
#include "gpu/reference/verify.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>
#include <array>

namespace lloyd {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(KernelTrial)
};

constexpr std::size_t racedPoints = 512; // the simulator takes some twenty launches of each for its samples
constexpr std::size_t pointsOnCard = std::size_t{1} << 20; // fewer are gone before a card is awake

/// One stage of one variant, tried part by part.
class Trial {
public:
  Trial(const OwnVariant& own, const AlikeOriginal& alike, Stage stage, BeginningCard& card,
        const std::atomic<bool>* cancel, const TrialProgress& progress)
      : own_(own), alike_(alike), stage_(stage), cancel_(cancel), progress_(progress),
        device_(simt::createSimtDevice()), begun_(card) {
    device_->setCancel(cancel);
    trial_.variant = qtext(own.variant->id());
    trial_.stage = qtext(name(stage));
  }

  [[nodiscard]] KernelTrial run() {
    for (const Parameter& parameter : own_.variant->info.parameters) {
      if (parameter.allows(parameter.fallback)) continue;
      trial_.verdict = Words::tr("%1 is wrong: its own value of %2, %3, is not one of %4")
                           .arg(trial_.variant, qtext(parameter.name))
                           .arg(parameter.fallback)
                           .arg(qtext(parameter.range()));
      return trial_;
    }
    tuning_ = own_.variant->complete({});
    if (!verified(*device_)) {
      explain();
    } else if (traced() && rightOnCard()) {
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

  bool verified(Device& device) {
    const std::vector<VerifyResult> results =
        verifyVariants(device, {.patterns = {own_.variant->id()}}, [&](const VerifyProgress& now) {
          if (cancel_ && cancel_->load()) throw Cancelled();
          progress_(inputText(now));
        });
    for (const VerifyResult& result : results) {
      if (result.stage != stage_ || result.variant != own_.variant->id()) continue;
      const QString where = &device == device_.get() ? QString() : Words::tr(" on the %1").arg(cardName());
      const QString cases =
          result.faulted > 0
              ? faultedText(result, Words::tr("%1 match double precision"), Words::tr("%1 do not"))
              : Words::tr("%1 of %2 cases match double precision, %3 do not, %4 do not apply")
                    .arg(result.passed)
                    .arg(result.cases)
                    .arg(result.failed)
                    .arg(result.cases - result.passed - result.failed);
      trial_.parts << Words::tr(
                          "verified%1: %2; a case is one of the inputs with one choice of the parameters")
                          .arg(where, cases);
      if (!result.ok())
        return wrong(Words::tr("%1 is wrong%2: %3").arg(trial_.variant, where, qtext(result.firstFailure)));
      if (result.passed > 0) return true;
      return wrong(Words::tr("%1 ran none of the cases: %2")
                       .arg(trial_.variant,
                            result.skipped.empty() ? QString() : qtext(result.skipped.front().reason)));
    }
    return wrong(Words::tr("%1 has nothing that could be verified").arg(trial_.variant));
  }

  /// A card will launch what the simulator has launched. Compiled one after another, when each is launched,
  /// they take the longest part of a trial.
  void expectOnCard() {
    card_ = begun_.get();
    if (card_) cuda::beginOwnKernels(device_->launchedKernels(), card_->info().computeCapability);
  }

  /// On a card, where there is one and the kernel was made for it. What ran for ever or was wrong on the
  /// simulator never comes here.
  bool rightOnCard() {
    if (!own_.variant->has(stage_, Backend::cuda)) return true;
    expectOnCard();
    if (!card_) return true;
    const std::string refusal =
        refusalOfCards(qtext(own_.variant->info.source), card_->info().computeCapability);
    if (!refusal.empty())
      return wrong(
          Words::tr("%1 does not compile for the %2: %3").arg(trial_.variant, cardName(), qtext(refusal)));
    try {
      card_->setCancel(cancel_);
      return verified(*card_);
    } catch (const DeviceError& error) {
      return wrong(Words::tr("%1 cannot run on the %2: %3")
                       .arg(trial_.variant, cardName(), QString::fromUtf8(error.what())));
    }
  }
  [[nodiscard]] QString cardName() const { return qtext(card_->info().name); }

  /// What the rest happens on.
  [[nodiscard]] bool findProblem() {
    auto at = trialProblem(*own_.variant, stage_, tuning_, cancel_);
    if (!at) return false;
    problem_ = at->problem;
    points_ = std::move(at->points);
    centroids_ = std::move(at->centroids);
    return true;
  }

  /// A value that is wrong names no line, and a race that made it so names two.
  void explain() {
    if (!findProblem()) return;
    progress_(Words::tr("trace"));
    for (const simt::Schedule& schedule : trialOrders) {
      const simt::Trace own = trace(*own_.variant, tuning_, schedule);
      if (own.races == 0) continue;
      trial_.parts << Words::tr("it has a race: %1").arg(qtext(raceOf(own)));
      return;
    }
  }

  bool traced() {
    if (!findProblem()) return true; // verify ran it on others
    progress_(Words::tr("trace"));
    const simt::Trace own = trace(*own_.variant, tuning_);
    const bool original = originalTakesIt();
    trial_.parts << Words::tr("traced: %1").arg(askedText(own.counters));
    if (original)
      trial_.parts << Words::tr("%1 there: %2")
                          .arg(qtext(own_.original->id()),
                               askedText(trace(*own_.original, originalTuning()).counters));
    if (!sound(own)) return false;
    return std::all_of(trialOrders.begin() + 1, trialOrders.end(), [&](const simt::Schedule& schedule) {
      return sound(trace(*own_.variant, tuning_, schedule));
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
                                  const simt::Schedule& schedule = {}) const {
    return simt::traceStage({.variant = &variant,
                             .stage = stage_,
                             .problem = problem_,
                             .points = points_->values,
                             .centroids = centroids_,
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
    if (!points_) return;
    if (!originalTakesIt()) {
      trial_.parts << (own_.original
                           ? Words::tr("not raced: %1 cannot do the same").arg(qtext(own_.original->id()))
                           : Words::tr("not raced: the program has no variant of its family"));
      return;
    }
    const Variant* const alike = alike_();
    const Variant* const other = alike ? alike : own_.original;
    const bool onCard = card_ && other->has(stage_, Backend::cuda);
    Device& device = onCard ? *card_ : static_cast<Device&>(*device_);
    const SharedPointSet points = trialBlobs({onCard ? pointsOnCard : racedPoints, problem_.d, problem_.k});
    if (!points) return;
    progress_(Words::tr("race"));
    StageHarness bench(device, *points, triedClusters, {}, trialSeed);
    RaceOptions options;
    options.rounds = onCard ? 240 : 30; // which takes a card no longer
    options.analyses = 2;
    options.budgetSeconds = onCard ? 0.2 : 0.15;
    options.warmUpSeconds = onCard ? 0.1 : 0.05;
    const auto race =
        raceTwo(bench, {own_.variant, stage_, tuning_}, {other, stage_, originalTuning()}, options, cancel_);
    if (!race) return;
    const QString rival = qtext(own_.original->id());
    trial_.parts << Words::tr("raced on the %1: %2 µs against %3 µs of %4, %5 pairs")
                        .arg(onCard ? cardName() : Words::tr("simulator"), microsecondsText(race->ownUs),
                             microsecondsText(race->rivalUs), rival)
                        .arg(race->comparison.pairs);
    const QString where =
        onCard ? Words::tr("On the %1").arg(cardName()) : Words::tr("On the simulator, which is no card,");
    trial_.race = OwnRace{.device = onCard ? cardName() : QString(),
                          .problem = {points->n, problem_.d, problem_.k},
                          .us = race->ownUs,
                          .rival = rival,
                          .rivalUs = race->rivalUs,
                          .verdict = standingText(
                              race->comparison, where,
                              alike ? rival : Words::tr("%1, which another compiler optimised").arg(rival))};
    trial_.verdict += QLatin1Char(' ') + trial_.race->verdict;
  }

  const OwnVariant& own_;
  const AlikeOriginal& alike_;
  Stage stage_;
  const std::atomic<bool>* cancel_;
  const TrialProgress& progress_;
  std::unique_ptr<simt::SimtDevice> device_;
  BeginningCard& begun_;
  Device* card_ = nullptr; ///< null: none, or the variant is not made for one
  KernelTrial trial_;
  SharedPointSet points_;
  Problem problem_;
  std::vector<float> centroids_;
  Tuning tuning_;
};

} // namespace

QString KernelTrial::text() const {
  QString text = verdict + QLatin1Char('\n');
  for (const QString& part : parts)
    text += QStringLiteral("  ") + part + QLatin1Char('\n');
  return text;
}

namespace {

QJsonObject raceJson(const OwnRace& race) {
  return {{QStringLiteral("device"), race.device},
          {QStringLiteral("n"), static_cast<qint64>(race.problem.n)},
          {QStringLiteral("d"), race.problem.d},
          {QStringLiteral("k"), race.problem.k},
          {QStringLiteral("us"), race.us},
          {QStringLiteral("rival"), race.rival},
          {QStringLiteral("rival_us"), race.rivalUs},
          {QStringLiteral("verdict"), race.verdict}};
}

OwnRace raceFrom(const QJsonObject& json) {
  return {
      .device = json[u"device"].toString(),
      .problem = {static_cast<std::size_t>(json[u"n"].toInteger()), json[u"d"].toInt(), json[u"k"].toInt()},
      .us = json[u"us"].toDouble(),
      .rival = json[u"rival"].toString(),
      .rivalUs = json[u"rival_us"].toDouble(),
      .verdict = json[u"verdict"].toString()};
}

} // namespace

QJsonObject trialJson(const KernelTrial& trial) {
  QJsonObject json{{QStringLiteral("variant"), trial.variant},
                   {QStringLiteral("stage"), trial.stage},
                   {QStringLiteral("right"), trial.right},
                   {QStringLiteral("verdict"), trial.verdict},
                   {QStringLiteral("parts"), QJsonArray::fromStringList(trial.parts)}};
  if (trial.race) json[u"race"] = raceJson(*trial.race);
  return json;
}

std::optional<KernelTrial> trialFrom(const QJsonObject& json) {
  if (!json.contains(QStringLiteral("verdict"))) return std::nullopt;
  KernelTrial trial{json[u"variant"].toString(),
                    json[u"stage"].toString(),
                    json[u"right"].toBool(),
                    json[u"verdict"].toString(),
                    {},
                    {}};
  for (const auto& part : json[u"parts"].toArray())
    trial.parts << part.toString();
  if (json.contains(u"race")) trial.race = raceFrom(json[u"race"].toObject());
  return trial;
}

QJsonObject kernelNamesJson(const KernelNames& names) {
  QJsonObject json;
  for (const auto& [path, of] : names) {
    QJsonArray list;
    for (const std::string& name : of)
      list.append(qtext(name));
    json[qtext(path)] = list;
  }
  return json;
}

KernelNames kernelNamesFrom(const QJsonObject& json) {
  KernelNames names;
  for (auto file = json.begin(); file != json.end(); ++file)
    for (const auto& name : file->toArray())
      names[file.key().toStdString()].insert(name.toString().toStdString());
  return names;
}

BeginningCard::BeginningCard(KernelNames expected)
    : begun_(std::async(std::launch::async, [expected = std::move(expected)]() -> std::unique_ptr<Device> {
        try {
          std::unique_ptr<Device> device = createCudaDevice();
          if (expected.empty()) // the first compilation takes longer than others
            static_cast<void>(cuda::compileOwnKernels({}, device->info().computeCapability, {}));
          for (const auto& [path, names] : expected)
            expectOnCards(qtext(path), {names.begin(), names.end()}, device->info().computeCapability);
          return device;
        } catch (const DeviceError&) {
          return nullptr;
        }
      })) {}

Device* BeginningCard::get() {
  if (begun_.valid()) device_ = begun_.get();
  return device_.get();
}

std::vector<KernelTrial> tryKernel(const OwnVariant& own, const AlikeOriginal& alike, BeginningCard& card,
                                   const std::atomic<bool>* cancel, const TrialProgress& progress) {
  std::vector<KernelTrial> trials;
  for (const Stage stage : measuredStages)
    if (own.variant->has(stage, Backend::simt))
      trials.push_back(Trial(own, alike, stage, card, cancel, progress).run());
  if (own.variant->has(Stage::sets, Backend::simt))
    trials.push_back(trySchedule(own, alike, card, cancel, progress));
  return trials;
}

} // namespace lloyd
