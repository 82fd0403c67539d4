// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/asked_counts.hpp"

#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/teach/lesson/experiment.hpp"
#include "gpu/core/contract/error.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lloyd {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("AskedCounts", text); }

/// What is counted on: points at rest, and how they are taken.
struct Ground {
  PointSet points;
  int k = 0;
  Init init;
  Tuning tuning;
};

/// Points in bands begin in them, as in the papers, so that the clusters are the bands.
Init initFor(const std::string& generator) {
  return {.kind = generator.starts_with("bands") ? InitKind::bands : InitKind::kmeansPlusPlus,
          .given = {},
          .path = {}};
}

Ground groundOf(const Question& question, const TeachCounts* taught, const std::atomic<bool>* cancel) {
  if (question.with.isEmpty()) {
    if (!taught) throw RequestError("no points are at hand");
    Ground ground{{}, taught->problem.k, {}, taught->subject.tuning};
    ground.points.n = taught->problem.n;
    ground.points.d = taught->problem.d;
    ground.points.values = taught->input->points;
    ground.points.scales.resize(static_cast<std::size_t>(taught->problem.d));
    return ground;
  }
  const auto experiment = readExperiment(question.with);
  if (!experiment) throw RequestError(experiment.error().toStdString());
  const auto loaded = loadPoints(experiment->request, {}, cancel);
  if (!loaded) throw RequestError(loaded.error());
  return {**loaded, experiment->k.value_or(Settings{}.k), initFor(experiment->request.generator),
          experiment->tuning};
}

const Variant* variantOf(const Question& question, const TeachCounts* taught) {
  if (!question.of.isEmpty()) return Registry::instance().find(question.of.toStdString());
  if (!taught) return nullptr;
  return question.before ? taught->subject.before : taught->subject.variant;
}

StageCount countLaunch(const Variant& variant, const Ground& ground, const std::atomic<bool>* cancel) {
  const Problem problem = problemOf(ground.points, ground.k);
  TeachSubject subject;
  subject.stage = stageTaught(variant);
  subject.variant = &variant;
  subject.tuning = ground.tuning;
  return countStage({subject,
                     problem,
                     ground.points.values,
                     startingCentroids(ground.points, problem, ground.init, 1, cancel),
                     {}},
                    {}, &variant, cancel);
}

} // namespace

Stage stageTaught(const Variant& variant) {
  const std::vector<Stage> stages = taughtStages();
  const auto found = std::ranges::find_if(stages, [&](Stage stage) { return isCounted(variant, stage); });
  return found == stages.end() ? Stage::sets : *found;
}

QString askedKey(const Question& question) {
  const bool ofRun = isRunQuantity(question.quantity);
  if (!ofRun && question.of.isEmpty() && question.with.isEmpty()) return {};
  return QStringList{ofRun ? QStringLiteral("run") : QStringLiteral("launch"),
                     question.before ? QStringLiteral("before") : question.of, question.with}
      .join(u'\n');
}

AskedCount countAsked(const Question& question, const TeachCounts* taught, const std::atomic<bool>* cancel) {
  AskedCount count;
  const Variant* variant = variantOf(question, taught);
  count.launch.variant = variant;
  if (!variant) {
    count.why = tr("There is no version before");
    return count;
  }
  count.why = describeError([&] {
    const Ground ground = groundOf(question, taught, cancel);
    if (isRunQuantity(question.quantity))
      count.run = countRun(*variant, ground.points, ground.k, ground.init, ground.tuning, cancel);
    else
      count.launch = countLaunch(*variant, ground, cancel);
  });
  if (count.run || count.launch.trace) return count;
  if (count.why.isEmpty()) count.why = count.launch.why;
  count.launch.why = count.why;
  return count;
}

} // namespace lloyd
