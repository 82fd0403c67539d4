// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/broken_kernels.hpp"

#include "app/text/strings.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

namespace lloyd {
namespace {

constexpr QLatin1String titleMark("// Find the bug: ");

QString readText(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The line behind the license's.
QString titleIn(const QString& text) {
  const QString line = text.section(QLatin1Char('\n'), 1, 1);
  return line.startsWith(titleMark) ? line.mid(titleMark.size()).trimmed() : QString();
}

/// A paragraph, then pairs of blocks of code: what stands there, and what should.
Repair repairIn(const QString& text) {
  constexpr QLatin1String begin("```cuda\n");
  constexpr QLatin1String end("```\n");
  Repair repair{text.section(QStringLiteral("\n\n"), 0, 0), {}};
  std::vector<QString> blocks;
  for (qsizetype at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
    at += begin.size();
    const qsizetype to = text.indexOf(end, at);
    if (to < 0) break;
    blocks.push_back(text.mid(at, to - at));
    at = to + end.size();
  }
  for (std::size_t i = 0; i + 1 < blocks.size(); i += 2)
    repair.changes.push_back({blocks[i], blocks[i + 1]});
  return repair;
}

/// The program's kernel with the repair undone, and with a comment that tells what a person sees.
QString twinOf(const QString& kernel, const QString& title, const QString& hint, const Repair& repair) {
  QStringList lines = kernel.split(QLatin1Char('\n'));
  const QString license = lines.takeFirst();
  while (!lines.isEmpty() && lines.front().startsWith(QLatin1String("//")))
    lines.removeFirst();
  QString text = license + QLatin1Char('\n') + titleMark + title + QLatin1String("\n//\n");
  for (const QString& line : hint.split(QLatin1Char('\n')))
    text += QLatin1String(line.isEmpty() ? "//" : "// ") + line + QLatin1Char('\n');
  return text + Repair{repair.why, repair.undone()}.applied(lines.join(QLatin1Char('\n')));
}

/// "# TITLE", the kernel's path, what a person sees, "## Repair", and the repair; parted by blank lines.
BrokenKernel brokenKernelOf(const QString& name, const QString& text) {
  constexpr QLatin1String repairMark("\n\n## Repair\n\n");
  const qsizetype at = text.indexOf(repairMark);
  const QString head = text.left(at);
  const QString title = head.section(QLatin1Char('\n'), 0, 0).mid(2);
  const QString kernel = head.section(QLatin1Char('\n'), 2, 2);
  const Repair repair = repairIn(text.mid(at + repairMark.size()));
  const QString source = readText(QStringLiteral(":/") + kernel.mid(QStringLiteral("gpu/").size()));
  return {name, title, kernel.section(QLatin1Char('/'), -2, -2),
          twinOf(source, title, head.section(QLatin1Char('\n'), 4), repair), repair};
}

} // namespace

QString Repair::applied(QString text) const {
  for (const Replacement& change : changes) {
    const qsizetype at = text.indexOf(change.from);
    if (at < 0) return {};
    text.replace(at, change.from.size(), change.to);
  }
  return text;
}

std::vector<Replacement> Repair::undone() const {
  std::vector<Replacement> back;
  for (const Replacement& change : changes)
    back.push_back({change.to, change.from});
  return back;
}

std::vector<BrokenKernel> brokenKernels() {
  initTexts();
  std::vector<BrokenKernel> kernels;
  for (const QFileInfo& file : QDir(QStringLiteral(":/broken")).entryInfoList(QDir::Files, QDir::Name))
    kernels.push_back(brokenKernelOf(file.completeBaseName(), readText(file.filePath())));
  return kernels;
}

BrokenKernel brokenKernelIn(const QString& text) {
  const QString title = titleIn(text);
  if (title.isEmpty()) return {};
  for (BrokenKernel& kernel : brokenKernels())
    if (kernel.title == title) return kernel;
  return {};
}

} // namespace lloyd
