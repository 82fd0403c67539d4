// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/apart_runner.hpp"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace lloyd {

class ApartPlot;
class ElidedLabel;

/// One version's step, taken apart: a waterfall of what each change gains, what there is to say of them, and
/// every combination with its time. Figures come from the program, measured on the card that they name, and
/// from a race here, on the session's data. A window of its own, so that source and lesson stay in sight. GUI
/// thread.
class ApartWindow : public QWidget {
  Q_OBJECT
public:
  ApartWindow(Session& session, ApartRunner& runner, QWidget* parent);

  /// step must last as long as the program.
  void setStep(const VersionStep& step);
  [[nodiscard]] const VersionStep* step() const { return step_; }
  /// What is shown; nothing while there are no figures.
  [[nodiscard]] std::optional<StepApart> shown() const;
  /// Races it, or stops the race that is under way.
  void race();
  [[nodiscard]] QString sentences() const;
  [[nodiscard]] ApartPlot& plot() const { return *plot_; }

protected:
  void keyPressEvent(QKeyEvent* event) override; ///< Escape closes
  void closeEvent(QCloseEvent* event) override;  ///< stops the race

private:
  void offerFigures(bool newest);
  void showChoice();
  void showState();
  void showProgress(const RaceProgress& progress);
  void fillTable(const StepApart& apart);

  Session& session_;
  ApartRunner& runner_;
  const VersionStep* step_ = nullptr;
  std::vector<StepApart> figures_; ///< by the items of choice_
  std::optional<StepApart> own_;   ///< the newest race here of the step
  QPushButton* race_;
  QComboBox* choice_;
  ElidedLabel* state_;
  QProgressBar* progress_;
  ApartPlot* plot_;
  QLabel* sentences_;
  QLabel* changes_;
  QTableWidget* table_;
};

} // namespace lloyd
