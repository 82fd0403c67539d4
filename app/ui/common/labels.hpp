// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <QLabel>
#include <QObject>
#include <QStringList>

#include <utility>

class QBoxLayout;

namespace lloyd {

/// One line of text, or a few where there is no room for one, in the width that it is given: what does not
/// fit ends in an ellipsis and is whole in the tooltip.
class ElidedLabel : public QLabel {
  Q_OBJECT
public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  /// Bold and a little larger, as the sentence over a panel.
  void setHeadline();
  /// How many lines a text may take that does not fit one.
  void setMostLines(int lines);
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return mostLines_ > 1; }
  [[nodiscard]] int heightForWidth(int width) const override;
  /// The text as there is room for it.
  [[nodiscard]] QStringList shownLines() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

private:
  /// The lines of the text in so many pixels, and whether some of it is cut.
  [[nodiscard]] std::pair<QStringList, bool> linesIn(int width) const;

  int mostLines_ = 1;
};

/// Text in as many lines as it takes, which can be marked and copied; quiet: in the colour of captions.
[[nodiscard]] QLabel* wrappedLabel(QWidget* parent, bool quiet = false);

/// Puts the name before its control at the end of a row; the name leads to the control, and has its tooltip.
void addNamed(QBoxLayout& row, const QString& name, QWidget* control, int stretch = 0);

/// A chooser that shows a shorter text of its item where there is no room for the whole, and dots at the end
/// where there is none that fits; Qt's own cuts letters. What is not shown whole is so in the tooltip.
class ElidedCombo : public QComboBox {
public:
  using QComboBox::QComboBox;
  /// Data of an item: texts that say the same shorter, the longest first.
  static constexpr int shorterRole = Qt::UserRole + 16;
  /// The current text as there is room for it.
  [[nodiscard]] QString shownText() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;
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
