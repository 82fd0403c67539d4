// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

namespace lloyd {

/// The handle between two runs in one view: lies over the view, of which it is a child, and follows its
/// size. Dragged with the mouse, or moved with the arrow keys, Home and End.
class SplitDivider : public QWidget {
  Q_OBJECT
public:
  explicit SplitDivider(QWidget* view);

  /// Where it is, 0 at the left edge to 1.
  void setShare(double share);
  [[nodiscard]] double share() const { return share_; }
  /// Takes the view's present size.
  void fit();

Q_SIGNALS:
  void moved(double share);

protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  void moveTo(double share);

  double share_ = 0.5;
  int grip_ = 0; ///< of the pointer, from the middle
};

} // namespace lloyd
