// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/roofline.hpp"
#include "app/model/plot/cluster_figure.hpp"
#include "app/model/plot/race_figures.hpp"
#include "app/model/plot/run_figures.hpp"
#include "app/model/session/run_history.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "app/render/points/colour.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;

namespace lloyd {

/// A run, or two beside each other, as convergence() describes them.
class ConvergencePlot : public PlotPane {
  Q_OBJECT
public:
  enum class Extent {
    inertia, ///< alone in a small pane, whose title tells the newest value
    all,
  };
  explicit ConvergencePlot(QWidget* parent = nullptr, Extent extent = Extent::all);

  /// other may be null: there is one run.
  void show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other = nullptr);
  [[nodiscard]] PlotTable table() const override;

private:
  void redraw();

  Extent extent_;
  std::shared_ptr<const ConvergenceRuns> runs_ = std::make_shared<ConvergenceRuns>();
  QCheckBox* logarithmic_;
};

/// The sizes of clusters as clusterSizes() describes them, in a small pane. Of many clusters it shows as many
/// as there is room for.
class ClusterSizesPlot : public PlotPane {
  Q_OBJECT
public:
  explicit ClusterSizesPlot(QWidget* parent = nullptr);

  /// colours: one a cluster.
  void show(const std::vector<std::uint32_t>& sizes, const std::vector<Rgb>& colours);
  [[nodiscard]] PlotTable table() const override { return clusterSizeTable(sizes_); }

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void redraw();

  std::vector<std::uint32_t> sizes_;
  std::vector<PlotRgb> colours_;
};

/// The samples of two variants of one race as distribution() describes them.
class DistributionPlot : public PlotPane {
  Q_OBJECT
public:
  explicit DistributionPlot(QWidget* parent = nullptr);

  /// race may be null. Rows of a and b that it lacks, or that have no samples, are reported in its place.
  void show(const RaceResultPtr& race, const Candidate& a, const Candidate& b);
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Comparison& comparison() const { return duel_.comparison; }

private:
  void redraw();

  RaceResultPtr race_;
  Duel duel_;
  QComboBox* kind_;
};

/// The times of the last frames as frameTimes() describes them.
class FrameTimePlot : public PlotPane {
  Q_OBJECT
public:
  explicit FrameTimePlot(QWidget* parent = nullptr);

  void show(const FrameLog& record, bool simulated);
  [[nodiscard]] PlotTable table() const override { return stageTable(*record_, simulated_); }

private:
  void redraw();

  std::shared_ptr<const FrameLog> record_ = std::make_shared<FrameLog>();
  bool simulated_ = false;
  QCheckBox* waiting_;
};

/// The roofline of a race as rooflineFigure() describes it, of all stages over points or of one stage.
class RooflinePlot : public PlotPane {
  Q_OBJECT
public:
  explicit RooflinePlot(QWidget* parent = nullptr);

  void show(const RaceResultPtr& race); ///< may be null
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Roofline& roofline() const { return roofline_; }

private:
  void redraw();

  RaceResultPtr race_;
  Roofline roofline_;
  QComboBox* stages_;
};

/// A sweep over one axis as sweepLines() describes it, linear or logarithmic. A click near a point chooses
/// it; with the keyboard Ctrl and Left or Right go from point to point, Ctrl and Up or Down from line to
/// line, and Return chooses.
class SweepPlot : public PlotPane {
  Q_OBJECT
public:
  explicit SweepPlot(QWidget* parent = nullptr);

  void show(const SweepResultPtr& result, SweepMetric metric); ///< result may be null
  [[nodiscard]] PlotTable table() const override;

Q_SIGNALS:
  void chosen(std::size_t column, std::size_t row, std::size_t candidate);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void viewMoved() override;

private:
  /// A point of a line: its place along the axis, and whose line it is.
  struct Place {
    std::size_t along = 0, candidate = 0;
  };
  void redraw();
  [[nodiscard]] bool alongRows() const { return result_->plan.columns() == 1 && result_->plan.rows() > 1; }
  [[nodiscard]] std::size_t places() const;
  /// Where it is in pixels; nothing where it has no value.
  [[nodiscard]] std::optional<QPointF> pixelOf(Place place) const;
  [[nodiscard]] std::optional<Place> nearest(QPointF at) const;
  void choose(Place place);
  bool handles(int key, Qt::KeyboardModifiers modifiers);

  std::optional<Place> place_;     ///< that the keyboard went to
  std::optional<QPointF> pressed_; ///< where, in pixels
  SweepResultPtr result_;
  SweepMetric metric_ = SweepMetric::median;
  bool scaleChosen_ = false; ///< by a person
  QCheckBox* logarithmic_;
};

} // namespace lloyd
