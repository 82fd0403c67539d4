// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/k_curve_model.hpp"
#include "app/model/restarts/k_curve_runner.hpp"

#include <QWidget>

#include <vector>

class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QTableView;

namespace lloyd {

class ElidedLabel;
class KScorePlot;

/// Which k: runs in several numbers of clusters, what they score, as a table and as curves, and what each
/// score would choose. A click on a k, or Enter on its row, takes its best run over.
class KCurvePanel : public QWidget {
  Q_OBJECT
public:
  KCurvePanel(Session& session, DeviceLease& lease, QWidget* parent = nullptr);

  [[nodiscard]] KCurveRunner& runner() { return runner_; }
  [[nodiscard]] QTableView& table() { return *table_; }
  [[nodiscard]] const std::vector<KScorePlot*>& plots() const { return plots_; }
  [[nodiscard]] QString sentence() const;
  /// Begins what the fields say; while it goes on, ends it.
  void startOrStop();
  void take(int k);

Q_SIGNALS:
  void message(const QString& text, bool error);
  /// The session is about to go on from this run.
  void taking(const lloyd::KRunPtr& run);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showState();
  void showCurve();
  void showPlots();
  void followK(int k);
  void fitTable();
  void fitWidths();

  Session& session_;
  KCurveRunner runner_;
  KCurveModel model_;
  QSpinBox* low_;
  QSpinBox* high_;
  QSpinBox* restarts_;
  QPushButton* go_;
  QProgressBar* progress_;
  ElidedLabel* words_;
  QTableView* table_;
  int tableWidth_ = 0; ///< in which all columns are seen
  int followed_ = 0;   ///< the k of the row that was made the current one
  QWidget* curves_;
  std::vector<KScorePlot*> plots_;
};

} // namespace lloyd
