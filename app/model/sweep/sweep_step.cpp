// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_step.hpp"

#include "app/model/measure/measure_candidates.hpp"
#include "gpu/core/contract/error.hpp"

#include <new>
#include <string>

namespace lloyd {
namespace {

std::shared_ptr<const Measurement> gap(const SweepTask& task, const Problem& problem,
                                       const std::string& reason) {
  auto measurement = std::make_shared<Measurement>();
  measurement->candidate = task.candidate;
  measurement->problem = problem;
  measurement->skipped = reason;
  return measurement;
}

/// The step's race, or the reason why there is none.
tl::expected<RaceResult, std::string> raceOf(Device& device, SweepData& data, const Problem& problem,
                                             const std::vector<Candidate>& candidates,
                                             const SweepMethod& method, const std::atomic<bool>& cancel,
                                             const std::function<void()>& tick) {
  try {
    const auto points = data.points(problem.n, problem.d, &cancel);
    if (cancel) throw Cancelled();
    if (!points) return tl::unexpected(points.error());
    StageHarness bench(device, **points, problem.k, method.init, method.seed);
    RaceOptions options = method.options;
    options.budgetSeconds = method.cellSeconds * static_cast<double>(candidates.size());
    return measure(bench, candidates, options, [&](const RaceProgress&) {
      if (cancel) throw Cancelled();
      if (tick) tick();
    });
  } catch (const RequestError& wrong) {
    return tl::unexpected(std::string(wrong.what()));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(std::string("there is not enough memory for this size"));
  } catch (const DeviceError& wrong) {
    if (wrong.severity() == Severity::lost || wrong.severity() == Severity::absent) throw;
    return tl::unexpected(std::string(wrong.meaning()));
  }
}

} // namespace

SweepCells measureStep(Device& device, SweepData& data, const SweepStep& step, const SweepMethod& method,
                       const std::atomic<bool>& cancel, const std::function<void()>& tick) {
  SweepCells cells;
  std::vector<Candidate> candidates;
  std::vector<const SweepTask*> racing;
  for (const SweepTask& task : step.tasks) {
    if (!task.whyNot.empty()) {
      cells.emplace_back(task.cell, gap(task, step.problem, task.whyNot));
      continue;
    }
    candidates.push_back(task.candidate);
    racing.push_back(&task);
  }
  if (racing.empty()) return cells;
  const auto race = raceOf(device, data, step.problem, candidates, method, cancel, tick);
  for (std::size_t i = 0; i < racing.size(); ++i)
    cells.emplace_back(racing[i]->cell, race ? std::make_shared<const Measurement>(race->rows[i])
                                             : gap(*racing[i], step.problem, race.error()));
  return cells;
}

} // namespace lloyd
