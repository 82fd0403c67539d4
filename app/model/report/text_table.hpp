// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <initializer_list>
#include <vector>

namespace lloyd {

/// text as Markdown shows it, whatever it holds.
[[nodiscard]] QString markdownText(QString text);

/// Rows of text under headings, for a terminal or for Markdown. Numbers are right-aligned.
class TextTable {
public:
  /// decimal: right, and in a terminal with the decimal points one below the other, where the digits after
  /// them differ in number.
  enum class Align { left, right, decimal };

  TextTable() = default;
  /// A heading that begins with '>' stands over right-aligned cells, one with '.' over those that are aligned
  /// at their decimal points.
  TextTable(std::initializer_list<const char*> headings);
  void addColumn(const QString& heading, Align align);
  /// One cell a column.
  void addRow(const QStringList& cells) { rows_.push_back(cells); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const QStringList& headings() const { return headings_; }
  [[nodiscard]] const std::vector<QStringList>& rows() const { return rows_; }

  /// Aligned columns, two spaces apart, indented by two. A column that is empty in every row is left out.
  [[nodiscard]] QString text() const;
  [[nodiscard]] QString markdown() const;

private:
  void alignAtPoints(std::vector<QStringList>& rows) const;
  [[nodiscard]] std::vector<qsizetype> usedColumns() const;

  QStringList headings_;
  std::vector<Align> aligns_;
  std::vector<QStringList> rows_;
};

} // namespace lloyd
