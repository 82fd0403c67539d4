// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/named_lines.hpp"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace lloyd {

std::vector<int> linesNamed(const QString& sentence, const QString& path) {
  const QRegularExpression place(QRegularExpression::escape(QFileInfo(path).fileName()) +
                                 QStringLiteral("[:(](\\d+)"));
  std::vector<int> lines;
  for (const QRegularExpressionMatch& found : place.globalMatch(sentence))
    if (const int line = found.captured(1).toInt(); std::ranges::find(lines, line) == lines.end())
      lines.push_back(line);
  return lines;
}

} // namespace lloyd
