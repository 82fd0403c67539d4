// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/measured_figures.hpp"

#include "app/text/embedded_texts.hpp"
#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lloyd {

void MeasuredFigures::read(const QString& table) {
  QStringList header;
  for (const QString& line : table.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) continue;
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    for (qsizetype i = 1; i < std::min(cells.size(), header.size()); ++i) {
      bool known = false;
      const double value = cells[i].toDouble(&known);
      if (known) rows_[cells[0]][header[i]] = value;
    }
  }
}

const MeasuredFigures& MeasuredFigures::shipped() {
  static const MeasuredFigures figures = [] {
    initTexts();
    MeasuredFigures all;
    for (const char* name : {":/measured/ladder.csv", ":/measured/uniform.csv"}) {
      QFile file(QLatin1String{name});
      if (file.open(QIODevice::ReadOnly)) all.read(QString::fromUtf8(file.readAll()));
    }
    return all;
  }();
  return figures;
}

std::optional<double> MeasuredFigures::of(const QString& variant, const QString& column) const {
  const auto row = rows_.find(variant);
  if (row == rows_.end()) return std::nullopt;
  const auto cell = row->second.find(column);
  return cell == row->second.end() ? std::nullopt : std::optional(cell->second);
}

QString MeasuredFigures::fill(const QString& lesson) const {
  static const QRegularExpression place(QStringLiteral(R"(\{\{([\w.+]+) ([\w^-]+)\}\})"));
  QStringList lines = lesson.split(QLatin1Char('\n'));
  for (QString& line : lines) {
    for (auto found = place.match(line); found.hasMatch(); found = place.match(line)) {
      const auto figure = of(found.captured(1), found.captured(2));
      if (!figure) {
        line = QCoreApplication::translate("Lesson", "Not measured since this variant or its data changed.");
        break;
      }
      line.replace(found.capturedStart(), found.capturedLength(), significantText(*figure));
    }
  }
  return lines.join(QLatin1Char('\n'));
}

} // namespace lloyd
