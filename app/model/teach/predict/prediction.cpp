// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/predict/prediction.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/lesson/experiment.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"

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

QString ratioText(double value) { return QString::number(value, 'f', 2); }

const Variant* askedOf(const Question& question, const TeachSubject& subject) {
  if (!question.of.isEmpty()) return Registry::instance().find(question.of.toStdString());
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

QString shareText(Question::Share share) {
  return share == Question::Share::block       ? Words::tr("%1 a block")
         : share == Question::Share::set       ? Words::tr("%1 a set")
         : share == Question::Share::iteration ? Words::tr("%1 an iteration")
                                               : QStringLiteral("%1");
}

/// A number, or what is one's share of it.
tl::expected<Answer, QString> shareOf(const std::optional<NamedCount>& quantity, double among) {
  if (!quantity || !quantity->value) return tl::unexpected(Words::tr("Nothing of the kind was asked"));
  if (among == 1) return Answer{*quantity->value, quantity->text};
  if (among == 0) return tl::unexpected(Words::tr("Nothing was launched that could share it"));
  const double share = *quantity->value / among;
  const bool whole = share == std::floor(share);
  return Answer{share, whole ? countText(static_cast<std::uint64_t>(share)) : ratioText(share)};
}

tl::expected<Answer, QString> answerOf(const Question& question, const StageCount& count) {
  if (!count.variant) return tl::unexpected(Words::tr("There is no version before"));
  if (!count.trace)
    return tl::unexpected(Words::tr("%1 was not counted: %2").arg(versionText(*count.variant), count.why));
  const auto counters = countersOf(question, count);
  if (!counters) return tl::unexpected(counters.error());
  return shareOf(launchQuantity(question.quantity, *counters),
                 question.share == Question::Share::block ? count.trace->blocks : 1);
}

tl::expected<Answer, QString> answerOf(const Question& question, const AskedCount& count) {
  if (!isRunQuantity(question.quantity)) return answerOf(question, count.launch);
  if (!count.run) return tl::unexpected(count.why);
  return shareOf(runQuantity(question.quantity, *count.run),
                 question.share == Question::Share::set         ? count.run->sets
                 : question.share == Question::Share::iteration ? count.run->iterations
                                                                : 1);
}

} // namespace

tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts& counts) {
  return answerOf(question, question.before ? counts.before : counts.now);
}

tl::expected<Answer, QString> answerTo(const Question& question, const TeachCounts* taught,
                                       const AskedCounts& asked) {
  const QString key = askedKey(question);
  if (key.isEmpty())
    return taught ? answerTo(question, *taught) : tl::unexpected(Words::tr("Nothing is counted yet"));
  const auto found = asked.find(key);
  if (found == asked.end()) return tl::unexpected(Words::tr("It is still being counted"));
  return answerOf(question, found->second);
}

QString askedText(const Question& question, const TeachSubject& subject) {
  QString text = shareText(question.share).arg(question.quantity);
  const Variant* variant = askedOf(question, subject);
  if (!question.of.isEmpty()) text += QStringLiteral(", ") + question.of;
  if (question.before && variant) text += QStringLiteral(", ") + versionText(*variant);
  if (!question.with.isEmpty()) text += Words::tr(", on %1").arg(experimentText(question.with));
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
  double value = plain.toDouble(&number);
  if (const auto power = number ? std::nullopt : parseCount(plain.toStdString())) { // 2^14
    number = true;
    value = static_cast<double>(*power);
  }
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
  const double percents = off / std::abs(answer.value) * 100;
  const QString percent = QString::number(percents, 'f', percents < 10 ? 1 : 0); // beside tolerance
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
