// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/iteration_stats.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <deque>
#include <optional>
#include <vector>

class QCheckBox;
class QCPAxisRect;
class QCPGraph;
class QCPItemText;

namespace lloyd {

/// How a run converges: inertia, points that changed their cluster, and the farthest that a centroid moved,
/// one below the other over the same iterations; of another run beside it where there is one.
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

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  [[nodiscard]] std::vector<QCPAxis*> axes() const override;

private:
  /// What one quantity is drawn with; the first is of inertia.
  struct Track {
    QCPAxisRect* rect = nullptr;
    QCPGraph* run = nullptr;
    QCPGraph* other = nullptr;
    QCPItemText* caption = nullptr;
  };
  void addTrack(std::size_t quantity, std::size_t quantities);
  void take(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other);
  void fill();
  void describe();
  void describeInertia();

  Extent extent_;
  std::deque<IterationStats> run_;
  std::optional<std::deque<IterationStats>> other_;
  std::vector<Track> tracks_;
  QCheckBox* logarithmic_;
};

} // namespace lloyd
