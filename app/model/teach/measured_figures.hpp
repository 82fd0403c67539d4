// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <map>
#include <optional>

namespace lloyd {

/// What was measured on one GPU, as scripts/measure-figures.py wrote it in one go: the papers' ladder
/// (ladder.csv) and uniform points of several sizes (uniform.csv). The one place that lessons take these
/// figures from. Read once, then immutable.
class MeasuredFigures {
public:
  /// Adds such a table: lines that begin with # are for people, then a header, then a row a variant.
  void read(const QString& table);
  /// Those in the program.
  [[nodiscard]] static const MeasuredFigures& shipped();

  /// Of a column of the table; nothing where it was not measured.
  [[nodiscard]] std::optional<double> of(const QString& variant, const QString& column) const;
  /// A lesson whose figures are written as {{reduce.v1 sorted}}, with the figures. A line that has one which
  /// the tables lack becomes a sentence that says so.
  [[nodiscard]] QString fill(const QString& lesson) const;

private:
  std::map<QString, std::map<QString, double>> rows_;
};

} // namespace lloyd
