// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/pair/pair_metrics_model.hpp"

#include <QString>
#include <QWidget>

#include <array>
#include <vector>

class QBoxLayout;
class QTableView;

namespace lloyd {

/// How the samples of A and B are spread, one box each on a shared axis: the middle half as a box, the median
/// as a stroke, the middle 90 % as a line.
class BoxPlotStrip : public QWidget {
  Q_OBJECT
public:
  explicit BoxPlotStrip(QWidget* parent = nullptr);

  /// Microseconds; samples that are not finite are passed over.
  void show(const QString& title, const std::vector<double>& a, const std::vector<double>& b);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
  void paintEvent(QPaintEvent* event) override;

private:
  struct Box {
    std::size_t samples = 0;
    double low = 0, first = 0, median = 0, third = 0, high = 0;
  };
  [[nodiscard]] static Box boxOf(const std::vector<double>& samples);
  [[nodiscard]] static QString summary(const QString& side, const Box& box);

  QString title_;
  Box a_;
  Box b_;
};

/// The metrics of A and B: how their times are spread, and the table of everything else.
class PairMetricsView : public QWidget {
  Q_OBJECT
public:
  explicit PairMetricsView(QWidget* parent);

  void show(const PairMetrics& metrics);
  [[nodiscard]] const PairMetricsModel& model() const { return model_; }

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void showSpread(const PairMetrics& metrics);
  void spanHeadings();
  void fitColumns();

  PairMetricsModel model_;
  std::array<int, PairMetricsModel::columnCount_> widths_{}; ///< pixels that the texts have taken so far
  BoxPlotStrip* strip_;
  QTableView* table_;
  QBoxLayout* layout_;
};

} // namespace lloyd
