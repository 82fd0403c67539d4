// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/iteration_stats.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <array>
#include <deque>
#include <optional>

class QCheckBox;
class QCPAxisRect;
class QCPGraph;
class QCPItemText;

namespace lloyd {

/// How a run converges: inertia, points that changed their cluster, and the farthest that a centroid moved,
/// one below the other over the same iterations; of another run beside it where there is one.
class RunPlot : public PlotPane {
  Q_OBJECT
public:
  explicit RunPlot(QWidget* parent = nullptr);

  /// other may be null: there is one run.
  void show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other);
  [[nodiscard]] PlotTable table() const override;

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  [[nodiscard]] std::vector<QCPAxis*> axes() const override;

private:
  static constexpr std::size_t quantities = 3;
  struct Track {
    QCPAxisRect* rect = nullptr;
    QCPGraph* run = nullptr;
    QCPGraph* other = nullptr;
    QCPItemText* caption = nullptr;
  };
  void take(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other);
  void fill();
  void describe();

  std::deque<IterationStats> run_;
  std::optional<std::deque<IterationStats>> other_;
  std::array<Track, quantities> tracks_;
  QCheckBox* logarithmic_;
};

} // namespace lloyd
