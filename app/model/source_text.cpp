// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/source_text.hpp"

#include <QDir>
#include <QFile>

// Q_INIT_RESOURCE declares a function in the namespace it stands in, so it must stand in none.
static void initLloydTexts() { Q_INIT_RESOURCE(texts); }

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

} // namespace

void initTexts() { initLloydTexts(); }

SourceText sourceText(const QString& path, const QString& text) {
  SourceText source;
  source.path = path;
  if (text.isEmpty()) return source;
  source.lines = text.split(QLatin1Char('\n'));
  if (source.lines.last().isEmpty()) source.lines.removeLast();
  source.code = endOfOpeningComment(source.lines);
  source.kernel = firstKernel(source.lines, source.code);
  return source;
}

SourceText sourceOf(const Variant& variant) {
  initTexts();
  const QString path =
      QString::fromUtf8(variant.info.source.data(), static_cast<qsizetype>(variant.info.source.size()));
  const QString inProgram = QStringLiteral(":/") + path.mid(path.indexOf(QLatin1String("kernels/")));
  QFile file(inProgram);
  if (!file.open(QIODevice::ReadOnly)) return sourceText(path, {});
  return sourceText(path, QString::fromUtf8(file.readAll()));
}

} // namespace lloyd
