// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/best_run.hpp"

#include "app/cli/commands.hpp"
#include "app/data/table/table.hpp"
#include "app/model/compute/set_runs.hpp"
#include "app/model/quality/cluster_scores.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

namespace lloyd {
namespace {

/// All at once, by the plan's schedule.
void repeat(KMeansRunner& runner, RunReport& report, Messages& messages) {
  if (report.settings.iterations == 0) return;
  messages.progress(QStringLiteral("iterations begin, up to %1 of them by %2")
                        .arg(report.settings.iterations)
                        .arg(qtext(report.plan.schedule->id())));
  const IterationResult last = runner.iterateUntil(report.settings.tolerance, report.settings.iterations);
  throwIfInterrupted();
  report.rememberRepeated(last);
  report.converged = converged(last, report.settings.tolerance);
}

void iterate(KMeansRunner& runner, RunReport& report, Messages& messages) {
  if (report.plan.repeats()) return repeat(runner, report, messages);
  for (int i = 0; i < report.settings.iterations && !report.converged; ++i) {
    if (runner.device().backend() == Backend::simt) // one alone may take minutes there
      messages.progress(QStringLiteral("iteration %1 begins, thread by thread").arg(i + 1));
    const IterationResult result = runner.iterate(true);
    throwIfInterrupted();
    report.remember(result);
    report.converged = converged(result, report.settings.tolerance);
    messages.progress(QStringLiteral("iteration %1: inertia %2, largest shift %3")
                          .arg(result.iteration)
                          .arg(inertiaText(result.inertia.value_or(0)), significantText(result.shift)));
  }
}

/// Whoever has classes sees how clusters agree with them.
bool wantsLabels(const RunOrder& order, const RunReport& report) {
  return order.labels || order.scores != ScoredRuns::none || hasClass(*report.data);
}

/// Of one subject. The sample of a silhouette is the same in all runs and for every k, so that they differ by
/// their clusters alone.
std::optional<ClusterScores> scoresFor(const RunReport& report, std::span<const Label> labels,
                                       std::uint64_t seed, Messages& messages) {
  if (!canScore(*report.data)) return std::nullopt;
  const ReadControl control{.progress =
                                [&](std::uint64_t, double fraction) {
                                  messages.progress(QStringLiteral("k = %1, seed %2: silhouette, %3 %")
                                                        .arg(report.settings.k)
                                                        .arg(report.settings.seed)
                                                        .arg(static_cast<int>(100 * fraction)));
                                },
                            .cancel = &cancelOnInterrupt()};
  return scoresOf(*report.data, labels, report.settings.k, {.seed = seed}, control);
}

FinishedRun runFrom(std::uint64_t seed, const RunReport& begun, const RunOrder& order, KMeansRunner& runner,
                    Messages& messages) {
  FinishedRun run{.report = begun, .labels = {}};
  run.report.settings.seed = seed;
  runner.configure(run.report.settings);
  run.report.plan = runner.plan();
  if (runner.uploadUs() > 0) run.report.addTime(Stage::upload, runner.uploadUs());
  const auto begin = std::chrono::steady_clock::now();
  iterate(runner, run.report, messages);
  run.report.restartsUs =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
  run.report.result = runner.finish(nullptr, wantsLabels(order, begun) ? &run.labels : nullptr);
  if (const StreamFacts* streamed = runner.streamed()) run.report.streamed = *streamed;
  throwIfInterrupted();
  if (order.scores == ScoredRuns::all)
    run.report.scores = scoresFor(run.report, run.labels, begun.settings.seed, messages);
  return run;
}

Restart restartOf(const FinishedRun& run) {
  return {.seed = run.report.settings.seed,
          .iterations = run.report.iterations,
          .converged = run.report.converged,
          .inertia = run.inertia(),
          .scores = run.report.scores};
}

/// What is left to do for the best of a subject's runs.
void complete(FinishedRun& best, const RunOrder& order, std::uint64_t seed, Messages& messages) {
  if (order.scores == ScoredRuns::best)
    best.report.scores = scoresFor(best.report, best.labels, seed, messages);
  if (hasClass(*best.report.data))
    best.report.classes = agreementWithClass(*best.report.data, best.labels, best.report.settings.k);
  if (!order.labels) best.labels = {};
}

/// The best of a subject's sets, with all of them in its report.
FinishedRun bestOf(std::span<const SetOutcome> sets, const RunSubject& subject, double usPerIteration,
                   const RunOrder& order, KMeansRunner& runner, Messages& messages) {
  subject.giveTo(runner);
  FinishedRun best{.report = subject.begun, .labels = {}};
  const std::uint64_t seed = subject.begun.settings.seed;
  std::vector<Restart> all;
  for (const SetOutcome& set : sets) {
    const bool judged = order.scores == ScoredRuns::all;
    best.report.settings.seed = set.seed;
    all.push_back(
        {.seed = set.seed,
         .iterations = set.iterations,
         .converged = set.needed > 0,
         .inertia = runner.finishFrom(set.centroids, judged ? &best.labels : nullptr).inertia.value_or(0)});
    throwIfInterrupted();
    if (judged) all.back().scores = scoresFor(best.report, best.labels, seed, messages);
  }
  const auto least = std::ranges::min_element(all, {}, &Restart::inertia);
  RunReport& report = best.report;
  report.plan = runner.plan();
  if (runner.uploadUs() > 0) report.addTime(Stage::upload, runner.uploadUs());
  report.addTime(Stage::sets, usPerIteration);
  report.settings.seed = least->seed;
  report.iterations = least->iterations;
  report.converged = least->converged;
  const SetOutcome& chosen = sets[static_cast<std::size_t>(least - all.begin())];
  if (chosen.needed > 0 && chosen.needed < chosen.iterations) report.needed = chosen.needed;
  report.result = runner.finishFrom(chosen.centroids, wantsLabels(order, report) ? &best.labels : nullptr);
  report.scores = least->scores;
  complete(best, order, seed, messages);
  if (all.size() > 1) {
    for (const Restart& restart : all)
      report.restartsUs += usPerIteration * restart.iterations;
    report.restarts = std::move(all);
  }
  return best;
}

/// "schedule.multi, k = 4"
QString timelineName(const QString& schedule, const std::vector<RunSubject>& subjects) {
  const auto [fewest, most] = std::ranges::minmax_element(
      subjects, {}, [](const RunSubject& subject) { return subject.begun.settings.k; });
  QString ks = QString::number(fewest->begun.settings.k);
  if (most->begun.settings.k != fewest->begun.settings.k)
    ks += QStringLiteral(" to %1").arg(most->begun.settings.k);
  return QStringLiteral("%1, k = %2").arg(schedule, ks);
}

std::vector<SetStart> startsOf(const std::vector<RunSubject>& subjects, std::uint64_t restarts,
                               KMeansRunner& runner) {
  std::vector<SetStart> starts;
  for (const RunSubject& subject : subjects) {
    subject.giveTo(runner);
    for (std::uint64_t r = 0; r < restarts; ++r) {
      starts.push_back(runner.setFrom(subject.begun.settings.seed + r));
      throwIfInterrupted();
    }
  }
  return starts;
}

} // namespace

void RunSubject::giveTo(KMeansRunner& runner) const {
  if (runner.data() != points.points) {
    runner.setData(points.points, points.file);
    constexpr bool unseen = true; // labels are looked at once, when the run has ended
    runner.usePrivatePoints(Sharing::none, unseen);
  }
  runner.configure(begun.settings);
}

FinishedRun bestRun(const RunSubject& subject, const RunOrder& order, KMeansRunner& runner,
                    Messages& messages) {
  const std::uint64_t seed = subject.begun.settings.seed;
  FinishedRun best = runFrom(seed, subject.begun, order, runner, messages);
  if (order.restarts == 1) {
    complete(best, order, seed, messages);
    return best;
  }
  std::vector<Restart> all;
  const auto remember = [&](const FinishedRun& run) {
    all.push_back(restartOf(run));
    messages.progress(QStringLiteral("run %1 of %2: inertia %3")
                          .arg(all.size())
                          .arg(order.restarts)
                          .arg(inertiaText(run.inertia())));
  };
  remember(best);
  double us = best.report.restartsUs;
  while (all.size() < order.restarts) {
    FinishedRun run = runFrom(seed + all.size(), subject.begun, order, runner, messages);
    remember(run);
    us += run.report.restartsUs;
    if (run.inertia() < best.inertia()) best = std::move(run);
  }
  best.report.restarts = std::move(all);
  best.report.restartsUs = us;
  complete(best, order, seed, messages);
  return best;
}

std::vector<FinishedRun> bestSets(const std::vector<RunSubject>& subjects, const RunOrder& order,
                                  KMeansRunner& runner, Messages& messages) {
  const Settings& settings = subjects.front().begun.settings;
  if (settings.tolerance > 0)
    throw RequestError("--tolerance ends runs that are done one iteration at a time; " +
                       settings.selection.schedule + " ends each when no label changes");
  const std::vector<SetStart> starts = startsOf(subjects, order.restarts, runner);
  const QString schedule = qtext(starts.front().plan.schedule->id());
  messages.progress(
      QStringLiteral("%1 by %2, up to %3 iterations each")
          .arg(countedText(starts.size(), QStringLiteral("%1 set begins"), QStringLiteral("%1 sets begin")),
               schedule)
          .arg(settings.iterations));
  const SetsOutcome outcome =
      runSets(runner.device(), starts, settings.iterations, order.timelines != nullptr);
  throwIfInterrupted();
  if (order.timelines) {
    order.timelines->push_back({timelineName(schedule, subjects), outcome.timeline});
    if (outcome.recorded < starts.size())
      messages.warning(QStringLiteral("the timeline has the first %1 of %2 sets, those that ran at once")
                           .arg(outcome.recorded)
                           .arg(starts.size()));
  }
  int iterations = 0;
  for (const SetOutcome& set : outcome.sets)
    iterations += set.iterations;
  std::vector<FinishedRun> best;
  const auto restarts = static_cast<std::size_t>(order.restarts);
  for (std::size_t s = 0; s < subjects.size(); ++s)
    best.push_back(bestOf(std::span(outcome.sets).subspan(s * restarts, restarts), subjects[s],
                          outcome.us / iterations, order, runner, messages));
  return best;
}

} // namespace lloyd
