// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/apart_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lloyd {
namespace {

constexpr double worthTelling = 0.01; ///< of the earlier version's time: less is none

/// "1.23", and "−0.45" with a minus as wide as a digit.
QString signedText(double us) {
  return us < 0 ? QStringLiteral("\u2212") + significantText(-us) : significantText(us);
}

/// "9.85 to 9.89"; empty where none is known.
QString intervalOf(const Microseconds& number) {
  if (!number.known()) return {};
  return ReportStrings::tr("%1 to %2").arg(signedText(number.low), signedText(number.high));
}

QString partText(const StepApart& apart, double us) {
  const double part = apart.partOf(us);
  return part < 0 ? QStringLiteral("\u2212") + percentText(-part) : percentText(part);
}

/// The shares between both versions' times.
TextTable sharesTable(const StepApart& apart) {
  TextTable table;
  table.addColumn({}, TextTable::Align::left);
  table.addColumn(ReportStrings::tr("change"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("µs"), TextTable::Align::decimal);
  table.addColumn(ReportStrings::tr("interval"), TextTable::Align::right);
  table.addColumn(ReportStrings::tr("% of the time before"), TextTable::Align::decimal);
  const auto time = [&](const std::string& version, const Microseconds& us) {
    table.addRow({{}, qtext(version), microsecondsText(us.us), intervalOf(us), {}});
  };
  time(apart.from, apart.combinations.front());
  for (const std::size_t one : apart.byGain()) {
    const Microseconds& share = apart.shares[one];
    const bool costs = share.us < 0;
    const Microseconds shown = costs ? Microseconds{-share.us, -share.high, -share.low} : share;
    table.addRow({QString::number(one + 1),
                  (costs ? ReportStrings::tr("%1 costs") : ReportStrings::tr("%1 saves"))
                      .arg(qtext(apart.switches[one])),
                  signedText(shown.us), intervalOf(shown), partText(apart, shown.us)});
  }
  time(apart.to, apart.combinations.back());
  table.addRow({{},
                ReportStrings::tr("all together save"),
                signedText(apart.whole.us),
                intervalOf(apart.whole),
                partText(apart, apart.whole.us)});
  return table;
}

QString sumSentence(const StepApart& apart) {
  const QString sum = signedText(apart.sumOfShares());
  if (!apart.whole.known())
    return ReportStrings::tr("The shares add up to %1 µs; there are too few rounds for an interval.")
        .arg(sum);
  return (apart.addsUp()
              ? ReportStrings::tr("The shares add up to %1 µs: the whole gain, within its interval of %2 µs.")
              : ReportStrings::tr("The shares add up to %1 µs, outside the whole gain's interval of %2 µs."))
      .arg(sum, intervalOf(apart.whole));
}

/// All switches off and on are the versions' own kernels, so that they should gain what the versions gain.
QString versionsSentence(const StepApart& apart) {
  const Microseconds& versions = apart.versions;
  const QString gain = ReportStrings::tr("%1 itself takes %2 µs and %3 takes %4 µs")
                           .arg(qtext(apart.from), microsecondsText(apart.before.us), qtext(apart.to),
                                microsecondsText(apart.after.us));
  if (!versions.known() || !apart.whole.known()) return gain + u'.';
  const bool meet = versions.low <= apart.whole.high && apart.whole.low <= versions.high;
  const double apartBy = std::abs(versions.us - apart.whole.us);
  if (meet) return ReportStrings::tr("%1: the same gain within the intervals.").arg(gain);
  const QString by = percentText(std::abs(apart.partOf(apartBy)));
  if (std::abs(apart.partOf(apartBy)) < worthTelling)
    return ReportStrings::tr("%1: the same gain within %2 %.").arg(gain, by);
  return ReportStrings::tr("%1: a gain that differs by %2 µs (%3 %).")
      .arg(gain, significantText(apartBy), by);
}

/// Whether a number can be told from none.
bool counts(const StepApart& apart, const Microseconds& number) {
  return number.known() && !number.holds(0) && std::abs(apart.partOf(number.us)) >= worthTelling;
}

/// Of both ways to see a pair, that of the switch which does less without the other.
const SwitchPair& moreDependent(const SwitchPair& a, const SwitchPair& b) {
  return std::abs(a.without.us) <= std::abs(b.without.us) ? a : b;
}

/// "saves 1.23 µs", or "costs".
QString savedText(double us) {
  return (us < 0 ? ReportStrings::tr("costs %1 µs") : ReportStrings::tr("saves %1 µs"))
      .arg(significantText(std::abs(us)));
}

QString pairSentence(const StepApart& apart, const SwitchPair& pair) {
  const QString one = qtext(apart.switches[pair.one]);
  const QString other = qtext(apart.switches[pair.other]);
  const QString numbers = ReportStrings::tr("on average it %1 with it and %2 without")
                              .arg(savedText(pair.with.us), savedText(pair.without.us));
  if (!counts(apart, pair.without) && counts(apart, pair.with) && pair.with.us > 0)
    return ReportStrings::tr("\u201c%1\u201d helps only with \u201c%2\u201d: %3.").arg(one, other, numbers);
  return (pair.together.us > 0 ? ReportStrings::tr("\u201c%1\u201d helps more with \u201c%2\u201d: %3.")
                               : ReportStrings::tr("\u201c%1\u201d helps less with \u201c%2\u201d: %3."))
      .arg(one, other, numbers);
}

QJsonValue numberJson(double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(); }

QJsonObject microsecondsJson(const Microseconds& number) {
  return {{QStringLiteral("us"), numberJson(number.us)},
          {QStringLiteral("low_us"), numberJson(number.low)},
          {QStringLiteral("high_us"), numberJson(number.high)}};
}

QJsonObject named(QJsonObject object, const char* key, const QJsonValue& value) {
  object.insert(QLatin1String(key), value);
  return object;
}

QJsonObject stepJson(const StepApart& apart) {
  QJsonArray combinations, shares, pairs;
  for (std::size_t i = 0; i < apart.combinations.size(); ++i) {
    QJsonArray on;
    for (std::size_t s = 0; s < apart.switches.size(); ++s)
      if ((i >> s & 1U) != 0) on.append(qtext(apart.switches[s]));
    combinations.append(named(microsecondsJson(apart.combinations[i]), "on", on));
  }
  for (std::size_t s = 0; s < apart.shares.size(); ++s)
    shares.append(named(named(microsecondsJson(apart.shares[s]), "switch", qtext(apart.switches[s])), "part",
                        numberJson(apart.partOf(apart.shares[s].us))));
  for (const SwitchPair& pair : apart.pairs)
    pairs.append(QJsonObject{{QStringLiteral("switch"), qtext(apart.switches[pair.one])},
                             {QStringLiteral("other"), qtext(apart.switches[pair.other])},
                             {QStringLiteral("without"), microsecondsJson(pair.without)},
                             {QStringLiteral("with"), microsecondsJson(pair.with)},
                             {QStringLiteral("together"), microsecondsJson(pair.together)}});
  return {{QStringLiteral("step"), qtext(apart.to)},
          {QStringLiteral("from"), qtext(apart.from)},
          {QStringLiteral("device"), qtext(apart.device)},
          {QStringLiteral("source"), textOrNull(apart.source)},
          {QStringLiteral("n"), countJson(apart.problem.n)},
          {QStringLiteral("d"), apart.problem.d},
          {QStringLiteral("k"), apart.problem.k},
          {QStringLiteral("rounds"), countJson(apart.rounds)},
          {QStringLiteral("combinations"), combinations},
          {QStringLiteral("shares"), shares},
          {QStringLiteral("sum_us"), numberJson(apart.sumOfShares())},
          {QStringLiteral("whole"), microsecondsJson(apart.whole)},
          {QStringLiteral("adds_up"), apart.addsUp()},
          {QStringLiteral("pairs"), pairs},
          {QStringLiteral("before"), microsecondsJson(apart.before)},
          {QStringLiteral("after"), microsecondsJson(apart.after)},
          {QStringLiteral("versions"), microsecondsJson(apart.versions)}};
}

QByteArray reportOf(const std::vector<StepApart>& steps, const QString& heading, const QString& item,
                    QString (TextTable::*tableText)() const) {
  QString text;
  for (const StepApart& apart : steps) {
    if (!text.isEmpty()) text += u'\n';
    text += heading + apartHeading(apart) + QStringLiteral("\n\n");
    text += (sharesTable(apart).*tableText)() + u'\n';
    for (const QString& sentence : apartSentences(apart))
      text += item + sentence + u'\n';
    text += u'\n' + (combinationsTable(apart).*tableText)();
  }
  return text.toUtf8();
}

} // namespace

TextTable combinationsTable(const StepApart& apart) {
  TextTable table;
  table.addColumn(ReportStrings::tr("on"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("changes"), TextTable::Align::left);
  table.addColumn(ReportStrings::tr("µs"), TextTable::Align::decimal);
  table.addColumn(ReportStrings::tr("interval"), TextTable::Align::right);
  table.addColumn(ReportStrings::tr("saves %"), TextTable::Align::decimal);
  std::vector<std::size_t> order(apart.combinations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return apart.combinations[i].us; });
  for (const std::size_t i : order) {
    QStringList on;
    for (std::size_t s = 0; s < apart.switches.size(); ++s)
      if ((i >> s & 1U) != 0) on << qtext(apart.switches[s]);
    const Microseconds& time = apart.combinations[i];
    table.addRow({i == 0 ? unknownText() : qtext(switchesText(i)),
                  i == 0                               ? ReportStrings::tr("none: %1").arg(qtext(apart.from))
                  : i + 1 == apart.combinations.size() ? ReportStrings::tr("all: %1").arg(qtext(apart.to))
                                                       : on.join(QStringLiteral(", ")),
                  microsecondsText(time.us), intervalOf(time),
                  partText(apart, apart.combinations.front().us - time.us)});
  }
  return table;
}

QStringList apartSentences(const StepApart& apart) {
  QStringList sentences{sumSentence(apart), versionsSentence(apart)};
  for (const SwitchPair& pair : apart.pairs) {
    const auto back = std::ranges::find_if(apart.pairs, [&](const SwitchPair& other) {
      return other.one == pair.other && other.other == pair.one;
    });
    if (pair.one < pair.other && back != apart.pairs.end() && counts(apart, pair.together))
      sentences << pairSentence(apart, moreDependent(pair, *back));
  }
  return sentences;
}

QString apartHeading(const StepApart& apart) {
  return ReportStrings::tr("%1 to %2 on %3: %4, %5")
      .arg(qtext(apart.from), qtext(apart.to), qtext(apart.device), problemText(apart.problem),
           qtext(apart.source));
}

QByteArray apartText(const std::vector<StepApart>& steps) {
  return reportOf(steps, {}, QStringLiteral("  "), &TextTable::text);
}

QByteArray apartMarkdown(const std::vector<StepApart>& steps) {
  return reportOf(steps, QStringLiteral("### "), QStringLiteral("- "), &TextTable::markdown);
}

QByteArray apartJson(const std::vector<StepApart>& steps) {
  QJsonArray all;
  for (const StepApart& apart : steps)
    all.append(stepJson(apart));
  return QJsonDocument(
             QJsonObject{{QStringLiteral("program"), programJson()}, {QStringLiteral("steps"), all}})
      .toJson();
}

} // namespace lloyd
