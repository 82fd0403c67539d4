// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/race_sweeps.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace lloyd {
namespace {

/// Whether the first says more than the second, which may be null.
bool better(const Measurement& one, const Measurement* other) {
  const auto value = valueOf(&one, SweepMetric::median);
  const auto before = valueOf(other, SweepMetric::median);
  return !other || (value && !(before && *before <= *value));
}

} // namespace

RaceRows rowsOfRanked(const std::vector<const RaceResult*>& races) {
  std::set<std::pair<Stage, const Variant*>> ranked;
  RaceRows rows;
  for (const RaceResult* race : races)
    for (const Measurement& row : race->rows) {
      rows.push_back(&row);
      if (row.rank > 0) ranked.insert({row.candidate.stage, row.candidate.variant});
    }
  std::erase_if(rows, [&](const Measurement* row) {
    return !ranked.contains({row->candidate.stage, row->candidate.variant});
  });
  return rows;
}

std::uint64_t valueIn(const Measurement& row, SweepParameter parameter) {
  switch (parameter) {
  case SweepParameter::n:
    return row.problem.n;
  case SweepParameter::d:
    return static_cast<std::uint64_t>(row.problem.d);
  case SweepParameter::k:
    return static_cast<std::uint64_t>(row.problem.k);
  default:
    return static_cast<std::uint64_t>(row.candidate.tuning.value(name(parameter)));
  }
}

std::vector<SweepParameter> sweptIn(const RaceRows& rows) {
  std::vector<SweepParameter> swept;
  for (auto i = static_cast<int>(SweepParameter::n); i <= static_cast<int>(SweepParameter::arithmetic); ++i) {
    const auto parameter = static_cast<SweepParameter>(i);
    std::set<std::uint64_t> values;
    for (const Measurement* row : rows)
      if (!isTuningParameter(parameter) || row->candidate.variant->parameter(name(parameter)))
        values.insert(valueIn(*row, parameter));
    if (values.size() > 1) swept.push_back(parameter);
  }
  return swept;
}

SweepResult sweepOf(const RaceRows& rows, const std::vector<SweepParameter>& over) {
  SweepResult result;
  result.finished = true;
  result.plan.base = rows.front()->problem;
  for (const SweepParameter parameter : over) {
    std::set<std::uint64_t> values;
    for (const Measurement* row : rows)
      values.insert(valueIn(*row, parameter));
    result.plan.axes.push_back({parameter, {values.begin(), values.end()}});
  }
  std::vector<Candidate>& candidates = result.plan.candidates;
  const auto candidateOf = [&](const Measurement& row) {
    return std::ranges::find(candidates, row.candidate.variant, &Candidate::variant);
  };
  for (const Measurement* row : rows)
    if (candidateOf(*row) == candidates.end())
      candidates.push_back(
          {row->candidate.variant, row->candidate.stage, row->candidate.variant->complete({})});
  result.cells.resize(result.plan.cells());
  const auto placeOf = [&](const Measurement& row, std::size_t axis) -> std::size_t {
    if (axis >= over.size()) return 0;
    const auto& values = result.plan.axes[axis].values;
    return static_cast<std::size_t>(std::ranges::find(values, valueIn(row, over[axis])) - values.begin());
  };
  for (const Measurement* row : rows) {
    const auto candidate = static_cast<std::size_t>(candidateOf(*row) - candidates.begin());
    auto& cell = result.cells[result.plan.index(placeOf(*row, 0), placeOf(*row, 1), candidate)];
    if (better(*row, cell.get())) cell = std::shared_ptr<const Measurement>(std::shared_ptr<void>(), row);
  }
  return result;
}

} // namespace lloyd
