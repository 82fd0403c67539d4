// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/roofline_plot.hpp"

#include "app/model/number_text.hpp"
#include "app/ui/plot_colours.hpp"
#include "app/ui/plot_ticks.hpp"
#include "app/ui/theme.hpp"

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

QString words(Stage stage) { return QString::fromUtf8(name(stage).data()); }

std::size_t placeOf(Stage stage) {
  return static_cast<std::size_t>(std::find(stages.begin(), stages.end(), stage) - stages.begin());
}

} // namespace

RooflinePlot::RooflinePlot(QWidget* parent) : PlotPane(tr("Roofline"), parent), stages_(new QComboBox(this)) {
  stages_->addItem(tr("stages over points"));
  for (const Stage stage : stages)
    stages_->addItem(words(stage));
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
    marks->setName(words(stage));
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
      .arg(tunedName(row.candidate), words(row.candidate.stage),
           significantText(point.operationsPerSecond / giga), significantText(row.gigabytesPerSecond()),
           percentText(point.operationsPerSecond / point.roof), microsecondsText(row.times.median));
}

void RooflinePlot::describe() {
  QStringList left;
  for (const std::size_t i : roofline_.notArithmetic) {
    const QString stage = words(race_->rows[i].candidate.stage);
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

} // namespace lloyd
