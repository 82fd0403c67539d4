// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/placed_texts.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr double markRadius = 4;
constexpr double behind = 8;     ///< pixels from a mark to what stands behind it
constexpr double farthest = 120; ///< pixels that a label may stray from its mark

constexpr double indent = 4; ///< pixels of a line before what is written along it
constexpr double pi = 3.14159265358979323846;

/// Writes along the straight line from the first point to the last. Labels of marks keep clear of the line
/// and of its name.
void nameLine(const PlotSeries& series, const PlotPixels& pixels, std::vector<PlacedText>& texts,
              std::vector<QRectF>& taken) {
  const auto seen = clipped({pixels.of(series.points.front()), pixels.of(series.points.back())}, pixels.area);
  if (!seen) return;
  const QSizeF size = pixels.size(series.along);
  const double length = seen->length();
  // What stands at the end may begin before the line does.
  const bool fits = size.width() + indent < (series.alongEnd ? pixels.area.width() : length);
  const double from = series.alongEnd ? length - size.width() - indent : indent;
  const double start = std::min(0.0, from);
  for (int step = 0; start + 4 * step < length; ++step) {
    const double at = start + 4 * step;
    const QPointF place = seen->pointAt(at / length);
    const double height = fits && at >= from && at < from + size.width() ? size.height() : 2;
    taken.emplace_back(place.x() - 2, series.alongAbove ? place.y() - height : place.y() - 2, 4, height + 2);
  }
  if (!fits) return;
  texts.push_back({series.along,
                   {PlotInk::Of::dim},
                   seen->pointAt(from / length),
                   series.alongAbove ? PlacedText::Anchor::above : PlacedText::Anchor::below,
                   std::atan2(seen->dy(), seen->dx()) * 180 / pi});
}

} // namespace

std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelRequest>& requests, const QRectF& area,
                                               std::vector<QRectF> taken, double gap) {
  for (const LabelRequest& request : requests)
    taken.emplace_back(request.at.x() - markRadius, request.at.y() - markRadius, 2 * markRadius,
                       2 * markRadius);
  const auto isFree = [&](const QRectF& place) {
    return area.contains(place) && std::none_of(taken.begin(), taken.end(),
                                                [&](const QRectF& other) { return other.intersects(place); });
  };
  std::vector<std::optional<QRectF>> places;
  for (const LabelRequest& request : requests) {
    std::optional<QRectF> found;
    const double step = std::max(2.0, request.size.height() / 4);
    for (double off = 0; !found && off <= farthest; off += step) {
      for (const double side : {gap, -gap - request.size.width()}) {
        for (const double sign : {-1.0, 1.0}) {
          const QRectF place(
              QPointF(request.at.x() + side, request.at.y() - request.size.height() / 2 + sign * off),
              request.size);
          if (found || !isFree(place)) continue;
          found = place;
        }
      }
    }
    if (found) taken.push_back(*found);
    places.push_back(found);
  }
  return places;
}

bool holds(const QRectF& area, QPointF at) {
  return std::isfinite(at.x()) && std::isfinite(at.y()) && area.contains(at);
}

std::optional<QLineF> clipped(const QLineF& line, const QRectF& area) {
  if (!std::isfinite(line.length())) return std::nullopt;
  double from = 0;
  double to = 1;
  const auto keep = [&](double begin, double way, double low, double high) {
    if (way == 0) return begin >= low && begin <= high;
    const auto [in, out] = std::minmax({(low - begin) / way, (high - begin) / way});
    from = std::max(from, in);
    to = std::min(to, out);
    return true;
  };
  const bool inside = keep(line.x1(), line.dx(), area.left(), area.right()) &&
                      keep(line.y1(), line.dy(), area.top(), area.bottom());
  if (!inside || !(from < to)) return std::nullopt;
  return QLineF(line.pointAt(from), line.pointAt(to));
}

std::vector<PlacedText> placedTexts(const PlotPanel& panel, const PlotPixels& pixels) {
  struct Mark {
    LabelRequest request;
    const QString* text;
    PlotInk ink;
  };
  std::vector<PlacedText> texts;
  std::vector<QRectF> taken;
  std::vector<Mark> marks;
  for (const PlotSeries& series : panel.series) {
    if (!series.along.isEmpty()) nameLine(series, pixels, texts, taken);
    for (std::size_t i = 0; i < series.labels.size(); ++i) {
      const QPointF at = pixels.of(series.points[i]);
      if (series.labelsBehind && std::isfinite(at.x()) && std::isfinite(at.y()))
        texts.push_back({.text = series.labels[i],
                         .ink = series.ink,
                         .at = at + QPointF(behind, 0),
                         .anchor = PlacedText::Anchor::begin,
                         .bold = series.bold});
      else if (!series.labelsBehind && holds(pixels.area, at))
        marks.push_back({{at, pixels.size(series.labels[i])}, &series.labels[i], series.ink});
    }
  }
  // From above, so that labels keep the order of their marks.
  std::stable_sort(marks.begin(), marks.end(),
                   [](const Mark& a, const Mark& b) { return a.request.at.y() < b.request.at.y(); });
  std::vector<LabelRequest> requests;
  requests.reserve(marks.size());
  for (const Mark& mark : marks)
    requests.push_back(mark.request);
  const auto places = placeLabels(requests, pixels.area, taken);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    const QPointF mark = requests[i].at;
    PlacedText text{.text = *marks[i].text, .ink = marks[i].ink, .at = places[i]->center()};
    if (std::abs(text.at.y() - mark.y()) >= requests[i].size.height() * 0.6)
      text.leader =
          QLineF(mark, {text.at.x() > mark.x() ? places[i]->left() : places[i]->right(), text.at.y()});
    texts.push_back(std::move(text));
  }
  return texts;
}

double roomBehind(const PlotPanel& panel, double width,
                  const std::function<double(const QString&, bool)>& widthOf) {
  double room = 0;
  for (const PlotSeries& series : panel.series)
    for (std::size_t i = 0; series.labelsBehind && i < series.labels.size(); ++i) {
      const double part = panel.x.fraction(series.points[i].x());
      const double words = widthOf(series.labels[i], series.bold) + 2 * behind;
      if (part > 0.05) room = std::max(room, (words - (1 - part) * width) / part);
    }
  return std::min(room, width / 2);
}

} // namespace lloyd
