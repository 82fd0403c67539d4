// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/run_history.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <memory>

class QCheckBox;

namespace lloyd {

/// The times of the last frames as frameTimes() describes them.
class FrameTimePlot : public PlotPane {
  Q_OBJECT
public:
  explicit FrameTimePlot(QWidget* parent = nullptr);

  void show(const FrameLog& record, bool simulated);
  [[nodiscard]] PlotTable table() const override { return stageTable(*record_, simulated_); }

private:
  void redraw();

  std::shared_ptr<const FrameLog> record_ = std::make_shared<FrameLog>();
  bool simulated_ = false;
  QCheckBox* waiting_;
};

} // namespace lloyd
