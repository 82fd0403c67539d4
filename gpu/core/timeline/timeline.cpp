// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/timeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace lloyd {

std::string_view name(TimelineClock clock) {
  constexpr std::array<std::string_view, 5> names{"card's own record", "events", "host clock",
                                                  "order of steps, no seconds", "cycles of a model"};
  return names[static_cast<std::size_t>(clock)];
}

std::string_view name(TimelineBar::Kind kind) {
  constexpr std::array<std::string_view, timelineKinds> names{
      "copy up", "copy down",       "copy on the card",
      "fill",    "kernel",          "give",
      "wait",    "arithmetic",      "load",
      "store",   "shared memory",   "barrier",
      "issues",  "nothing to issue"};
  return names[static_cast<std::size_t>(kind)];
}

Timeline::Timeline(std::vector<TimelineRow> rows, std::vector<TimelineBar> bars, TimelineClock clock,
                   std::size_t missing)
    : rows_(std::move(rows)), bars_(std::move(bars)), clock_(clock), missing_(missing) {
  for (const TimelineRow& row : rows_)
    if (row.isEngine()) throw std::invalid_argument("engines' rows are made of the queues' copies");
  begin_ = bars_.empty() ? 0 : std::numeric_limits<double>::max();
  end_ = bars_.empty() ? 0 : std::numeric_limits<double>::lowest();
  for (const TimelineBar& bar : bars_) {
    if (bar.row >= rows_.size()) throw std::invalid_argument("a bar of a row that is not there");
    if (!std::isfinite(bar.begin) || !std::isfinite(bar.end) || bar.end < bar.begin)
      throw std::invalid_argument("a bar that ends before it begins");
    begin_ = std::min(begin_, bar.begin);
    end_ = std::max(end_, bar.end);
  }
  addEngine(TimelineRow::Kind::up, TimelineBar::Kind::upload, "copies up");
  addEngine(TimelineRow::Kind::down, TimelineBar::Kind::download, "copies down");
  std::ranges::stable_sort(bars_, [](const TimelineBar& a, const TimelineBar& b) {
    return std::tie(a.row, a.begin, a.end) < std::tie(b.row, b.begin, b.end);
  });
  firsts_.reserve(rows_.size() + 1);
  for (std::size_t row = 0; row <= rows_.size(); ++row)
    firsts_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(bars_, row, {}, &TimelineBar::row) -
                                               bars_.begin()));
}

/// In the order in which the copies ended. One that stood in its queue while another was copied has waited
/// for the engine.
void Timeline::addEngine(TimelineRow::Kind kind, TimelineBar::Kind copies, const char* name) {
  std::vector<TimelineBar> engine;
  for (const TimelineBar& bar : bars_)
    if (bar.kind == copies) engine.push_back(bar);
  if (engine.empty()) return;
  std::ranges::stable_sort(engine, {}, &TimelineBar::end);
  double free = std::numeric_limits<double>::lowest();
  for (TimelineBar& bar : engine) {
    bar.row = rows_.size();
    bar.begin = std::clamp(free, bar.begin, bar.end);
    free = bar.end;
    bars_.push_back(std::move(bar));
  }
  rows_.push_back({kind, name});
}

std::span<const TimelineBar> Timeline::barsOf(std::size_t row) const {
  if (row >= rows_.size()) return {};
  return std::span(bars_).subspan(firsts_[row], firsts_[row + 1] - firsts_[row]);
}

} // namespace lloyd
