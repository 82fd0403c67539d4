// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/frame_time_plot.hpp"

#include "app/model/plot/run_figures.hpp"

#include <QCheckBox>

namespace lloyd {

FrameTimePlot::FrameTimePlot(QWidget* parent) : PlotPane(tr("Time per stage"), parent) {
  useLegend();
  waiting_ = addCheck(tr("waiting"), tr("Show how long the window waited for the screen as well"),
                      [this](bool) { redraw(); });
  waiting_->hide(); // only whole frames wait
  redraw();
}

void FrameTimePlot::show(const FrameLog& record, bool simulated) {
  const auto& entries = record.entries();
  const auto& before = record_->entries();
  if (entries.size() == before.size() && simulated == simulated_ &&
      record.wholeFrames() == record_->wholeFrames() &&
      (entries.empty() || entries.back().number == before.back().number))
    return;
  record_ = std::make_shared<FrameLog>(record);
  simulated_ = simulated;
  waiting_->setVisible(record.wholeFrames());
  redraw();
}

void FrameTimePlot::redraw() { setFigure(frameTimes(record_, simulated_, waiting_->isChecked())); }

} // namespace lloyd
