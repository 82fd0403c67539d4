// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/measured_figures.hpp"

#include "app/text/embedded_texts.hpp"
#include "app/text/numbers.hpp"

#include <QFile>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lloyd {

MeasuredFigures MeasuredFigures::read(const QString& text) {
  MeasuredFigures figures;
  QStringList header;
  for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) continue;
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    for (qsizetype i = 1; i < std::min(cells.size(), header.size()); ++i) {
      bool known = false;
      const double value = cells[i].toDouble(&known);
      if (known) figures.rows_[cells[0]][header[i]] = value;
    }
  }
  return figures;
}

const MeasuredFigures& MeasuredFigures::shipped() {
  static const MeasuredFigures figures = [] {
    initTexts();
    QFile file(QStringLiteral(":/measured/ladder.csv"));
    return file.open(QIODevice::ReadOnly) ? read(QString::fromUtf8(file.readAll())) : MeasuredFigures();
  }();
  return figures;
}

std::optional<double> MeasuredFigures::of(const QString& variant, const QString& column) const {
  const auto row = rows_.find(variant);
  if (row == rows_.end()) return std::nullopt;
  const auto cell = row->second.find(column);
  return cell == row->second.end() ? std::nullopt : std::optional(cell->second);
}

QString MeasuredFigures::fill(QString lesson) const {
  static const QRegularExpression place(QStringLiteral(R"(\{\{([\w.]+) ([\w-]+)\}\})"));
  qsizetype from = 0;
  for (auto found = place.match(lesson); found.hasMatch(); found = place.match(lesson, from)) {
    from = found.capturedEnd();
    const auto figure = of(found.captured(1), found.captured(2));
    if (!figure) continue;
    const QString text = significantText(*figure);
    lesson.replace(found.capturedStart(), found.capturedLength(), text);
    from = found.capturedStart() + text.size();
  }
  return lesson;
}

} // namespace lloyd
