// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/source_view.hpp"

#include "app/model/teach/counter_model.hpp"
#include "app/ui/common/theme.hpp"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
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

/// What stands beside the source and stays while that moves sideways.
class SourceView::Edge : public QWidget {
public:
  Edge(SourceView* view, void (SourceView::*paint)(QPaintEvent*))
      : QWidget(view), view_(view), paint_(paint) {}

protected:
  void paintEvent(QPaintEvent* event) override { (view_->*paint_)(event); }
  void mouseReleaseEvent(QMouseEvent* event) override {
    if (this == view_->badges_ && event->button() == Qt::LeftButton)
      view_->askFor(view_->rowAt(qRound(event->position().y())));
  }
  bool event(QEvent* event) override {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    return view_->showTip(help->pos(), help->globalPos());
  }

private:
  SourceView* view_;
  void (SourceView::*paint_)(QPaintEvent*);
};

SourceView::SourceView(QWidget* parent)
    : QPlainTextEdit(parent), syntax_(new CudaHighlighter(document())),
      gutter_(new Edge(this, &SourceView::paintGutter)), badges_(new Edge(this, &SourceView::paintBadges)) {
  setObjectName(QStringLiteral("source"));
  setReadOnly(true);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setFrameShape(QFrame::NoFrame);
  // With a cursor, keys walk the lines and a screen reader follows.
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setTabChangesFocus(true);
  setAccessibleName(tr("Source"));
  setAccessibleDescription(
      tr("The kernel's source, with the lines that differ from the version before. Return "
         "unfolds a row of lines that are the same"));
  badges_->setObjectName(QStringLiteral("badges"));
  badges_->setCursor(Qt::PointingHandCursor);
  viewport()->setMouseTracking(true);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int by) {
    for (QWidget* edge : {gutter_, badges_})
      by != 0 ? edge->scroll(0, by) : edge->update(0, part.y(), edge->width(), part.height());
  });
}

QChar SourceView::sign(DiffLine::Mark mark) { return lookOf(mark).sign; }

void SourceView::showSource(const SourceComparison& comparison) {
  comparison_ = comparison;
  counters_.clear();
  marked_.clear();
  wish_.opened.clear();
  fill();
  const int row = rowOf(openingLine(comparison_));
  if (row < 0) return;
  // A kernel's head tells more than the lines before a difference, where both can be seen.
  constexpr int near = 7, above = 3;
  const int head = rowOf(comparison_.now.kernel + 1);
  setTextCursor(QTextCursor(document()->findBlockByNumber(row)));
  scrollTo(head >= 0 && head <= row && row - head <= near ? head : std::max(0, row - above));
}

void SourceView::setGhosts(bool shown) {
  if (std::exchange(wish_.ghosts, shown) != shown) refill();
}

void SourceView::setFolds(bool folded) {
  wish_.opened.clear();
  wish_.folds = folded;
  refill();
}

void SourceView::setCounters(std::map<int, simt::Counters> counters) {
  counters_ = std::move(counters);
  fitEdges();
}

void SourceView::setHidden(bool hidden) {
  hidden_ = hidden;
  fitEdges();
}

void SourceView::setMarked(const QList<int>& lines) {
  if (std::ranges::equal(std::exchange(marked_, lines), lines))
    return; // Qt's own compares empty ones at null
  bool unfolds = false;
  for (const int line : lines) {
    const int row = rowOf(line);
    if (row < 0 || !rows_[static_cast<std::size_t>(row)].isFold()) continue;
    unfolds = true;
    wish_.opened.insert(rows_[static_cast<std::size_t>(row)].first);
  }
  if (unfolds)
    refill();
  else
    showMarks();
  const int row = lines.isEmpty() ? -1 : rowOf(lines.front());
  if (row < 0) return;
  const int seen = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
  const int top = verticalScrollBar()->value();
  if (row < top || row >= top + seen - 1) scrollTo(std::max(0, row - seen / 3));
}

void SourceView::showMarks() {
  QList<QTextEdit::ExtraSelection> all;
  QColor colour = UiTheme::current().accent;
  colour.setAlphaF(0.28F);
  for (const int line : marked_) {
    const int row = rowOf(line);
    if (row < 0) continue;
    QTextEdit::ExtraSelection one;
    one.cursor = QTextCursor(document()->findBlockByNumber(row));
    one.format.setBackground(colour);
    one.format.setProperty(QTextFormat::FullWidthSelection, true);
    all << one;
  }
  setExtraSelections(all);
  gutter_->update();
}

void SourceView::fill() {
  rows_ = rowsOf(comparison_, wish_);
  QStringList lines;
  std::set<int> ghosts, folds;
  for (const Row& row : rows_) {
    if (row.isFold()) folds.insert(static_cast<int>(lines.size()));
    if (row.mark == DiffLine::Mark::removed) ghosts.insert(static_cast<int>(lines.size()));
    lines << row.text;
  }
  syntax_->setQuiet(std::move(ghosts));
  syntax_->setWords(std::move(folds));
  syntax_->takeTheme();
  setPlainText(lines.join(QLatin1Char('\n')));
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    const QColor band = rows_[row].isFold() ? UiTheme::current().control : bandOf(rows_[row].mark);
    if (!band.isValid()) continue;
    QTextCursor cursor(document()->findBlockByNumber(static_cast<int>(row)));
    QTextBlockFormat format;
    format.setBackground(band);
    cursor.setBlockFormat(format);
  }
  showMarks();
  fitEdges();
}

/// Other rows of the same text: what is on top stays there.
void SourceView::refill() {
  const int top = topLine();
  fill();
  const int row = rowOf(top);
  if (row < 0) return;
  setTextCursor(QTextCursor(document()->findBlockByNumber(row)));
  scrollTo(row);
}

int SourceView::topLine() const {
  const int first = firstVisibleBlock().blockNumber();
  for (std::size_t row = static_cast<std::size_t>(std::max(0, first)); row < rows_.size(); ++row)
    if (const int number = std::max(rows_[row].number, rows_[row].first); number > 0) return number;
  return 1;
}

/// Of the line with this number, or of the fold that it is in; -1 without one.
int SourceView::rowOf(int number) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.number == number || (number >= row.first && number < row.first + row.folded);
  });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

void SourceView::scrollTo(int row) {
  verticalScrollBar()->setValue(row);
  horizontalScrollBar()->setValue(0);
  top_ = row;
}

bool SourceView::unfold(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return false;
  const Row fold = rows_[static_cast<std::size_t>(row)];
  if (!fold.isFold()) return false;
  const int top = verticalScrollBar()->value();
  wish_.opened.insert(fold.first);
  fill();
  setTextCursor(QTextCursor(document()->findBlockByNumber(rowOf(fold.first))));
  scrollTo(top); // what stands above has not moved
  return true;
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
    scrollTo(std::max(0, row - above));
    return;
  }
}

int SourceView::gutterWidth() const {
  const int digits = std::max(3, static_cast<int>(QString::number(comparison_.now.lines.size()).size()));
  return fontMetrics().horizontalAdvance(QLatin1Char('8')) * (digits + 1) + 3 * pad;
}

int SourceView::columns() const {
  return (viewport()->width() - static_cast<int>(2 * document()->documentMargin())) /
         std::max(1, fontMetrics().horizontalAdvance(QLatin1Char('8')));
}

/// By its family, because a painter completes what a font leaves open with the widget's own.
QFont SourceView::badgeFont() const {
  QFont plain(parentWidget() ? parentWidget()->font().family() : font().family());
  plain.setPointSizeF(font().pointSizeF() * marginSize);
  return plain;
}

/// Of the column, for a widest badge of so many pixels of text.
int SourceView::plateWidth(int text) const {
  // A painter may set a text some pixels wider than metrics that know no device.
  return text > 0 ? text + QFontMetrics(badgeFont()).averageCharWidth() + 4 * pad : 0;
}

int SourceView::widthFor(int columns) const {
  simt::Counters usual;
  usual.globalLoadSectors = 4096;
  const int badge = plateWidth(QFontMetrics(badgeFont()).horizontalAdvance(marginText(usual, true)));
  return gutterWidth() + columns * fontMetrics().horizontalAdvance(QLatin1Char('8')) +
         static_cast<int>(2 * document()->documentMargin()) +
         std::max(badge, shortBadges_ ? wantedBadge_ : 0) + verticalScrollBar()->sizeHint().width();
}

/// Room for the widest badge; for its short form where the long one would leave few columns of code.
void SourceView::fitEdges() {
  const QFontMetrics metrics(badgeFont());
  const int digit = std::max(1, fontMetrics().horizontalAdvance(QLatin1Char('8')));
  const int all = contentsRect().width() - gutterWidth() - verticalScrollBar()->sizeHint().width();
  for (const bool shortened : {false, true}) {
    int widest = 0;
    shortBadges_ = shortened;
    for (int row = 0; row < static_cast<int>(rows_.size()); ++row)
      widest = std::max(widest, metrics.horizontalAdvance(badgeOf(row)));
    wantedBadge_ = plateWidth(widest);
    constexpr int columnsOfCode = 88;
    if ((all - wantedBadge_) / digit >= columnsOfCode) break;
  }
  // A long badge is cut rather than the code; its tool tip says all of it.
  badgeWidth_ = std::min(wantedBadge_, std::max(all - leastColumns * digit, 3 * all / 10));
  setViewportMargins(gutterWidth(), 0, badgeWidth_, 0);
  placeEdges();
  gutter_->update();
  badges_->update();
}

void SourceView::placeEdges() {
  const QRect text = viewport()->geometry();
  gutter_->setGeometry(contentsRect().left(), text.top(), gutterWidth(), contentsRect().height());
  badges_->setGeometry(text.right() + 1, text.top(), badgeWidth_, text.height());
}

void SourceView::resizeEvent(QResizeEvent* event) {
  // A view that was not on the screen yet could not be scrolled as far as it was asked to.
  const bool untouched = top_ >= 0 && verticalScrollBar()->value() <= top_;
  QPlainTextEdit::resizeEvent(event);
  fitEdges();
  if (untouched && verticalScrollBar()->value() < top_) verticalScrollBar()->setValue(top_);
}

void SourceView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refill();
  if (event->type() == QEvent::FontChange) fitFont();
}

void SourceView::fitFont() {
  setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
  fitEdges();
}

void SourceView::keyPressEvent(QKeyEvent* event) {
  const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const int row = textCursor().blockNumber();
  if (enters && (unfold(row) || askFor(row))) return;
  QPlainTextEdit::keyPressEvent(event);
}

/// A line that asked something; of a fold nobody knows which.
bool SourceView::askFor(int row) {
  if (unfold(row)) return true;
  if (hidden_ || !askedBy(row)) return false;
  setTextCursor(QTextCursor(document()->findBlockByNumber(row)));
  Q_EMIT lineAsked(rows_[static_cast<std::size_t>(row)].number);
  return true;
}

void SourceView::mouseMoveEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseMoveEvent(event);
  const int row = rowAt(qRound(event->position().y()));
  const bool fold = row >= 0 && rows_[static_cast<std::size_t>(row)].isFold();
  viewport()->setCursor(fold ? Qt::PointingHandCursor : Qt::IBeamCursor);
}

void SourceView::mouseReleaseEvent(QMouseEvent* event) {
  QPlainTextEdit::mouseReleaseEvent(event);
  if (event->button() == Qt::LeftButton && !textCursor().hasSelection())
    unfold(rowAt(qRound(event->position().y())));
}

/// The row at a height of the viewport; -1 below the last.
int SourceView::rowAt(int y) const {
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (y < at.top()) return -1;
    if (y < at.bottom())
      return block.blockNumber() < static_cast<int>(rows_.size()) ? block.blockNumber() : -1;
  }
  return -1;
}

bool SourceView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QPlainTextEdit::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  return showTip(help->pos(), help->globalPos());
}

bool SourceView::showTip(const QPoint& at, const QPoint& global) {
  const int row = rowAt(at.y());
  QString tip;
  if (const auto asked = askedBy(row); asked && hidden_) {
    tip = tr("What it asked is hidden until it is predicted");
  } else if (asked) {
    const Row& one = rows_[static_cast<std::size_t>(row)];
    tip = one.isFold() ? tr("Asked by the %1 lines that are folded here, over the whole launch:\n%2")
                             .arg(one.folded)
                             .arg(everythingText(*asked))
                       : tr("Asked by line %1 over the whole launch:\n%2")
                             .arg(comparison_.now.numberOf(one.number - 1))
                             .arg(everythingText(*asked));
    if (!one.isFold()) tip += tr("\n\nA click on its badge or Return shows each request");
  }
  if (row >= 0 && rows_[static_cast<std::size_t>(row)].isFold())
    tip += (tip.isEmpty() ? QString() : QStringLiteral("\n\n")) + tr("A click or Return unfolds the lines");
  QToolTip::showText(global, tip, viewport());
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
    const QColor band = one.isFold() ? theme.control : bandOf(one.mark);
    if (band.isValid()) painter.fillRect(line, band);
    if (one.number > 0 && marked_.contains(one.number))
      painter.fillRect(line.left(), line.top(), pad / 2, line.height(), theme.accent);
    painter.setPen(inkOf(one.mark));
    painter.drawText(line.adjusted(pad, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, sign(one.mark));
    painter.setPen(theme.dim);
    if (const int number = comparison_.now.numberOf(one.number - 1); number > 0)
      painter.drawText(line.adjusted(pad + digit, 0, -pad, 0), Qt::AlignRight | Qt::AlignVCenter,
                       QString::number(number));
    if (one.isFold())
      painter.drawText(line.adjusted(pad, 0, -pad, 0), Qt::AlignRight | Qt::AlignVCenter,
                       QStringLiteral("\u25b8"));
  }
}

/// A fold asked what all of its lines did.
std::optional<simt::Counters> SourceView::askedBy(int row) const {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return std::nullopt;
  const Row& one = rows_[static_cast<std::size_t>(row)];
  const int first = one.isFold() ? one.first : one.number;
  std::optional<simt::Counters> sum;
  for (auto at = counters_.lower_bound(std::max(1, first));
       at != counters_.end() && at->first < first + std::max(1, one.folded); ++at) {
    if (!sum) sum.emplace();
    *sum += at->second;
  }
  return sum;
}

QString SourceView::badgeOf(int row) const {
  const auto asked = askedBy(row);
  const QString words = asked ? marginText(*asked, shortBadges_) : QString();
  return hidden_ && !words.isEmpty() ? hiddenText() : words;
}

void SourceView::paintBadges(QPaintEvent* event) {
  QPainter painter(badges_);
  const UiTheme& theme = UiTheme::current();
  painter.fillRect(event->rect(), theme.panel);
  painter.setPen(theme.line);
  painter.drawLine(0, event->rect().top(), 0, event->rect().bottom());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(badgeFont());
  const QFontMetrics metrics(badgeFont());
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF at = blockBoundingGeometry(block).translated(contentOffset());
    if (at.top() > badges_->height()) break;
    const QString words = badgeOf(block.blockNumber());
    if (words.isEmpty()) continue;
    const QRectF plate(pad, at.top() + 1, badges_->width() - 2 * pad, at.height() - 2);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.control);
    painter.drawRoundedRect(plate, 4, 4);
    painter.setPen(theme.accent);
    painter.drawText(plate.adjusted(pad, 0, -pad, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(words, Qt::ElideRight, int(plate.width()) - 2 * pad));
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
  wordsFormat_ = formatOf(UiTheme::current().dim, true);
}

void CudaHighlighter::highlightBlock(const QString& text) {
  if (words_.contains(currentBlock().blockNumber())) return setFormat(0, int(text.size()), wordsFormat_);
  if (quiet_.contains(currentBlock().blockNumber())) return setFormat(0, int(text.size()), quietFormat_);
  for (const Rule& rule : rules_) {
    for (auto found = rule.pattern.globalMatch(text); found.hasNext();) {
      const QRegularExpressionMatch match = found.next();
      setFormat(int(match.capturedStart()), int(match.capturedLength()), rule.format);
    }
  }
}

} // namespace lloyd
