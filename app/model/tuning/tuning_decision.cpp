// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/tuning_decision.hpp"

#include "gpu/core/stats/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace lloyd {
namespace {

/// Whether series us is faster than other beyond the rules. Where there are too few rounds for an interval,
/// which is so where one takes seconds, all of them have to say so.
bool isFaster(const std::vector<double>& us, const std::vector<double>& other, const DisplaceRules& rules) {
  CompareRules compare;
  compare.sameWithin = rules.by;
  compare.error = rules.error;
  const Comparison comparison = comparePaired(us, other, compare);
  if (std::isfinite(comparison.high))
    return comparison.verdict == Verdict::faster && comparison.ratio <= 1 - rules.by;
  for (std::size_t i = 0; i < us.size(); ++i)
    if (std::isfinite(us[i]) && std::isfinite(other[i]) && !(us[i] < other[i] * (1 - rules.by))) return false;
  return comparison.pairs > 0;
}

/// They took turns in the same rounds, and so what disturbed one disturbed the other.
std::vector<double> together(const Measurement& classify, const Measurement& reduce) {
  std::vector<double> us(std::min(classify.us.size(), reduce.us.size()));
  for (std::size_t i = 0; i < us.size(); ++i)
    us[i] = classify.us[i] + reduce.us[i];
  return us;
}

/// Whether one form of an iteration should be taken in place of another, of which one stands.
bool shouldTake(const std::vector<double>& one, const std::vector<double>& other, bool standing,
                const DisplaceRules& rules) {
  if (one.size() != other.size()) return standing;
  return standing ? !isFaster(other, one, rules) : isFaster(one, other, rules);
}

} // namespace

const Measurement* bestOf(const std::vector<Measurement>& rows, Stage stage,
                          const std::optional<Candidate>& standing, const std::vector<Candidate>& excluded,
                          const DisplaceRules& rules) {
  const auto find = [&](const Candidate& candidate) -> const Measurement* {
    const bool isOut = std::any_of(excluded.begin(), excluded.end(),
                                   [&](const auto& one) { return sameCandidate(one, candidate); });
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const Measurement& one) {
      return sameCandidate(one.candidate, candidate) && one.ran() && one.times.median > 0;
    });
    return isOut || row == rows.end() ? nullptr : &*row;
  };
  const Measurement* fastest = nullptr;
  for (const Measurement& row : rows) {
    if (row.candidate.stage != stage || !find(row.candidate)) continue;
    if (!fastest || row.times.median < fastest->times.median) fastest = &row;
  }
  if (!fastest) return nullptr;
  const auto displaces = [&](const Measurement& other) { return isFaster(fastest->us, other.us, rules); };
  if (standing)
    if (const Measurement* stands = find(*standing); stands && !displaces(*stands)) return stands;
  const Variant& variant = *fastest->candidate.variant;
  if (const Measurement* plain = find({&variant, stage, variant.complete({})}); plain && !displaces(*plain))
    return plain;
  return fastest;
}

bool shouldFuse(const Measurement* fused, const Measurement* classify, const Measurement* reduce,
                bool standing, const DisplaceRules& rules) {
  if (!fused) return false;
  if (!classify || !reduce) return true;
  return shouldTake(fused->us, together(*classify, *reduce), standing, rules);
}

bool shouldTile(const Measurement* tiled, const Measurement* fused, const Measurement* classify,
                const Measurement* reduce, bool standing, const DisplaceRules& rules) {
  if (!tiled) return false;
  if (!fused && !(classify && reduce)) return true;
  return shouldTake(tiled->us, fused ? fused->us : together(*classify, *reduce), standing, rules);
}

Measurement withShare(Measurement row, double us) {
  for (double& sample : row.us)
    sample += us; // NaN stays what it is
  row.times = summarise(sortedFinite(row.us));
  return row;
}

} // namespace lloyd
