// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/lesson_view.hpp"

#include "app/model/teach/lesson/glossary.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/ui/common/theme.hpp"

#include <QEvent>
#include <QFontDatabase>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QUrl>

#include <algorithm>
#include <utility>
#include <vector>

namespace lloyd {

namespace {

constexpr int lineCharacters = 70;

void colourLinks(const QTextBlock& block) {
  QTextCharFormat link;
  link.setForeground(UiTheme::current().accent);
  link.setFontUnderline(true);
  std::vector<std::pair<int, int>> places; // formats change what the iterator goes over
  for (auto part = block.begin(); !part.atEnd(); ++part)
    if (part.fragment().charFormat().isAnchor())
      places.emplace_back(part.fragment().position(), part.fragment().length());
  // Words that are explained elsewhere are many: they look like the text that they are in.
  QTextCharFormat word;
  word.setForeground(UiTheme::current().text);
  word.setUnderlineStyle(QTextCharFormat::DotLine);
  for (const auto& [from, length] : places) {
    QTextCursor cursor(block);
    cursor.setPosition(from);
    cursor.setPosition(from + length, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(cursor.charFormat().anchorHref() == QLatin1String("lesson:words") ? word : link);
  }
}

} // namespace

LessonView::LessonView(QWidget* parent) : QTextBrowser(parent) {
  setObjectName(QStringLiteral("lesson"));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  setTabChangesFocus(true);
  setAccessibleName(tr("Lesson"));
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard |
                          Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(this, &QTextBrowser::anchorClicked, this, &LessonView::follow);
  document()->setDocumentMargin(12);
}

void LessonView::showLesson(const Variant& variant) {
  if (variant_ == &variant) return;
  variant_ = &variant;
  page_.clear();
  renew();
  verticalScrollBar()->setValue(0);
}

void LessonView::renew() {
  if (!variant_) return;
  filling_ = true;
  setMarkdown(text());
  const double size = font().pointSizeF();
  const UiTheme& theme = UiTheme::current();
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    QTextBlockFormat form = block.blockFormat();
    const int heading = form.headingLevel();
    form.setLineHeight(122, QTextBlockFormat::ProportionalHeight);
    form.setTopMargin(heading > 1 ? size * 0.9 : 0);
    form.setBottomMargin(heading > 0 ? size * 0.3 : size * 0.7);
    cursor.setBlockFormat(form);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    QTextCharFormat ink;
    ink.setForeground(theme.text);
    if (heading > 0) {
      ink.setFontPointSize(heading == 1 ? size * 1.3 : size * 1.08);
      ink.setFontWeight(QFont::Bold);
      if (heading > 1) ink.setForeground(theme.accent);
    }
    // A heading's own format has a size relative to the text's, which would count on top.
    heading > 0 ? cursor.setCharFormat(ink) : cursor.mergeCharFormat(ink);
    colourLinks(block);
  }
  fitLines();
  filling_ = false;
}

/// "lesson:data" is another lesson; "lesson:" alone leads back to the variant's.
void LessonView::follow(const QUrl& link) {
  if (link.scheme() == QLatin1String("setup")) return Q_EMIT setupAsked(link.path(QUrl::FullyDecoded));
  if (link.scheme() != QLatin1String("lesson")) return;
  showPage(link.path());
}

void LessonView::showPage(const QString& name) {
  page_ = lessonPage(name).isEmpty() ? QString() : name;
  renew();
  verticalScrollBar()->setValue(0);
  Q_EMIT pageShown(page_);
}

QString LessonView::text() const {
  if (page_.isEmpty()) return withGlossary(lessonText(*variant_));
  const QString id = QString::fromStdString(variant_->id());
  const QString page = lessonPage(page_);
  return tr("[Back to %1](lesson:)").arg(id) + QStringLiteral("\n\n") +
         (page_ == QLatin1String("words") ? page : withGlossary(page));
}

/// Longer lines than an eye finds back from are not filled; the rest of the width stays free.
void LessonView::fitLines() {
  const int most = fontMetrics().averageCharWidth() * lineCharacters;
  const double margin = document()->documentMargin();
  QTextFrameFormat form = document()->rootFrame()->frameFormat();
  form.setRightMargin(std::max(margin, viewport()->width() - margin - most));
  if (form != document()->rootFrame()->frameFormat()) document()->rootFrame()->setFrameFormat(form);
}

void LessonView::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (filling_) return;
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) renew();
}

void LessonView::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  fitLines();
}

} // namespace lloyd
