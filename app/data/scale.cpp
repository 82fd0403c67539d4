// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/scale.hpp"

#include "gpu/core/data/box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

/// Where all columns together spread too widely, or all of them too little.
tl::expected<void, std::string> requireSpread(const PointSet& points) {
  double widest = 0;
  int column = 0;
  for (int j = 0; j < points.d; ++j) {
    const ValueRange range = valueRange({points.row(j), points.n});
    const double spread = static_cast<double>(range.high) - range.low;
    if (spread <= widest) continue;
    widest = spread;
    column = j;
  }
  const double most = largestSpread / std::sqrt(points.d);
  if (widest == 0 || (widest >= smallestSpread && widest <= most)) return {};
  std::array<char, 160> text{};
  std::snprintf(
      text.data(), text.size(),
      " spread over %.3g, but distances in single precision need between %.3g and %.3g; scale the columns, "
      "as with --scale standard",
      widest, smallestSpread, most);
  return tl::unexpected("the values of column \"" + points.columns[static_cast<std::size_t>(column)] + '"' +
                        text.data());
}

bool isConstant(std::span<const float> column) {
  return std::all_of(column.begin(), column.end(), [&](float value) { return value == column.front(); });
}

template <typename Change>
std::vector<float> changed(std::span<const float> centroids, std::span<const ColumnScale> scales,
                           Change change) {
  std::vector<float> result(centroids.size());
  for (std::size_t i = 0; i < centroids.size(); ++i) {
    result[i] = static_cast<float>(change(static_cast<double>(centroids[i]), scales[i % scales.size()]));
  }
  return result;
}

} // namespace

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

tl::expected<void, std::string> applyScale(PointSet& points, Scale scale) {
  if (points.n == 0) return {};
  if (scale == Scale::none) return requireSpread(points);
  if (points.drift)
    return tl::unexpected(std::string("points that drift cannot be scaled; use --scale none"));
  points.scales.resize(static_cast<std::size_t>(points.d));
  for (int j = 0; j < points.d; ++j) {
    const std::span column(points.values.data() + static_cast<std::size_t>(j) * points.n, points.n);
    ColumnScale& how = points.scales[static_cast<std::size_t>(j)];
    if (isConstant(column)) {
      how = {.offset = column.front(), .factor = 1};
    } else {
      how = scale == Scale::standard ? standardScale(column) : minmaxScale(column);
    }
    for (float& value : column)
      value = static_cast<float>((value - how.offset) / how.factor);
  }
  return requireSpread(points);
}

std::vector<float> toFileUnits(std::span<const float> centroids, std::span<const ColumnScale> scales) {
  return changed(centroids, scales,
                 [](double x, const ColumnScale& how) { return x * how.factor + how.offset; });
}

std::vector<float> fromFileUnits(std::span<const float> centroids, std::span<const ColumnScale> scales) {
  return changed(centroids, scales,
                 [](double x, const ColumnScale& how) { return (x - how.offset) / how.factor; });
}

} // namespace lloyd
