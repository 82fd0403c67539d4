// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_runner.hpp"
#include "app/model/sweep/sweep_runner.hpp"

#include <QPointer>
#include <QWidget>

class QTabWidget;

namespace lloyd {

class ConvergencePlot;
class DistributionPlot;
class IssuePanel;
class PlannerPages;
class PlannerPanel;
class PlotPane;
class RooflinePlot;
class FrameTimePlot;
class SweepPanel;
class TimelinePanel;

/// The plots of Compare, one behind each tab, the sweep, and the planner of launches with the issue picture.
class PlotsPanel : public QWidget {
  Q_OBJECT
public:
  PlotsPanel(Session& session, RaceRunner& races, DeviceLease& lease, QWidget* parent = nullptr);

  /// Takes what the session has that is new; only of the plot that is seen.
  void refresh();
  void renewColours();
  /// Whether anybody sees it: what is not seen costs nothing.
  void setShown(bool shown);
  void setCompared(const Candidate& a, const Candidate& b);
  /// The session of B, whose run is drawn beside A's; null: there is one run. May end before this does.
  void setOther(const Session* other);
  /// "stages", "distribution", "roofline", "convergence", "timeline", "sweep", "planner", or the planner's
  /// other page, "issue"; false for anything else.
  bool showTab(const QString& name);
  [[nodiscard]] SweepRunner& sweeps() { return sweeps_; }

  [[nodiscard]] FrameTimePlot& stages() { return *stages_; }
  [[nodiscard]] DistributionPlot& distribution() { return *distribution_; }
  [[nodiscard]] RooflinePlot& roofline() { return *roofline_; }
  [[nodiscard]] ConvergencePlot& run() { return *run_; }
  [[nodiscard]] TimelinePanel& timeline() { return *timeline_; }
  [[nodiscard]] SweepPanel& sweep() { return *sweep_; }
  [[nodiscard]] PlannerPanel& planner();
  [[nodiscard]] IssuePanel& issue();

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  void takeRace(const RaceResultPtr& race);
  void drawCurrent();

  Session& session_;
  SweepRunner sweeps_;
  QPointer<const Session> other_;
  RaceResultPtr race_;
  RaceResultPtr recordedRace_; ///< the last one with timelines
  Candidate a_;
  Candidate b_;
  FrameTimePlot* stages_;
  DistributionPlot* distribution_;
  RooflinePlot* roofline_;
  ConvergencePlot* run_;
  TimelinePanel* timeline_;
  SweepPanel* sweep_;
  PlannerPages* planner_;
  QTabWidget* tabs_;
  bool shown_ = true;
  bool distributionDue_ = true;
  bool rooflineDue_ = true;
  bool timelineDue_ = true;
};

} // namespace lloyd
