// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/convergence_plot.hpp"

#include <QCheckBox>

namespace lloyd {

namespace {

/// A run grows at its end, and is begun again.
bool sameRun(const std::deque<IterationStats>& a, const std::deque<IterationStats>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || (a.back().iteration == b.back().iteration && a.back().inertia == b.back().inertia &&
                       a.front().inertia == b.front().inertia);
}

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent, Extent extent)
    : PlotPane(tr("Convergence"), parent,
               extent == Extent::all ? FigurePainter::Panels::threeBelow : FigurePainter::Panels::one),
      extent_(extent) {
  const bool small = extent == Extent::inertia;
  logarithmic_ =
      addCheck(tr("log"),
               small ? tr("Inertia on a logarithmic axis") : tr("Logarithmic axes; what is 0 is not on them"),
               [this](bool) { redraw(); });
  if (small) setSmall();
  redraw();
}

void ConvergencePlot::show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other) {
  if (sameRun(run, runs_->run) && runs_->other.has_value() == (other != nullptr) &&
      (!other || sameRun(*other, *runs_->other)))
    return;
  runs_ =
      std::make_shared<ConvergenceRuns>(ConvergenceRuns{run, other ? std::optional(*other) : std::nullopt});
  redraw();
}

void ConvergencePlot::redraw() {
  const bool logarithmic = logarithmic_->isChecked();
  setFigure(extent_ == Extent::all ? convergence(runs_, logarithmic) : inertiaAlone(runs_, logarithmic));
}

PlotTable ConvergencePlot::table() const {
  return convergenceTable(runs_->run, runs_->other ? &*runs_->other : nullptr);
}

} // namespace lloyd
