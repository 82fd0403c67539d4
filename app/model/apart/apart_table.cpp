// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/apart/apart_table.hpp"

#include "app/text/csv.hpp"
#include "app/text/strings.hpp"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace lloyd {
namespace {

const QStringList& headings() {
  static const QStringList all{QStringLiteral("step"),   QStringLiteral("from"),   QStringLiteral("device"),
                               QStringLiteral("points"), QStringLiteral("n"),      QStringLiteral("d"),
                               QStringLiteral("k"),      QStringLiteral("rounds"), QStringLiteral("kind"),
                               QStringLiteral("name"),   QStringLiteral("us"),     QStringLiteral("low_us"),
                               QStringLiteral("high_us")};
  return all;
}
enum Column : qsizetype { step, from, device, points, n, d, k, rounds, kind, called, us, lowUs, highUs };
constexpr qsizetype aboutTheRace = kind; ///< columns before it, the same for all lines of one step

/// The fields of a line, in which one in double quotes may hold commas, and quotes twice.
QStringList fieldsOf(const QString& line) {
  QStringList fields{QString()};
  bool quoted = false;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (c == u'"' && quoted && i + 1 < line.size() && line[i + 1] == u'"')
      fields.back() += line[i++];
    else if (c == u'"')
      quoted = !quoted;
    else if (c == u',' && !quoted)
      fields << QString();
    else
      fields.back() += c;
  }
  return fields;
}

double numberOf(const QString& field) {
  bool known = false;
  const double value = field.toDouble(&known);
  return known ? value : std::nan("");
}

/// "21": the second switch with the first.
QString pairName(const SwitchPair& pair) {
  return QString::number(pair.one + 1) + QString::number(pair.other + 1);
}

bool isWhole(const StepApart& apart) {
  const std::size_t switches = apart.switches.size();
  return switches > 0 && apart.combinations.size() == std::size_t{1} << switches &&
         apart.shares.size() == switches && std::isfinite(apart.whole.us) &&
         std::isfinite(apart.sumOfShares()) &&
         std::ranges::all_of(apart.combinations,
                             [](const Microseconds& time) { return std::isfinite(time.us); });
}

/// Puts one line's number where it belongs.
void take(StepApart& apart, const QStringList& fields) {
  const Microseconds number{numberOf(fields[us]), numberOf(fields[lowUs]), numberOf(fields[highUs])};
  const QString& what = fields[kind];
  const QString& name = fields[called];
  if (what == QLatin1String("combination")) {
    apart.combinations.push_back(number);
  } else if (what == QLatin1String("share")) {
    apart.switches.push_back(name.toStdString());
    apart.shares.push_back(number);
  } else if (what == QLatin1String("whole")) {
    apart.whole = number;
  } else if (what == QLatin1String("version")) {
    (name.toStdString() == apart.from ? apart.before : apart.after) = number;
  } else if (what == QLatin1String("versions")) {
    apart.versions = number;
  } else if (what == QLatin1String("without") && name.size() == 2) {
    apart.pairs.push_back({.one = static_cast<std::size_t>(name[0].digitValue() - 1),
                           .other = static_cast<std::size_t>(name[1].digitValue() - 1),
                           .without = number,
                           .with = {},
                           .together = {}});
  } else if (what == QLatin1String("with") && !apart.pairs.empty()) {
    apart.pairs.back().with = number;
  } else if (what == QLatin1String("together") && !apart.pairs.empty()) {
    apart.pairs.back().together = number;
  }
}

} // namespace

QByteArray apartCsv(const std::vector<StepApart>& steps) {
  QString text = csvLine(headings());
  for (const StepApart& apart : steps) {
    const QStringList race{qtext(apart.to),
                           qtext(apart.from),
                           qtext(apart.device),
                           qtext(apart.source),
                           QString::number(apart.problem.n),
                           QString::number(apart.problem.d),
                           QString::number(apart.problem.k),
                           QString::number(apart.rounds)};
    const auto add = [&](const char* what, const QString& name, const Microseconds& number) {
      text += csvLine(race + QStringList{QLatin1String(what), name, exactText(number.us),
                                         exactText(number.low), exactText(number.high)});
    };
    for (std::size_t i = 0; i < apart.combinations.size(); ++i)
      add("combination", qtext(switchesText(i)), apart.combinations[i]);
    for (std::size_t i = 0; i < apart.shares.size(); ++i)
      add("share", qtext(apart.switches[i]), apart.shares[i]);
    add("whole", {}, apart.whole);
    for (const SwitchPair& pair : apart.pairs) {
      add("without", pairName(pair), pair.without);
      add("with", pairName(pair), pair.with);
      add("together", pairName(pair), pair.together);
    }
    add("version", qtext(apart.from), apart.before);
    add("version", qtext(apart.to), apart.after);
    add("versions", {}, apart.versions);
  }
  return text.toUtf8();
}

std::vector<StepApart> readApartCsv(const QString& csv) {
  std::vector<StepApart> steps;
  QStringList before;
  for (const QString& line : csv.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const QStringList fields = fieldsOf(line.trimmed());
    if (line.startsWith(QLatin1Char('#')) || fields.size() != headings().size() || fields == headings())
      continue;
    const QStringList race = fields.first(aboutTheRace);
    if (race != before) {
      StepApart& apart = steps.emplace_back();
      apart.to = fields[step].toStdString();
      apart.from = fields[from].toStdString();
      apart.device = fields[device].toStdString();
      apart.source = fields[points].toStdString();
      apart.problem = {static_cast<std::size_t>(fields[n].toULongLong()), fields[d].toInt(),
                       fields[k].toInt()};
      apart.rounds = static_cast<std::size_t>(fields[rounds].toULongLong());
      before = race;
    }
    take(steps.back(), fields);
  }
  std::erase_if(steps, [](const StepApart& apart) { return !isWhole(apart); });
  return steps;
}

const std::vector<StepApart>& shippedStepsApart() {
  static const std::vector<StepApart> steps = [] {
    initTexts();
    QFile file(QStringLiteral(":/measured/apart.csv"));
    return file.open(QIODevice::ReadOnly) ? readApartCsv(QString::fromUtf8(file.readAll()))
                                          : std::vector<StepApart>();
  }();
  return steps;
}

std::vector<StepApart> shippedStepsTo(const std::string& to) {
  std::vector<StepApart> steps = shippedStepsApart();
  std::erase_if(steps, [&](const StepApart& apart) { return apart.to != to; });
  return steps;
}

} // namespace lloyd
