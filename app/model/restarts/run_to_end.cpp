// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/run_to_end.hpp"

namespace lloyd {

EndedRun runToItsEnd(KMeansRunner& runner, const Settings& settings) {
  runner.configure(settings);
  EndedRun run;
  while (run.iterations < settings.iterations && !run.converged) {
    run.converged = converged(runner.iterate(false), settings.tolerance);
    ++run.iterations;
  }
  run.result = runner.finish(nullptr, &run.labels);
  run.result.times = {};
  run.result.anyChanged =
      !run.converged; // by its last iteration, which the labels found anew know nothing of
  return run;
}

} // namespace lloyd
