// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/timing_table_model.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/render/points/colour.hpp"

#include <QTableView>
#include <QWidget>

class QAction;
class QSplitter;
class QTabWidget;

namespace lloyd {

class ClusterSizesPlot;
class ClassPanel;
class ClustersPanel;
class ConvergencePlot;
class ElidedLabel;
class KCurvePanel;
class TimingTableModel;
class VariantListView;

/// The live table of times. Sums stand out, rows that were not part of the last iteration step back.
class TimingTable : public QTableView {
  Q_OBJECT
public:
  explicit TimingTable(TimingTableModel& model, QWidget* parent = nullptr);
  /// Makes columns fit what is in them; they only ever grow, so that numbers do not dance.
  void fitColumns();
  [[nodiscard]] QSize sizeHint() const override;

private:
  TimingTableModel& model_;
};

/// Beneath the points of Explore, behind tabs: the run, which is the ladder with its headline, the plots and
/// the table of times, side by side where there is room, else plots and table behind tabs of their own; the
/// clusters; which k; and how clusters agree with a class, where there is one.
class BottomPanel : public QWidget {
  Q_OBJECT
public:
  BottomPanel(Session& session, DeviceLease& lease, VariantListModel& ladder, QAction* measure,
              QWidget* parent = nullptr);

  /// Takes new times, sizes and history; called a few times a second.
  void refresh(const std::vector<Rgb>& colours);
  [[nodiscard]] const QString& headlineText() const { return headline_; }
  [[nodiscard]] VariantListView& ladderView() { return *ladderView_; }
  [[nodiscard]] const TimingTableModel& timings() const { return timings_; }
  [[nodiscard]] KCurvePanel& kCurve() { return *kCurve_; }
  [[nodiscard]] ClassPanel& classes() { return *classes_; }
  [[nodiscard]] ClustersPanel& clusters() { return *clusters_; }
  /// What stands behind tabs; a panel is a page.
  [[nodiscard]] QTabWidget& pages() { return *pages_; }
  /// The name of the page that is shown, and the page of a name: at once, or as soon as there is something to
  /// show on it, unless another is chosen first. An unknown name changes nothing.
  [[nodiscard]] QString page() const;
  void showPage(const QString& name);
  [[nodiscard]] QSize sizeHint() const override { return {900, 266}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {320, 110}; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void arrange(bool compact);
  void showWaitingPage();

  Session& session_;
  VariantListModel& ladder_;
  TimingTableModel timings_;
  QString headline_;
  ElidedLabel* headlineLabel_;
  ElidedLabel* unit_ = nullptr;
  VariantListView* ladderView_;
  ConvergencePlot* convergence_;
  ClusterSizesPlot* sizes_;
  TimingTable* table_;
  QWidget* plots_;
  QTabWidget* tabs_;
  QSplitter* splitter_;
  KCurvePanel* kCurve_;
  ClassPanel* classes_;
  ClustersPanel* clusters_;
  QTabWidget* pages_;
  QString waiting_; ///< the page that was asked for and has nothing to show yet
  bool compact_ = false;
  int tableHint_ = 0; ///< the width that the table asked for when the panes were last arranged
};

} // namespace lloyd
