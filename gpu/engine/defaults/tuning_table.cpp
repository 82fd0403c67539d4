// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/defaults/tuning_table.hpp"

#include "gpu/engine/defaults/tuning_text.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lloyd {
namespace {

double doublings(double a, double b) { return std::abs(std::log2(a) - std::log2(b)); }

/// A kind of processor is nearer than any number of cores.
double distance(const MeasuredDevice& a, const MeasuredDevice& b) {
  if (a == b) return 0;
  constexpr double otherTarget = 1000;
  const double cores = doublings(std::max(1, a.cores), std::max(1, b.cores));
  return 1 + cores + (a.target == b.target ? 0 : otherTarget);
}

double distance(const Problem& a, const Problem& b) {
  return std::hypot(doublings(static_cast<double>(a.n), static_cast<double>(b.n)), doublings(a.k, b.k));
}

} // namespace

MeasuredDevice measuredDevice(const DeviceInfo& device) {
  return {.backend = device.backend,
          .name = device.name,
          .target = device.backend == Backend::cpu ? device.runtime : device.computeCapability,
          .cores = device.multiprocessors};
}

const MeasuredVariant& TuningEntry::of(Stage stage) const {
  return stage == Stage::classify ? classify
         : stage == Stage::reduce ? reduce
         : stage == Stage::fused  ? fused
                                  : update;
}

void TuningTable::add(std::vector<TuningEntry> choices, Owner owner) {
  for (TuningEntry& choice : choices)
    entries_.push_back({std::move(choice), owner});
}

std::vector<TuningTable::Ranked> TuningTable::ranked(const Problem& problem, const DeviceInfo& device) const {
  using Place = std::tuple<double, double, double, bool>; // device, d, n and k, not the user's own
  std::vector<std::pair<Place, Ranked>> placed;
  const MeasuredDevice here = measuredDevice(device);
  for (const Entry& entry : entries_) {
    const TuningEntry& choice = entry.choice;
    if (choice.device.backend != device.backend || device.backend == Backend::simt) continue;
    const bool own = entry.owner == Owner::user;
    const bool same = choice.device == here;
    placed.emplace_back(Place{distance(choice.device, here), doublings(choice.problem.d, problem.d),
                              distance(choice.problem, problem), !own},
                        Ranked{&choice, !same ? TuningOrigin::similar
                                        : own ? TuningOrigin::here
                                              : TuningOrigin::shipped});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Ranked> ranked;
  ranked.reserve(placed.size());
  for (const auto& one : placed)
    ranked.push_back(one.second);
  return ranked;
}

TuningTable TuningTable::shipped() {
  TuningTable table;
  for (const ShippedTable& file : shippedTables())
    table.add(readTuning(file.text, file.name), Owner::shipped);
  return table;
}

TuningTable& TuningTable::present() {
  static TuningTable table = shipped();
  return table;
}

} // namespace lloyd
