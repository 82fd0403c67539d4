// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/quality/k_curve_points.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace lloyd {
namespace {

struct Place {
  int k = 0;
  double value = 0;
};

/// By k.
std::vector<Place> placesOf(std::span<const KPoint> points, Score score) {
  std::vector<Place> places;
  for (const KPoint& point : points)
    if (const auto value = point.best().of(score)) places.push_back({point.k, *value});
  std::ranges::sort(places, {}, &Place::k);
  return places;
}

/// Where the curve lies farthest below the line between its ends, each direction over its own extent.
std::optional<int> bendOf(const std::vector<Place>& places) {
  if (places.size() < 3) return std::nullopt;
  const Place& first = places.front();
  const Place& last = places.back();
  const double fall = first.value - last.value;
  if (!(fall > 0)) return std::nullopt;
  std::optional<int> bend;
  double farthest = 1e-9; // what is rounded is no bend
  for (const Place& place : places) {
    const double along = static_cast<double>(place.k - first.k) / (last.k - first.k);
    const double below = (1 - along) - (place.value - last.value) / fall;
    if (below <= farthest) continue;
    farthest = below;
    bend = place.k;
  }
  return bend;
}

} // namespace

const ScoredRun& KPoint::best() const {
  return *std::ranges::min_element(runs, {}, [](const ScoredRun& run) { return run.inertia; });
}

std::optional<std::pair<double, double>> KPoint::spread(Score score) const {
  std::optional<std::pair<double, double>> range;
  for (const ScoredRun& run : runs)
    if (const auto value = run.of(score))
      range = range ? std::pair(std::min(range->first, *value), std::max(range->second, *value))
                    : std::pair(*value, *value);
  return range;
}

std::optional<int> suggestedK(std::span<const KPoint> points, Score score) {
  const std::vector<Place> places = placesOf(points, score);
  if (score == Score::inertia) return bendOf(places);
  if (places.size() < 2) return std::nullopt;
  const auto [least, most] = std::ranges::minmax_element(places, {}, &Place::value);
  // minmax_element has the last of equal largest ones.
  const auto largest = std::ranges::find(places, most->value, &Place::value);
  return (moreIsBetter(score) ? largest : least)->k;
}

QString suggestionText(std::span<const KPoint> points, Score score) {
  const auto k = suggestedK(points, score);
  if (!k) return {};
  const auto place = std::ranges::find(points, *k, &KPoint::k);
  const double value = place->best().of(score).value_or(0);
  if (score == Score::inertia) {
    // A bend could be read as a change of slope, which is another rule with another k.
    const auto [first, last] = std::ranges::minmax_element(points, {}, &KPoint::k);
    return QStringLiteral("%1 is farthest below the straight line from k = %2 to k = %3 at k = %4 (%5)")
        .arg(qtext(title(score)))
        .arg(first->k)
        .arg(last->k)
        .arg(*k)
        .arg(wholeDigitsText(value, 6));
  }
  const QString how = moreIsBetter(score) ? QStringLiteral("%1 is highest at k = %2 (%3)")
                                          : QStringLiteral("%1 is lowest at k = %2 (%3)");
  return how.arg(qtext(title(score))).arg(*k).arg(significantText(value, 4));
}

QString suggestionsRemark() {
  return QStringLiteral(
      "Each score prefers round clusters of one size in its own way: where they differ, look at the points");
}

QString samplesText(std::span<const KPoint> points) {
  const Silhouette* widest = nullptr;
  for (const KPoint& point : points)
    if (const auto& scores = point.best().scores;
        scores && scores->silhouette && !scores->silhouette->exact())
      if (!widest || scores->silhouette->error > widest->error) widest = &*scores->silhouette;
  if (!widest) return {};
  return QStringLiteral("silhouettes are of %1 of %2, drawn at random, the same for every k; the standard "
                        "error of their means is at most %3")
      .arg(countText(widest->sampled), pointsText(widest->points), significantText(widest->error, 2));
}

QString sampleText(const Silhouette& silhouette) {
  if (silhouette.exact()) return {};
  return QStringLiteral("of %1 of %2, drawn at random; standard error of the mean %3")
      .arg(countText(silhouette.sampled), pointsText(silhouette.points),
           significantText(silhouette.error, 2));
}

} // namespace lloyd
