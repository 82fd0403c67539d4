// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace lloyd {

/// A cell of a heat map.
struct SweepPlace {
  std::size_t column = 0;
  std::size_t row = 0;
  bool operator==(const SweepPlace&) const = default;
};

/// A sweep over two axes as sweepMap() describes it, of one variant or of the best at each place; or small
/// beside others, as linkedMap() does. A click chooses a cell; with the keyboard Ctrl and the arrows go from
/// cell to cell, and Return chooses. Beside others, where the axes stay, the arrows alone do.
class SweepHeatmap : public PlotPane {
  Q_OBJECT
public:
  enum class Extent { alone, beside };
  explicit SweepHeatmap(QWidget* parent = nullptr, Extent extent = Extent::alone);

  /// result may be null.
  void show(const SweepResultPtr& result, SweepMetric metric, std::optional<std::size_t> candidate = {});
  void showBeside(const SweepResultPtr& result, SweepMetric metric, std::size_t candidate,
                  std::optional<std::pair<double, double>> range);
  [[nodiscard]] PlotTable table() const override;
  /// Puts a ring around a cell, or takes it away.
  void mark(std::optional<SweepPlace> place);
  /// What there is to know beside what is seen.
  [[nodiscard]] const QString& remark() const { return remark_; }
  using PlotPane::hideReadOut;
  /// The cell at a place of the plot, in pixels.
  [[nodiscard]] std::optional<SweepPlace> placeAt(QPointF at) const;

Q_SIGNALS:
  void pointed(std::optional<lloyd::SweepPlace> place); ///< the pointer, or the keyboard, is there
  void chosen(lloyd::SweepPlace place);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void viewMoved() override { mark(place_); }

private:
  void take(const SweepResultPtr& result, Figure figure);
  [[nodiscard]] bool released(QPointF at) const;
  [[nodiscard]] bool movesBetweenCells(int key, Qt::KeyboardModifiers modifiers) const;
  bool handles(int key, Qt::KeyboardModifiers modifiers);

  Extent extent_;
  SweepResultPtr result_;
  QString remark_;
  std::optional<SweepPlace> place_;
  std::optional<QPointF> pressed_; ///< where, in pixels
};

} // namespace lloyd
