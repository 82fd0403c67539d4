// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/prediction.hpp"

#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/lesson.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr double tolerance = 0.02; ///< a prediction is made by thinking, not by a calculator

struct Words {
  Q_DECLARE_TR_FUNCTIONS(Prediction)
};

QString sectorsAStore() { return QStringLiteral("sectors a store"); }

QString ratioText(double value) { return QString::number(value, 'f', 2); }

std::optional<NamedCount> quantityOf(const QString& name, const simt::Counters& counters) {
  if (name != sectorsAStore()) return namedCount(name, counters);
  NamedCount ratio{.value = {}, .text = {}, .whole = false};
  if (counters.globalStoreRequests > 0) {
    ratio.value =
        static_cast<double>(counters.globalStoreSectors) / static_cast<double>(counters.globalStoreRequests);
    ratio.text = ratioText(*ratio.value);
  }
  return ratio;
}

const Variant* askedOf(const Question& question, const TeachSubject& subject) {
  return question.before ? subject.before : subject.variant;
}

/// The one line, from 0, that contains the code.
tl::expected<int, QString> lineOf(const SourceText& source, const QString& code) {
  int found = -1, times = 0;
  for (int line = 0; line < source.lines.size(); ++line) {
    if (!source.lines[line].contains(code)) continue;
    found = line;
    ++times;
  }
  if (times == 1) return found;
  return tl::unexpected(times == 0 ? Words::tr("No line of the source contains \"%1\"").arg(code)
                                   : Words::tr("%1 lines of the source contain \"%2\"").arg(times).arg(code));
}

tl::expected<simt::Counters, QString> countersOf(const Question& question, const StageCount& count) {
  if (question.at.isEmpty()) return count.trace->counters;
  const SourceText source = sourceOf(*count.variant);
  const auto line = lineOf(source, question.at);
  if (!line) return tl::unexpected(line.error());
  simt::Counters sum;
  bool asked = false;
  for (const simt::Trace::Line& one : count.trace->lines) {
    if (source.lineOf(QString::fromStdString(one.file), one.line) != *line) continue;
    sum += one.counters;
    asked = true;
  }
  if (asked) return sum;
  return tl::unexpected(Words::tr("No warp came to that line"));
}

} // namespace

Questions readQuestions(const QString& lesson, const QString& name) {
  static const QRegularExpression form(
      QStringLiteral(R"(^\? ([a-z ]+?)( a block)?( before)?(?: at `([^`]+)`)?: (\S.*\?)$)"));
  Questions questions;
  const QStringList lines = lesson.split(u'\n');
  for (int at = 0; at < lines.size(); ++at) {
    if (!lines[at].startsWith(u'?')) continue;
    const auto problem = [&](const QString& what) {
      questions.problems << QStringLiteral("%1:%2: %3").arg(name).arg(at + 1).arg(what);
    };
    const auto found = form.match(lines[at]);
    if (!found.hasMatch()) {
      problem(Words::tr("a question reads \"? QUANTITY [a block] [before] [at `CODE`]: SENTENCE?\""));
      continue;
    }
    const Question question{.quantity = found.captured(1),
                            .aBlock = found.hasCaptured(2),
                            .before = found.hasCaptured(3),
                            .at = found.captured(4),
                            .sentence = found.captured(5),
                            .line = at + 1};
    const auto quantity = quantityOf(question.quantity, {});
    if (!quantity) {
      problem(Words::tr("the counter table has no row \"%1\"").arg(question.quantity));
    } else if (question.aBlock && !quantity->whole) {
      problem(Words::tr("\"%1\" is a ratio, which blocks do not share").arg(question.quantity));
    } else {
      questions.all.push_back(question);
    }
  }
  return questions;
}

Questions questionsOf(const Variant& variant) {
  const QString id = QString::fromStdString(variant.id());
  return readQuestions(lessonSource(id), id + QStringLiteral(".md"));
}

tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts& counts) {
  const StageCount& count = question.before ? counts.before : counts.now;
  if (!count.variant) return tl::unexpected(Words::tr("There is no version before"));
  if (!count.trace)
    return tl::unexpected(Words::tr("%1 was not counted: %2").arg(versionText(*count.variant), count.why));
  const auto counters = countersOf(question, count);
  if (!counters) return tl::unexpected(counters.error());
  const auto quantity = quantityOf(question.quantity, *counters);
  if (!quantity || !quantity->value) return tl::unexpected(Words::tr("Nothing of the kind was asked"));
  if (!question.aBlock) return Answer{*quantity->value, quantity->text};
  if (count.trace->blocks == 0) return tl::unexpected(Words::tr("No block was launched"));
  const double share = *quantity->value / count.trace->blocks;
  const bool whole = share == std::floor(share);
  return Answer{share, whole ? countText(static_cast<std::uint64_t>(share)) : ratioText(share)};
}

QString askedText(const Question& question, const TeachSubject& subject) {
  QString text = question.quantity;
  if (question.aBlock) text = Words::tr("%1 a block").arg(text);
  const Variant* variant = askedOf(question, subject);
  if (question.before && variant) text += QStringLiteral(", ") + versionText(*variant);
  if (question.at.isEmpty() || !variant) return text;
  const SourceText source = sourceOf(*variant);
  const auto line = lineOf(source, question.at);
  if (!line) return text;
  const auto part = std::find_if(source.parts.begin(), source.parts.end(), [&](const SourceText::Part& one) {
    return *line >= one.first && *line < one.first + one.count;
  });
  if (part == source.parts.end()) return text;
  // A number alone is one of the kernel's own file.
  return part == source.parts.begin() ? Words::tr("%1, line %2").arg(text).arg(source.numberOf(*line))
                                      : Words::tr("%1, line %2 of %3")
                                            .arg(text)
                                            .arg(source.numberOf(*line))
                                            .arg(part->path.section(u'/', -1));
}

tl::expected<Judgement, QString> judge(const QString& typed, const Answer& answer) {
  QString plain = typed.trimmed();
  static const QRegularExpression thousands(QStringLiteral(R"((?<=\d)[, ](?=\d{3}\b))"));
  plain.remove(thousands);
  bool number = false;
  const double value = plain.toDouble(&number);
  if (!number || !std::isfinite(value))
    return tl::unexpected(Words::tr("Type a number, such as 4, 1,024 or 3.5"));
  const int decimals = answer.text.contains(u'.') ? 2 : 0;
  const bool reads = QString::number(value, 'f', decimals) == QString::number(answer.value, 'f', decimals);
  const double off = std::abs(value - answer.value);
  if (reads || off <= tolerance * std::abs(answer.value))
    return Judgement{true, Words::tr("Right: %1").arg(answer.text)};
  if (answer.value == 0) return Judgement{false, Words::tr("It is %1").arg(answer.text)};
  // A factor says more than percents where a factor was forgotten.
  const double over = value / answer.value;
  if (over >= 2)
    return Judgement{
        false, Words::tr("It is %1: you said %2 times as many").arg(answer.text, significantText(over))};
  if (over > 0 && over <= 0.5)
    return Judgement{false, Words::tr("It is %1, which is %2 times as many as you said")
                                .arg(answer.text, significantText(1 / over))};
  const QString percent = QString::number(off / std::abs(answer.value) * 100, 'f', 0);
  return Judgement{false, value > answer.value
                              ? Words::tr("It is %1: you said %2 % more").arg(answer.text, percent)
                              : Words::tr("It is %1: you said %2 % less").arg(answer.text, percent)};
}

int PredictionScore::right() const {
  return static_cast<int>(
      std::count_if(first_.begin(), first_.end(), [](const auto& one) { return one.second; }));
}

QString PredictionScore::text() const {
  return first_.empty() ? QString() : Words::tr("%1 of %2 right").arg(right()).arg(asked());
}

} // namespace lloyd
