// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/frame_log.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <vector>

class QCheckBox;
class QCPGraph;

namespace lloyd {

/// Where the time of each of the last frames went: stages stacked over frames, in microseconds. Where the
/// worker iterates beside the frames, of each iteration.
class FrameTimePlot : public PlotPane {
  Q_OBJECT
public:
  explicit FrameTimePlot(QWidget* parent = nullptr);

  void show(const FrameLog& record, bool simulated);
  [[nodiscard]] PlotTable table() const override { return stageTable(record_, simulated_); }

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;

private:
  void fill();
  void describe();
  [[nodiscard]] double shownUs(const FrameTimes& frame) const;
  [[nodiscard]] bool shown(Stage stage) const;

  FrameLog record_;
  bool simulated_ = false;
  bool fresh_ = true;
  std::vector<QCPGraph*> areas_; ///< one for each stage of the stack, the lowest first
  QCheckBox* waiting_;
};

} // namespace lloyd
