// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/candidate.hpp"

#include <cstdint>

namespace lloyd {

Problem ofTiles(const Candidate& candidate, const Problem& problem) {
  Problem tiles = problem;
  const std::size_t size = candidate.variant->info.tileSize(problem, candidate.tuning);
  tiles.n = (problem.n + size - 1) / size;
  return tiles;
}

bool passesOverTiles(const Candidate& candidate) {
  return candidate.stage == Stage::fused && candidate.variant->info.tileSize;
}

std::size_t leastBytes(Stage stage, const Problem& problem, LabelWidth width) {
  const std::size_t points = problem.pointValues() * sizeof(float);
  const std::size_t labels = problem.n * bytesOf(width);
  const std::size_t centroids = problem.centroidValues() * sizeof(float);
  const std::size_t sums =
      problem.centroidValues() * sizeof(double) + static_cast<std::size_t>(problem.k) * sizeof(std::uint32_t);
  switch (stage) {
  case Stage::classify:
    return points + 2 * labels + centroids; // the old label is read to see what changed
  case Stage::reduce:
    return points + labels + centroids + sums;
  case Stage::fused:
  case Stage::iterate:
    return points + 2 * labels + centroids + sums;
  case Stage::update:
    return sums + 2 * centroids;
  case Stage::layout:
    return 2 * points;
  case Stage::order:
    return 2 * points + problem.n * sizeof(std::uint32_t); // the points in order, and where each went
  case Stage::labels:
    return problem.n * sizeof(std::uint32_t) + labels;
  default:
    return 0;
  }
}

std::size_t leastBytes(const Candidate& candidate, const Problem& problem) {
  if (!passesOverTiles(candidate))
    return leastBytes(candidate.stage, problem, candidate.variant->labelWidth(problem.k));
  const Problem tiles = ofTiles(candidate, problem);
  const std::size_t sums = tiles.pointValues() * sizeof(std::int64_t);
  return leastBytes(Stage::fused, tiles, LabelWidth::two) + tiles.pointValues() * sizeof(float) + sums;
}

double leastOperations(Stage stage, const Problem& problem) {
  const auto values = static_cast<double>(problem.pointValues());
  const double distance = 3 * values; // to one centroid: differences and multiply-adds
  switch (stage) {
  case Stage::classify:
    return distance * problem.k;
  case Stage::reduce:
    return 2 * values;
  case Stage::fused:
  case Stage::iterate:
    return distance + 2 * values;
  case Stage::update:
    return 2 * static_cast<double>(problem.centroidValues());
  default:
    return 0;
  }
}

double leastOperations(const Candidate& candidate, const Problem& problem) {
  return leastOperations(candidate.stage, passesOverTiles(candidate) ? ofTiles(candidate, problem) : problem);
}

} // namespace lloyd
