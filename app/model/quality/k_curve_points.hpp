// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/cluster_scores.hpp"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// What one of several runs from other first centroids was judged to be.
struct ScoredRun {
  std::uint64_t seed = 1;
  double inertia = 0;
  std::optional<ClusterScores> scores; ///< nothing where nobody asked

  [[nodiscard]] std::optional<double> of(Score score) const {
    if (score == Score::inertia) return inertia;
    return scores ? scores->of(score) : std::nullopt;
  }
};

/// One number of clusters with its runs, of which there is one at least.
struct KPoint {
  int k = 0;
  std::vector<ScoredRun> runs;

  /// The run of the least inertia, and of equal ones the first.
  [[nodiscard]] const ScoredRun& best() const;
  /// The least and the largest value of the runs; nothing where none has one.
  [[nodiscard]] std::optional<std::pair<double, double>> spread(Score score) const;
};

/// The k that a score by itself would choose among those of the best runs: the highest silhouette or
/// Calinski-Harabasz, the lowest Davies-Bouldin, and where the curve of inertia lies farthest below the
/// straight line between its ends. Of equal ones the smallest k. Nothing where fewer than two k have a value,
/// for inertia fewer than three, or where no curve lies below that line.
[[nodiscard]] std::optional<int> suggestedK(std::span<const KPoint> points, Score score);

/// "silhouette is highest at k = 2 (0.687)"; empty where nothing is suggested.
[[nodiscard]] QString suggestionText(std::span<const KPoint> points, Score score);
/// What suggestions are worth, in one sentence.
[[nodiscard]] QString suggestionsRemark();
/// "silhouettes are of 31,622 of 1,000,000 points, drawn at random, ...", with the largest standard error of
/// the best runs; empty where all points were looked at.
[[nodiscard]] QString samplesText(std::span<const KPoint> points);
/// "of 31,622 of 1,000,000 points, drawn at random: its mean is known to 0.0013 (standard error)"; empty
/// where all points were looked at.
[[nodiscard]] QString sampleText(const Silhouette& silhouette);

} // namespace lloyd
