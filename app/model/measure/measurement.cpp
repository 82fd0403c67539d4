// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/measurement.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

std::string_view name(CacheState cache) { return cache == CacheState::cold ? "cold" : "hot"; }

bool Measurement::comparable() const {
  return ran() && verified && times.median > 0 && std::isfinite(times.median);
}

double Measurement::gigabytesPerSecond() const {
  return times.median > 0 ? static_cast<double>(bytes) / times.median * 1e-3 : 0;
}

double Measurement::ofLimit() const { return times.median > 0 ? std::min(1.0, limitUs / times.median) : 0; }

Comparison compareRows(const Measurement& row, const Measurement& rival, const RaceConditions& conditions) {
  return comparePaired(row.us, rival.us, conditions.rules, conditions.places);
}

bool sameCandidate(const Candidate& a, const Candidate& b) {
  return a.variant == b.variant && a.stage == b.stage && a.tuning == b.tuning;
}

} // namespace lloyd
