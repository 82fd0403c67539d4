// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/labels.hpp"

#include <QApplication>
#include <QBoxLayout>
#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

#include <algorithm>

namespace lloyd {

namespace {

/// The text in so many pixels, its end in dots. A number that does not fit goes as a whole, because what is
/// left of it reads as another one.
QString elided(const QFontMetrics& metrics, const QString& text, int width) {
  QString cut = metrics.elidedText(text, Qt::ElideRight, width);
  if (cut.isEmpty()) return cut;
  const QString left = cut.chopped(1);
  if (!text.startsWith(left) || text.mid(left.size(), 1).trimmed().isEmpty()) return cut;
  static const QRegularExpression number(QStringLiteral("(^|\\s)[^\\w\\s]*\\d\\S*$"));
  const auto found = number.match(left);
  return found.hasMatch() ? left.left(found.capturedEnd(1)) + cut.back() : cut;
}

} // namespace

ElidedLabel::ElidedLabel(QWidget* parent) : QLabel(parent) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setHeadline() {
  QFont large = font();
  large.setBold(true);
  large.setPointSizeF(large.pointSizeF() * 1.15);
  setFont(large);
}

void ElidedLabel::setMostLines(int lines) {
  mostLines_ = std::max(1, lines);
  QSizePolicy policy = sizePolicy();
  policy.setHeightForWidth(mostLines_ > 1);
  setSizePolicy(policy);
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 6, QLabel::minimumSizeHint().height()};
}

int ElidedLabel::heightForWidth(int width) const {
  const int frame = QLabel::minimumSizeHint().height() - fontMetrics().height();
  const auto lines = static_cast<int>(linesIn(width - 2 * margin() - std::max(0, indent())).first.size());
  return std::max(1, lines) * fontMetrics().height() + std::max(0, frame);
}

std::pair<QStringList, bool> ElidedLabel::linesIn(int width) const {
  QStringList lines;
  QString rest = text();
  while (lines.size() + 1 < mostLines_ && fontMetrics().horizontalAdvance(rest) > width) {
    qsizetype end = -1;
    for (qsizetype space = rest.indexOf(QLatin1Char(' ')); space > 0;
         space = rest.indexOf(QLatin1Char(' '), space + 1)) {
      if (fontMetrics().horizontalAdvance(rest.left(space)) > width) break;
      end = space;
    }
    if (end < 0) break; // a word is longer than the line
    lines << rest.left(end);
    rest.remove(0, end + 1);
  }
  const bool cut = fontMetrics().horizontalAdvance(rest) > width;
  lines << (cut ? elided(fontMetrics(), rest, width) : rest);
  return {lines, cut};
}

QStringList ElidedLabel::shownLines() const {
  return linesIn(contentsRect().width() - std::max(0, indent())).first;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  const QRect line = contentsRect().adjusted(0, 0, -std::max(0, indent()), 0);
  painter.drawText(line, int(alignment()), shownLines().join(QLatin1Char('\n')));
}

bool ElidedLabel::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const bool cut = linesIn(contentsRect().width() - std::max(0, indent())).second;
    const QString tip =
        cut ? (toolTip().isEmpty() ? text() : text() + QLatin1Char('\n') + toolTip()) : toolTip();
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
    return true;
  }
  return QLabel::event(event);
}

QLabel* wrappedLabel(QWidget* parent, bool quiet) {
  auto* label = new QLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (quiet) label->setProperty("dim", true);
  return label;
}

void addNamed(QBoxLayout& row, const QString& name, QWidget* control, int stretch) {
  auto* label = new QLabel(name, control->parentWidget());
  label->setBuddy(control);
  label->setToolTip(control->toolTip());
  row.addWidget(label);
  row.addWidget(control, stretch);
}

QString ElidedCombo::shownText() const {
  QStyleOptionComboBox option;
  initStyleOption(&option);
  const int room =
      style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width() - 4;
  const QStringList texts = QStringList(currentText()) + currentData(shorterRole).toStringList();
  for (const QString& text : texts)
    if (fontMetrics().horizontalAdvance(text) <= room) return text;
  return fontMetrics().elidedText(texts.back(), Qt::ElideRight, room);
}

bool ElidedCombo::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || shownText() == currentText()) return QComboBox::event(event);
  const QString tip = toolTip().isEmpty() ? currentText() : currentText() + QLatin1Char('\n') + toolTip();
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, this);
  return true;
}

void ElidedCombo::paintEvent(QPaintEvent* /*event*/) {
  QStylePainter painter(this);
  QStyleOptionComboBox option;
  initStyleOption(&option);
  option.currentText = shownText();
  painter.drawComplexControl(QStyle::CC_ComboBox, option);
  painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

PlainLabels::PlainLabels(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool PlainLabels::eventFilter(QObject* watched, QEvent* event) {
  // A label is polished before its text is laid out for the first time, and a tooltip is a label of Qt's own.
  if (event->type() == QEvent::Polish) {
    if (auto* label = qobject_cast<QLabel*>(watched)) label->setTextFormat(Qt::PlainText);
  }
  return QObject::eventFilter(watched, event);
}

} // namespace lloyd
