// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/counter_service.hpp"

#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

#include <map>
#include <vector>

namespace lloyd {

/// A question of a lesson, which the counters answer. It is one line of the lesson's Markdown:
///
///     ? QUANTITY: SENTENCE?
///     ? sectors a load at `points[j * stride + i]`: How many sectors does one load touch?
///     ? barriers a block before: How many barriers did a block of the version before come to?
///
/// QUANTITY is the name of a row of the counter table, or "sectors a store". Behind it, in this order and
/// each only where it is wanted: "a block" divides a count by the launch's blocks; "before" asks about the
/// version before; "at" and code between backticks ask about the one line of the source that contains it, so
/// that lines may move. The answer is never written down: it comes of what was counted.
struct Question {
  QString quantity; ///< "sectors a load"
  bool aBlock = false;
  bool before = false;
  QString at;       ///< of the source; empty: the whole launch
  QString sentence; ///< for people
  int line = 0;     ///< of the lesson, from 1
};

struct Questions {
  std::vector<Question> all;
  QStringList problems; ///< "classify.v1.md:37: ..." for each line that begins as a question and is none
};

/// name: of the file, for problems.
[[nodiscard]] Questions readQuestions(const QString& lesson, const QString& name);
/// Those of a variant's lesson; none without a lesson.
[[nodiscard]] Questions questionsOf(const Variant& variant);

struct Answer {
  double value = 0;
  QString text; ///< as the counter table shows it
};

/// The error is a sentence: why nobody knows.
[[nodiscard]] tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts& counts);
/// What is asked, with the version and the line: "sectors a load, V3, line 34".
[[nodiscard]] QString askedText(const Question& question, const TeachSubject& subject);

struct Judgement {
  bool right = false;
  QString text; ///< a sentence with the answer
};

/// Right is what reads as the answer does in the table, or is at most 2 % off. The error is a sentence:
/// typed is no number.
[[nodiscard]] tl::expected<Judgement, QString> judge(const QString& typed, const Answer& answer);

/// How many predictions of this hour were right. A question counts once for each launch that it was asked of,
/// with its first answer: whoever has seen the number predicts no more.
class PredictionScore {
public:
  /// launch: what the answer depends on besides the question.
  void add(const QString& variant, const QString& launch, const Question& question, bool right) {
    first_.try_emplace(QStringList{variant, launch, QString::number(question.line)}.join(u'\n'), right);
  }
  void clear() { first_.clear(); }
  [[nodiscard]] int asked() const { return static_cast<int>(first_.size()); }
  [[nodiscard]] int right() const;
  /// "7 of 9 right"; empty before the first answer.
  [[nodiscard]] QString text() const;

private:
  std::map<QString, bool> first_;
};

} // namespace lloyd
