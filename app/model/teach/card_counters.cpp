// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/card_counters.hpp"

#include "app/model/teach/source_text.hpp"
#include "app/text/embedded_texts.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStringList>

namespace lloyd {

namespace {

constexpr qsizetype firstCounter = 5; ///< after variant, n, d, k, block

/// "nvidia-h200" -> "NVIDIA H200"
QString cardName(const QString& fileName) {
  return QFileInfo(fileName).completeBaseName().replace(QLatin1Char('-'), QLatin1Char(' ')).toUpper();
}

std::vector<CardCounters> inProgram() {
  initTexts();
  std::vector<CardCounters> all;
  const QDir folder(QStringLiteral(":/counters"));
  for (const QString& name : folder.entryList({QStringLiteral("*.csv")}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::ReadOnly)) continue;
    const std::vector<CardCounters> rows = readCardCounters(name, QString::fromUtf8(file.readAll()));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

} // namespace

std::vector<CardCounters> readCardCounters(const QString& fileName, const QString& text) {
  std::vector<CardCounters> rows;
  const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  if (lines.isEmpty()) return rows;
  const QStringList header = lines.front().trimmed().split(QLatin1Char(','));
  for (const QString& line : lines.mid(1)) {
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (cells.size() != header.size() || cells.size() <= firstCounter) continue;
    bool n = false, d = false, k = false;
    CardCounters row{
        cardName(fileName),
        cells[0],
        {static_cast<std::size_t>(cells[1].toULongLong(&n)), cells[2].toInt(&d), cells[3].toInt(&k)},
        cells[4].toInt(),
        {}};
    if (!n || !d || !k) continue;
    for (qsizetype at = firstCounter; at < cells.size(); ++at) {
      bool number = false;
      const qulonglong value = cells[at].toULongLong(&number);
      if (number) row.values[header[at]] = value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<CardCounters> cardCountersOf(const QString& variant) {
  static const std::vector<CardCounters> all = inProgram();
  for (const CardCounters& row : all)
    if (row.variant == variant) return row;
  return std::nullopt;
}

} // namespace lloyd
