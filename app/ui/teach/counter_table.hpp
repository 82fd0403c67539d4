// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/teach/counter_model.hpp"
#include "app/model/teach/counter_service.hpp"

#include <QScrollArea>

class QComboBox;
class QLabel;
class QTableView;

namespace lloyd {

class InstructionView;
class MeasuredView;
class StepView;
class WaitView;

/// What both versions asked of memory, beside each other, with races and faults in sentences; above it where
/// the version stands in its ladder; below it what a card did with both, what warps waited for there, the mix
/// of instructions in both inner loops, and a card's own counters, where there are any.
class CounterTable : public QScrollArea {
  Q_OBJECT
public:
  explicit CounterTable(QWidget* parent = nullptr);

  void showCounts(const TeachCounts& counts);
  /// While the next are being counted: what stands there belongs to another choice.
  /// points: there are some, so that counts will come.
  void showCounting(const TeachSubject& subject, bool points);
  /// The card that computes here, by name: what was measured on a card is told of it, where it was measured.
  /// Elsewhere a person chooses among those that were.
  void showCard(const std::string& name, const TeachSubject& subject);
  /// The card that a person has chosen; nothing happens for one that was not measured.
  void chooseCard(const QString& name);
  [[nodiscard]] QString chosenCard() const;
  /// A race of this machine, whose verdicts are told of the steps that it has. May be null.
  void showRace(const RaceResultPtr& race, const TeachSubject& subject);
  /// A version of the ladder came, or was tried again.
  void renewStep();
  /// Points came or went before anything was counted.
  void showPoints(bool points);
  /// Counters read "?", and what was measured is not shown.
  void setHidden(bool hidden);
  /// Columns and rows for the present font.
  void fitAll();
  /// Pixels of width in which every table is seen whole.
  [[nodiscard]] int wantedWidth() const { return wantedWidth_; }
  [[nodiscard]] const CounterModel& model() const { return model_; }
  [[nodiscard]] QString sentences() const;
  [[nodiscard]] InstructionView& instructions() const { return *instructions_; }
  [[nodiscard]] WaitView& waits() const { return *waits_; }
  [[nodiscard]] MeasuredView& measured() const { return *measured_; }
  [[nodiscard]] StepView& step() const { return *step_; }

Q_SIGNALS:
  void fitted();                              ///< wantedWidth() is another
  void chosen(const lloyd::Variant* variant); ///< another version of the ladder; never null

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QTableView* makeTable(const QString& name);
  void showVersions(bool both);
  void showAsked(bool shown);
  void showMeasured(const TeachSubject& subject);
  QWidget* makeCardChooser();
  /// The card whose figures are shown.
  [[nodiscard]] std::string measuredCard() const;

  CounterModel model_;
  int wantedWidth_ = 0;
  bool hasSubject_ = false;
  bool counted_ = false; ///< of the present subject
  QLabel* caption_;      ///< how both were launched, and on what
  QLabel* differences_;  ///< tuning parameters that are not the same in both
  QTableView* asked_;
  QLabel* cardCaption_;
  QTableView* done_;
  QLabel* sentences_;
  QWidget* cardPart_ = nullptr; ///< around cards_; hidden where the card that computes was measured
  QComboBox* cards_ = nullptr;  ///< those that were measured
  QWidget* stepPart_ = nullptr; ///< around step_
  StepView* step_;
  QWidget* measuredPart_; ///< around the next three
  MeasuredView* measured_;
  InstructionView* instructions_;
  WaitView* waits_;
  TeachSubject measuredSubject_; ///< what is shown of a card is of it
  RaceResultPtr race_;           ///< null before the first
  std::string card_;
  QLabel* footnote_;
};

} // namespace lloyd
