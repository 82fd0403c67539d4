// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/cluster_numbers.hpp"

#include "app/model/quality/cluster_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

constexpr std::size_t pieceRows = std::size_t{1} << 14; ///< a cluster's points are summed in pieces
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The value at a place between two of them; orders a part of the values alone.
double valueAt(std::vector<float>& values, double place) {
  const auto below = static_cast<std::size_t>(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  const auto low = static_cast<double>(*at);
  const double part = place - static_cast<double>(below);
  if (!(part > 0)) return low;
  return low + part * (static_cast<double>(*std::min_element(at + 1, values.end())) - low);
}

Quartiles quartilesOf(std::vector<float>& values) {
  if (values.empty()) return {nothing, nothing, nothing};
  Quartiles found{};
  for (std::size_t q = 0; q < found.size(); ++q)
    found[q] = valueAt(values, static_cast<double>(values.size() - 1) * static_cast<double>(q + 1) / 4);
  return found;
}

struct Piece {
  std::size_t cluster, begin, end;
  double distances = 0, squares = 0;
};

void addDistances(Piece& piece, const ClusterOrder& members, const PointRows& rows, const float* centroid,
                  std::size_t d) {
  std::vector<double> square(piece.end - piece.begin);
  for (std::size_t j = 0; j < d; ++j) {
    const float* row = rows.values + j * rows.stride;
    const auto centre = static_cast<double>(centroid[j]);
    for (std::size_t i = piece.begin; i < piece.end; ++i) {
      const double away = static_cast<double>(row[members.points[i]]) - centre;
      square[i - piece.begin] += away * away;
    }
  }
  for (const double value : square) {
    piece.distances += std::sqrt(value);
    piece.squares += value;
  }
}

void addSpreads(ClusterNumbers& numbers, const ClusterOrder& members, const PointRows& rows,
                std::span<const float> centroids, const ReadControl& control) {
  std::vector<Piece> pieces;
  for (std::size_t c = 0; c < numbers.k(); ++c)
    for (std::size_t begin = members.begins[c]; begin < members.begins[c + 1]; begin += pieceRows)
      pieces.push_back({c, begin, std::min(begin + pieceRows, members.begins[c + 1])});
  forEachOnAllThreads(pieces.size(), control, [&](std::size_t p) {
    addDistances(pieces[p], members, rows, centroids.data() + pieces[p].cluster * numbers.d, numbers.d);
  });
  std::vector<double> distances(numbers.k());
  std::vector<double> squares(numbers.k());
  for (const Piece& piece : pieces) {
    distances[piece.cluster] += piece.distances;
    squares[piece.cluster] += piece.squares;
  }
  for (std::size_t c = 0; c < numbers.k(); ++c) {
    const auto size = static_cast<double>(numbers.sizes[c]);
    numbers.spread.push_back(size > 0 ? std::sqrt(squares[c] / size) : nothing);
    numbers.mean.push_back(size > 0 ? distances[c] / size : nothing);
  }
}

} // namespace

ClusterNumbers clusterNumbersOf(const PointSet& points, const PointRows& rows, std::span<const Label> labels,
                                std::span<const float> centroids, const ReadControl& control) {
  ClusterNumbers numbers;
  numbers.d = static_cast<std::size_t>(std::max(points.d, 1));
  const std::size_t k = centroids.size() / numbers.d;
  const ClusterOrder members(labels.first(std::min(labels.size(), points.n)), static_cast<int>(k), control);
  numbers.points = members.points.size();
  for (std::size_t c = 0; c < k; ++c)
    numbers.sizes.push_back(members.begins[c + 1] - members.begins[c]);
  numbers.centres = toFileUnits(centroids, points.scales);
  addSpreads(numbers, members, rows, centroids, control);

  numbers.quartiles.resize(k * numbers.d);
  numbers.low.resize(numbers.d);
  numbers.high.resize(numbers.d);
  forEachOnAllThreads(k * numbers.d, control, [&](std::size_t cell) {
    const std::size_t j = cell % numbers.d;
    const float* row = rows.values + j * rows.stride;
    const auto first = members.points.begin();
    std::vector<float> values;
    values.reserve(numbers.sizes[cell / numbers.d]);
    std::for_each(first + static_cast<std::ptrdiff_t>(members.begins[cell / numbers.d]),
                  first + static_cast<std::ptrdiff_t>(members.begins[cell / numbers.d + 1]),
                  [&](std::uint32_t point) { values.push_back(row[point]); });
    Quartiles stored = quartilesOf(values);
    for (double& value : stored)
      value = points.scaleOf(j).inFile(value);
    numbers.quartiles[cell] = stored;
  });
  forEachOnAllThreads(numbers.d, control, [&](std::size_t j) {
    const float* row = rows.values + j * rows.stride;
    const auto [low, high] = std::minmax_element(row, row + points.n);
    const ColumnScale scale = points.scaleOf(j);
    numbers.low[j] = points.n > 0 ? scale.inFile(static_cast<double>(*low)) : nothing;
    numbers.high[j] = points.n > 0 ? scale.inFile(static_cast<double>(*high)) : nothing;
  });
  return numbers;
}

} // namespace lloyd
