// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/point_set.hpp"

#include "app/data/random/random_draws.hpp"
#include "app/data/subset.hpp"
#include "gpu/core/data/box.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace lloyd {
namespace {

ColumnScale standardScale(std::span<const float> column) {
  const auto count = static_cast<double>(column.size());
  double sum = 0;
  for (const float value : column)
    sum += value;
  const double mean = sum / count;
  // The second pass keeps the digits that a sum of squares would lose far from 0.
  double squares = 0;
  for (const float value : column)
    squares += (value - mean) * (value - mean);
  return {.offset = mean, .factor = std::sqrt(squares / count)};
}

ColumnScale minmaxScale(std::span<const float> column) {
  const ValueRange range = valueRange(column);
  return {.offset = range.low, .factor = static_cast<double>(range.high) - range.low};
}

/// Distances are sums of squares in single precision: neither may they overflow, nor those of close points
/// become nothing.
constexpr double largestSpread = 1e18; ///< over the root of the number of columns
constexpr double smallestSpread = 1e-16;

void sayDominant(PointSet& points, int column, std::string_view control) {
  points.dominant = static_cast<std::size_t>(column);
  if (control == scaleInWindow) return; // which says it beside the control
  points.remarks.push_back(
      "column \"" + points.columns[*points.dominant] +
      "\" decides alone: it spreads at least 100 times as widely as any other, which counts " +
      "10,000 times in a squared distance; set " + std::string(control) + " to standard to weigh them alike");
}

/// Where all columns together spread too widely, or all of them too little. Notes a column that decides
/// alone.
tl::expected<void, std::string> requireSpread(PointSet& points, std::string_view control) {
  double widest = 0;
  double second = 0;
  int column = 0;
  for (int j = 0; j < points.d; ++j) {
    const ValueRange range = valueRange({points.row(j), points.n});
    const double spread = static_cast<double>(range.high) - range.low;
    if (spread <= widest) {
      second = std::max(second, spread);
      continue;
    }
    second = widest;
    widest = spread;
    column = j;
  }
  const double most = largestSpread / std::sqrt(points.d);
  if (widest == 0 || (widest >= smallestSpread && widest <= most)) {
    points.dominant.reset();
    // Beside columns of one value there is nothing to weigh.
    if (!points.drift && second > 0 && widest >= PointSet::dominates * second)
      sayDominant(points, column, control);
    return {};
  }
  std::array<char, 160> text{};
  std::snprintf(text.data(), text.size(),
                " spread over %.3g, but distances in single precision need between %.3g and %.3g; scale the "
                "columns: set ",
                widest, smallestSpread, most);
  return tl::unexpected("the values of column \"" + points.columns[static_cast<std::size_t>(column)] + '"' +
                        text.data() + std::string(control) + " to standard");
}

bool isConstant(std::span<const float> column) {
  return std::all_of(column.begin(), column.end(), [&](float value) { return value == column.front(); });
}

/// A scale of a column that is stored in a scale of its own.
ColumnScale onTop(const ColumnScale& scale, const ColumnScale& stored) {
  return {
      .offset = stored.inFile(scale.offset), .factor = stored.factor * scale.factor, .shift = stored.shift};
}

} // namespace

// Each coordinate of each component swings like two sines added, one slow and wide, one quicker and small: a
// Lissajous figure around home. All start there at t = 0, in different directions. Periods are random reals,
// so the figure as a whole does not repeat.

std::vector<float> Drift::shifts(double t, int d) const {
  const RandomDraws draws(seed);
  const auto dims = static_cast<std::size_t>(d);
  std::vector<float> all(static_cast<std::size_t>(components) * dims);
  for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
    for (std::size_t j = 0; j < dims; ++j) {
      const std::uint64_t index = 4 * c;
      // Divided by sqrt(d), so that the distance from home stays within reach in any number of dimensions.
      const double size =
          reach / std::sqrt(static_cast<double>(d)) * (0.55 + 0.45 * draws.uniform(Draw::path, j, index));
      const double slow = 480 + 420 * draws.uniform(Draw::path, j, index + 1);
      const double quick = 300 + 120 * draws.uniform(Draw::path, j, index + 2);
      const double sign = (draws.bits(Draw::path, j, index + 3) >> 63) != 0 ? -1 : 1;
      const double swing = 0.78 * portableSinCos(t / slow).sin + 0.22 * portableSinCos(t / quick).sin;
      all[c * dims + j] = static_cast<float>(sign * size * swing);
    }
  }
  return all;
}

std::uint64_t PointSet::inputRow(std::size_t i) const {
  if (!rows.empty()) return rows[i];
  // dropped[j] - j is the number of points that come before the j-th dropped row, and never falls as j grows.
  const auto before = std::partition_point(dropped.begin(), dropped.end(), [&](const std::uint64_t& row) {
    return row - static_cast<std::uint64_t>(&row - dropped.data()) <= i;
  });
  return i + static_cast<std::uint64_t>(before - dropped.begin());
}

bool PointSet::shifted() const {
  return std::ranges::any_of(scales, [](const ColumnScale& scale) { return scale.shift != 0; });
}

Box boxOf(const PointSet& points) {
  Box box = boxOf(points.values.data(), points.n, points.d);
  if (!points.drift || !box.known()) return box;
  for (std::size_t j = 0; j < std::min<std::size_t>(static_cast<std::size_t>(points.d), Box::most); ++j) {
    const double factor = j < points.scales.size() ? points.scales[j].factor : 1.0;
    // A little more than the reach, because shifts and their sums are rounded.
    const auto reach = static_cast<float>(1.001 * points.drift->reach / factor);
    box.low[j] -= reach;
    box.high[j] += reach;
  }
  return box;
}

SharedPointSet spreadSubset(const PointSet& points, std::size_t most, const std::string& remark) {
  constexpr std::uint64_t seed = 1;
  std::vector<std::size_t> chosen(most);
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t begin = i * points.n / most;
    const std::size_t end = (i + 1) * points.n / most;
    chosen[i] = begin + randomBits(seed, 0, i) % (end - begin);
  }

  return subsetOf(points, chosen, remark);
}

std::string_view name(Scale scale) {
  switch (scale) {
  case Scale::standard:
    return "standard";
  case Scale::minmax:
    return "minmax";
  default:
    return "none";
  }
}

tl::expected<void, std::string> applyScale(PointSet& points, Scale scale, std::string_view control) {
  if (points.n == 0) return {};
  if (scale == Scale::none) return requireSpread(points, control);
  if (points.drift)
    return tl::unexpected("points that drift cannot be scaled; set " + std::string(control) + " to none");
  points.scales.resize(static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j) {
    const std::span column(points.values.data() + static_cast<std::size_t>(j) * points.n, points.n);
    const ColumnScale how = isConstant(column)         ? ColumnScale{.offset = column.front()}
                            : scale == Scale::standard ? standardScale(column)
                                                       : minmaxScale(column);
    for (float& value : column)
      value = static_cast<float>((value - how.offset) / how.factor);
    ColumnScale& stored = points.scales[static_cast<std::size_t>(j)];
    stored = onTop(how, stored);
  }
  return requireSpread(points, control);
}

std::vector<double> toFileUnits(std::span<const float> centroids, std::span<const ColumnScale> scales) {
  std::vector<double> values(centroids.begin(), centroids.end());
  for (std::size_t i = 0; i < values.size() && !scales.empty(); ++i)
    values[i] = scales[i % scales.size()].inFile(values[i]);
  return values;
}

std::vector<float> fromFileUnits(std::span<const double> centroids, std::span<const ColumnScale> scales) {
  std::vector<float> stored(centroids.size());
  for (std::size_t i = 0; i < stored.size(); ++i)
    stored[i] =
        static_cast<float>(scales.empty() ? centroids[i] : scales[i % scales.size()].fromFile(centroids[i]));
  return stored;
}

} // namespace lloyd
