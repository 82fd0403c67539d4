// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_model.hpp"
#include "app/model/teach/counter_service.hpp"

#include <QScrollArea>

class QLabel;
class QTableView;

namespace lloyd {

class InstructionView;
class WaitView;

/// What both versions asked of memory, beside each other; below it what a card did, where one was measured;
/// then races and faults in sentences, what warps waited for on a card, and the mix of instructions in both
/// inner loops.
class CounterTable : public QScrollArea {
  Q_OBJECT
public:
  explicit CounterTable(QWidget* parent = nullptr);

  void showCounts(const TeachCounts& counts);
  /// While the next are being counted: what stands there belongs to another choice.
  /// points: there are some, so that counts will come.
  void showCounting(const TeachSubject& subject, bool points);
  /// The card that computes here, by name: what warps wait for is told of it, where it was measured.
  void showCard(const std::string& name, const TeachSubject& subject);
  /// Points came or went before anything was counted.
  void showPoints(bool points);
  /// Counters read "?".
  void setHidden(bool hidden);
  /// Columns and rows for the present font.
  void fitAll();
  /// Pixels of width in which every table is seen whole.
  [[nodiscard]] int wantedWidth() const { return wantedWidth_; }
  [[nodiscard]] const CounterModel& model() const { return model_; }
  [[nodiscard]] QString sentences() const;
  [[nodiscard]] InstructionView& instructions() const { return *instructions_; }
  [[nodiscard]] WaitView& waits() const { return *waits_; }

Q_SIGNALS:
  void fitted(); ///< wantedWidth() is another

protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QTableView* makeTable(const QString& name);
  void fit(QTableView* table);
  void showVersions(bool both);

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
  InstructionView* instructions_;
  WaitView* waits_;
  std::string card_;
  QLabel* footnote_;
};

} // namespace lloyd
