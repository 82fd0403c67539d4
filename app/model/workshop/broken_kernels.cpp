// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/broken_kernels.hpp"

#include "app/text/strings.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace lloyd {
namespace {

constexpr QLatin1String folder(":/broken");
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

} // namespace

QString Repair::applied(QString text) const {
  for (const Replacement& change : changes) {
    const qsizetype at = text.indexOf(change.from);
    if (at < 0) return {};
    text.replace(at, change.from.size(), change.to);
  }
  return text;
}

std::vector<BrokenKernel> brokenKernels() {
  initTexts();
  std::vector<BrokenKernel> kernels;
  for (const QFileInfo& file :
       QDir(folder).entryInfoList({QStringLiteral("*.cu")}, QDir::Files, QDir::Name)) {
    const QString text = readText(file.filePath());
    const QString name = file.completeBaseName();
    kernels.push_back(
        {name, titleIn(text), text, repairIn(readText(folder + QStringLiteral("/repairs/%1.md").arg(name)))});
  }
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
