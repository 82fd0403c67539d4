// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_runner.hpp"
#include "app/model/race/race_table_model.hpp"

#include <QWidget>

#include <optional>

class QAction;
class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QProgressBar;
class QPushButton;

namespace lloyd {

class ElidedLabel;
class BaselineMenu;
class RaceTable;

/// What one of two runs asks for, and computes with as soon as that is known.
struct SideRun {
  Selection asked;
  Plan plan;
};

/// The hero of the Compare workspace: races the variants on the session's data and shows who is faster than
/// whom, and by how much.
class RacePanel : public QWidget {
  Q_OBJECT
public:
  RacePanel(Session& session, RaceRunner& runner, QWidget* parent = nullptr);

  /// Takes what is new in the session: live times, other data, other settings. Called a few times a second.
  void refresh();
  /// The theme changed.
  void renewColours();
  /// While it is not shown it takes nothing new.
  void setShown(bool shown);
  /// Races the ticked variants, all where none is ticked.
  void race();
  void cancel();
  /// The current row's variant becomes A or B of the pair that is compared.
  void compareCurrentAs(QChar letter);
  /// The current row's variant becomes the baseline, or ceases to be it.
  void pinCurrent();
  /// A button for something that is done with a race, in the bar.
  void addTool(QAction* action, const QString& label);
  [[nodiscard]] const Baseline& baseline() const;
  void setBaseline(const Baseline& baseline);
  /// Reads a report of bench --json as the baseline.
  void openReport(const QString& path);
  [[nodiscard]] RaceTableModel& model() { return model_; }
  [[nodiscard]] RaceTable& table() { return *table_; }
  /// The pair that is compared; empty before there are variants.
  [[nodiscard]] const std::optional<Candidate>& a() const { return a_; }
  [[nodiscard]] const std::optional<Candidate>& b() const { return b_; }
  void setA(const Candidate& candidate);
  void setB(const Candidate& candidate);
  /// What the two runs compute with: where they were given other variants than the pair's, the pair follows
  /// them, so that A and B mean the same everywhere.
  void followRuns(const SideRun& a, const SideRun& b);
  /// Whether a person chose the pair; otherwise A is what the session runs, where it runs that stage.
  [[nodiscard]] bool pairByHand() const { return byHand_; }
  [[nodiscard]] QString headline() const;
  [[nodiscard]] QSize sizeHint() const override { return {1000, 360}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {420, 178}; }

Q_SIGNALS:
  void compared(const lloyd::Candidate& a, const lloyd::Candidate& b);
  void followed(const lloyd::Candidate& a, const lloyd::Candidate& b); ///< the runs have it already
  void baselineChanged();
  void message(const QString& text, bool error);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  [[nodiscard]] QWidget* makeBar();
  void takeField();
  void takeResult(const RaceResultPtr& result);
  void showState();
  void showProgress(const RaceProgress& progress);
  void showText();
  void choosePair();
  [[nodiscard]] std::optional<Candidate> inUse(Stage stage) const;
  [[nodiscard]] std::optional<Candidate> candidateOf(Stage stage, const Variant* variant) const;
  void setPair(const std::optional<Candidate>& a, const std::optional<Candidate>& b);
  void useCurrent();
  void copy();
  void openMenu(const QPoint& place);
  [[nodiscard]] std::optional<Candidate> currentCandidate() const;

  Session& session_;
  RaceRunner& runner_;
  RaceTableModel model_;
  RaceTable* table_;
  QPushButton* raceButton_;
  QComboBox* cache_;
  QDoubleSpinBox* budget_;
  BaselineMenu* baseline_;
  QHBoxLayout* bar_ = nullptr;
  ElidedLabel* pair_;
  QProgressBar* progress_;
  ElidedLabel* headline_;
  ElidedLabel* stale_;
  ElidedLabel* conditions_;
  bool shown_ = true;
  bool byHand_ = false; ///< a person chose A or B
  std::optional<Candidate> a_;
  std::optional<Candidate> b_;
  // What the field was made of.
  Problem problem_;
  DeviceInfo device_;
  Tuning tuning_;
  Plan plan_; ///< that A was chosen from
};

} // namespace lloyd
