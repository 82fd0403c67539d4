// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/plot/timeline_table_model.hpp"

#include <QWidget>

class QLabel;
class QTableView;

namespace lloyd {

class TimelinePlot;

/// The runs that a race has recorded of its schedules: the plot, what it says in numbers, and once a part is
/// marked a table of the bars in it.
class TimelinePanel : public QWidget {
  Q_OBJECT
public:
  explicit TimelinePanel(QWidget* parent = nullptr);

  /// race may be null, or without schedules. Of its runs those of a and b are seen, where both are recorded;
  /// else the first and the fastest.
  void showRuns(const RaceResultPtr& race, const Candidate& a, const Candidate& b);
  void renewColours();
  [[nodiscard]] TimelinePlot& plot() const { return *plot_; }
  [[nodiscard]] TimelineTableModel& model() { return model_; }
  /// A line for each run that is seen.
  [[nodiscard]] QString numbers() const;

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showBars();
  void fitHeight();

  RaceResultPtr race_;
  TimelinePlot* plot_;
  QLabel* numbers_;
  QLabel* caption_;
  TimelineTableModel model_;
  QTableView* table_;
};

} // namespace lloyd
