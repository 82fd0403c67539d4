// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/source_view.hpp"

#include "app/model/teach/counter_model.hpp"
#include "app/ui/common/theme.hpp"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace lloyd {

namespace {

constexpr double marginSize = 0.9; ///< of what lines asked, times the source's

/// How a line stands out; for one that is the same neither colour is used.
struct Look {
  QChar sign;
  const char *inkOnDark, *inkOnLight;   ///< of the sign
  const char *bandOnDark, *bandOnLight; ///< behind the line
};

const Look& lookOf(DiffLine::Mark mark) {
  static constexpr Look looks[] = {{u' ', nullptr, nullptr, nullptr, nullptr},
                                   {u'+', "#6fdcab", "#0b6b45", "#16382f", "#d9f2e3"},
                                   {u'~', "#8db8ff", "#1d4fa8", "#1d3050", "#dce8fb"},
                                   {u'\u2212', "#f0a3a3", "#9b2c2c", "#33232a", "#f6e6e6"}};
  return looks[static_cast<std::size_t>(mark)];
}

QColor inkOf(DiffLine::Mark mark) {
  if (mark == DiffLine::Mark::same) return UiTheme::current().dim;
  return UiTheme::current().dark ? lookOf(mark).inkOnDark : lookOf(mark).inkOnLight;
}

/// Invalid for a line that is the same.
QColor bandOf(DiffLine::Mark mark) {
  if (mark == DiffLine::Mark::same) return {};
  return UiTheme::current().dark ? lookOf(mark).bandOnDark : lookOf(mark).bandOnLight;
}

/// Colours of a source. On the panel each has a contrast of at least 4.5 to 1.
struct Inks {
  QColor word, cuda, number, text, comment, quiet;
};

const Inks& inks() {
  static const Inks dark{"#c79bf2", "#6fc3df", "#e5b567", "#9ccc65", "#8b95a3", "#98a0ac"};
  static const Inks light{"#7a30a8", "#0b6a8a", "#8a5300", "#3c6e12", "#5f6874", "#626b77"};
  return UiTheme::current().dark ? dark : light;
}

QTextCharFormat formatOf(const QColor& colour, bool italic = false) {
  QTextCharFormat format;
  format.setForeground(colour);
  format.setFontItalic(italic);
  return format;
}

constexpr auto keywords =
    "\\b(?:alignas|auto|bool|break|case|char|class|const|constexpr|continue|decltype|default|do|double|else|"
    "enum|"
    "false|float|for|if|inline|int|long|namespace|operator|private|public|return|short|signed|sizeof|static|"
    "static_cast|struct|switch|template|this|true|typename|unsigned|using|void|volatile|while|std::size_t|"
    "float2|float4|Label)\\b";
constexpr auto cudaWords = "\\b(?:LLOYD_\\w+|threadIdx|blockIdx|blockDim|gridDim|__\\w+|atomic[A-Z]\\w+|fmaf?"
                           "|powf?|sqrt|addSquare(?:As)?|INFINITY)"
                           "\\b";

} // namespace

/// Signs and line numbers, which stay while the source moves sideways.
class SourceView::Gutter : public QWidget {
public:
  explicit Gutter(SourceView* view) : QWidget(view), view_(view) {}

protected:
  void paintEvent(QPaintEvent* event) override { view_->paintGutter(event); }

private:
  SourceView* view_;
};

SourceView::SourceView(QWidget* parent)
    : QPlainTextEdit(parent), syntax_(new CudaHighlighter(document())), gutter_(new Gutter(this)) {
  setObjectName(QStringLiteral("source"));
  setReadOnly(true);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  // With a cursor, keys walk the lines and a screen reader follows.
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setTabChangesFocus(true);
  setAccessibleName(tr("Source"));
  setAccessibleDescription(tr("The kernel's source, with the lines that differ from the version before"));
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int by) {
    if (by != 0) {
      gutter_->scroll(0, by);
      viewport()->update(); // what lines asked stands at the edge, not where the text is
    } else {
      gutter_->update(0, part.y(), gutter_->width(), part.height());
    }
  });
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

QChar SourceView::sign(DiffLine::Mark mark) { return lookOf(mark).sign; }

void SourceView::showSource(const SourceComparison& comparison) {
  comparison_ = comparison;
  counters_.clear();
  fill();
  scrollToLine(comparison_.now.kernel + 1);
}

void SourceView::setGhosts(bool shown) {
  if (ghosts_ == shown) return;
  const int top = topLine();
  ghosts_ = shown;
  fill();
  scrollToLine(top);
}

void SourceView::setCounters(std::map<int, simt::Counters> counters) {
  counters_ = std::move(counters);
  viewport()->update();
}

void SourceView::fill() {
  rows_.clear();
  QStringList lines;
  std::set<int> ghosts;
  for (const DiffLine& line : comparison_.lines) {
    // A line that was changed follows the one that it was.
    const bool was = line.mark == DiffLine::Mark::removed || line.mark == DiffLine::Mark::changed;
    if (ghosts_ && was) {
      ghosts.insert(static_cast<int>(rows_.size()));
      rows_.push_back({DiffLine::Mark::removed, 0});
      lines << comparison_.before.lines[line.before];
    }
    if (line.now < 0) continue;
    rows_.push_back({line.mark, line.now + 1});
    lines << comparison_.now.lines[line.now];
  }
  syntax_->setQuiet(std::move(ghosts));
  syntax_->takeTheme();
  setPlainText(lines.join(QLatin1Char('\n')));
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const QColor band = bandOf(rows_[row].mark);
    if (!band.isValid()) continue;
    QTextCursor cursor(document()->findBlockByNumber(static_cast<int>(row)));
    QTextBlockFormat format;
    format.setBackground(band);
    cursor.setBlockFormat(format);
  }
  setViewportMargins(gutterWidth(), 0, 0, 0);
  gutter_->update();
}

int SourceView::topLine() const {
  const int first = firstVisibleBlock().blockNumber();
  for (std::size_t row = static_cast<std::size_t>(std::max(0, first)); row < rows_.size(); ++row)
    if (rows_[row].number > 0) return rows_[row].number;
  return 1;
}

void SourceView::scrollToLine(int number) {
  const auto found =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.number == number; });
  if (found == rows_.end()) return;
  const int block = static_cast<int>(found - rows_.begin());
  QTextCursor cursor(document()->findBlockByNumber(block));
  setTextCursor(cursor);
  verticalScrollBar()->setValue(block);
  horizontalScrollBar()->setValue(0);
}

void SourceView::toDifference(int direction) {
  const auto isStart = [&](int row) {
    const auto at = static_cast<std::size_t>(row);
    return rows_[at].mark != DiffLine::Mark::same && (row == 0 || rows_[at - 1].mark == DiffLine::Mark::same);
  };
  constexpr int above = 3; ///< lines that stay visible before a difference
  const int top = verticalScrollBar()->value() + above;
  for (int row = top + direction; row >= 0 && row < static_cast<int>(rows_.size()); row += direction) {
    if (!isStart(row)) continue;
    setTextCursor(QTextCursor(document()->findBlockByNumber(row)));
    verticalScrollBar()->setValue(std::max(0, row - above));
    return;
  }
}

int SourceView::gutterWidth() const {
  const int digits = std::max(3, static_cast<int>(QString::number(rows_.size()).size()));
  return fontMetrics().horizontalAdvance(QLatin1Char('8')) * (digits + 2) + 3 * pad;
}

void SourceView::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  gutter_->setGeometry(inside.left(), inside.top(), gutterWidth(), inside.height());
}

void SourceView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    const int top = topLine();
    fill();
    scrollToLine(top);
  }
  if (event->type() == QEvent::FontChange) fitFont();
}

void SourceView::fitFont() {
  setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
  setViewportMargins(gutterWidth(), 0, 0, 0);
  gutter_->resize(gutterWidth(), gutter_->height());
}

bool SourceView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = cursorForPosition(help->pos()).blockNumber();
  QString tip;
  if (const auto found = countersOf(row); found != counters_.end())
    tip = tr("Asked by line %1 over the whole launch:\n%2")
              .arg(comparison_.now.numberOf(found->first - 1))
              .arg(everythingText(found->second));
  QToolTip::showText(help->globalPos(), tip, viewport());
  return true;
}

// What the source view paints besides its text: bands, signs and numbers, and what lines asked.

void SourceView::paintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(event->rect(), theme.panel);
  painter.setFont(font());
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('8'));
  QTextBlock block = firstVisibleBlock();
  for (; block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > event->rect().bottom()) break;
    const auto row = static_cast<std::size_t>(block.blockNumber());
    if (row >= rows_.size()) break;
    const Row& one = rows_[row];
    const QRect line(0, int(at.top()), gutter_->width(), int(at.height()));
    const QColor band = bandOf(one.mark);
    if (band.isValid()) painter.fillRect(line, band);
    painter.setPen(inkOf(one.mark));
    painter.drawText(line.adjusted(pad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, sign(one.mark));
    painter.setPen(theme.dim);
    if (const int number = comparison_.now.numberOf(one.number - 1); number > 0)
      painter.drawText(line.adjusted(pad + digit, 0, -pad, 0), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(number));
  }
}

std::map<int, simt::Counters>::const_iterator SourceView::countersOf(int row) const {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return counters_.end();
  return counters_.find(rows_[static_cast<std::size_t>(row)].number);
}

QString SourceView::marginOf(int row, bool shortened) const {
  const auto found = countersOf(row);
  return found == counters_.end() ? QString() : marginText(found->second, shortened);
}

/// What a line asked follows the line where there is room. Where there is none it is shortened, and stands at
/// the view's edge.
void SourceView::paintEvent(QPaintEvent* event) {
  QPlainTextEdit::paintEvent(event);
  if (counters_.empty()) return;
  QPainter painter(viewport());
  const UiTheme& theme = UiTheme::current();
  // By its family, because a painter completes what a font leaves open with the widget's own.
  QFont plain(parentWidget() ? parentWidget()->font().family() : font().family());
  plain.setPointSizeF(font().pointSizeF() * marginSize);
  painter.setFont(plain);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFontMetrics metrics(plain);
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > viewport()->height()) break;
    QString words = marginOf(block.blockNumber(), false);
    if (words.isEmpty()) continue;
    const int end = int(at.left()) + fontMetrics().horizontalAdvance(block.text()) + 3 * pad;
    const auto widthOf = [&] { return metrics.horizontalAdvance(words) + 2 * pad; };
    if (end + widthOf() > viewport()->width()) words = marginOf(block.blockNumber(), true);
    const int width = widthOf();
    const int left = std::min(end, viewport()->width() - width - 2);
    const QRectF plate(left, at.top() + 1, width, at.height() - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.control);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(theme.accent);
    painter.drawText(plate, Qt::AlignCenter, words);
  }
}

CudaHighlighter::CudaHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) { takeTheme(); }

void CudaHighlighter::takeTheme() {
  const Inks& ink = inks();
  const auto rule = [](const char* pattern, const QTextCharFormat& format) {
    return Rule{QRegularExpression(QString::fromLatin1(pattern)), format};
  };
  rules_ = {rule("\\b(?:0x[0-9a-fA-F]+|[0-9][0-9.]*(?:e[-+]?[0-9]+)?)[uUfFlL]*\\b", formatOf(ink.number)),
            rule(keywords, formatOf(ink.word)),
            rule(cudaWords, formatOf(ink.cuda)),
            rule("^\\s*#\\w+", formatOf(ink.word)),
            rule("\"(?:[^\"\\\\]|\\\\.)*\"", formatOf(ink.text)),
            rule("//.*$", formatOf(ink.comment, true))};
  quietFormat_ = formatOf(ink.quiet);
  quietFormat_.setFontStrikeOut(true);
}

void CudaHighlighter::highlightBlock(const QString& text) {
  if (quiet_.contains(currentBlock().blockNumber())) return setFormat(0, int(text.size()), quietFormat_);
  for (const Rule& rule : rules_) {
    for (auto found = rule.pattern.globalMatch(text); found.hasNext();) {
      const QRegularExpressionMatch match = found.next();
      setFormat(int(match.capturedStart()), int(match.capturedLength()), rule.format);
    }
  }
}

} // namespace lloyd
