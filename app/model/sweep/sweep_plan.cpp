// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/sweep/sweep_plan.hpp"

#include "app/data/generate/generators.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/point_set.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t mostValues = 256; ///< on one axis

struct Limits {
  std::uint64_t low;
  std::uint64_t high;
};

/// What makes any sense at all; what a variant or a generator allows is found out cell by cell.
constexpr Limits limitsOf(SweepParameter parameter) {
  switch (parameter) {
  case SweepParameter::n:
    return {1, (std::uint64_t{1} << 32) - 1};
  case SweepParameter::d:
    return {1, std::uint64_t{1} << 16};
  case SweepParameter::k:
    return {1, std::uint64_t{1} << 24};
  default:
    return {1, std::uint64_t{1} << 20};
  }
}

std::size_t placeOf(std::size_t axis, std::size_t column, std::size_t row) {
  return axis == 0 ? column : row;
}

/// Whether a generator can make that many of key ("n" or "d").
bool allows(const Generator& generator, std::string_view key, double value) {
  return std::any_of(generator.keys.begin(), generator.keys.end(), [&](const GeneratorKey& one) {
    return one.name == key && value >= one.least && value <= one.most;
  });
}

} // namespace

std::string_view name(SweepParameter parameter) {
  constexpr std::array<std::string_view, 3> sizes{"n", "d", "k"};
  constexpr std::array<std::string_view, 3> data{"order", "spread", "skew"}; // as generators call them
  const auto index = static_cast<std::size_t>(parameter);
  if (isDataParameter(parameter)) return data[index - static_cast<std::size_t>(SweepParameter::order)];
  return index < sizes.size() ? sizes[index] : tuningParameters[index - sizes.size()];
}

namespace {

/// The most that any generator takes for a key of data.
double mostOf(SweepParameter parameter) {
  if (parameter == SweepParameter::order) return 1; // a share, of which the key knows words as well
  double most = 0;
  for (const Generator& generator : generators())
    for (const GeneratorKey& key : generator.keys)
      if (key.name == name(parameter)) most = std::max(most, key.most);
  return most;
}

/// Numbers between commas, as thousandths.
std::vector<std::uint64_t> parseThousandths(SweepParameter parameter, std::string_view text,
                                            const std::string& called) {
  const double most = mostOf(parameter);
  std::set<std::uint64_t> values;
  for (const std::string& part : splitList(text)) {
    const auto value = parseReal(part);
    const double thousand = value.value_or(-1) * thousandths;
    if (!value || !(*value >= 0 && *value <= most) || std::abs(thousand - std::round(thousand)) > 1e-6)
      throw RequestError(called + ": '" + part + "' is no number from 0 to " +
                         countText(static_cast<std::uint64_t>(most)).toStdString() +
                         " of at most three decimals");
    values.insert(static_cast<std::uint64_t>(std::llround(thousand)));
  }
  return {values.begin(), values.end()};
}

std::vector<std::uint64_t> parseArithmetic(std::string_view text, const std::string& called) {
  std::set<std::uint64_t> values;
  for (const std::string& part : splitList(text)) {
    const auto known = {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf};
    const auto* const found = std::ranges::find(known, part, [](Arithmetic one) { return name(one); });
    if (found == known.end())
      throw RequestError(called + ": '" + part + "' is none of multiply, pow and powf");
    values.insert(static_cast<std::uint64_t>(*found));
  }
  return {values.begin(), values.end()};
}

} // namespace

SweepAxis parseSweepAxis(SweepParameter parameter, std::string_view text, std::string_view called) {
  const Limits limits = limitsOf(parameter);
  const std::string word(called.empty() ? name(parameter) : called);
  SweepAxis axis{parameter, isDataParameter(parameter) ? parseThousandths(parameter, text, word)
                            : parameter == SweepParameter::arithmetic
                                ? parseArithmetic(text, word)
                                : parseCounts(word, text, limits.low, limits.high)};
  if (axis.values.size() > mostValues)
    throw RequestError(word + ": " + std::to_string(axis.values.size()) + " values are more than the " +
                       std::to_string(mostValues) + " that fit an axis");
  std::sort(axis.values.begin(), axis.values.end());
  return axis;
}

bool SweepPlan::sweeps(SweepParameter parameter) const {
  return std::any_of(axes.begin(), axes.end(),
                     [&](const SweepAxis& axis) { return axis.parameter == parameter; });
}

Problem SweepPlan::problemAt(std::size_t column, std::size_t row) const {
  Problem problem = base;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const std::uint64_t value = axes[a].values[placeOf(a, column, row)];
    if (axes[a].parameter == SweepParameter::n) problem.n = static_cast<std::size_t>(value);
    if (axes[a].parameter == SweepParameter::d) problem.d = static_cast<int>(value);
    if (axes[a].parameter == SweepParameter::k) problem.k = static_cast<int>(value);
  }
  return problem;
}

DataChanges SweepPlan::dataAt(std::size_t column, std::size_t row) const {
  DataChanges changes;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (isDataParameter(axes[a].parameter))
      changes[std::string(name(axes[a].parameter))] =
          static_cast<double>(axes[a].values[placeOf(a, column, row)]) / thousandths;
  return changes;
}

Candidate SweepPlan::candidateAt(std::size_t column, std::size_t row, std::size_t candidate) const {
  Candidate result = candidates[candidate];
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!isTuningParameter(axes[a].parameter) || !result.variant->parameter(name(axes[a].parameter)))
      continue;
    const std::uint64_t value = axes[a].values[placeOf(a, column, row)];
    result.tuning.set(name(axes[a].parameter), static_cast<int>(value));
  }
  return result;
}

bool SweepPlan::operator==(const SweepPlan& other) const {
  return axes == other.axes && base == other.base &&
         std::equal(candidates.begin(), candidates.end(), other.candidates.begin(), other.candidates.end(),
                    sameCandidate);
}

std::vector<SweepStep> expand(const SweepPlan& plan) {
  std::vector<SweepStep> steps;
  for (std::size_t row = 0; row < plan.rows(); ++row)
    for (std::size_t column = 0; column < plan.columns(); ++column) {
      const Problem problem = plan.problemAt(column, row);
      const DataChanges data = plan.dataAt(column, row);
      auto step = std::find_if(steps.begin(), steps.end(), [&](const SweepStep& one) {
        return one.problem == problem && one.data == data;
      });
      if (step == steps.end()) step = steps.insert(steps.end(), SweepStep{problem, data, {}});
      for (std::size_t c = 0; c < plan.candidates.size(); ++c) {
        SweepTask task{plan.index(column, row, c), plan.candidateAt(column, row, c), {}};
        for (const SweepAxis& axis : plan.axes)
          if (isTuningParameter(axis.parameter) && !task.candidate.variant->parameter(name(axis.parameter)))
            task.whyNot =
                task.candidate.variant->id() + " has no parameter " + std::string(name(axis.parameter));
        step->tasks.push_back(std::move(task));
      }
    }
  std::stable_sort(steps.begin(), steps.end(), [](const SweepStep& a, const SweepStep& b) {
    return std::tuple(a.problem.n, a.problem.d, a.problem.k) <
           std::tuple(b.problem.n, b.problem.d, b.problem.k);
  });
  return steps;
}

std::string_view unit(SweepMetric metric) {
  constexpr std::array<std::string_view, sweepMetricCount> units{
      "µs", "GB/s", "%", "million points/s", "%", "registers", "times"};
  return units[static_cast<std::size_t>(metric)];
}

std::optional<double> valueOf(const Measurement* measurement, SweepMetric metric) {
  if (!measurement || !measurement->ran() || !measurement->verified || !(measurement->times.median > 0))
    return std::nullopt;
  switch (metric) {
  case SweepMetric::median:
    return measurement->times.median;
  case SweepMetric::bandwidth:
    return measurement->gigabytesPerSecond();
  case SweepMetric::ofLimit:
    if (!measurement->ofLimit()) return std::nullopt;
    return 100 * *measurement->ofLimit();
  case SweepMetric::occupancy:
    if (!measurement->resources) return std::nullopt;
    return 100 * measurement->resources->occupancy;
  case SweepMetric::registers:
    if (!measurement->resources) return std::nullopt;
    return measurement->resources->registers;
  case SweepMetric::relative:
    return std::nullopt;
  default:
    return static_cast<double>(measurement->problem.n) / measurement->times.median;
  }
}

std::optional<double> valueAt(const SweepResult& result, std::size_t column, std::size_t row,
                              std::size_t candidate, SweepMetric metric) {
  const Measurement* here = result.at(column, row, candidate);
  if (metric != SweepMetric::relative) return valueOf(here, metric);
  for (std::size_t a = 0; a < result.plan.axes.size(); ++a) {
    const SweepAxis& axis = result.plan.axes[a];
    if (axis.parameter != SweepParameter::items || axis.values.front() != 1) continue;
    const Measurement* one = a == 0 ? result.at(0, row, candidate) : result.at(column, 0, candidate);
    const auto before = valueOf(one, SweepMetric::median);
    const auto now = valueOf(here, SweepMetric::median);
    if (before && now) return *before / *now;
  }
  return std::nullopt;
}

std::string gapReason(const Measurement* measurement) {
  if (!measurement) return {};
  if (!measurement->skipped.empty()) return measurement->skipped;
  if (measurement->ran() && !measurement->verified) return "differs: " + measurement->difference;
  return {};
}

std::optional<std::size_t> bestAt(const SweepResult& result, std::size_t column, std::size_t row,
                                  SweepMetric metric) {
  std::optional<std::size_t> best;
  double bestValue = 0;
  for (std::size_t c = 0; c < result.plan.candidates.size(); ++c) {
    const auto value = valueAt(result, column, row, c, metric);
    if (!value) continue;
    if (best && !(lessIsBetter(metric) ? *value < bestValue : *value > bestValue)) continue;
    best = c;
    bestValue = *value;
  }
  return best;
}

std::string whyNotSwept(const DataRequest& request, SweepParameter parameter) {
  if (parameter == SweepParameter::d && !request.path.empty())
    return "d cannot be swept: the points of " + request.path +
           " have the dimensions that the file gives them; a generator makes any";
  if (!isDataParameter(parameter)) return {};
  const std::string key(name(parameter));
  if (!request.path.empty())
    return key + " cannot be swept: the points of " + request.path + " are what they are; a generator's can";
  const auto spec = parseGenerator(request.generator, generatorDefaults(request));
  const bool has = spec && std::ranges::any_of(spec->generator->keys,
                                               [&](const GeneratorKey& one) { return one.name == key; });
  if (!has) return key + " cannot be swept: the points of " + request.generator + " have none";
  return {};
}

tl::expected<DataRequest, std::string> sizedRequest(const DataRequest& request, std::size_t n, int d,
                                                    const DataChanges& changes) {
  auto spec = parseGenerator(request.generator, generatorDefaults(request));
  if (!spec) return tl::unexpected(spec.error());
  if (!allows(*spec->generator, "n", static_cast<double>(n)))
    return tl::unexpected(std::string(spec->generator->name) + " cannot make " + counted(n, "point"));
  if (!allows(*spec->generator, "d", d))
    return tl::unexpected(std::string(spec->generator->name) + " cannot make points of " + std::to_string(d) +
                          (d == 1 ? " dimension" : " dimensions"));
  for (const auto& [key, value] : changes) {
    const auto known = std::ranges::find(spec->generator->keys, key, &GeneratorKey::name);
    const bool order = key == "order";
    if (known == spec->generator->keys.end() || (!order && !(value >= known->least && value <= known->most)))
      return tl::unexpected(std::string(spec->generator->name) + " cannot make points with that " + key);
    (order ? spec->mixed : key == "spread" ? spec->spread : spec->skew) = value;
  }
  spec->n = n;
  spec->d = d;
  DataRequest sized = request;
  sized.generator = spec->text();
  return sized;
}

SweepData::SweepData(DataRequest request, SharedPointSet points)
    : request_(std::move(request)), whole_(std::move(points)) {}

tl::expected<SharedPointSet, std::string>
SweepData::points(std::size_t n, int d, const std::atomic<bool>* cancel, const DataChanges& changes) {
  if (whole_->n == n && whole_->d == d && changes.empty()) return whole_;
  if (last_ && last_->n == n && last_->d == d && lastChanges_ == changes) return last_;
  last_.reset(); // before the next is made: both together may not fit
  if (request_.path.empty()) {
    auto made = generate(n, d, cancel, changes);
    if (made) {
      last_ = *made;
      lastChanges_ = changes;
    }
    return made;
  }
  if (d != whole_->d) return tl::unexpected(whyNotSwept(request_, SweepParameter::d));
  if (n > whole_->n) return tl::unexpected(request_.path + " has only " + counted(whole_->n, "point"));
  last_ = spreadSubset(*whole_, n, counted(n, "point") + " of " + request_.path);
  return last_;
}

tl::expected<SharedPointSet, std::string>
SweepData::generate(std::size_t n, int d, const std::atomic<bool>* cancel, const DataChanges& changes) const {
  const auto sized = sizedRequest(request_, n, d, changes);
  if (!sized) return tl::unexpected(sized.error());
  return loadPoints(*sized, {}, cancel);
}

} // namespace lloyd
