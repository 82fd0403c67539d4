// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/apart_plot.hpp"

#include "app/model/plot/apart_figure.hpp"

namespace lloyd {

namespace {

constexpr int aroundRows = 90; ///< pixels for the title and the axis

} // namespace

ApartPlot::ApartPlot(QWidget* parent) : PlotPane(tr("A step apart"), parent) { show(std::nullopt); }

void ApartPlot::show(const std::optional<StepApart>& apart, const QString& whyNone) {
  apart_ = apart;
  setFigure(apartFigure(apart_ ? &*apart_ : nullptr, whyNone));
  const int rows = apart_ ? static_cast<int>(apart_->switches.size()) + 2 : 4;
  setMinimumHeight(aroundRows + rows * (fontMetrics().height() + 6));
  reset();
}

PlotTable ApartPlot::table() const { return apart_ ? combinationTable(*apart_) : PlotTable(); }

} // namespace lloyd
