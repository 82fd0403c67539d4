// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/roofline_plot.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/text/units.hpp"
#include "app/ui/common/label_placement.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/plot_ticks.hpp"

#include <QComboBox>
#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr std::array stages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};
constexpr double giga = 1e9;
constexpr double nearPixels = 24;
constexpr double pi = 3.14159265358979323846;
/// Two footprints whose memories are this near in speed share a roof.
constexpr double sameRoof = 1.1;

std::size_t placeOf(Stage stage) {
  return static_cast<std::size_t>(std::find(stages.begin(), stages.end(), stage) - stages.begin());
}

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : PlotPane(tr("Roofline"), parent), stages_(new QComboBox(this)) {
  stages_->addItem(tr("stages over points"));
  for (const Stage stage : stages)
    stages_->addItem(qtext(name(stage)));
  stages_->setToolTip(tr("Update handles clusters, not points: so little work that it stands far below"));
  stages_->setAccessibleName(tr("Stages on the roofline"));
  connect(stages_, &QComboBox::currentIndexChanged, this, [this] {
    fill();
    reset();
  });
  addControl(stages_);
  useLegend();
  QCustomPlot& p = plot();
  setScale(p.xAxis, true, 6);
  setScale(p.yAxis, true, 5);
  p.xAxis->setLabel(tr("operations a byte"));
  p.yAxis->setLabel(tr("billion operations/s"));
  roofs_.push_back(p.addGraph());
  for (const Stage stage : stages) {
    QCPGraph* marks = p.addGraph();
    marks->setName(qtext(name(stage)));
    marks->setLineStyle(QCPGraph::lsNone);
    marks_.push_back(marks);
  }
  renewColours();
  setEmpty(tr("Race variants: how near each comes to what memory and arithmetic allow appears here."));
}

bool RooflinePlot::shown(const RooflinePoint& point) const {
  const Stage stage = race_->rows[point.row].candidate.stage;
  const int chosen = stages_->currentIndex();
  return chosen == 0 ? stage != Stage::update : stages[static_cast<std::size_t>(chosen - 1)] == stage;
}

void RooflinePlot::show(const RaceResultPtr& race) {
  race_ = race;
  roofline_ = race ? rooflineOf(*race) : Roofline{};
  if (roofline_.points.empty())
    return setEmpty(
        race ? tr("No variant of this race was verified and has arithmetic to show.")
             : tr("Race variants: how near each comes to what memory and arithmetic allow appears here."));
  setEmpty({});
  fill();
  dataChanged();
}

void RooflinePlot::fill() {
  if (roofline_.points.empty()) return;
  std::array<QVector<double>, stages.size()> x;
  std::array<QVector<double>, stages.size()> y;
  for (const RooflinePoint& point : roofline_.points) {
    const std::size_t place = placeOf(race_->rows[point.row].candidate.stage);
    if (place >= stages.size() || !shown(point)) continue;
    x[place] << point.operationsPerByte;
    y[place] << point.operationsPerSecond / giga;
  }
  std::vector<QCPAbstractPlottable*> named;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    marks_[i]->setData(x[i], y[i], false);
    marks_[i]->setVisible(!x[i].isEmpty());
    if (!x[i].isEmpty()) named.push_back(marks_[i]);
  }
  setLegend(named);
  const bool some = std::any_of(x.begin(), x.end(), [](const auto& keys) { return !keys.isEmpty(); });
  describe();
  if (!some) setNote(tr("No variant of this stage was verified in the race"));
}

QString RooflinePlot::pointText(const RooflinePoint& point) const {
  const Measurement& row = race_->rows[point.row];
  return tr("%1 %2: %3 billion operations/s, %4 GB/s; %5 % of its roof; median %6 µs")
      .arg(tunedName(row.candidate), qtext(name(row.candidate.stage)),
           significantText(point.operationsPerSecond / giga), significantText(row.gigabytesPerSecond()),
           percentText(point.operationsPerSecond / point.roof), microsecondsText(row.times.median));
}

void RooflinePlot::describe() {
  QStringList left;
  for (const std::size_t i : roofline_.notArithmetic) {
    const QString stage = qtext(name(race_->rows[i].candidate.stage));
    if (!left.contains(stage)) left << stage;
  }
  QString note;
  if (roofline_.peak <= 0) note = tr("This device does not say how much arithmetic it can do: no level roof");
  if (!left.isEmpty()) {
    const QString said = tr("%1 only moves bytes and is left out").arg(left.join(QStringLiteral(", ")));
    note = note.isEmpty() ? said : QStringLiteral("%1; %2").arg(note, said);
  }
  if (note.isEmpty()) note = tr("Work and bytes are the least that a stage needs, whatever the kernel does");
  setNote(note);
  const auto best = std::max_element(roofline_.points.begin(), roofline_.points.end(),
                                     [](const RooflinePoint& a, const RooflinePoint& b) {
                                       return a.operationsPerSecond / a.roof < b.operationsPerSecond / b.roof;
                                     });
  setTitle(tr("Roofline of %1").arg(QString::fromStdString(race_->device.name)),
           tr("Slanted: the rate of a copy of that size. Level: the highest rate of single-precision "
              "arithmetic, a multiply-add counted as two."));
  setSummary(tr("%1 variants; the nearest to its roof is %2. %3.")
                 .arg(roofline_.points.size())
                 .arg(pointText(*best), note));
}

void RooflinePlot::fit() {
  if (roofline_.points.empty()) return;
  double left = std::numeric_limits<double>::max();
  double right = 0;
  double low = left;
  double high = 0;
  for (const RooflinePoint& point : roofline_.points) {
    if (!shown(point)) continue;
    left = std::min(left, point.operationsPerByte);
    right = std::max(right, point.operationsPerByte);
    low = std::min(low, point.operationsPerSecond);
    high = std::max(high, point.roof);
  }
  if (!(right > 0)) return;
  plot().xAxis->setRange(left / 2.5, right * 4);
  if (std::isfinite(roofline_.roofAt(right * 4))) high = std::max(high, roofline_.roofAt(right * 4));
  plot().yAxis->setRange(low / giga / 2, high / giga * 2);
}

void RooflinePlot::arrange() {
  for (QCPItemText* item : texts_)
    plot().removeItem(item);
  for (QCPItemLine* item : leaders_)
    plot().removeItem(item);
  texts_.clear();
  leaders_.clear();
  taken_.clear();
  if (roofline_.points.empty()) return;
  drawRoofs();
  drawLabels();
}

std::optional<PlotHover> RooflinePlot::hover(QPointF at) const {
  double nearest = nearPixels;
  std::optional<PlotHover> found;
  for (const RooflinePoint& point : roofline_.points) {
    if (!shown(point)) continue;
    const QPointF mark(plot().xAxis->coordToPixel(point.operationsPerByte),
                       plot().yAxis->coordToPixel(point.operationsPerSecond / giga));
    const double far = std::hypot(mark.x() - at.x(), mark.y() - at.y());
    if (!(far < nearest)) continue;
    nearest = far;
    found = PlotHover{pointText(point), mark};
  }
  return found;
}

PlotTable RooflinePlot::table() const { return race_ ? rooflineTable(roofline_, *race_) : PlotTable{}; }

void RooflinePlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  constexpr std::array shapes{QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare,
                              QCPScatterStyle::ssDiamond, QCPScatterStyle::ssTriangle};
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const QColor colour = stageColour(stages[i], theme);
    marks_[i]->setScatterStyle(QCPScatterStyle(shapes[i], QPen(theme.panel, 1), QBrush(colour), 8));
    marks_[i]->setPen(QPen(colour));
  }
}

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
  std::vector<LabelRequest> wishes;
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
