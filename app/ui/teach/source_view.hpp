// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/teach_subject.hpp"
#include "gpu/simt/record/counters.hpp"

#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <map>
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
  std::set<int> quiet_;
};

/// A kernel's source, read only: line numbers, a sign and a band for every line that is new (+), changed (~)
/// or, when asked for, no longer there (−), and beside a line what it asked of memory. Opens at the kernel.
class SourceView : public QPlainTextEdit {
  Q_OBJECT
public:
  explicit SourceView(QWidget* parent = nullptr);

  void showSource(const SourceComparison& comparison);
  /// Whether lines that only the version before has stand between the others.
  void setGhosts(bool shown);
  /// By line of the text, from 1; of the version shown.
  void setCounters(std::map<int, simt::Counters> counters);
  /// Gutter and tabs for the present font.
  void fitFont();
  /// Scrolls to the next difference below (1) or above (-1) the top of the view.
  void toDifference(int direction);

  /// What stands before a line of the document: its sign ('+', '~', '-' or ' ') and its number in the whole
  /// text, 0 for a ghost. The one that is painted counts from the line's own file.
  struct Row {
    DiffLine::Mark mark = DiffLine::Mark::same;
    int number = 0;
  };
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] static QChar sign(DiffLine::Mark mark);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  bool viewportEvent(QEvent* event) override;

private:
  class Gutter;
  static constexpr int pad = 6; ///< pixels around what stands in the gutter and in the margin

  void fill();
  void paintGutter(QPaintEvent* event);
  void scrollToLine(int number);
  [[nodiscard]] int gutterWidth() const;
  [[nodiscard]] std::map<int, simt::Counters>::const_iterator countersOf(int row) const;
  [[nodiscard]] QString marginOf(int row, bool shortened) const;
  [[nodiscard]] int topLine() const;

  CudaHighlighter* syntax_;
  QWidget* gutter_;
  SourceComparison comparison_;
  std::vector<Row> rows_; ///< one for each line of the document
  std::map<int, simt::Counters> counters_;
  bool ghosts_ = false;
};

} // namespace lloyd
