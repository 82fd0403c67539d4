// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <map>
#include <optional>

namespace lloyd {

/// What was measured of the papers' ladder, as scripts/measure-ladder.py wrote it in one run: the one place
/// that lessons take these figures from. Read once, then immutable.
class MeasuredFigures {
public:
  /// The text of such a table: lines that begin with # are for people, then a header, then a row a variant.
  [[nodiscard]] static MeasuredFigures read(const QString& text);
  /// The one in the program.
  [[nodiscard]] static const MeasuredFigures& shipped();

  /// Of a column of the table; nothing where it was not measured.
  [[nodiscard]] std::optional<double> of(const QString& variant, const QString& column) const;
  /// A lesson whose figures are written as {{reduce.v1 sorted}}, with the figures. What the table lacks stays
  /// as it is written.
  [[nodiscard]] QString fill(QString lesson) const;

private:
  std::map<QString, std::map<QString, double>> rows_;
};

} // namespace lloyd
