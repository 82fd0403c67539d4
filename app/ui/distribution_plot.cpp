// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/distribution_plot.hpp"

#include "app/model/baseline.hpp"
#include "app/model/number_text.hpp"
#include "app/ui/plot_colours.hpp"
#include "app/ui/plot_ticks.hpp"
#include "app/ui/theme.hpp"

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
  y->setTicker(QSharedPointer<CountTicker>::create(5, sorted() ? NumberTicker::Values::any
                                                               : NumberTicker::Values::whole));
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

} // namespace lloyd
