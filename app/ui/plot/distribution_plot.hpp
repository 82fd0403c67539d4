// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/histogram.hpp"
#include "app/model/measure/measurement.hpp"
#include "app/ui/plot/plot_pane.hpp"

#include <vector>

class QComboBox;
class QCPAxisRect;
class QCPBars;
class QCPGraph;
class QCPItemLine;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;

namespace lloyd {

/// The samples of two variants of one race. At the left all times on one axis, A's upwards and B's
/// downwards, medians marked; or each sorted, from its fastest sample to its slowest. At the right A's time
/// over B's in the same round, which is what the verdict in the title is about, with its interval.
class DistributionPlot : public PlotPane {
  Q_OBJECT
public:
  explicit DistributionPlot(QWidget* parent = nullptr);

  /// race may be null. Rows of a and b that it lacks, or that have no samples, are said.
  void show(const RaceResultPtr& race, const Candidate& a, const Candidate& b);
  [[nodiscard]] PlotTable table() const override;
  [[nodiscard]] const Comparison& comparison() const { return comparison_; }

protected:
  void fit() override;
  [[nodiscard]] std::optional<PlotHover> hover(QPointF at) const override;
  void paintTheme() override;
  void arrange() override;
  [[nodiscard]] std::vector<QCPAxis*> axes() const override;

private:
  void makeTimes();
  void makeRatios();
  [[nodiscard]] QString whyEmpty(const Candidate& a, const Candidate& b) const;
  void fill();
  void fillTimes();
  void fillRatios();
  void describe();
  [[nodiscard]] bool sorted() const;
  [[nodiscard]] std::optional<PlotHover> hoverTimes(QPointF at) const;
  [[nodiscard]] std::optional<PlotHover> hoverSorted(QPointF at) const;
  [[nodiscard]] std::optional<PlotHover> hoverRatios(QPointF at) const;

  /// What is drawn of A or of B.
  struct Side {
    const Measurement* row = nullptr;
    std::vector<double> sorted; ///< samples, ascending
    std::vector<std::size_t> counts;
    QCPBars* bars = nullptr;
    QCPGraph* curve = nullptr;
    QCPItemLine* median = nullptr;
    QCPItemText* label = nullptr;
  };

  RaceResultPtr race_;
  Comparison comparison_;
  Side a_;
  Side b_;
  Bins bins_;
  Bins ratioBins_; ///< of log ratios
  std::vector<double> ratios_;
  std::vector<std::size_t> ratioCounts_;
  QComboBox* kind_;
  QCPAxisRect* times_;
  QCPAxisRect* ratioRect_;
  QCPGraph* ratioSteps_ = nullptr;
  QCPItemRect* interval_ = nullptr;
  QCPItemStraightLine* estimate_ = nullptr;
  QCPItemStraightLine* same_ = nullptr;
};

} // namespace lloyd
