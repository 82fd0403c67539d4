// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/launch/issue_picture.hpp"

#include <QWidget>

#include <array>
#include <cstddef>
#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;

namespace lloyd {

class IssuePlot;

/// Why more points a thread hide a load's latency: warps on one scheduler, cycle by cycle, for classify.v8
/// with one, two and four points a thread, as in figures 4 and 5 of the Multi-level parallelism paper. What
/// the warps do is the simulator's log of the kernel; the latencies are a model's, and are called so.
class IssuePanel : public QWidget {
  Q_OBJECT
public:
  static constexpr std::array itemsPictured{1, 2, 4};
  static constexpr int leastLatency = 4;
  static constexpr int mostLatency = 1000;
  static constexpr int mostWarps = 8;

  explicit IssuePanel(QWidget* parent = nullptr);
  /// Runs the kernel on the simulator, the first time; until then there is nothing to see.
  void refresh();
  void renewColours();
  [[nodiscard]] IssuePlot& plot() const { return *plot_; }
  /// Those of itemsPictured, also what is not seen; none before the first refresh().
  [[nodiscard]] const std::vector<IssuePicture>& pictures() const { return pictures_; }
  [[nodiscard]] QString numbers() const; ///< a line for each picture that is seen

private:
  static constexpr std::size_t cellColumns = 6;

  void explain();
  [[nodiscard]] QWidget* makeNumbers();
  void draw();
  void showNumbers();
  [[nodiscard]] QString finding() const;
  [[nodiscard]] bool isSeen(std::size_t picture) const;

  std::vector<std::vector<IssueSequence>> blocks_; ///< by itemsPictured
  std::vector<IssuePicture> pictures_;
  bool asked_ = false;
  QString why_; ///< there is no picture
  QSlider* latency_;
  QSpinBox* latencyBox_;
  QSpinBox* warps_;
  QComboBox* items_; ///< its data: points a thread, 0 for all
  IssuePlot* plot_;
  QWidget* numbers_;
  std::array<std::array<QLabel*, cellColumns>, itemsPictured.size()> cells_{}; ///< by itemsPictured
  QLabel* finding_;
  QLabel* source_;
};

} // namespace lloyd
