// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/distribution_plot.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/plot_ticks.hpp"

#include <QComboBox>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

/// Counts go both ways from zero, and none of them is negative.
class CountTicker : public NumberTicker {
public:
  using NumberTicker::NumberTicker;

protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
    return NumberTicker::getTickLabel(std::abs(tick), locale, format, precision);
  }
};

const Measurement* rowOf(const RaceResult& race, const Candidate& candidate) {
  const auto found = std::find_if(race.rows.begin(), race.rows.end(), [&](const Measurement& row) {
    return sameCandidate(row.candidate, candidate);
  });
  return found == race.rows.end() ? nullptr : &*found;
}

QString capitalised(const QString& words) { return words.left(1).toUpper() + words.mid(1); }

QString ratioText(double ratio) { return significantText(ratio, 4); }

} // namespace

DistributionPlot::DistributionPlot(QWidget* parent)
    : PlotPane(tr("A over B"), parent), kind_(new QComboBox(this)), times_(plot().axisRect()),
      ratioRect_(new QCPAxisRect(&plot())) {
  kind_->addItems({tr("histogram"), tr("sorted")});
  kind_->setToolTip(tr("How often each time occurred, or all times from the fastest to the slowest"));
  kind_->setAccessibleName(tr("Way of showing the times"));
  connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
    fill();
    reset();
  });
  addControl(kind_);
  plot().plotLayout()->addElement(0, 1, ratioRect_);
  plot().plotLayout()->setColumnStretchFactor(0, 1.5);
  plot().plotLayout()->setColumnSpacing(4);
  ratioRect_->setMinimumMargins(QMargins(4, 6, 12, 4));
  makeTimes();
  makeRatios();
  renewColours();
  setEmpty(
      tr("Race two variants and choose them as A and B: their samples appear here, one over the other."));
}

void DistributionPlot::makeTimes() {
  for (Side* side : {&a_, &b_}) {
    side->bars = new QCPBars(times_->axis(QCPAxis::atBottom), times_->axis(QCPAxis::atLeft));
    side->curve = plot().addGraph(times_->axis(QCPAxis::atBottom), times_->axis(QCPAxis::atLeft));
    side->median = new QCPItemLine(&plot());
    side->label = new QCPItemText(&plot());
    for (QCPItemPosition* end : {side->median->start, side->median->end}) {
      end->setAxisRect(times_);
      end->setAxes(times_->axis(QCPAxis::atBottom), times_->axis(QCPAxis::atLeft));
    }
    side->median->setClipAxisRect(times_);
    side->label->setClipAxisRect(times_);
    side->label->position->setAxisRect(times_);
    side->label->position->setType(QCPItemPosition::ptAxisRectRatio);
    side->label->setPadding(QMargins(4, 1, 4, 1));
  }
}

void DistributionPlot::makeRatios() {
  QCPAxis* x = ratioRect_->axis(QCPAxis::atBottom);
  QCPAxis* y = ratioRect_->axis(QCPAxis::atLeft);
  setScale(x, true, 4);
  setScale(y, false, 4, NumberTicker::Values::whole);
  x->setLabel(tr("A's time over B's"));
  interval_ = new QCPItemRect(&plot());
  for (QCPItemPosition* corner : {interval_->topLeft, interval_->bottomRight}) {
    corner->setAxisRect(ratioRect_);
    corner->setAxes(x, y);
    corner->setTypeX(QCPItemPosition::ptPlotCoords);
    corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
  interval_->setClipAxisRect(ratioRect_);
  interval_->setLayer(QStringLiteral("grid"));
  interval_->setPen(Qt::NoPen);
  ratioSteps_ = plot().addGraph(x, y);
  ratioSteps_->setLineStyle(QCPGraph::lsStepLeft);
  for (QCPItemStraightLine** line : {&same_, &estimate_}) {
    *line = new QCPItemStraightLine(&plot());
    for (QCPItemPosition* end : {(*line)->point1, (*line)->point2}) {
      end->setAxisRect(ratioRect_);
      end->setAxes(x, y);
    }
    (*line)->setClipAxisRect(ratioRect_);
  }
  same_->point1->setCoords(1, 0);
  same_->point2->setCoords(1, 1);
}

bool DistributionPlot::sorted() const { return kind_->currentIndex() == 1; }

QString DistributionPlot::whyEmpty(const Candidate& a, const Candidate& b) const {
  if (!race_) return tr("Race variants: the samples of the two that you compare appear here.");
  if (!a.variant || !b.variant) return tr("Choose two variants of the race as A and B.");
  if (sameCandidate(a, b)) return tr("A and B are the same: choose another for one of them.");
  for (const Candidate* candidate : {&a, &b}) {
    const Measurement* row = rowOf(*race_, *candidate);
    const QString id = tunedName(*candidate);
    if (!row) return tr("%1 was not in the race: race it too.").arg(id);
    if (!row->ran() && !row->skipped.empty())
      return tr("%1 was not raced: %2.").arg(id, QString::fromStdString(row->skipped));
    if (sortedFinite(row->us).empty()) return tr("The samples of %1 are not known.").arg(id);
  }
  return {};
}

void DistributionPlot::show(const RaceResultPtr& race, const Candidate& a, const Candidate& b) {
  race_ = race;
  const QString why = whyEmpty(a, b);
  a_.row = why.isEmpty() ? rowOf(*race, a) : nullptr;
  b_.row = why.isEmpty() ? rowOf(*race, b) : nullptr;
  if (!why.isEmpty()) {
    setTitle(tr("A over B"));
    return setEmpty(why);
  }
  CompareRules rules = race->conditions.rules;
  comparison_ = a.stage == b.stage && a_.row->us.size() == b_.row->us.size()
                    ? comparePaired(a_.row->us, b_.row->us, rules)
                    : Comparison{.ratio = a_.row->times.median / b_.row->times.median};
  setEmpty({});
  fill();
  describe();
  dataChanged();
}

void DistributionPlot::fill() {
  if (!a_.row) return;
  fillTimes();
  fillRatios();
}

void DistributionPlot::fillTimes() {
  bins_ = binsFor(a_.row->us, b_.row->us);
  QCPAxis* x = times_->axis(QCPAxis::atBottom);
  QCPAxis* y = times_->axis(QCPAxis::atLeft);
  x->setLabel(sorted() ? tr("% of the samples") : tr("µs"));
  y->setLabel(sorted() ? tr("µs") : tr("samples"));
  setScale(x, false, 5);
  y->setTicker(QSharedPointer<CountTicker>::create(
      false, 5, sorted() ? NumberTicker::Values::any : NumberTicker::Values::whole));
  for (Side* side : {&a_, &b_}) {
    side->sorted = sortedFinite(side->row->us);
    side->counts = countInto(bins_, side->row->us);
    QVector<double> keys;
    QVector<double> heights;
    for (std::size_t i = 0; i < side->counts.size(); ++i) {
      keys << bins_.centre(i);
      heights << static_cast<double>(side->counts[i]) * (side == &a_ ? 1 : -1);
    }
    side->bars->setWidth(bins_.width);
    side->bars->setData(keys, heights, true);
    QVector<double> part;
    QVector<double> us;
    for (std::size_t i = 0; i < side->sorted.size(); ++i) {
      part << 100 * (static_cast<double>(i) + 0.5) / static_cast<double>(side->sorted.size());
      us << side->sorted[i];
    }
    side->curve->setData(part, us, true);
    side->bars->setVisible(!sorted());
    side->median->setVisible(!sorted());
    side->curve->setVisible(sorted());
    side->label->setText(tr("%1 %2, median %3 µs")
                             .arg(side == &a_ ? QStringLiteral("A") : QStringLiteral("B"),
                                  tunedName(side->row->candidate),
                                  microsecondsText(side->row->times.median)));
  }
}

/// The bins are even on the axis of logarithms, on which "twice" and "half" are equally far from "the same".
void DistributionPlot::fillRatios() {
  ratios_ = pairedRatios(a_.row->us, b_.row->us);
  std::vector<double> logs(ratios_.size());
  std::transform(ratios_.begin(), ratios_.end(), logs.begin(), [](double ratio) { return std::log(ratio); });
  ratioBins_ = binsFor(logs);
  ratioCounts_ = countInto(ratioBins_, logs);
  QVector<double> keys;
  QVector<double> heights;
  const auto edge = [&](std::size_t bin) {
    return std::exp(ratioBins_.from + static_cast<double>(bin) * ratioBins_.width);
  };
  if (ratioBins_.count > 0) {
    for (std::size_t i = 0; i < ratioCounts_.size(); ++i) {
      keys << edge(i);
      heights << static_cast<double>(ratioCounts_[i]);
    }
    keys << edge(ratioCounts_.size());
    heights << 0.0;
  }
  ratioSteps_->setData(keys, heights, true);
  const bool interval = std::isfinite(comparison_.low) && std::isfinite(comparison_.high) &&
                        comparison_.low > 0 && comparison_.pairs > 0;
  interval_->setVisible(interval);
  interval_->topLeft->setCoords(interval ? comparison_.low : 1, 0);
  interval_->bottomRight->setCoords(interval ? comparison_.high : 1, 1);
  const bool known = std::isfinite(comparison_.ratio) && comparison_.ratio > 0;
  estimate_->setVisible(known);
  estimate_->point1->setCoords(known ? comparison_.ratio : 1, 0);
  estimate_->point2->setCoords(known ? comparison_.ratio : 1, 1);
}

void DistributionPlot::describe() {
  const QString a = tunedName(a_.row->candidate);
  const QString b = tunedName(b_.row->candidate);
  const double within = race_->conditions.rules.sameWithin;
  const bool paired = comparison_.pairs > 0;
  const QString verdict =
      paired ? tr("%1: A %2 against B %3").arg(capitalised(verdictText(comparison_, within)), a, b)
             : tr("A %1 and B %2: times of different work").arg(a, b);
  setTitle(verdict,
           tr("From the rounds that both took part in; the interval holds the true ratio but for the "
              "chance that the race's rules allow"));
  QString note;
  if (paired && std::isfinite(comparison_.high)) {
    note = tr("%1 pairs; ratio %2, interval %3 to %4")
               .arg(countText(comparison_.pairs), ratioText(comparison_.ratio), ratioText(comparison_.low),
                    ratioText(comparison_.high));
  } else if (paired) {
    note = tr("%1 pairs are too few for an interval").arg(countText(comparison_.pairs));
  } else {
    note = tr("%1 samples of A, %2 of B").arg(a_.sorted.size()).arg(b_.sorted.size());
  }
  const auto out = [&](const Side& side) {
    return std::count_if(side.sorted.begin(), side.sorted.end(), [&](double us) {
      return us < bins_.from || us >= bins_.from + bins_.width * static_cast<double>(bins_.count);
    });
  };
  if (const auto far = out(a_) + out(b_); far > 0)
    note += tr("; %1 samples lie farther out and count for the bins at the ends").arg(far);
  setNote(note);
  setSummary(QStringLiteral("%1. %2, %3. %4.").arg(verdict, a_.label->text(), b_.label->text(), note));
}

PlotTable DistributionPlot::table() const {
  return a_.row ? distributionTable(*a_.row, *b_.row) : PlotTable{};
}

// Where things stand in the distribution plot, and in which colours.

void DistributionPlot::fit() {
  if (!a_.row) return;
  QCPAxis* x = times_->axis(QCPAxis::atBottom);
  QCPAxis* y = times_->axis(QCPAxis::atLeft);
  if (sorted()) {
    x->setRange(0, 100);
    const double low = std::min(a_.sorted.front(), b_.sorted.front());
    const double high = std::max(a_.sorted.back(), b_.sorted.back());
    const double room = std::max((high - low) * 0.08, high * 1e-3);
    y->setRange(std::max(0.0, low - room), high + 2.5 * room);
  } else {
    const double width = bins_.width;
    x->setRange(bins_.from - width, bins_.from + width * static_cast<double>(bins_.count + 1));
    std::size_t most = 1;
    for (const Side* side : {&a_, &b_})
      for (const std::size_t count : side->counts)
        most = std::max(most, count);
    // Room for the names above and below.
    y->setRange(-1.35 * static_cast<double>(most), 1.35 * static_cast<double>(most));
  }
  std::size_t most = 1;
  for (const std::size_t count : ratioCounts_)
    most = std::max(most, count);
  ratioRect_->axis(QCPAxis::atLeft)->setRange(0, 1.12 * static_cast<double>(most));
  double low = 0.99;
  double high = 1.01;
  if (ratioBins_.count > 0) {
    low = std::min(low, std::exp(ratioBins_.from));
    high =
        std::max(high, std::exp(ratioBins_.from + ratioBins_.width * static_cast<double>(ratioBins_.count)));
  }
  const double room = std::pow(high / low, 0.06);
  ratioRect_->axis(QCPAxis::atBottom)->setRange(low / room, high * room);
}

/// Each name stands at the side that its median leaves free.
void DistributionPlot::arrange() {
  const QCPRange x = times_->axis(QCPAxis::atBottom)->range();
  const QCPRange y = times_->axis(QCPAxis::atLeft)->range();
  for (Side* side : {&a_, &b_}) {
    if (!side->row) continue;
    const bool up = side == &a_;
    const double median = side->row->times.median;
    side->median->start->setCoords(median, 0);
    side->median->end->setCoords(median, up ? y.upper : y.lower);
    const bool right = sorted() ? false : median < x.center();
    side->label->setPositionAlignment((right ? Qt::AlignRight : Qt::AlignLeft) |
                                      (up || sorted() ? Qt::AlignTop : Qt::AlignBottom));
    side->label->position->setCoords(right ? 1 : 0, sorted() ? (up ? 0 : 0.09) : (up ? 0 : 1));
  }
}

std::vector<QCPAxis*> DistributionPlot::axes() const {
  return {times_->axis(QCPAxis::atBottom), times_->axis(QCPAxis::atLeft),
          ratioRect_->axis(QCPAxis::atBottom)};
}

void DistributionPlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  const auto paint = [&](Side& side, const QColor& colour) {
    QColor faint = colour;
    faint.setAlpha(150);
    side.bars->setPen(QPen(colour, 0.8));
    side.bars->setBrush(faint);
    side.curve->setPen(QPen(colour, 1.8));
    side.median->setPen(QPen(theme.text, 1.4));
    side.label->setColor(colour);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.92);
    small.setBold(true);
    side.label->setFont(small);
    QColor ground = theme.panel;
    ground.setAlpha(210);
    side.label->setBrush(ground);
    side.label->setPen(Qt::NoPen);
  };
  paint(a_, firstColour(theme));
  paint(b_, secondColour(theme));
  b_.curve->setPen(QPen(secondColour(theme), 1.8, Qt::DashLine));
  times_->axis(QCPAxis::atLeft)->grid()->setZeroLinePen(QPen(theme.dim));
  QColor steps = theme.accent;
  ratioSteps_->setPen(QPen(steps, 1.2));
  steps.setAlpha(90);
  ratioSteps_->setBrush(steps);
  QColor band = theme.text;
  band.setAlpha(48);
  interval_->setBrush(band);
  estimate_->setPen(QPen(theme.text, 1.4));
  same_->setPen(QPen(theme.dim, 1, Qt::DashLine));
}

// What the distributions say of the place under the pointer.

std::optional<PlotHover> DistributionPlot::hover(QPointF at) const {
  if (!a_.row) return std::nullopt;
  if (ratioRect_->rect().contains(at.toPoint())) return hoverRatios(at);
  if (!times_->rect().contains(at.toPoint())) return std::nullopt;
  return sorted() ? hoverSorted(at) : hoverTimes(at);
}

std::optional<PlotHover> DistributionPlot::hoverTimes(QPointF at) const {
  const QCPAxis* x = times_->axis(QCPAxis::atBottom);
  const QCPAxis* y = times_->axis(QCPAxis::atLeft);
  const double bin = std::floor((x->pixelToCoord(at.x()) - bins_.from) / bins_.width);
  if (!(bin >= 0 && bin < static_cast<double>(bins_.count))) return std::nullopt;
  const auto i = static_cast<std::size_t>(bin);
  const double from = bins_.from + bin * bins_.width;
  const bool up = y->pixelToCoord(at.y()) >= 0;
  const double height = up ? static_cast<double>(a_.counts[i]) : -static_cast<double>(b_.counts[i]);
  return PlotHover{tr("%1 to %2 µs: %3 of %4 samples of A, %5 of %6 of B")
                       .arg(significantText(from, 4), significantText(from + bins_.width, 4))
                       .arg(a_.counts[i])
                       .arg(a_.sorted.size())
                       .arg(b_.counts[i])
                       .arg(b_.sorted.size()),
                   {x->coordToPixel(bins_.centre(i)), y->coordToPixel(height)}};
}

std::optional<PlotHover> DistributionPlot::hoverSorted(QPointF at) const {
  const QCPAxis* x = times_->axis(QCPAxis::atBottom);
  const QCPAxis* y = times_->axis(QCPAxis::atLeft);
  const double part = x->pixelToCoord(at.x()) / 100;
  if (!(part >= 0 && part <= 1)) return std::nullopt;
  const auto valueOf = [&](const Side& side) {
    const auto index = static_cast<std::size_t>(part * static_cast<double>(side.sorted.size()));
    return side.sorted[std::min(index, side.sorted.size() - 1)];
  };
  const double a = valueOf(a_);
  const double b = valueOf(b_);
  const double nearer =
      std::abs(y->coordToPixel(a) - at.y()) <= std::abs(y->coordToPixel(b) - at.y()) ? a : b;
  return PlotHover{tr("%1 % of the samples take at most %2 µs with A, %3 µs with B")
                       .arg(significantText(100 * part), significantText(a, 4), significantText(b, 4)),
                   {at.x(), y->coordToPixel(nearer)}};
}

std::optional<PlotHover> DistributionPlot::hoverRatios(QPointF at) const {
  const QCPAxis* x = ratioRect_->axis(QCPAxis::atBottom);
  const QCPAxis* y = ratioRect_->axis(QCPAxis::atLeft);
  const double log = std::log(x->pixelToCoord(at.x()));
  const double bin = std::floor((log - ratioBins_.from) / ratioBins_.width);
  if (!(bin >= 0 && bin < static_cast<double>(ratioBins_.count))) return std::nullopt;
  const auto i = static_cast<std::size_t>(bin);
  const double from = ratioBins_.from + bin * ratioBins_.width;
  return PlotHover{
      tr("ratio %1 to %2: %3 of %4 pairs")
          .arg(significantText(std::exp(from), 4), significantText(std::exp(from + ratioBins_.width), 4))
          .arg(ratioCounts_[i])
          .arg(ratios_.size()),
      {x->coordToPixel(std::exp(ratioBins_.centre(i))),
       y->coordToPixel(static_cast<double>(ratioCounts_[i]))}};
}

} // namespace lloyd
