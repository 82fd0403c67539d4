// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/measure/measurement.hpp"

#include <tl/expected.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What can be swept: the problem's sizes, the tuning parameters in the order of tuningParameters, and what a
/// generator's points are like: how many of them lie anywhere in memory, how wide and how unequal clusters
/// are.
enum class SweepParameter { n, d, k, block, items, vector, unroll, arithmetic, order, spread, skew };
inline constexpr std::size_t sweepParameterCount = 11;
[[nodiscard]] std::string_view name(SweepParameter parameter);
[[nodiscard]] constexpr bool isTuningParameter(SweepParameter parameter) {
  return parameter >= SweepParameter::block && parameter <= SweepParameter::arithmetic;
}
[[nodiscard]] constexpr bool isDataParameter(SweepParameter parameter) {
  return parameter >= SweepParameter::order;
}
/// Axes hold whole numbers; those of data are thousandths.
inline constexpr double thousandths = 1000;

struct SweepAxis {
  SweepParameter parameter = SweepParameter::n;
  std::vector<std::uint64_t> values; ///< ascending, each once; of data thousandths
  bool operator==(const SweepAxis&) const = default;
};

/// Reads "2^12:2^20" (a range doubles), "64,96,128" or both mixed; of data "0,0.25,1", and of arithmetic
/// "multiply,pow". Throws RequestError: one sentence that names the parameter as a person typed it, which is
/// its own name where called is empty.
[[nodiscard]] SweepAxis parseSweepAxis(SweepParameter parameter, std::string_view text,
                                       std::string_view called = {});

/// Keys of a generator with other values than the request's.
using DataChanges = std::map<std::string, double>;

/// What to measure: every candidate at every combination of the axes' values.
struct SweepPlan {
  std::vector<SweepAxis> axes;       ///< one, or two of different parameters
  std::vector<Candidate> candidates; ///< at least one: a line, or a heat map, each
  Problem base;                      ///< the sizes that no axis changes

  [[nodiscard]] std::size_t columns() const { return axes.empty() ? 0 : axes[0].values.size(); }
  [[nodiscard]] std::size_t rows() const { return axes.size() < 2 ? 1 : axes[1].values.size(); }
  /// Measurements to make.
  [[nodiscard]] std::size_t cells() const { return columns() * rows() * candidates.size(); }
  /// Where a measurement stands among cells().
  [[nodiscard]] std::size_t index(std::size_t column, std::size_t row, std::size_t candidate) const {
    return (row * columns() + column) * candidates.size() + candidate;
  }
  [[nodiscard]] bool sweeps(SweepParameter parameter) const;
  /// Column and row stand for these values; sizes that no axis changes are the base's.
  [[nodiscard]] Problem problemAt(std::size_t column, std::size_t row) const;
  /// What column and row change of the generator's keys.
  [[nodiscard]] DataChanges dataAt(std::size_t column, std::size_t row) const;
  /// The candidate with its tuning parameters as column and row have them. A tuning parameter that it lacks
  /// is left as it is.
  [[nodiscard]] Candidate candidateAt(std::size_t column, std::size_t row, std::size_t candidate) const;
  bool operator==(const SweepPlan&) const;
};

/// One measurement of a step.
struct SweepTask {
  std::size_t cell = 0; ///< SweepPlan::index()
  Candidate candidate;
  std::string whyNot; ///< it need not be tried: the variant has no such tuning parameter
};

/// Everything that is measured on one problem: one race, so that tuning parameters are compared in turns as
/// well.
struct SweepStep {
  Problem problem;
  DataChanges data;
  std::vector<SweepTask> tasks;
};

/// The steps of a plan, those of the same points next to each other and the smaller problems first.
[[nodiscard]] std::vector<SweepStep> expand(const SweepPlan& plan);

/// What a sweep found so far. Immutable once published.
struct SweepResult {
  SweepPlan plan;
  std::vector<std::shared_ptr<const Measurement>> cells; ///< by SweepPlan::index(); null: not measured yet
  DeviceInfo device;
  std::string source; ///< file or generator
  std::chrono::system_clock::time_point when;
  bool finished = false; ///< every cell was measured, or found to be a gap

  [[nodiscard]] const Measurement* at(std::size_t column, std::size_t row, std::size_t candidate) const {
    return cells[plan.index(column, row, candidate)].get();
  }
};
using SweepResultPtr = std::shared_ptr<const SweepResult>;

/// What a sweep is plotted by.
enum class SweepMetric { median, bandwidth, ofLimit, pointRate, occupancy, registers, relative };
inline constexpr std::size_t sweepMetricCount = 7;
/// "µs", "GB/s", "%", "million points/s", "%", "registers", "times".
[[nodiscard]] std::string_view unit(SweepMetric metric);
[[nodiscard]] inline bool lessIsBetter(SweepMetric metric) {
  return metric == SweepMetric::median || metric == SweepMetric::registers;
}
/// In that unit; nothing for a gap, for what was not verified, and for what no measurement alone can tell
/// (relative).
[[nodiscard]] std::optional<double> valueOf(const Measurement* measurement, SweepMetric metric);
/// The value at a place of a sweep. relative: how many times as fast it is there as with one point a thread,
/// all else equal; nothing where that was not measured.
[[nodiscard]] std::optional<double> valueAt(const SweepResult& result, std::size_t column, std::size_t row,
                                            std::size_t candidate, SweepMetric metric);
/// Why there is no value, as a sentence; empty when there is one or it is still to come.
[[nodiscard]] std::string gapReason(const Measurement* measurement);
/// The candidate that is best at a cell; nothing where none has a value.
[[nodiscard]] std::optional<std::size_t> bestAt(const SweepResult& result, std::size_t column,
                                                std::size_t row, SweepMetric metric);

/// Why the points of a request cannot be had with another value of a parameter, as a sentence; empty when
/// they can. The dimension of a file's points, and how they lie, is what it is.
[[nodiscard]] std::string whyNotSwept(const DataRequest& request, SweepParameter parameter);

/// A generator's request for n points of d dimensions with all its other keys as they were, but for the
/// changes; or a sentence that says why it cannot make them.
[[nodiscard]] tl::expected<DataRequest, std::string> sizedRequest(const DataRequest& request, std::size_t n,
                                                                  int d, const DataChanges& changes);

/// The points of a sweep: those on the screen, or, of another size, from the same source. A generator is
/// asked for that size with all its other keys as they were; of a file an evenly spread part is taken. The
/// set that was made last is kept. One thread at a time.
class SweepData {
public:
  /// points: what the request led to.
  SweepData(DataRequest request, SharedPointSet points);

  /// n points of d dimensions, or a sentence that says why there are none. cancel may be null; when it
  /// becomes true while points are made, the sentence says so.
  [[nodiscard]] tl::expected<SharedPointSet, std::string>
  points(std::size_t n, int d, const std::atomic<bool>* cancel, const DataChanges& changes = {});

private:
  [[nodiscard]] tl::expected<SharedPointSet, std::string>
  generate(std::size_t n, int d, const std::atomic<bool>* cancel, const DataChanges& changes) const;

  DataRequest request_;
  SharedPointSet whole_;
  SharedPointSet last_;
  DataChanges lastChanges_; ///< that last_ was made with
};

} // namespace lloyd
