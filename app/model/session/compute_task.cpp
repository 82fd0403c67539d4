// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/compute_task.hpp"

namespace lloyd {

void ComputeTask::perform(KMeansRunner& runner, TaskResult& out) const {
  out.work = work;
  out.settings = runner.settings();
  runner.configure(settings);
  out.settings = settings;
  out.plan = runner.plan();
  if (restart) runner.restart();
  for (const auto& [cluster, position] : moves)
    runner.moveCentroid(cluster, position);
  const PointMemory* memory = lent ? &*lent : nullptr;
  const Traffic before = runner.device().traffic();
  const bool second = runner.halfway();
  switch (work) {
  case RunWork::prepare:
  case RunWork::attach:
    return; // no work on points
  case RunWork::iteration:
    out.result = runner.iterate(true, memory);
    if (second) out.half = Half::update;
    break;
  case RunWork::half:
    out.result = runner.halfStep(memory);
    out.half = second ? Half::update : Half::classify;
    break;
  case RunWork::back:
    out.result = runner.canStepBack() ? runner.stepBack(memory) : runner.preview(memory);
    break;
  case RunWork::adopt:
    out.state = state;
    out.result = runner.takeState(*state, memory);
    break;
  case RunWork::preview:
    out.result = runner.preview(memory);
    break;
  case RunWork::labels:
    out.result = runner.finish(memory, &out.labels);
    break;
  }
  out.canStepBack = runner.canStepBack();
  out.driftTime = runner.driftTime();
  out.beside = runner.stateBeside();
  out.wrote = runner.wroteBack();
  if (copies && out.wrote) out.frame = runner.frame(&out.result.times);
  const Traffic after = runner.device().traffic();
  out.result.hostBytes = after.toDevice - before.toDevice + after.toHost - before.toHost;
}

} // namespace lloyd
