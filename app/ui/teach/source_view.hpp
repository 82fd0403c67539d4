// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/source_rows.hpp"
#include "gpu/simt/record/counters.hpp"

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lloyd {

/// Colours CUDA's C++ as far as a reader needs it: words of the language, words of CUDA and of kernel files,
/// numbers, texts, comments. Line by line; no token of a kernel file goes on to the next line.
class CudaHighlighter : public QSyntaxHighlighter {
  Q_OBJECT
public:
  explicit CudaHighlighter(QTextDocument* document);

  /// Lines (of the document) that are shown in one quiet colour.
  void setQuiet(std::set<int> lines) { quiet_ = std::move(lines); }
  /// Lines that are words about the source, and no source.
  void setWords(std::set<int> lines) { words_ = std::move(lines); }
  /// Takes the present theme's colours; to be called before the text is set, or followed by rehighlight().
  void takeTheme();

protected:
  void highlightBlock(const QString& text) override;

private:
  struct Rule {
    QRegularExpression pattern;
    QTextCharFormat format;
  };

  std::vector<Rule> rules_; ///< later ones win
  QTextCharFormat quietFormat_;
  QTextCharFormat wordsFormat_;
  std::set<int> quiet_;
  std::set<int> words_;
};

/// A kernel's source, read only: line numbers, a sign and a band for every line that is new (+), changed (~)
/// or, when asked for, no longer there (−). What a line asked of memory stands in a column of its own at the
/// right, so that it never hides code. Opens where the kernel differs; what is the same is folded.
class SourceView : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit SourceView(QWidget* parent = nullptr);

  void showSource(const SourceComparison& comparison);
  /// Whether lines that only the version before has stand between the others.
  void setGhosts(bool shown);
  /// Whether stretches that are as in the version before are one row each. A click or Return on that row
  /// unfolds it alone.
  void setFolds(bool folded);
  /// By line of the text, from 1; of the version shown.
  void setCounters(std::map<int, simt::Counters> counters);
  /// Badges read "?" and tell no more.
  void setHidden(bool hidden);
  /// Lines of the text, from 1, that stand out until others do. The first is scrolled to where it is not
  /// seen; lines that are folded unfold. Takes no focus.
  void setMarked(const QList<int>& lines);
  [[nodiscard]] const QList<int>& marked() const { return marked_; }
  /// Gutter and tabs for the present font.
  void fitFont();
  /// Scrolls to the next difference below (1) or above (-1) the top of the view.
  void toDifference(int direction);

  /// One for each line of the document.
  using Row = SourceRow;
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// Columns of code that are seen at once.
  [[nodiscard]] int columns() const;
  /// Pixels of this view in which so many columns are seen beside its badges, at least those of usual length.
  [[nodiscard]] int widthFor(int columns) const;
  /// Columns that code is to have before others get their room.
  static constexpr int leastColumns = 44;
  /// Pixels of the column of what lines asked; 0 while nothing was counted.
  [[nodiscard]] int badgeWidth() const { return badgeWidth_; }
  /// No badge is cut: each says its unit.
  [[nodiscard]] bool badgesWhole() const { return badgeWidth_ >= wantedBadge_; }
  [[nodiscard]] static QChar sign(DiffLine::Mark mark);

Q_SIGNALS:
  /// What this line (of the text, from 1) asked is to be looked at: a click on its badge, or Return.
  void lineAsked(int line);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;

private:
  class Edge;
  static constexpr int pad = 4; ///< pixels around what stands in the gutter and in the column of badges

  void fill();
  void refill();
  void fitEdges();
  void placeEdges();
  void paintGutter(QPaintEvent* event);
  void paintBadges(QPaintEvent* event);
  void scrollTo(int row);
  void showMarks();
  bool unfold(int row);
  bool askFor(int row);
  bool showTip(const QPoint& at, const QPoint& global);
  [[nodiscard]] int rowAt(int y) const;
  [[nodiscard]] int rowOf(int number) const;
  [[nodiscard]] int gutterWidth() const;
  [[nodiscard]] QFont badgeFont() const;
  [[nodiscard]] int plateWidth(int text) const;
  [[nodiscard]] std::optional<simt::Counters> askedBy(int row) const;
  [[nodiscard]] QString badgeOf(int row) const;
  [[nodiscard]] int topLine() const;

  CudaHighlighter* syntax_;
  QWidget* gutter_;
  QWidget* badges_;
  SourceComparison comparison_;
  std::vector<Row> rows_;
  std::map<int, simt::Counters> counters_;
  SourceRowWish wish_;
  QList<int> marked_;
  int badgeWidth_ = 0;
  int wantedBadge_ = 0; ///< pixels, as badgeWidth_
  bool shortBadges_ = false;
  bool hidden_ = false; ///< what lines asked
  int top_ = -1;        ///< the row that was scrolled to last, while a person has not scrolled since
};

} // namespace lloyd
