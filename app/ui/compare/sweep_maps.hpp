// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/sweep/sweep_plan.hpp"
#include "app/ui/plot/sweep_heatmap.hpp"

#include <QWidget>

#include <cstddef>
#include <optional>
#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;

namespace lloyd {

/// The heat maps of a sweep over two axes: of the best at each place, of one candidate, or of each beside the
/// others in the same colours; and below what is plotted the occupancy, where the device tells it. A place
/// that is pointed at in one is marked in all.
class SweepMaps : public QWidget {
  Q_OBJECT
public:
  explicit SweepMaps(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  void renewColours();
  /// The best at each place, or with a candidate's number that alone.
  void choose(std::optional<std::size_t> candidate);
  void chooseEach(); ///< each beside the others, where they are few
  /// Every map that is seen, row after row.
  [[nodiscard]] const std::vector<SweepHeatmap*>& maps() const { return maps_; }
  /// What is said of the place that is pointed at; of none what there is to do.
  [[nodiscard]] QString readOut() const;

Q_SIGNALS:
  void said(const QString& text, bool error);
  void chosen(lloyd::SweepPlace place, std::size_t candidate);

private:
  void fillChooser();
  void redraw();
  void arrange(std::size_t columns, std::size_t rows);
  void point(std::size_t map, std::optional<SweepPlace> place);
  [[nodiscard]] std::vector<std::size_t> shown() const;
  [[nodiscard]] std::vector<SweepMetric> metrics() const;
  [[nodiscard]] std::optional<std::size_t> candidateOf(std::size_t map, SweepPlace place) const;

  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  QGridLayout* grid_;
  QComboBox* chooser_;
  QLabel* readOut_;
  std::vector<SweepHeatmap*> maps_;
  std::size_t columns_ = 0;
};

} // namespace lloyd
