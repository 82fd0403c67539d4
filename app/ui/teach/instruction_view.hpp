// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/instruction_mix.hpp"
#include "app/model/teach/teach_subject.hpp"

#include <QWidget>

class QLabel;
class QTableView;

namespace lloyd {

class ElidedLabel;

/// A version's instructions as one bar, a part for each class, as wide as its share.
class InstructionBars : public QWidget {
  Q_OBJECT
public:
  explicit InstructionBars(const InstructionModel& model, QWidget* parent = nullptr);
  /// After the model has other versions.
  void renew();
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  /// What the tooltip says at a place: a class, its instructions and its lines; empty beside the bars.
  [[nodiscard]] QString wordsAt(const QPoint& place) const;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  struct Part {
    QRect place;
    std::size_t of;
    const InstructionModel::Version* version;
  };
  [[nodiscard]] std::vector<const InstructionModel::Version*> versions() const;
  [[nodiscard]] QRect barAt(std::size_t row) const;
  [[nodiscard]] std::vector<Part> parts() const;

  const InstructionModel& model_;
};

/// The mix of instructions in the inner loops of both versions: bars, and below them a table that is their
/// legend. Hidden where nothing of this version was counted.
class InstructionView : public QWidget {
  Q_OBJECT
public:
  explicit InstructionView(QWidget* parent = nullptr);
  void showMix(const TeachSubject& subject);
  /// Columns and rows for the present font; the width that they need.
  int fit();
  [[nodiscard]] const InstructionModel& model() const { return model_; }

private:
  InstructionModel model_;
  QLabel* caption_;
  InstructionBars* bars_;
  QTableView* table_;
  ElidedLabel* whereBefore_; ///< the lines of the loops
  ElidedLabel* whereNow_;
};

} // namespace lloyd
