// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <QString>

#include <map>
#include <optional>
#include <string_view>

namespace lloyd {

/// Title, author and year of a paper that VariantInfo::paper names; empty for one that is not known.
QString citationOf(std::string_view paper);

/// A lesson whose {{from 8 to 78}} is a sentence that cites these lines of paper.
QString withCitation(QString lesson, std::string_view paper);

/// What was measured: on one GPU, as scripts/measure-times.py wrote it in one go, the papers' ladder
/// (ladder.csv), uniform points of several sizes (uniform.csv), schedules (schedules.csv) and many dimensions
/// (distance.csv), and on one processor its own variants (processor.csv); and the instructions of inner loops
/// that scripts/instruction-mix.py counted (instructions.csv). The one place that lessons take these figures
/// from. Read once, then immutable.
class MeasuredTimes {
public:
  /// Adds such a table: lines that begin with # are for people, the first of them with what it was measured
  /// on up to a comma; then a header, then a row a variant.
  void read(const QString& table, const QString& name = {});
  /// Those in the program.
  [[nodiscard]] static const MeasuredTimes& shipped();

  /// Of a column of the table; nothing where it was not measured.
  [[nodiscard]] std::optional<double> of(const QString& variant, const QString& column) const;
  /// "NVIDIA H200": what a table that was read by that name was measured on; empty where there is none.
  [[nodiscard]] QString card(const QString& table) const;
  /// A lesson whose figures are written as {{reduce.v1 sorted}}, with the figures, times with three digits
  /// and instructions with all, and {{card ladder}} with the card of that table. A line that has one which
  /// the tables lack becomes a sentence that says so.
  [[nodiscard]] QString fill(const QString& lesson) const;

private:
  struct Figure {
    double value = 0;
    bool exact = false; ///< a count
  };
  std::map<QString, std::map<QString, Figure>> rows_;
  std::map<QString, QString> cards_; ///< by table
};

/// A lesson's file as it is written, its questions (readQuestions()) in their own form; empty where there is
/// none of that name.
[[nodiscard]] QString lessonSource(const QString& name);

/// A lesson whose questions are a list of sentences.
[[nodiscard]] QString withPlainQuestions(QString lesson);

/// The Markdown of a variant's lesson, its questions as sentences. Of a person's own, what the comment that
/// opens its file says. Without either, its name and idea and a sentence that says so.
[[nodiscard]] QString lessonText(const Variant& variant);

/// The Markdown of a lesson on something other than a variant, as lessons link to it ("lesson:data"); empty
/// where there is none of that name.
[[nodiscard]] QString lessonPage(const QString& name);

} // namespace lloyd
