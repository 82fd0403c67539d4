// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/cuda_highlighter.hpp"

#include "app/ui/common/theme.hpp"

namespace lloyd {

namespace {

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

constexpr auto languageWords =
    "\\b(?:alignas|auto|bool|break|case|char|class|const|constexpr|continue|decltype|default|do|double|else|"
    "enum|"
    "false|float|for|if|inline|int|long|namespace|operator|private|public|return|short|signed|sizeof|static|"
    "static_cast|struct|switch|template|this|true|typename|unsigned|using|void|volatile|while|std::size_t|"
    "float2|float4|Label)\\b";
constexpr auto cudaWords = "\\b(?:LLOYD_\\w+|threadIdx|blockIdx|blockDim|gridDim|__\\w+|atomic[A-Z]\\w+|fmaf?"
                           "|powf?|sqrt|addSquare(?:As)?|INFINITY)"
                           "\\b";

} // namespace

CudaHighlighter::CudaHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) { takeTheme(); }

void CudaHighlighter::takeTheme() {
  const Inks& ink = inks();
  const auto rule = [](const char* pattern, const QTextCharFormat& format) {
    return Rule{QRegularExpression(QString::fromLatin1(pattern)), format};
  };
  rules_ = {rule("\\b(?:0x[0-9a-fA-F]+|[0-9][0-9.]*(?:e[-+]?[0-9]+)?)[uUfFlL]*\\b", formatOf(ink.number)),
            rule(languageWords, formatOf(ink.word)),
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
