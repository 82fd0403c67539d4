// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/separation.hpp"

#include "app/model/quality/cluster_order.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace lloyd {
namespace {

/// Neighbours of one cluster in its order. Pieces depend on the labels alone, and are added in their order.
struct Piece {
  int cluster = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Piece> piecesOf(const ClusterOrder& order, int d) {
  const std::size_t most = std::max<std::size_t>(256, 1'000'000 / static_cast<std::size_t>(std::max(d, 1)));
  std::vector<Piece> pieces;
  for (int cluster = 0; cluster < order.k(); ++cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    for (std::size_t begin = order.begins[at]; begin < order.begins[at + 1]; begin += most)
      pieces.push_back({cluster, begin, std::min(begin + most, order.begins[at + 1])});
  }
  return pieces;
}

/// [k][d]: means of the clusters; zeros for one without points. What is added are deviations from a point of
/// the cluster, so that far from zero no digits are lost.
std::vector<double> meansOf(const PointSet& points, const ClusterOrder& order,
                            const std::vector<Piece>& pieces, const ReadControl& control) {
  const auto d = static_cast<std::size_t>(points.d);
  std::vector<double> sums(pieces.size() * d);
  const auto origin = [&](int cluster) {
    return order.points[order.begins[static_cast<std::size_t>(cluster)]];
  };
  forEachOnAllThreads(pieces.size(), control, [&](std::size_t p) {
    const Piece& piece = pieces[p];
    for (std::size_t j = 0; j < d; ++j) {
      const float* row = points.row(static_cast<int>(j));
      const double from = static_cast<double>(row[origin(piece.cluster)]);
      double sum = 0;
      for (std::size_t i = piece.begin; i < piece.end; ++i)
        sum += static_cast<double>(row[order.points[i]]) - from;
      sums[p * d + j] = sum;
    }
  });
  std::vector<double> means(static_cast<std::size_t>(order.k()) * d);
  for (std::size_t p = 0; p < pieces.size(); ++p)
    for (std::size_t j = 0; j < d; ++j)
      means[static_cast<std::size_t>(pieces[p].cluster) * d + j] += sums[p * d + j];
  for (int cluster = 0; cluster < order.k(); ++cluster)
    if (order.size(cluster) > 0)
      for (std::size_t j = 0; j < d; ++j) {
        double& mean = means[static_cast<std::size_t>(cluster) * d + j];
        mean = static_cast<double>(points.row(static_cast<int>(j))[origin(cluster)]) +
               mean / static_cast<double>(order.size(cluster));
      }
  return means;
}

struct Widths {
  std::vector<double> distances; ///< [k]: sums of the distances to the mean
  double squares = 0;            ///< of all points
};

Widths widthsOf(const PointSet& points, const ClusterOrder& order, const std::vector<Piece>& pieces,
                const std::vector<double>& means, const ReadControl& control) {
  const auto d = static_cast<std::size_t>(points.d);
  std::vector<double> distances(pieces.size());
  std::vector<double> squares(pieces.size());
  forEachOnAllThreads(pieces.size(), control, [&](std::size_t p) {
    const Piece& piece = pieces[p];
    std::vector<double> square(piece.end - piece.begin);
    for (std::size_t j = 0; j < d; ++j) {
      const float* row = points.row(static_cast<int>(j));
      const double mean = means[static_cast<std::size_t>(piece.cluster) * d + j];
      for (std::size_t i = piece.begin; i < piece.end; ++i) {
        const double away = static_cast<double>(row[order.points[i]]) - mean;
        square[i - piece.begin] += away * away;
      }
    }
    for (const double value : square) {
      distances[p] += std::sqrt(value);
      squares[p] += value;
    }
  });
  Widths widths{.distances = std::vector<double>(static_cast<std::size_t>(order.k()))};
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    widths.distances[static_cast<std::size_t>(pieces[p].cluster)] += distances[p];
    widths.squares += squares[p];
  }
  return widths;
}

double distanceOf(const double* a, const double* b, std::size_t d) {
  double square = 0;
  for (std::size_t j = 0; j < d; ++j)
    square += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(square);
}

double daviesBouldin(const ClusterOrder& order, const std::vector<double>& means, const Widths& widths,
                     std::size_t d, const ReadControl& control) {
  std::vector<std::size_t> filled;
  for (int cluster = 0; cluster < order.k(); ++cluster)
    if (order.size(cluster) > 0) filled.push_back(static_cast<std::size_t>(cluster));
  const auto width = [&](std::size_t c) {
    return widths.distances[c] / static_cast<double>(order.size(static_cast<int>(c)));
  };
  std::vector<double> worst(filled.size());
  forEachOnAllThreads(filled.size(), control, [&](std::size_t at) {
    for (std::size_t other = 0; other < filled.size(); ++other) {
      if (other == at) continue;
      const double apart = distanceOf(means.data() + filled[at] * d, means.data() + filled[other] * d, d);
      // Clusters around one place are infinitely bad for each other, which would hide all others: left out.
      if (apart > 0) worst[at] = std::max(worst[at], (width(filled[at]) + width(filled[other])) / apart);
    }
  });
  double sum = 0;
  for (const double value : worst)
    sum += value;
  return sum / static_cast<double>(filled.size());
}

double calinskiHarabasz(const ClusterOrder& order, const std::vector<double>& means, double within,
                        std::size_t d) {
  if (!(within > 0)) return 1;
  // The mean of all, as a deviation from a mean that is one of them.
  std::size_t first = 0;
  while (order.size(static_cast<int>(first)) == 0)
    ++first;
  const auto n = static_cast<double>(order.points.size());
  std::vector<double> centre(d);
  for (int cluster = 0; cluster < order.k(); ++cluster)
    for (std::size_t j = 0; j < d && order.size(cluster) > 0; ++j)
      centre[j] += (means[static_cast<std::size_t>(cluster) * d + j] - means[first * d + j]) *
                   static_cast<double>(order.size(cluster)) / n;
  double between = 0;
  for (int cluster = 0; cluster < order.k(); ++cluster)
    for (std::size_t j = 0; j < d && order.size(cluster) > 0; ++j) {
      const double away = means[static_cast<std::size_t>(cluster) * d + j] - means[first * d + j] - centre[j];
      between += away * away * static_cast<double>(order.size(cluster));
    }
  const double clusters = order.filled();
  return between * (n - clusters) / (within * (clusters - 1));
}

} // namespace

Separation separationOf(const PointSet& points, std::span<const Label> labels, int k,
                        const ReadControl& control) {
  const ClusterOrder order(labels, k, control);
  const std::vector<Piece> pieces = piecesOf(order, points.d);
  const std::vector<double> means = meansOf(points, order, pieces, control);
  const Widths widths = widthsOf(points, order, pieces, means, control);
  Separation found{.inertia = widths.squares, .daviesBouldin = {}, .calinskiHarabasz = {}};
  if (!order.comparable()) return found;
  const auto d = static_cast<std::size_t>(points.d);
  found.daviesBouldin = daviesBouldin(order, means, widths, d, control);
  found.calinskiHarabasz = calinskiHarabasz(order, means, widths.squares, d);
  return found;
}

} // namespace lloyd
