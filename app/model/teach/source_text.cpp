// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/source_text.hpp"

#include "app/text/embedded_texts.hpp"
#include "app/text/strings.hpp"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace lloyd {

namespace {

int endOfOpeningComment(const QStringList& lines) {
  int at = 0;
  while (at < lines.size() && (lines[at].startsWith(QLatin1String("//")) || lines[at].trimmed().isEmpty()))
    ++at;
  return at;
}

int firstKernel(const QStringList& lines, int from) {
  for (int at = from; at < lines.size(); ++at) {
    if (!lines[at].startsWith(QLatin1String("LLOYD_KERNEL"))) continue;
    while (at > from && lines[at - 1].startsWith(QLatin1String("template")))
      --at;
    return at;
  }
  return from;
}

/// Of a path from the repository's top; empty when the program does not hold it.
QString textAt(const QString& path) {
  initTexts();
  QFile file(QStringLiteral(":/") + path.mid(path.indexOf(QLatin1String("kernels/"))));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList linesOf(const QString& text) {
  QStringList lines = text.split(QLatin1Char('\n'));
  if (lines.last().isEmpty()) lines.removeLast();
  return lines;
}

/// The headers of the same folder that some lines include, in their order.
QStringList included(const QString& folder, const QStringList& lines) {
  const QString begin = QStringLiteral("#include \"") + folder;
  QStringList paths;
  for (const QString& line : lines)
    if (line.startsWith(begin)) paths << line.section(QLatin1Char('"'), 1, 1);
  return paths;
}

void appendParts(SourceText& source, const QStringList& paths) {
  for (const QString& path : paths) {
    if (std::any_of(source.parts.begin(), source.parts.end(), [&](const auto& p) { return p.path == path; }))
      continue;
    const QString text = textAt(path);
    if (text.isEmpty()) continue;
    const QStringList lines = linesOf(text);
    source.lines << QString() << QStringLiteral("// ---- %1").arg(path);
    source.parts.push_back({path, static_cast<int>(source.lines.size()), static_cast<int>(lines.size())});
    source.lines << lines;
    appendParts(source, included(path.section(QLatin1Char('/'), 0, -2) + QLatin1Char('/'), lines));
  }
}

} // namespace

int SourceText::numberOf(int line) const {
  for (const Part& part : parts)
    if (line >= part.first && line < part.first + part.count) return line - part.first + 1;
  return 0;
}

int SourceText::lineOf(const QString& file, int number) const {
  for (const Part& part : parts)
    if (part.path == file && number >= 1 && number <= part.count) return part.first + number - 1;
  return -1;
}

SourceText sourceText(const QString& path, const QString& text) {
  SourceText source;
  source.path = path;
  if (text.isEmpty()) return source;
  source.lines = linesOf(text);
  source.parts.push_back({path, 0, static_cast<int>(source.lines.size())});
  source.code = endOfOpeningComment(source.lines);
  source.kernel = firstKernel(source.lines, source.code);
  return source;
}

SourceText sourceOf(const Variant& variant) {
  const QString path = qtext(variant.info.source);
  SourceText source = sourceText(path, textAt(path));
  appendParts(source, included(path.section(QLatin1Char('/'), 0, -2) + QLatin1Char('/'), source.lines));
  return source;
}

} // namespace lloyd
