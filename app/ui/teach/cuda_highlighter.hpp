// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextCharFormat>

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

} // namespace lloyd
