// SPDX-License-Identifier: GPL-3.0-or-later
// What the distributions say of the place under the pointer.
#include "app/model/number_text.hpp"
#include "app/ui/distribution_plot.hpp"

#include <QComboBox>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace lloyd {

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
