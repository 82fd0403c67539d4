// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/workshop/numbered_editor.hpp"

#include "app/ui/common/theme.hpp"

#include <QEvent>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr int margin = 6; ///< logical pixels on either side of a number
constexpr int fewest = 3; ///< digits that there is room for, so that short texts do not jump as they grow

} // namespace

class NumberedEditor::Numbers : public QWidget {
public:
  explicit Numbers(NumberedEditor* editor) : QWidget(editor), editor_(*editor) {}
  [[nodiscard]] QSize sizeHint() const override { return {editor_.numbersWidth(), 0}; }

protected:
  void paintEvent(QPaintEvent* event) override { editor_.paintNumbers(event->rect()); }

private:
  NumberedEditor& editor_;
};

NumberedEditor::NumberedEditor(QWidget* parent) : QPlainTextEdit(parent), numbers_(new Numbers(this)) {
  connect(this, &QPlainTextEdit::blockCountChanged, this, &NumberedEditor::makeRoom);
  connect(this, &QPlainTextEdit::cursorPositionChanged, numbers_, qOverload<>(&QWidget::update));
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy != 0)
      numbers_->scroll(0, dy);
    else
      numbers_->update(0, rect.y(), numbers_->width(), rect.height());
  });
  makeRoom();
}

int NumberedEditor::numbersWidth() const {
  const int digits = std::max(fewest, static_cast<int>(std::log10(std::max(1, blockCount()))) + 1);
  return 2 * margin + digits * fontMetrics().horizontalAdvance(QLatin1Char('9'));
}

void NumberedEditor::makeRoom() {
  setViewportMargins(numbersWidth(), 0, 0, 0);
  const QRect inside = contentsRect();
  numbers_->setGeometry(inside.left(), inside.top(), numbersWidth(), inside.height());
}

void NumberedEditor::keyPressEvent(QKeyEvent* event) {
  // Alt and a letter means a button; where that is off, the letter is no text all the same.
  const bool isMnemonic = (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) == Qt::AltModifier &&
                          !event->text().isEmpty() && event->text().front().isPrint();
  if (isMnemonic) return event->ignore();
  const bool returns = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!returns || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
    return QPlainTextEdit::keyPressEvent(event);
  QTextCursor cursor = textCursor();
  cursor.beginEditBlock();
  cursor.removeSelectedText();
  const QString before = cursor.block().text().first(cursor.positionInBlock());
  const auto code =
      std::find_if(before.begin(), before.end(), [](QChar letter) { return !letter.isSpace(); });
  cursor.insertBlock();
  cursor.insertText(before.first(code - before.begin()));
  cursor.endEditBlock();
  setTextCursor(cursor);
  ensureCursorVisible();
}

void NumberedEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  makeRoom();
}

void NumberedEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange) makeRoom();
}

void NumberedEditor::paintNumbers(const QRect& dirty) {
  const UiTheme& theme = UiTheme::current();
  QPainter painter(numbers_);
  painter.fillRect(dirty, theme.window);
  painter.setFont(font());
  const int present = textCursor().blockNumber();
  QTextBlock block = firstVisibleBlock();
  QRectF place = blockBoundingGeometry(block).translated(contentOffset());
  for (; block.isValid() && place.top() <= dirty.bottom(); block = block.next()) {
    place = blockBoundingGeometry(block).translated(contentOffset());
    if (!block.isVisible() || place.bottom() < dirty.top()) continue;
    painter.setPen(block.blockNumber() == present ? theme.text : theme.dim);
    painter.drawText(QRectF(0, place.top(), numbers_->width() - margin, fontMetrics().height()),
                     Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
  }
}

} // namespace lloyd
