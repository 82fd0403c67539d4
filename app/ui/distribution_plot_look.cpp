// SPDX-License-Identifier: GPL-3.0-or-later
// Where things stand in the distribution plot, and in which colours.
#include "app/ui/distribution_plot.hpp"
#include "app/ui/plot_colours.hpp"
#include "app/ui/theme.hpp"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {

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

} // namespace lloyd
