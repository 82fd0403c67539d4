// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs, their names, and the names of the points: made anew for every view.
#include "app/model/ladder_model.hpp"
#include "app/model/number_text.hpp"
#include "app/ui/plot_colours.hpp"
#include "app/ui/plot_labels.hpp"
#include "app/ui/roofline_plot.hpp"
#include "app/ui/theme.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

constexpr double giga = 1e9;
constexpr double pi = 3.14159265358979323846;
/// Two footprints whose memories are this near in speed share a roof.
constexpr double sameRoof = 1.1;

QString bytesText(std::size_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1e6) return RooflinePlot::tr("%1 MB").arg(significantText(value / 1e6));
  if (value >= 1e3) return RooflinePlot::tr("%1 kB").arg(significantText(value / 1e3));
  return RooflinePlot::tr("%1 bytes").arg(significantText(value));
}

} // namespace

/// A roof is drawn as far as one can see, so it is made anew for every view.
void RooflinePlot::drawRoofs() {
  const QCPRange view = plot().xAxis->range();
  const UiTheme& theme = UiTheme::current();
  std::vector<MemoryRoof> drawn;
  for (const MemoryRoof& roof : roofline_.memory) {
    const bool used = std::any_of(roofline_.points.begin(), roofline_.points.end(), [&](const auto& point) {
      return race_->rows[point.row].bytes == roof.bytes && shown(point);
    });
    if (used && (drawn.empty() || roof.bytesPerSecond * sameRoof < drawn.back().bytesPerSecond))
      drawn.push_back(roof);
  }
  while (roofs_.size() < drawn.size())
    roofs_.push_back(plot().addGraph());
  for (std::size_t i = 0; i < roofs_.size(); ++i) {
    roofs_[i]->setVisible(i < drawn.size());
    if (i >= drawn.size()) continue;
    const double rate = drawn[i].bytesPerSecond;
    QVector<double> x{view.lower};
    const double ridge = roofline_.peak > 0 ? roofline_.peak / rate : view.upper;
    if (ridge > view.lower && ridge < view.upper) x << ridge;
    // Below the first roof the others end where they meet its level part.
    x << (i == 0 ? view.upper : std::min(view.upper, std::max(ridge, view.lower)));
    QVector<double> y;
    for (const double at : x)
      y << (roofline_.peak > 0 ? std::min(roofline_.peak, rate * at) : rate * at) / giga;
    roofs_[i]->setData(x, y, true);
    roofs_[i]->setPen(i == 0 ? QPen(theme.text, 1.6) : QPen(theme.dim, 1, Qt::DashLine));
    nameSlope(drawn[i], std::min(ridge, view.upper), i == 0);
  }
  if (!(roofline_.peak > 0) || !plot().yAxis->range().contains(roofline_.peak / giga)) return;
  const QString words = tr("%1 billion operations/s").arg(significantText(roofline_.peak / giga));
  text(words, {view.upper, roofline_.peak / giga}, int(Qt::AlignRight | Qt::AlignBottom), theme.dim);
  const QFontMetricsF metrics(plot().xAxis->tickLabelFont());
  const double width = metrics.horizontalAdvance(words) + 6;
  taken_.emplace_back(plot().axisRect()->right() - width,
                      plot().yAxis->coordToPixel(roofline_.peak / giga) - metrics.height(), width,
                      metrics.height() + 2);
}

/// Written along the slanted part that ends at right, above or below it. Labels of points keep clear of the
/// line and of its name.
void RooflinePlot::nameSlope(const MemoryRoof& roof, double right, bool above) {
  const double left = plot().xAxis->range().lower;
  if (!(right > left)) return;
  const double perByte = roof.bytesPerSecond / giga;
  const QPointF from(plot().xAxis->coordToPixel(left), plot().yAxis->coordToPixel(perByte * left));
  const QPointF to(plot().xAxis->coordToPixel(right), plot().yAxis->coordToPixel(perByte * right));
  const QPointF way = to - from;
  const double length = std::hypot(way.x(), way.y());
  const QFontMetricsF metrics(plot().xAxis->tickLabelFont());
  const QString words =
      tr("%1 GB/s (%2)").arg(significantText(roof.bytesPerSecond / giga), bytesText(roof.bytes));
  // Where the line enters the view.
  const QRectF area = plot().axisRect()->rect();
  double begin = 0.02;
  while (begin < 1 && !area.contains(from + way * begin))
    begin += 0.02;
  const bool fits = metrics.horizontalAdvance(words) < length * (1 - begin);
  for (int step = 0; 4 * step < length; ++step) {
    const double at = 4.0 * step;
    const QPointF place = from + way * (at / length);
    const double height =
        fits && at < length * begin + metrics.horizontalAdvance(words) ? metrics.height() : 2;
    taken_.emplace_back(place.x() - 2, above ? place.y() - height : place.y() - 2, 4, height + 2);
  }
  if (!fits) return;
  QCPItemText* item =
      text(words, {}, int(Qt::AlignLeft | (above ? Qt::AlignBottom : Qt::AlignTop)), UiTheme::current().dim);
  item->position->setPixelPosition(from + way * begin);
  item->setRotation(std::atan2(way.y(), way.x()) * 180 / pi);
}

QCPItemText* RooflinePlot::text(const QString& words, QPointF at, int alignment, const QColor& colour) {
  auto* item = new QCPItemText(&plot());
  item->setText(words);
  item->setColor(colour);
  item->setFont(plot().xAxis->tickLabelFont());
  item->setPositionAlignment(Qt::Alignment(alignment));
  item->setPadding(QMargins(2, 1, 2, 1));
  item->position->setCoords(at);
  item->setSelectable(false);
  texts_.push_back(item);
  return item;
}

void RooflinePlot::drawLabels() {
  std::vector<const RooflinePoint*> points;
  std::vector<LabelWish> wishes;
  const QFontMetricsF metrics(plot().xAxis->tickLabelFont());
  const QRectF area = plot().axisRect()->rect();
  std::vector<RooflinePoint> sorted = roofline_.points; // from above, so that labels keep the order of marks
  std::stable_sort(sorted.begin(), sorted.end(), [](const RooflinePoint& a, const RooflinePoint& b) {
    return a.operationsPerSecond > b.operationsPerSecond;
  });
  for (const RooflinePoint& point : sorted) {
    const QPointF at(plot().xAxis->coordToPixel(point.operationsPerByte),
                     plot().yAxis->coordToPixel(point.operationsPerSecond / giga));
    if (!shown(point) || !area.contains(at)) continue;
    points.push_back(&point);
    const QString words = versionText(*race_->rows[point.row].candidate.variant);
    wishes.push_back({at, QSizeF(metrics.horizontalAdvance(words) + 2, metrics.height() - 2)});
  }
  const auto places = placeLabels(wishes, area, taken_);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    const Candidate& candidate = race_->rows[points[i]->row].candidate;
    QCPItemText* item = text(versionText(*candidate.variant), {}, int(Qt::AlignCenter),
                             stageColour(candidate.stage, UiTheme::current()));
    item->position->setPixelPosition(places[i]->center());
    if (std::abs(places[i]->center().y() - wishes[i].at.y()) < metrics.height() * 0.6) continue;
    auto* leader = new QCPItemLine(&plot());
    const bool right = places[i]->center().x() > wishes[i].at.x();
    leader->start->setPixelPosition(wishes[i].at);
    leader->end->setPixelPosition({right ? places[i]->left() : places[i]->right(), places[i]->center().y()});
    leader->setPen(QPen(UiTheme::current().dim, 0.7));
    leader->setSelectable(false);
    leaders_.push_back(leader);
  }
}

} // namespace lloyd
