// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/pair_metrics_model.hpp"

#include <QWidget>

class QBoxLayout;
class QTableView;

namespace lloyd {

class PairStrip;

/// The figures of A and B: how their times are spread, and the table of everything else.
class PairFiguresView : public QWidget {
  Q_OBJECT
public:
  explicit PairFiguresView(QWidget* parent);

  void show(const PairFigures& figures);
  [[nodiscard]] const PairModel& model() const { return model_; }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void showSpread(const PairFigures& figures);
  void spanHeadings();

  PairModel model_;
  PairStrip* strip_;
  QTableView* table_;
  QBoxLayout* layout_;
};

} // namespace lloyd
