// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/measured_steps.hpp"

#include "app/model/teach/lesson/lesson.hpp"
#include "app/text/strings.hpp"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace lloyd {
namespace {

const StepTable& shippedTable() {
  static const StepTable table = [] {
    initTexts();
    QFile file(QStringLiteral(":/measured/steps.csv"));
    return StepTable(file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString());
  }();
  return table;
}

std::optional<Verdict> verdictCalled(const QString& word) {
  for (const Verdict verdict : {Verdict::undecided, Verdict::faster, Verdict::slower, Verdict::same})
    if (qtext(name(verdict)) == word) return verdict;
  return std::nullopt;
}

/// A row of steps.csv; nothing where it is none.
std::optional<StepHere> stepOfRow(const QStringList& header, const QStringList& cells) {
  const auto cell = [&](const char* column) { return cells.value(header.indexOf(QLatin1String(column))); };
  const auto number = [&](const char* column) {
    bool is = false;
    const double value = cell(column).toDouble(&is);
    return is ? value : std::nan("");
  };
  const auto verdict = verdictCalled(cell("verdict"));
  StepHere step{.from = StepHere::From::shipped, .card = {}, .comparison = {}, .problem = {}};
  step.comparison.ratio = number("ratio");
  step.comparison.low = number("low");
  step.comparison.high = number("high");
  step.sameWithin = number("same_within");
  const double pairs = number("pairs");
  const Comparison& found = step.comparison;
  const bool ordered =
      found.low > 0 && found.low <= found.ratio && found.ratio <= found.high && std::isfinite(found.high);
  if (!verdict || !ordered || !(pairs >= 1) || !(step.sameWithin > 0)) return std::nullopt;
  step.comparison.verdict = *verdict;
  step.comparison.pairs = static_cast<std::size_t>(pairs);
  return step;
}

int arithmeticOf(const Candidate& candidate) {
  return static_cast<int>(candidate.variant->parameter("arithmetic") ? candidate.tuning.arithmetic
                                                                     : Arithmetic::multiply);
}

} // namespace

Problem problemOfTheTexts() { return {std::size_t{1} << 20, 1, 16}; }

Comparison compareMedians(double us, double beforeUs) {
  const bool known = us > 0 && beforeUs > 0 && std::isfinite(us) && std::isfinite(beforeUs);
  Comparison comparison{.ratio = known ? us / beforeUs : std::nan(""),
                        .high = std::numeric_limits<double>::infinity()};
  if (!known) return comparison;
  const double apart = 1 + CompareRules().slowerThan;
  comparison.low = comparison.ratio / apart;
  comparison.high = comparison.ratio * apart;
  if (comparison.high < 1)
    comparison.verdict = Verdict::faster;
  else if (comparison.low > 1)
    comparison.verdict = Verdict::slower;
  return comparison;
}

StepTable::StepTable(const QString& text) {
  QString card;
  QStringList header;
  for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    if (line.startsWith(QLatin1Char('#'))) {
      if (card.isEmpty()) card = line.mid(1).section(QLatin1Char(','), 0, 0).trimmed();
      continue;
    }
    const QStringList cells = line.trimmed().split(QLatin1Char(','));
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    auto step = stepOfRow(header, cells);
    if (!step || cells.size() != header.size()) continue;
    step->card = card;
    rows_.emplace(std::tuple(cells[0], cells[1], cells[2]), *step);
  }
}

const StepHere* StepTable::find(const QString& variant, const QString& before, const QString& points) const {
  const auto row = rows_.find({variant, before, points});
  return row == rows_.end() ? nullptr : &row->second;
}

std::optional<StepHere> shippedStep(const TextStep& step, const QString& points) {
  const QString now = qtext(step.now->id()), before = qtext(step.before->id());
  const MeasuredTimes& times = MeasuredTimes::shipped();
  const auto us = times.of(now, points), beforeUs = times.of(before, points);
  if (!us || !beforeUs) return std::nullopt;
  StepHere here{.card = times.card(QStringLiteral("ladder")),
                .comparison = compareMedians(*us, *beforeUs),
                .problem = {}};
  if (const StepHere* raced = shippedTable().find(now, before, points)) here = *raced;
  here.beforeUs = *beforeUs;
  here.us = *us;
  return here;
}

std::vector<const Measurement*> comparableRows(const RaceResult& race, Stage stage, const Variant& variant) {
  std::vector<const Measurement*> rows;
  for (const Measurement& row : race.rows)
    if (row.candidate.stage == stage && row.candidate.variant == &variant && row.comparable())
      rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, [](const Measurement* row) { return row->times.median; });
  return rows;
}

std::optional<StepHere> racedStep(const TextStep& step, const RaceResult& race) {
  if (race.device.backend != Backend::cuda) return std::nullopt;
  for (const Measurement* now : comparableRows(race, step.stage, *step.now))
    for (const Measurement* before : comparableRows(race, step.stage, *step.before)) {
      if (arithmeticOf(before->candidate) != arithmeticOf(now->candidate)) continue;
      StepHere here{.from = StepHere::From::race,
                    .card = qtext(race.device.name),
                    .comparison = compareRows(*now, *before, race.conditions),
                    .beforeUs = before->times.median,
                    .us = now->times.median,
                    .sameWithin = race.conditions.rules.sameWithin,
                    .problem = {}};
      if (now->problem != problemOfTheTexts()) here.problem = now->problem;
      return here;
    }
  return std::nullopt;
}

} // namespace lloyd
