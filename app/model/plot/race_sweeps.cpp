// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/race_sweeps.hpp"

#include "app/data/generate/generators.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t dataIndex(SweepParameter parameter) {
  return static_cast<std::size_t>(parameter) - static_cast<std::size_t>(SweepParameter::order);
}
constexpr SweepParameter dataParameter(std::size_t index) {
  return static_cast<SweepParameter>(static_cast<std::size_t>(SweepParameter::order) + index);
}

/// Whether the first says more than the second, which may be null.
bool better(const Measurement& one, const Measurement* other) {
  const auto value = valueOf(&one, SweepMetric::median);
  const auto before = valueOf(other, SweepMetric::median);
  return !other || (value && !(before && *before <= *value));
}

/// Order, spread and skew of the points that a source names.
std::array<std::optional<std::uint64_t>, 3> dataOf(const std::string& source) {
  std::array<std::optional<std::uint64_t>, 3> data;
  const auto spec = parseGenerator(source, {});
  if (!spec) return data; // a file, or scaled points, whose spread is another
  const double values[] = {spec->mixed, spec->spread, spec->skew};
  for (std::size_t i = 0; i < data.size(); ++i)
    if (std::ranges::any_of(spec->generator->keys,
                            [&](const GeneratorKey& key) { return key.name == name(dataParameter(i)); }))
      data[i] = static_cast<std::uint64_t>(std::llround(values[i] * thousandths));
  return data;
}

/// Whether a row has a value of a parameter that can be held against another's.
bool has(const RaceRow& row, SweepParameter parameter) {
  if (isTuningParameter(parameter)) return row.measured->candidate.variant->parameter(name(parameter));
  return !isDataParameter(parameter) || row.data[dataIndex(parameter)];
}

} // namespace

RaceRows rowsOfRanked(const std::vector<const RaceResult*>& races) {
  std::set<std::pair<Stage, const Variant*>> ranked;
  RaceRows rows;
  for (const RaceResult* race : races) {
    const auto data = dataOf(race->source);
    for (const Measurement& row : race->rows) {
      rows.push_back({&row, data});
      if (row.rank > 0) ranked.insert({row.candidate.stage, row.candidate.variant});
    }
  }
  std::erase_if(rows, [&](const RaceRow& row) {
    return !ranked.contains({row.measured->candidate.stage, row.measured->candidate.variant});
  });
  return rows;
}

std::uint64_t valueIn(const RaceRow& row, SweepParameter parameter) {
  const Measurement& measured = *row.measured;
  if (isDataParameter(parameter)) return row.data[dataIndex(parameter)].value_or(0);
  switch (parameter) {
  case SweepParameter::n:
    return measured.problem.n;
  case SweepParameter::d:
    return static_cast<std::uint64_t>(measured.problem.d);
  case SweepParameter::k:
    return static_cast<std::uint64_t>(measured.problem.k);
  default:
    return static_cast<std::uint64_t>(measured.candidate.tuning.value(name(parameter)));
  }
}

std::vector<SweepParameter> sweptIn(const RaceRows& rows) {
  std::vector<SweepParameter> swept;
  for (std::size_t i = 0; i < sweepParameterCount; ++i) {
    const auto parameter = static_cast<SweepParameter>(i);
    std::set<std::uint64_t> values;
    for (const RaceRow& row : rows)
      if (has(row, parameter)) values.insert(valueIn(row, parameter));
    if (values.size() > 1) swept.push_back(parameter);
  }
  return swept;
}

SweepResult sweepOf(const RaceRows& rows, const std::vector<SweepParameter>& over) {
  SweepResult result;
  result.finished = true;
  result.plan.base = rows.front().measured->problem;
  for (const SweepParameter parameter : over) {
    std::set<std::uint64_t> values;
    for (const RaceRow& row : rows)
      values.insert(valueIn(row, parameter));
    result.plan.axes.push_back({parameter, {values.begin(), values.end()}});
  }
  std::vector<Candidate>& candidates = result.plan.candidates;
  const auto candidateOf = [&](const Measurement& row) {
    return std::ranges::find(candidates, row.candidate.variant, &Candidate::variant);
  };
  for (const auto& [measured, data] : rows)
    if (candidateOf(*measured) == candidates.end())
      candidates.push_back({measured->candidate.variant, measured->candidate.stage,
                            measured->candidate.variant->complete({})});
  result.cells.resize(result.plan.cells());
  const auto placeOf = [&](const RaceRow& row, std::size_t axis) -> std::size_t {
    if (axis >= over.size()) return 0;
    const auto& values = result.plan.axes[axis].values;
    return static_cast<std::size_t>(std::ranges::find(values, valueIn(row, over[axis])) - values.begin());
  };
  for (const RaceRow& row : rows) {
    const auto candidate = static_cast<std::size_t>(candidateOf(*row.measured) - candidates.begin());
    auto& cell = result.cells[result.plan.index(placeOf(row, 0), placeOf(row, 1), candidate)];
    if (better(*row.measured, cell.get()))
      cell = std::shared_ptr<const Measurement>(std::shared_ptr<void>(), row.measured);
  }
  return result;
}

} // namespace lloyd
