// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/predict/asked_counts.hpp"

#include <QString>
#include <QStringList>

#include <tl/expected.hpp>

#include <map>

namespace lloyd {

struct Answer {
  double value = 0;
  QString text; ///< as the counter table shows it
};

/// The answer to a question about the launches that Teach counts. The error is a sentence: why nobody knows.
[[nodiscard]] tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts& counts);
/// The answer to any question; taught: null where there are no such launches.
[[nodiscard]] tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts* taught,
                                                     const AskedCounts& asked);
/// What is asked, with the version, the line and the points: "sectors a load, V3, line 34".
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
