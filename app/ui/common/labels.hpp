// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QLabel>
#include <QObject>

namespace lloyd {

/// One line of text that takes the width it is given: what does not fit ends in an ellipsis and is whole in
/// the tooltip.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  /// Bold and a little larger, as the sentence over a panel.
  void setHeadline();
  [[nodiscard]] QSize minimumSizeHint() const override;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
};

/// A chooser whose shown text ends in dots where there is no room for all of it; Qt's own cuts letters.
class ElidedCombo : public QComboBox {
public:
  using QComboBox::QComboBox;

protected:
  void paintEvent(QPaintEvent* event) override;
};

/// Shows the text of every label, tooltip and message box as it is. A label of Qt takes text with tags in it
/// for HTML and loads the pictures that it names; names of files and columns come from others and may hold
/// any text. Works on the whole application while the object lives. GUI thread.
class PlainLabels : public QObject {
  Q_OBJECT
public:
  explicit PlainLabels(QObject* parent);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace lloyd
