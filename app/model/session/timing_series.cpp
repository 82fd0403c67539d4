// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/timing_series.hpp"

#include <algorithm>

namespace lloyd {

void TimingSeries::clear() { *this = TimingSeries(); }

void TimingSeries::add(Stage stage, const std::string& variant, double us, bool inIteration, bool inFrame) {
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

void TimingSeries::addOnce(Stage stage, double us) {
  Row& row =
      rows_.try_emplace({stage, ""}, Row{.stage = stage, .variant = {}, .series = SampleSeries(512, 0)})
          .first->second;
  row.current = true;
  row.series.add(us);
}

void TimingSeries::beginIteration() {
  for (auto& [key, row] : rows_)
    if (row.inIteration) row.current = false;
}

void TimingSeries::beginFrame() {
  for (auto& [key, row] : rows_)
    if (row.inFrame && !row.inIteration) row.current = false;
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

double TimingSeries::shareOfFrame(const Row& row) const {
  const Summary whole = (row.inFrame ? frame_ : iteration_).summary();
  return whole.median > 0 ? row.series.summary().median / whole.median : 0;
}

} // namespace lloyd
