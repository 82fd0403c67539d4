// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/run_to_end.hpp"

#include "app/model/session/session.hpp"

#include <utility>

namespace lloyd {

void setUp(KMeansRunner& runner, BackendRequest backend, const SharedPointSet& points,
           const std::atomic<bool>& cancel) {
  runner.setCancel(&cancel);
  runner.chooseDevice(backend);
  runner.setData(points);
  runner.usePrivatePoints(Sharing::none, true);
}

EndedRun runToItsEnd(KMeansRunner& runner, const Settings& settings, OnTheWay onTheWay) {
  runner.configure(settings);
  EndedRun run;
  const bool kept = onTheWay == OnTheWay::kept;
  while (run.iterations < settings.iterations && !run.converged) {
    const IterationResult found = runner.iterate(kept);
    if (kept) run.history.emplace_back(found);
    run.converged = converged(found, settings.tolerance);
    ++run.iterations;
  }
  run.result = runner.finish(nullptr, &run.labels);
  run.result.times = {};
  run.result.anyChanged =
      !run.converged; // by its last iteration, which the labels found anew know nothing of
  return run;
}

KRunPtr keptRun(const Settings& settings, EndedRun&& run) {
  return std::make_shared<const KRun>(KRun{.k = settings.k,
                                           .seed = settings.seed,
                                           .iterations = run.iterations,
                                           .converged = run.converged,
                                           .result = std::move(run.result),
                                           .history = std::move(run.history)});
}

void adopt(Session& session, const KRun& run) {
  Settings settings = session.settings();
  settings.k = run.k;
  settings.seed = run.seed;
  session.setSettings(settings);
  session.adoptState({.result = run.result, .usedBefore = {}, .driftTime = 0, .history = run.history});
}

} // namespace lloyd
