// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/launch/launch_planner.hpp"
#include "app/model/session/session.hpp"

#include <QWidget>

#include <array>
#include <vector>

class QComboBox;
class QLabel;
class QTableWidget;

namespace lloyd {

class ShareBars;

/// How many blocks of a kernel live on a multiprocessor, and what keeps others off it: bars and a sentence,
/// the same for every number of threads, and what the Multi-level parallelism paper demands of it.
class PlannerPanel : public QWidget {
  Q_OBJECT
public:
  explicit PlannerPanel(Session& session, QWidget* parent = nullptr);
  /// Plans anew when device, data or the shown variant's parameters are others than before.
  void refresh();
  void renewColours();
  /// Shows a variant with its own parameters; false for one without a kernel.
  bool choose(const std::string& id);
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] const ShareBars& bars() const { return *bars_; }

private:
  void addVariants();
  void offerParameters();
  void offerCards();
  void ask();
  void show(const LaunchPlans& plans);
  void showLaunch(const PlannedLaunch& launch);
  void showBlocks(const PlannedLaunch& launch);
  void showConstraints(const PlannedLaunch& launch);
  void showNothing(const QString& why);
  [[nodiscard]] Candidate candidate() const;
  [[nodiscard]] CardLimits card() const;
  [[nodiscard]] bool hasDriver() const;

  Session& session_;
  LaunchPlanner planner_;
  std::vector<Candidate> variants_;
  QComboBox* variant_;
  std::array<QComboBox*, kernelParameterCount> parameters_{};
  std::array<QLabel*, kernelParameterCount> captions_{};
  QComboBox* card_;
  QLabel* source_;
  ShareBars* bars_;
  QLabel* sentence_;
  QTableWidget* blocks_;
  QTableWidget* constraints_;
  std::string askedFor_; ///< what the shown plan is of
  LaunchPlans plans_;    ///< of the chosen shape and of the table's blocks
  std::optional<PlannedLaunch> shown_;
};

} // namespace lloyd
