// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/separation.hpp"
#include "app/model/quality/silhouette.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lloyd {

/// What a clustering is judged by without knowing the truth.
enum class Score : unsigned char { inertia, silhouette, daviesBouldin, calinskiHarabasz };
inline constexpr std::array allScores{Score::inertia, Score::silhouette, Score::daviesBouldin,
                                      Score::calinskiHarabasz};
/// For programs: "silhouette", "davies_bouldin".
[[nodiscard]] std::string_view name(Score score);
/// For people: "silhouette", "Davies-Bouldin".
[[nodiscard]] std::string_view title(Score score);
[[nodiscard]] constexpr bool moreIsBetter(Score score) {
  return score == Score::silhouette || score == Score::calinskiHarabasz;
}

/// All of them for one clustering. Inertia is the run's own.
struct ClusterScores {
  std::optional<Silhouette> silhouette;
  std::optional<double> daviesBouldin;
  std::optional<double> calinskiHarabasz;

  /// Nothing for inertia, and where a score has no meaning.
  [[nodiscard]] std::optional<double> of(Score score) const;
};

/// Whether there is something to judge: points that are in memory and stand still.
[[nodiscard]] bool canScore(const PointSet& points);

/// Of points that canScore(), labelled 0 to k - 1. Any thread; throws Cancelled within 100 ms.
[[nodiscard]] ClusterScores scoresOf(const PointSet& points, std::span<const Label> labels, int k,
                                     const SilhouetteBudget& budget = {}, const ReadControl& control = {});

} // namespace lloyd
