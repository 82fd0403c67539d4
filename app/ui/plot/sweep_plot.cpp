// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/sweep_plot.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/sweep_text.hpp"

#include <QCheckBox>
#include <QSignalBlocker>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr double nearPixels = 26;
constexpr double footPixels = 7; ///< of a gap's cross above the axis
constexpr double wideSpan = 10;  ///< the largest value over the least that calls for a logarithmic axis

} // namespace

SweepPlot::SweepPlot(QWidget* parent) : PlotPane(tr("Sweep"), parent), gaps_(plot().addGraph()) {
  useLegend();
  gaps_->setLineStyle(QCPGraph::lsNone);
  logarithmic_ = addCheck(tr("log"), tr("Logarithmic upward axis"), [this](bool on) {
    scaleChosen_ = true;
    setScale(plot().yAxis, on, 5);
  });
  setScale(plot().yAxis, false, 5);
  renewColours();
  setEmpty(tr("Choose what to sweep and press Start: each measurement appears here as soon as it is made."));
}

bool SweepPlot::overRows() const { return result_->plan.columns() == 1 && result_->plan.rows() > 1; }

const SweepAxis& SweepPlot::axis() const { return result_->plan.axes[overRows() ? 1 : 0]; }

const Measurement* SweepPlot::at(std::size_t place, std::size_t candidate) const {
  return overRows() ? result_->at(0, place, candidate) : result_->at(place, 0, candidate);
}

void SweepPlot::show(const SweepResultPtr& result, SweepMetric metric) {
  const bool other = !result || !result_ || !(result->plan == result_->plan) || metric != metric_;
  result_ = result;
  metric_ = metric;
  if (!result)
    return setEmpty(
        tr("Choose what to sweep and press Start: each measurement appears here as soon as it is made."));
  setEmpty({});
  if (other) scaleChosen_ = false;
  fill();
  describe();
  if (other) return reset();
  dataChanged();
}

void SweepPlot::fill() {
  const SweepPlan& plan = result_->plan;
  while (lines_.size() < plan.candidates.size()) {
    QCPGraph* line = plot().addGraph();
    line->setLineStyle(QCPGraph::lsLine);
    lines_.push_back(line);
  }
  std::vector<QCPAbstractPlottable*> named;
  double low = std::numeric_limits<double>::max();
  double high = 0;
  for (std::size_t c = 0; c < lines_.size(); ++c) {
    QVector<double> x;
    QVector<double> y;
    if (c < plan.candidates.size()) {
      for (std::size_t i = 0; i < axis().values.size(); ++i) {
        const auto value = valueOf(at(i, c), metric_);
        x << static_cast<double>(axis().values[i]);
        y << value.value_or(std::numeric_limits<double>::quiet_NaN());
        if (!value) continue;
        low = std::min(low, *value);
        high = std::max(high, *value);
      }
      lines_[c]->setName(lineName(plan, c));
      named.push_back(lines_[c]);
    }
    lines_[c]->setData(x, y, true);
    lines_[c]->setVisible(c < plan.candidates.size());
  }
  setLegend(named);
  gapPlaces_.clear();
  for (std::size_t i = 0; i < axis().values.size(); ++i)
    for (std::size_t c = 0; c < plan.candidates.size(); ++c)
      if (!gapReason(at(i, c)).empty() && (gapPlaces_.empty() || gapPlaces_.back() != i))
        gapPlaces_.push_back(i);
  if (!scaleChosen_) {
    const bool wide = metric_ != SweepMetric::ofLimit && high > wideSpan * low;
    const QSignalBlocker quiet(logarithmic_);
    logarithmic_->setChecked(wide);
    setScale(plot().yAxis, wide, 5);
  }
  std::vector<double> places;
  QStringList texts;
  for (const std::uint64_t value : axis().values) {
    places.push_back(static_cast<double>(value));
    texts << sweepValueText(value);
  }
  ticker_ = QSharedPointer<PlaceTicker>::create(std::move(places), std::move(texts));
  const bool wide = axis().values.back() > 10 * axis().values.front();
  plot().xAxis->setScaleType(wide ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  plot().xAxis->setTicker(ticker_);
  plot().xAxis->setLabel(axisTitle(axis().parameter));
  plot().yAxis->setLabel(metricTitle(metric_));
  paintTheme();
}

void SweepPlot::describe() {
  const SweepPlan& plan = result_->plan;
  QStringList fixed;
  const Problem& base = plan.base;
  const bool single = plan.axes.size() == 2;
  const auto add = [&](SweepParameter parameter, std::uint64_t value) {
    if (!plan.sweeps(parameter))
      fixed << QStringLiteral("%1 = %2").arg(qtext(name(parameter)), sweepValueText(value));
  };
  add(SweepParameter::n, base.n);
  add(SweepParameter::d, static_cast<std::uint64_t>(base.d));
  add(SweepParameter::k, static_cast<std::uint64_t>(base.k));
  if (single) {
    const SweepAxis& other = plan.axes[overRows() ? 0 : 1];
    fixed << QStringLiteral("%1 = %2").arg(qtext(name(other.parameter)),
                                           sweepValueText(other.values.front()));
  }
  setTitle(tr("%1: %2 over %3, %4")
               .arg(qtext(name(plan.candidates.front().stage)), metricTitle(metric_),
                    qtext(name(axis().parameter)), fixed.join(QStringLiteral(", "))));
  std::size_t done = 0;
  for (const auto& cell : result_->cells)
    done += cell != nullptr;
  QString note = result_->finished
                     ? tr("%1 measurements").arg(countText(done))
                     : tr("%1 of %2 measurements").arg(countText(done), countText(result_->cells.size()));
  if (!gapPlaces_.empty())
    note += tr("; a cross at the foot: a variant cannot run there, point at it for the reason");
  setNote(note);
  QString best;
  const std::size_t last = axis().values.size() - 1;
  if (const auto winner = bestAt(*result_, overRows() ? 0 : last, overRows() ? last : 0, metric_))
    best = tr(" At the right end the best is %1.")
               .arg(cellText(*result_, overRows() ? 0 : last, overRows() ? last : 0, *winner, metric_));
  setSummary(QStringLiteral("%1. %2.%3").arg(title(), note, best));
}

void SweepPlot::fit() {
  if (!result_) return;
  const auto first = static_cast<double>(axis().values.front());
  const auto last = static_cast<double>(axis().values.back());
  if (plot().xAxis->scaleType() == QCPAxis::stLogarithmic) {
    const double part = std::pow(last / first, 0.04);
    plot().xAxis->setRange(first / part, last * part);
  } else {
    const double room = last > first ? (last - first) * 0.04 : std::max(1.0, first * 0.1);
    plot().xAxis->setRange(first - room, last + room);
  }
  bool any = false;
  QCPRange range;
  for (const QCPGraph* line : lines_) {
    bool has = false;
    const QCPRange one = line->getValueRange(has);
    if (!has || !line->visible()) continue;
    range = any ? range.expanded(one) : one;
    any = true;
  }
  if (!any) {
    plot().yAxis->setRange(logarithmic_->isChecked() ? QCPRange(1, 10) : QCPRange(0, 1));
  } else if (logarithmic_->isChecked()) {
    const double part = std::max(1.15, std::pow(range.upper / range.lower, 0.08));
    plot().yAxis->setRange(range.lower / part / (gapPlaces_.empty() ? 1 : part), range.upper * part);
  } else {
    plot().yAxis->setRange(0, range.upper * 1.08);
  }
}

QPointF SweepPlot::footOf(std::size_t place) const {
  return {plot().xAxis->coordToPixel(static_cast<double>(axis().values[place])),
          plot().axisRect()->rect().bottom() - footPixels};
}

void SweepPlot::arrange() {
  if (!result_) return;
  QVector<double> x;
  QVector<double> y;
  for (const std::size_t place : gapPlaces_) {
    x << static_cast<double>(axis().values[place]);
    y << plot().yAxis->pixelToCoord(footOf(place).y());
  }
  gaps_->setData(x, y, true);
  // As many values as the axis has room to name.
  const QFontMetrics metrics(plot().xAxis->tickLabelFont());
  int widest = 1;
  for (const QString& text : ticker_->words())
    widest = std::max(widest, metrics.horizontalAdvance(text) + 10);
  const double length = plot().axisRect()->width();
  const auto room = std::max(1, static_cast<int>(length / widest));
  const auto count = static_cast<int>(ticker_->places().size());
  ticker_->setEvery((count + room - 1) / room);
}

std::optional<PlotHover> SweepPlot::hover(QPointF at) const {
  if (!result_ || !plot().axisRect()->rect().contains(at.toPoint())) return std::nullopt;
  double nearest = nearPixels;
  std::optional<PlotHover> found;
  const auto placeText = [&](std::size_t place, std::size_t c) {
    return cellText(*result_, overRows() ? 0 : place, overRows() ? place : 0, c, metric_);
  };
  for (std::size_t i = 0; i < axis().values.size(); ++i)
    for (std::size_t c = 0; c < result_->plan.candidates.size(); ++c) {
      const auto value = valueOf(this->at(i, c), metric_);
      if (!value) continue;
      const QPointF mark(plot().xAxis->coordToPixel(static_cast<double>(axis().values[i])),
                         plot().yAxis->coordToPixel(*value));
      const double far = std::hypot(mark.x() - at.x(), mark.y() - at.y());
      if (!(far < nearest)) continue;
      nearest = far;
      found = PlotHover{placeText(i, c), mark};
    }
  for (const std::size_t place : gapPlaces_) {
    const QPointF mark = footOf(place);
    const double far = std::hypot(mark.x() - at.x(), mark.y() - at.y());
    if (!(far < nearest)) continue;
    nearest = far;
    QStringList reasons;
    for (std::size_t c = 0; c < result_->plan.candidates.size(); ++c)
      if (!gapReason(this->at(place, c)).empty()) reasons << placeText(place, c);
    found = PlotHover{reasons.join(QStringLiteral("; ")), mark};
  }
  return found;
}

PlotTable SweepPlot::table() const { return result_ ? sweepTable(*result_) : PlotTable{}; }

void SweepPlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  for (std::size_t c = 0; c < lines_.size(); ++c) {
    lines_[c]->setPen(seriesPen(c, theme));
    lines_[c]->setScatterStyle(seriesMarker(c, theme));
  }
  gaps_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, QPen(theme.dim, 1.6), Qt::NoBrush, 7));
}

} // namespace lloyd
