// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/pair_metrics_model.hpp"

#include <QWidget>

class QBoxLayout;
class QTableView;

namespace lloyd {

class BoxPlotStrip;

/// The figures of A and B: how their times are spread, and the table of everything else.
class PairMetricsView : public QWidget {
  Q_OBJECT
public:
  explicit PairMetricsView(QWidget* parent);

  void show(const PairMetrics& figures);
  [[nodiscard]] const PairMetricsModel& model() const { return model_; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showSpread(const PairMetrics& figures);
  void spanHeadings();

  PairMetricsModel model_;
  BoxPlotStrip* strip_;
  QTableView* table_;
  QBoxLayout* layout_;
};

} // namespace lloyd
