// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/sweep_heatmap.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/sweep_plot.hpp"
#include "app/ui/plot/sweep_text.hpp"

#include <QComboBox>
#include <QSignalBlocker>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr std::size_t mostTexts = 900;

} // namespace

SweepHeatmap::SweepHeatmap(QWidget* parent)
    : PlotPane(tr("Sweep"), parent), chooser_(new QComboBox(this)),
      map_(new QCPColorMap(plot().xAxis, plot().yAxis)), scale_(new QCPColorScale(&plot())) {
  chooser_->setToolTip(tr("Whose times are shown: those of the best at each place, or of one variant"));
  chooser_->setAccessibleName(tr("Variant of the heat map"));
  connect(chooser_, &QComboBox::currentIndexChanged, this, [this] {
    if (!result_) return;
    fill();
    describe();
    dataChanged();
  });
  addControl(chooser_);
  plot().plotLayout()->addElement(0, 1, scale_);
  plot().plotLayout()->setColumnSpacing(2);
  scale_->setType(QCPAxis::atRight);
  scale_->setBarWidth(12);
  scale_->setRangeDrag(false);
  scale_->setRangeZoom(false);
  auto* margins = new QCPMarginGroup(&plot());
  plot().axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  scale_->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
  map_->setColorScale(scale_);
  map_->setInterpolate(false);
  map_->setTightBoundary(false);
  map_->setGradient(evenGradient());
  for (QCPAxis* axis : plot().axisRect()->axes())
    axis->grid()->setVisible(false);
  renewColours();
  setEmpty(
      tr("Choose two things to sweep and press Start: each measurement appears here as soon as it is made."));
}

bool SweepHeatmap::ofBest() const { return chooser_->currentIndex() <= 0; }

std::optional<std::size_t> SweepHeatmap::candidateAt(std::size_t column, std::size_t row) const {
  if (ofBest()) return bestAt(*result_, column, row, metric_);
  const auto chosen = static_cast<std::size_t>(chooser_->currentIndex() - 1);
  return valueOf(result_->at(column, row, chosen), metric_) ? std::optional(chosen) : std::nullopt;
}

void SweepHeatmap::choose(std::optional<std::size_t> candidate) {
  chooser_->setCurrentIndex(candidate ? static_cast<int>(*candidate) + 1 : 0);
}

void SweepHeatmap::fillChooser() {
  const QSignalBlocker quiet(chooser_);
  chooser_->clear();
  chooser_->addItem(tr("best of all"));
  for (std::size_t c = 0; c < result_->plan.candidates.size(); ++c)
    chooser_->addItem(tunedName(result_->plan.candidates[c]));
  if (result_->plan.candidates.size() == 1) chooser_->setCurrentIndex(1);
  chooser_->setVisible(result_->plan.candidates.size() > 1);
}

void SweepHeatmap::show(const SweepResultPtr& result, SweepMetric metric) {
  const bool other = !result || !result_ || !(result->plan == result_->plan);
  result_ = result;
  metric_ = metric;
  if (!result)
    return setEmpty(tr(
        "Choose two things to sweep and press Start: each measurement appears here as soon as it is made."));
  setEmpty({});
  if (other) fillChooser();
  fill();
  describe();
  if (other) return reset();
  dataChanged();
}

void SweepHeatmap::fill() {
  const SweepPlan& plan = result_->plan;
  const auto columns = static_cast<int>(plan.columns());
  const auto rows = static_cast<int>(plan.rows());
  map_->data()->setSize(columns, rows);
  map_->data()->setRange(QCPRange(0, columns - 1), QCPRange(0, rows - 1));
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const auto c = static_cast<std::size_t>(column);
      const auto r = static_cast<std::size_t>(row);
      const auto candidate = candidateAt(c, r);
      const auto value = candidate ? valueOf(result_->at(c, r, *candidate), metric_) : std::nullopt;
      map_->data()->setCell(column, row, value.value_or(std::numeric_limits<double>::quiet_NaN()));
      if (!value) continue;
      low = std::min(low, *value);
      high = std::max(high, *value);
    }
  if (!(high > 0)) low = high = 1;
  const bool wide = high > 10 * low && low > 0;
  scale_->setDataScaleType(wide ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  setScale(scale_->axis(), wide, 5);
  if (!(high > low)) {
    low *= 0.99;
    high *= 1.01;
  }
  map_->setDataRange(QCPRange(low, high));
  scale_->setLabel(metricTitle(metric_));
  for (std::size_t a = 0; a < 2; ++a) {
    std::vector<double> places;
    QStringList texts;
    for (std::size_t i = 0; i < plan.axes[a].values.size(); ++i) {
      places.push_back(static_cast<double>(i));
      texts << sweepValueText(plan.axes[a].values[i]);
    }
    tickers_[a] = QSharedPointer<PlaceTicker>::create(std::move(places), std::move(texts));
    QCPAxis* axis = a == 0 ? plot().xAxis : plot().yAxis;
    axis->setTicker(tickers_[a]);
    axis->setLabel(axisTitle(plan.axes[a].parameter));
  }
}

void SweepHeatmap::describe() {
  const SweepPlan& plan = result_->plan;
  const QString who =
      ofBest() ? tr("the best variant of %1").arg(qtext(name(plan.candidates.front().stage)))
               : tunedName(plan.candidates[static_cast<std::size_t>(chooser_->currentIndex() - 1)]);
  setTitle(tr("%1 of %2 over %3 and %4")
               .arg(metricTitle(metric_), who, qtext(name(plan.axes[0].parameter)),
                    qtext(name(plan.axes[1].parameter))));
  std::size_t done = 0;
  bool gaps = false;
  for (const auto& cell : result_->cells) {
    done += cell != nullptr;
    gaps = gaps || !gapReason(cell.get()).empty();
  }
  QString note = result_->finished
                     ? tr("%1 measurements").arg(countText(done))
                     : tr("%1 of %2 measurements").arg(countText(done), countText(result_->cells.size()));
  if (gaps) note += tr("; a dash: it cannot run there, point at it for the reason");
  setNote(note);
  setSummary(
      QStringLiteral("%1, %2 by %3 places. %4.").arg(title()).arg(plan.columns()).arg(plan.rows()).arg(note));
}

void SweepHeatmap::fit() {
  if (!result_) return;
  plot().xAxis->setRange(-0.5, static_cast<double>(result_->plan.columns()) - 0.5);
  plot().yAxis->setRange(-0.5, static_cast<double>(result_->plan.rows()) - 0.5);
}

void SweepHeatmap::nameTicks(QCPAxis* axis, const QSharedPointer<PlaceTicker>& ticker, double pixels) const {
  const QFontMetrics metrics(axis->tickLabelFont());
  int needed = metrics.height() + 2;
  if (axis->orientation() == Qt::Horizontal) {
    needed = 1;
    for (const QString& text : ticker->words())
      needed = std::max(needed, metrics.horizontalAdvance(text) + 8);
  }
  ticker->setEvery(std::max(1, static_cast<int>(std::ceil(needed / std::max(1.0, pixels)))));
}

void SweepHeatmap::arrange() {
  for (QCPItemText* item : texts_)
    plot().removeItem(item);
  texts_.clear();
  if (!result_) return;
  const double width = std::abs(plot().xAxis->coordToPixel(1) - plot().xAxis->coordToPixel(0));
  const double height = std::abs(plot().yAxis->coordToPixel(1) - plot().yAxis->coordToPixel(0));
  nameTicks(plot().xAxis, tickers_[0], width);
  nameTicks(plot().yAxis, tickers_[1], height);
  const SweepPlan& plan = result_->plan;
  const QFont small = plot().xAxis->tickLabelFont();
  const QFontMetrics metrics(small);
  if (plan.columns() * plan.rows() > mostTexts || height < metrics.height()) return;
  const bool twoLines = ofBest() && height >= 2 * metrics.height() + 4;
  for (std::size_t row = 0; row < plan.rows(); ++row)
    for (std::size_t column = 0; column < plan.columns(); ++column) {
      const auto candidate = candidateAt(column, row);
      bool gap = true;
      for (std::size_t c = 0; c < plan.candidates.size(); ++c)
        if (ofBest() || static_cast<int>(c) + 1 == chooser_->currentIndex())
          gap = gap && !gapReason(result_->at(column, row, c)).empty();
      if (!candidate && !gap) continue;
      QString text = unknownText();
      QColor ink = UiTheme::current().dim;
      if (candidate) {
        const double value = *valueOf(result_->at(column, row, *candidate), metric_);
        text = significantText(value);
        if (ofBest())
          text =
              twoLines ? text + QLatin1Char('\n') + lineName(plan, *candidate) : lineName(plan, *candidate);
        ink = inkOn(QColor::fromRgb(map_->gradient().color(
            value, map_->dataRange(), scale_->dataScaleType() == QCPAxis::stLogarithmic)));
      }
      if (metrics.size(0, text).width() + 4 > width) continue;
      auto* item = new QCPItemText(&plot());
      item->setText(text);
      item->setFont(small);
      item->setColor(ink);
      item->setSelectable(false);
      item->setPositionAlignment(Qt::AlignCenter);
      item->setTextAlignment(Qt::AlignCenter);
      item->position->setCoords(static_cast<double>(column), static_cast<double>(row));
      texts_.push_back(item);
    }
}

std::optional<PlotHover> SweepHeatmap::hover(QPointF at) const {
  if (!result_ || !plot().axisRect()->rect().contains(at.toPoint())) return std::nullopt;
  const double x = std::round(plot().xAxis->pixelToCoord(at.x()));
  const double y = std::round(plot().yAxis->pixelToCoord(at.y()));
  const SweepPlan& plan = result_->plan;
  if (!(x >= 0 && x < static_cast<double>(plan.columns()) && y >= 0 && y < static_cast<double>(plan.rows())))
    return std::nullopt;
  const auto column = static_cast<std::size_t>(x);
  const auto row = static_cast<std::size_t>(y);
  const std::size_t shown =
      candidateAt(column, row)
          .value_or(ofBest() ? 0 : static_cast<std::size_t>(chooser_->currentIndex() - 1));
  return PlotHover{cellText(*result_, column, row, shown, metric_),
                   {plot().xAxis->coordToPixel(x), plot().yAxis->coordToPixel(y)}};
}

PlotTable SweepHeatmap::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

void SweepHeatmap::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  QCPAxis* axis = scale_->axis();
  axis->setBasePen(QPen(theme.line));
  axis->setTickPen(QPen(theme.line));
  axis->setSubTickPen(Qt::NoPen);
  axis->setTickLabelColor(theme.dim);
  axis->setLabelColor(theme.dim);
  axis->setTickLabelFont(plot().xAxis->tickLabelFont());
  axis->setLabelFont(plot().xAxis->labelFont());
}

} // namespace lloyd
