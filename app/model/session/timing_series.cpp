// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/timing_series.hpp"

#include <algorithm>
#include <memory>

namespace lloyd {

Summary TimingSnapshot::timesOf(Stage stage, std::string_view variant) const {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.stage == stage && row.variant == variant; });
  return found == rows.end() ? Summary{} : found->times;
}

void TimingSeries::add(Stage stage, const std::string& variant, double us, bool inIteration, bool inFrame) {
  snapshot_.reset();
  const auto [found, added] = rows_.try_emplace({stage, variant});
  Row& row = found->second;
  // What happens once has no warm-up to throw away.
  if (added && !inIteration && !inFrame) row.series = SampleSeries(512, 0);
  row.stage = stage;
  row.variant = variant;
  row.inIteration = inIteration;
  row.inFrame = inFrame;
  row.current = true;
  row.series.add(us);
}

void TimingSeries::setRechecked(Stage stage, const std::string& variant, double share) {
  snapshot_.reset();
  if (const auto found = rows_.find({stage, variant}); found != rows_.end()) found->second.rechecked = share;
}

std::vector<const TimingSeries::Row*> TimingSeries::rows() const {
  std::vector<const Row*> all;
  for (const auto& [key, row] : rows_)
    all.push_back(&row);
  return all;
}

const TimingSeries::Row* TimingSeries::find(Stage stage, const std::string& variant) const {
  const auto found = rows_.find({stage, variant});
  return found == rows_.end() ? nullptr : &found->second;
}

TimingSnapshotPtr TimingSeries::snapshot() const {
  if (snapshot_) return snapshot_;
  auto taken = std::make_shared<TimingSnapshot>();
  taken->iteration = iteration_.summary();
  taken->frame = frame_.summary();
  for (const auto& [key, row] : rows_) {
    const Summary times = row.series.summary();
    const double whole = (row.inFrame ? taken->frame : taken->iteration).median;
    taken->rows.push_back({.stage = row.stage,
                           .variant = row.variant,
                           .times = times,
                           .share = whole > 0 ? times.median / whole : 0,
                           .inIteration = row.inIteration,
                           .inFrame = row.inFrame,
                           .current = row.current,
                           .rechecked = row.rechecked});
  }
  snapshot_ = taken;
  return snapshot_;
}

} // namespace lloyd
