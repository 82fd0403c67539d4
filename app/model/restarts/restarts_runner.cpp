// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/restarts_runner.hpp"

#include "app/model/restarts/run_to_end.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace lloyd {
namespace {

/// The values of chosen rows across their box.
std::vector<float> across(std::span<const float> column, std::span<const std::size_t> rows) {
  const auto [low, high] = std::ranges::minmax(column);
  const double extent = static_cast<double>(high) - static_cast<double>(low);
  std::vector<float> values;
  values.reserve(rows.size());
  for (const std::size_t row : rows)
    values.push_back(extent > 0 ? static_cast<float>(
                                      (static_cast<double>(column[row]) - static_cast<double>(low)) / extent)
                                : 0.5f);
  return values;
}

/// To its end, or as far as the settings let it go.
RestartRun restartFrom(KMeansRunner& runner, const Settings& settings,
                       const std::shared_ptr<const SketchPoints>& sketch) {
  EndedRun ended = runToItsEnd(runner, settings, OnTheWay::kept);
  RestartRun run{.seed = settings.seed,
                 .iterations = ended.iterations,
                 .converged = ended.converged,
                 .result = std::move(ended.result),
                 .history = std::move(ended.history),
                 .points = sketch,
                 .labels = {}};
  run.labels.reserve(sketch->rows.size());
  for (const std::size_t row : sketch->rows)
    run.labels.push_back(ended.labels[row]);
  return run;
}

} // namespace

std::shared_ptr<const SketchPoints> sketchOf(const PointSet& points) {
  auto sketch = std::make_shared<SketchPoints>();
  const std::size_t count = std::min(points.n, SketchPoints::most);
  sketch->rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    sketch->rows.push_back(i * points.n / count);
  if (count == 0) return sketch;
  sketch->x = across({points.row(0), points.n}, sketch->rows);
  if (points.d > 1) {
    sketch->y = across({points.row(1), points.n}, sketch->rows);
    return sketch;
  }
  constexpr double golden = 0.6180339887498949; // its multiples spread evenly over the turn
  for (const std::size_t row : sketch->rows)
    sketch->y.push_back(static_cast<float>(std::fmod(golden * static_cast<double>(row), 1.0)));
  return sketch;
}

RestartsRunner::RestartsRunner(Session& session, DeviceLease& lease, QObject* parent,
                               KMeansRunner::DeviceFactory factory)
    : MeasuringTask(session, lease,
                    {tr("series of runs"), tr("Runs from other first centroids are being made"),
                     tr("Thread by thread a run takes minutes: choose the CPU or a GPU")},
                    parent, std::move(factory)) {
  for (const auto signal : {&Session::dataChanged, &Session::settingsChanged})
    connect(&session, signal, this, &RestartsRunner::forgetOther);
}

QString RestartsRunner::whyNotRestarts() const {
  if (QString why = whyNot(); !why.isEmpty()) return why;
  if (session().data()->drift) return tr("These points move, so that no run comes to an end");
  const InitKind kind = session().settings().init.kind;
  if (kind != InitKind::kmeansPlusPlus && kind != InitKind::random)
    return tr("The first centroids leave nothing to chance: choose kmeans++ or random");
  return {};
}

void RestartsRunner::start(int restarts) {
  if (const QString why = whyNotRestarts(); !why.isEmpty()) return refuse(why);
  runs_.clear();
  asked_ = std::clamp(restarts, 1, mostRestarts);
  points_ = session().data();
  settings_ = session().settings();
  begin([this, count = asked_](const JobPtr& job, std::unique_ptr<Device> device,
                               const SharedPointSet& points) { run(count, job, std::move(device), points); });
  Q_EMIT changed();
}

/// On the thread.
void RestartsRunner::run(int restarts, const JobPtr& job, std::unique_ptr<Device> device,
                         const SharedPointSet& points) {
  KMeansRunner runner([&](BackendRequest) { return ChosenDevice{.device = std::move(device), .why = {}}; });
  setUp(runner, requestOf(job->backend), points, job->cancel);
  const auto sketch = sketchOf(*points);
  Settings settings = job->settings;
  for (int i = 0; i < restarts; ++i, ++settings.seed) {
    if (job->cancel) throw Cancelled();
    const auto found = std::make_shared<const RestartRun>(restartFrom(runner, settings, sketch));
    tell(job, [this, found] {
      runs_.push_back(found);
      Q_EMIT changed();
    });
  }
}

QString RestartsRunner::close(const JobPtr&, bool failed) {
  if (failed) return tr("Everything else goes on");
  return runs_.empty() ? tr("none had come to its end")
                       : countedText(runs_.size(), tr("the %1 that had come to its end stays"),
                                     tr("the %1 that had come to their end stay"));
}

/// Runs of other points, or of another number of clusters, say nothing here.
void RestartsRunner::forgetOther() {
  if (runs_.empty() || running()) return;
  if (points_.lock() == session().data() && sameProblem(settings_, session().settings())) return;
  runs_.clear();
  Q_EMIT changed();
}

RestartRunPtr RestartsRunner::best() const {
  const auto least = std::ranges::min_element(runs_, {}, [](const auto& run) { return run->inertia(); });
  return least == runs_.end() ? nullptr : *least;
}

} // namespace lloyd
