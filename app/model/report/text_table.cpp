// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/text_table.hpp"

#include <algorithm>

namespace lloyd {

TextTable::TextTable(std::initializer_list<const char*> headings) {
  for (const char* heading : headings) {
    const Align align = *heading == '>' ? Align::right : *heading == '.' ? Align::decimal : Align::left;
    addColumn(QString::fromLatin1(align == Align::left ? heading : heading + 1), align);
  }
}

void TextTable::addColumn(const QString& heading, Align align) {
  headings_ << heading;
  aligns_.push_back(align);
}

std::vector<qsizetype> TextTable::usedColumns() const {
  std::vector<qsizetype> used;
  for (qsizetype column = 0; column < headings_.size(); ++column)
    if (rows_.empty() || std::any_of(rows_.begin(), rows_.end(),
                                     [&](const QStringList& row) { return !row[column].isEmpty(); }))
      used.push_back(column);
  return used;
}

void TextTable::alignAtPoints(std::vector<QStringList>& rows) const {
  // From the decimal point to the end, a mark behind the number included.
  const auto behind = [](const QString& cell) {
    const qsizetype point = cell.indexOf(QLatin1Char('.'));
    return point < 0 ? 0 : cell.size() - point;
  };
  for (qsizetype column = 0; column < headings_.size(); ++column) {
    if (aligns_[static_cast<std::size_t>(column)] != Align::decimal) continue;
    qsizetype most = 0;
    for (const QStringList& row : rows)
      most = std::max(most, behind(row[column]));
    for (QStringList& row : rows)
      if (QString& cell = row[column]; !cell.isEmpty())
        cell = cell.leftJustified(cell.size() + most - behind(cell));
  }
}

QString TextTable::text() const {
  const auto used = usedColumns();
  std::vector<QStringList> rows = rows_;
  alignAtPoints(rows);
  std::vector<qsizetype> widths;
  for (const qsizetype column : used) {
    qsizetype width = headings_[column].size();
    for (const QStringList& row : rows)
      width = std::max(width, row[column].size());
    widths.push_back(width);
  }
  const auto line = [&](const QStringList& cells) {
    QString text;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const QString& cell = cells[used[i]];
      const bool right = aligns_[static_cast<std::size_t>(used[i])] != Align::left;
      text += QStringLiteral("  ") + (right ? cell.rightJustified(widths[i]) : cell.leftJustified(widths[i]));
    }
    while (text.endsWith(QLatin1Char(' ')))
      text.chop(1);
    return text + QLatin1Char('\n');
  };
  QString text = line(headings_);
  for (const QStringList& row : rows)
    text += line(row);
  return text;
}

/// Names of files and columns are text: what they hold is neither a table's rule nor HTML.
QString markdownText(QString text) {
  for (const char16_t sign : {u'\\', u'|', u'<', u'&'})
    text.replace(QChar(sign), QStringLiteral("\\") + QChar(sign));
  return text;
}

QString TextTable::markdown() const {
  const auto used = usedColumns();
  const auto line = [&](const QStringList& cells) {
    QString text = QStringLiteral("|");
    for (const qsizetype column : used)
      text += QLatin1Char(' ') + markdownText(cells[column]) + QStringLiteral(" |");
    return text + QLatin1Char('\n');
  };
  QString rule = QStringLiteral("|");
  for (const qsizetype column : used)
    rule += aligns_[static_cast<std::size_t>(column)] == Align::left ? QStringLiteral("---|")
                                                                     : QStringLiteral("---:|");
  QString text = line(headings_) + rule + QLatin1Char('\n');
  for (const QStringList& row : rows_)
    text += line(row);
  return text;
}

} // namespace lloyd
