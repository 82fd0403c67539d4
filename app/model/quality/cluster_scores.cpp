// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/cluster_scores.hpp"

namespace lloyd {

namespace {

/// How a score is called in a file, and in a sentence.
struct Names {
  std::string_view key;
  std::string_view title;
};

Names namesOf(Score score) {
  switch (score) {
  case Score::inertia:
    return {"inertia", "inertia"};
  case Score::silhouette:
    return {"silhouette", "silhouette"};
  case Score::daviesBouldin:
    return {"davies_bouldin", "Davies-Bouldin"};
  case Score::calinskiHarabasz:
    return {"calinski_harabasz", "Calinski-Harabasz"};
  }
  return {};
}

} // namespace

std::string_view name(Score score) { return namesOf(score).key; }

std::string_view title(Score score) { return namesOf(score).title; }

std::optional<double> ClusterScores::of(Score score) const {
  switch (score) {
  case Score::silhouette:
    return silhouette ? std::optional(silhouette->mean) : std::nullopt;
  case Score::daviesBouldin:
    return daviesBouldin;
  case Score::calinskiHarabasz:
    return calinskiHarabasz;
  case Score::inertia:
    break;
  }
  return std::nullopt;
}

bool canScore(const PointSet& points) {
  return !points.drift && points.values.size() >= points.n * static_cast<std::size_t>(points.d);
}

ClusterScores scoresOf(const PointSet& points, std::span<const Label> labels, int k,
                       const SilhouetteBudget& budget, const ReadControl& control) {
  const Separation separation = separationOf(points, labels, k, control);
  return {.silhouette = silhouetteOf(points, labels, k, budget, control),
          .daviesBouldin = separation.daviesBouldin,
          .calinskiHarabasz = separation.calinskiHarabasz};
}

} // namespace lloyd
