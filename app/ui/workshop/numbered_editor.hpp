// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPlainTextEdit>

namespace lloyd {

/// A text with the numbers of its lines beside it, as compilers and traces name them. A new line begins where
/// the code of the line before does.
class NumberedEditor : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit NumberedEditor(QWidget* parent = nullptr);

protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  class Numbers;
  friend class Numbers;

  [[nodiscard]] int numbersWidth() const;
  void makeRoom();
  void paintNumbers(const QRect& dirty);

  Numbers* numbers_;
};

} // namespace lloyd
