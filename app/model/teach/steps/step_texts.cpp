// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/step_texts.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>

#include <array>
#include <cmath>

namespace lloyd {
namespace {

struct StepTexts {
  Q_DECLARE_TR_FUNCTIONS(StepTexts)
};

/// Printed times are whole: "1,720".
QString printedTime(double us) {
  return us == std::round(us) ? countText(static_cast<std::uint64_t>(us)) : significantText(us);
}

/// "393 µs with block 128"; the block only where the text says it.
QString timeWithBlock(const TextTime& time) {
  const QString us = StepTexts::tr("%1 µs").arg(printedTime(time.us));
  return time.block > 0
             ? StepTexts::tr("%1 with block %2").arg(us, countText(static_cast<std::uint64_t>(time.block)))
             : us;
}

/// "243, then 118 µs". Where blocks are known, each time has its own, because one version's times at two
/// launches contradict each other otherwise.
QString timesOf(const TextStep& step) {
  const TextTime &before = step.thereBefore, &now = step.there;
  if (before.block == 0 && now.block == 0)
    return StepTexts::tr("%1, then %2 µs").arg(printedTime(before.us), printedTime(now.us));
  if (before.block == now.block)
    return StepTexts::tr("%1, then %2 µs, both with block %3")
        .arg(printedTime(before.us), printedTime(now.us), countText(static_cast<std::uint64_t>(now.block)));
  return StepTexts::tr("%1, then %2").arg(timeWithBlock(before), timeWithBlock(now));
}

QString gainCell(double gain, double beforeUs, double us) {
  if (!std::isfinite(gain)) return unknownText();
  return StepTexts::tr("%1 (%2 to %3 µs)").arg(significantText(gain), printedTime(beforeUs), printedTime(us));
}

/// A ratio of times as a gain, its interval turned round.
QString gainCell(const Comparison& comparison) {
  if (!(comparison.ratio > 0)) return unknownText();
  QString gain = significantText(1 / comparison.ratio);
  if (!(comparison.low > 0) || !std::isfinite(comparison.high)) return gain;
  return StepTexts::tr("%1 (%2 to %3)")
      .arg(gain, significantText(1 / comparison.high), significantText(1 / comparison.low));
}

/// "2.06 times as fast as V1", "it takes 2.16 times as long as V1", "as fast as V1"
QString gainWords(double gain, const QString& before) {
  if (std::abs(gain - 1) < 0.005) return StepTexts::tr("as fast as %1").arg(before);
  return gain > 1 ? StepTexts::tr("%1 times as fast as %2").arg(significantText(gain), before)
                  : StepTexts::tr("it takes %1 times as long as %2").arg(significantText(1 / gain), before);
}

bool isFasterOrSlower(const Comparison& comparison) {
  return comparison.ratio > 0 &&
         (comparison.verdict == Verdict::faster || comparison.verdict == Verdict::slower);
}

/// A race's verdict in the words in which the text's gain is told.
QString verdictCell(const StepHere& here) {
  const Comparison& comparison = here.comparison;
  if (!isFasterOrSlower(comparison)) return verdictText(comparison, here.sameWithin);
  return comparison.verdict == Verdict::faster
             ? StepTexts::tr("%1 times as fast").arg(significantText(1 / comparison.ratio))
             : StepTexts::tr("%1 times as long").arg(significantText(comparison.ratio));
}

QString thereSentence(const TextStep& step, const QString& before) {
  if (!std::isfinite(step.gainThere())) return StepTexts::tr("the text has no time of this step.");
  const QString lines =
      step.thereBefore.line > 0 && step.there.line > 0
          ? StepTexts::tr("; lines %1 and %2 of the article").arg(step.thereBefore.line).arg(step.there.line)
          : QString();
  return StepTexts::tr("in the text %1 (%2%3).")
      .arg(gainWords(step.gainThere(), before), timesOf(step), lines);
}

QString judgementSentence(StepJudgement judgement) {
  switch (judgement) {
  case StepJudgement::untold:
  case StepJudgement::undecided:
    break;
  case StepJudgement::holds:
    return StepTexts::tr("The step holds.");
  case StepJudgement::inPart:
    return StepTexts::tr("The step holds in part.");
  case StepJudgement::noLonger:
    return StepTexts::tr("The step no longer holds.");
  case StepJudgement::reversed:
    return StepTexts::tr("The step is reversed.");
  case StepJudgement::onlyHere:
    return StepTexts::tr("There is a difference only here.");
  }
  return {};
}

QString placeText(const StepHere& here) {
  QString place = here.from == StepHere::From::race ? StepTexts::tr("Raced here, on %1").arg(here.card)
                                                    : StepTexts::tr("On an %1").arg(here.card);
  if (here.problem)
    place += StepTexts::tr(" at N = %1, D = %2, K = %3")
                 .arg(countText(here.problem->n), QString::number(here.problem->d),
                      QString::number(here.problem->k));
  return place;
}

QString hereSentence(const TextStep& step, const StepHere& here, const QString& before) {
  QString verdict = isFasterOrSlower(here.comparison) ? gainWords(1 / here.comparison.ratio, before)
                                                      : verdictText(here.comparison, here.sameWithin);
  if (here.from == StepHere::From::medians) verdict += StepTexts::tr(", by medians alone");
  QStringList sentences{QStringLiteral("%1: %2.").arg(placeText(here), verdict)};
  sentences << judgementSentence(judgeStep(step, here.comparison));
  sentences.removeAll(QString());
  return sentences.join(u' ');
}

} // namespace

QString stepRemark(const TextStep& step) {
  QStringList parts;
  if (step.untimed) parts << StepTexts::tr("The text has no time of %1.").arg(versionText(*step.untimed));
  if (step.there.known() && step.elsewhere.known())
    parts << StepTexts::tr("%1 at another launch: %2 (line %3 of the article).")
                 .arg(versionText(*step.before), timeWithBlock(step.elsewhere),
                      QString::number(step.elsewhere.line));
  return parts.join(u' ');
}

QString judgementText(StepJudgement judgement) {
  static constexpr std::array<const char*, 7> words{QT_TRANSLATE_NOOP("StepTexts", "no time in the text"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "undecided"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "holds"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "holds in part"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "no longer"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "reversed"),
                                                    QT_TRANSLATE_NOOP("StepTexts", "only here")};
  return StepTexts::tr(words.at(static_cast<std::size_t>(judgement)));
}

QString judgementRule() {
  return StepTexts::tr(
      "A step holds when the race's verdict has the text's direction and its interval reaches the text's "
      "gain, whose times are whole microseconds; it holds in part when it does not reach it, no longer when "
      "both versions are the same, and is reversed when the verdict has the other direction.");
}

StepCells cellsOf(const TextStep& step, const StepHere* here) {
  StepCells cells;
  cells.step = StepTexts::tr("%1 after %2").arg(qtext(step.now->id()), qtext(step.before->info.tag));
  cells.there = gainCell(step.gainThere(), step.thereBefore.us, step.there.us);
  cells.printed = gainCell(step.gainPrinted(), step.printedBefore, step.printed);
  cells.here = here ? gainCell(here->comparison) : unknownText();
  cells.verdict = here ? verdictCell(*here) : unknownText();
  cells.judgement = here ? judgementText(judgeStep(step, here->comparison)) : unknownText();
  return cells;
}

QString stepSentence(const TextStep& step, const StepHere* here) {
  const QString before = versionText(*step.before);
  QStringList sentences{QStringLiteral("%1: %2").arg(versionText(*step.now), thereSentence(step, before))};
  if (here) sentences << hereSentence(step, *here, before);
  return sentences.join(u' ');
}

QString figuresText(const Variant& variant, std::optional<double> liveUs, Backend backend) {
  QStringList parts;
  const TextTimes text = textTimesOf(variant);
  if (!variant.info.publishedUs) {
    parts << StepTexts::tr("paper: no time");
  } else if (text.usual.known() && text.usual.block > 0) {
    QStringList times{timeWithBlock(text.usual)};
    if (text.other.known()) times << timeWithBlock(text.other);
    parts << StepTexts::tr("paper: %1, on its author's card").arg(times.join(QStringLiteral(", ")));
  } else {
    parts
        << StepTexts::tr("paper: %1 µs on its author's card").arg(microsecondsText(variant.info.publishedUs));
  }
  if (backend == Backend::simt) {
    parts << StepTexts::tr("here: simulated");
  } else if (backend != Backend::cuda) {
    parts << StepTexts::tr("here: not on a GPU");
  } else {
    parts << (liveUs ? StepTexts::tr("here: %1 µs live").arg(microsecondsText(liveUs))
                     : StepTexts::tr("here: not timed yet"));
  }
  return parts.join(QStringLiteral(" · "));
}

QString figuresMeaning(const Variant& variant) {
  QString meaning =
      StepTexts::tr("A paper's time is of its author's card and problem: compare ratios, not microseconds.");
  if (variant.info.publishedUs && !variant.info.publishedIn.empty())
    meaning += QLatin1Char('\n') + StepTexts::tr("The paper's: %1").arg(qtext(variant.info.publishedIn));
  if (const QString citation = citationOf(variant.info.paper); !citation.isEmpty())
    meaning += QLatin1Char('\n') + StepTexts::tr("From %1.").arg(citation);
  return meaning;
}

} // namespace lloyd
