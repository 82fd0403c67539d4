// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/whole_iteration.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace lloyd {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("WholeIteration", text); }

const Measurement* fastest(const RaceResult& race, Stage stage) {
  const Measurement* best = nullptr;
  for (const Measurement& row : race.rows)
    if (row.candidate.stage == stage && row.rank > 0 && (!best || row.times.median < best->times.median))
      best = &row;
  return best;
}

/// By place, because a part without a rival in its stage does not take part in every round.
std::vector<double> placesOf(const WholeIteration& way, const RaceConditions& conditions) {
  std::vector<double> us;
  for (const Measurement* part : way.parts) {
    const std::vector<double> medians = placeMedians(part->us, conditions.places);
    if (part == way.parts.front()) us.assign(medians.size(), 0);
    us.resize(std::min(us.size(), medians.size()));
    std::transform(us.begin(), us.end(), medians.begin(), us.begin(), std::plus<>());
  }
  return us;
}

/// By round, of parts that took part in every one.
std::vector<double> roundsOf(const std::vector<const Measurement*>& parts) {
  std::vector<double> us = parts.front()->us;
  for (std::size_t i = 1; i < parts.size(); ++i)
    std::transform(us.begin(), us.end(), parts[i]->us.begin(), us.begin(), std::plus<>());
  return us;
}

/// What one way has and another has not.
std::vector<const Measurement*> partsWithout(const WholeIteration& way, const WholeIteration& other) {
  std::vector<const Measurement*> parts;
  std::ranges::copy_if(way.parts, std::back_inserter(parts), [&](const Measurement* part) {
    return std::ranges::find(other.parts, part) == other.parts.end();
  });
  return parts;
}

bool tookTurns(const std::vector<const Measurement*>& parts) {
  return !parts.empty() && std::ranges::none_of(parts, &Measurement::alone);
}

/// The part that both have says nothing about which is faster. What else they have is held against each other
/// round by round where all of it took turns, and place by place where it did not.
Comparison compare(const WholeIteration& a, const WholeIteration& b, std::size_t ways,
                   const RaceConditions& conditions) {
  CompareRules rules = conditions.rules;
  rules.comparisons = ways * (ways - 1) / 2;
  const auto ofA = partsWithout(a, b), ofB = partsWithout(b, a);
  Comparison comparison;
  if (tookTurns(ofA) && tookTurns(ofB)) {
    comparison = comparePaired(roundsOf(ofA), roundsOf(ofB), rules, conditions.places);
    double shared = a.us;
    for (const Measurement* part : ofA)
      shared -= part->times.median;
    const double own = b.us - shared;
    for (double* ratio : {&comparison.low, &comparison.high})
      *ratio = (own * *ratio + shared) / b.us;
  } else {
    comparison = compareRuns(placesOf(a, conditions), placesOf(b, conditions),
                             {rules.sameWithin, rules.sameWithin}, rules);
  }
  comparison.ratio = a.us / b.us;
  return comparison;
}

} // namespace

QString WholeIteration::text() const {
  QStringList names;
  for (const Measurement* part : parts)
    names << QString::fromStdString(part->candidate.variant->id());
  names.removeDuplicates(); // one variant may do several stages
  return names.join(QStringLiteral(" + "));
}

std::vector<WholeIteration> wholeIterations(const RaceResult& race) {
  std::vector<WholeIteration> ways;
  const Measurement* update = fastest(race, Stage::update);
  const auto add = [&](std::vector<const Measurement*> parts, bool updates) {
    if (update && !updates) parts.push_back(update);
    ways.push_back({.parts = std::move(parts), .againstBest = {}});
  };
  const Measurement* classify = fastest(race, Stage::classify);
  const Measurement* reduce = fastest(race, Stage::reduce);
  if (classify && reduce) add({classify, reduce}, false);
  for (const Measurement& row : race.rows) {
    if (row.rank == 0) continue;
    if (row.candidate.stage == Stage::fused) add({&row}, false);
    if (row.candidate.stage == Stage::iterate && update) add({&row}, true);
  }
  if (ways.size() < 2) return {};

  for (WholeIteration& way : ways)
    for (const Measurement* part : way.parts)
      way.us += part->times.median;
  std::ranges::sort(ways, [](const WholeIteration& a, const WholeIteration& b) { return a.us < b.us; });
  const auto compared = [&](const WholeIteration& a, const WholeIteration& b) {
    return compare(a, b, ways.size(), race.conditions);
  };
  const std::vector<int> ranks = ranksOf(ways.size(), [&](std::size_t b, std::size_t a) {
    return compared(ways[b], ways[a]).verdict == Verdict::slower;
  });
  for (std::size_t i = 0; i < ways.size(); ++i) {
    ways[i].againstBest = compared(ways[i], ways.front());
    ways[i].rank = ranks[i];
  }
  return ways;
}

QString wholeIterationText(const RaceResult& race) {
  const std::vector<WholeIteration> ways = wholeIterations(race);
  if (ways.empty()) return {};
  const WholeIteration& best = ways.front();
  const WholeIteration& next = ways[1];
  const Comparison against = compare(best, next, ways.size(), race.conditions);
  return translated("A whole iteration by %1 takes %2 µs: %3")
      .arg(best.text(), microsecondsText(best.us),
           verdictAgainst(against, next.text(), race.conditions.rules.sameWithin));
}

} // namespace lloyd
