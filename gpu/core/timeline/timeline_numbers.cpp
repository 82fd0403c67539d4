// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/timeline/timeline_numbers.hpp"

#include "gpu/core/timeline/intervals.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace lloyd {
namespace {

/// The moments of the bars that are meant, in the rows of one kind.
template <class Meant>
std::vector<Interval> momentsOf(const Timeline& timeline, TimelineRow::Kind rows, const Meant& meant) {
  std::vector<Interval> moments;
  for (const TimelineBar& bar : timeline.bars())
    if (timeline.rows()[bar.row].kind == rows && meant(bar)) moments.push_back({bar.begin, bar.end});
  return merged(std::move(moments));
}

std::vector<QueueTime> queueTimes(const Timeline& timeline) {
  std::vector<QueueTime> times;
  for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
    const auto bars = timeline.barsOf(row);
    if (timeline.rows()[row].kind != TimelineRow::Kind::queue || bars.empty()) continue;
    QueueTime time{.name = timeline.rows()[row].name, .from = bars.front().begin};
    std::vector<Interval> moments;
    for (const TimelineBar& bar : bars) {
      moments.push_back({bar.begin, bar.end});
      time.to = std::max(time.to, bar.end);
    }
    time.us = lengthOf(merged(std::move(moments)));
    times.push_back(std::move(time));
  }
  return times;
}

/// As the engine did them: what a copy waited for is nothing to cover.
std::vector<CoveredCopy> coveredCopies(const Timeline& timeline) {
  std::map<std::size_t, std::vector<Interval>> copies;
  for (const TimelineBar& bar : timeline.bars())
    if (timeline.rows()[bar.row].kind == TimelineRow::Kind::up && bar.set)
      copies[*bar.set].push_back({bar.begin, bar.end});
  std::vector<std::pair<double, CoveredCopy>> found;
  for (auto& [set, moments] : copies) {
    const double begin = std::ranges::min_element(moments, {}, &Interval::begin)->begin;
    const std::vector<Interval> own = merged(std::move(moments));
    const auto kernels = momentsOf(timeline, TimelineRow::Kind::queue, [set = set](const TimelineBar& bar) {
      return bar.kind == TimelineBar::Kind::kernel && bar.set && *bar.set != set;
    });
    found.emplace_back(begin,
                       CoveredCopy{.set = set, .us = lengthOf(own), .coveredUs = overlapOf(own, kernels)});
  }
  std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
  std::vector<CoveredCopy> covered;
  covered.reserve(found.size());
  for (const auto& [begin, copy] : found)
    covered.push_back(copy);
  return covered;
}

/// From the end of the first copy up to the end of what the card did.
Interval windowOf(const Timeline& timeline) {
  double firstCopy = std::numeric_limits<double>::max();
  Interval all{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
  for (const TimelineBar& bar : timeline.bars()) {
    if (timeline.rows()[bar.row].kind != TimelineRow::Kind::queue) continue;
    all = {std::min(all.begin, bar.begin), std::max(all.end, bar.end)};
    if (bar.kind == TimelineBar::Kind::upload) firstCopy = std::min(firstCopy, bar.end);
  }
  if (firstCopy < std::numeric_limits<double>::max()) all.begin = firstCopy;
  return all;
}

} // namespace

std::optional<double> TimelineNumbers::coveredBehindFirst() const {
  double us = 0;
  double covered = 0;
  for (std::size_t i = 1; i < copies.size(); ++i) {
    us += copies[i].us;
    covered += copies[i].coveredUs;
  }
  return us > 0 ? std::optional(covered / us) : std::nullopt;
}

TimelineNumbers numbersOf(const Timeline& timeline) {
  TimelineNumbers numbers{.wholeUs = timeline.end() - timeline.begin(),
                          .queues = queueTimes(timeline),
                          .copies = coveredCopies(timeline)};
  const Interval window = windowOf(timeline);
  const double length = window.end - window.begin;
  if (!(length > 0)) return numbers;
  const auto shareWithout = [&](const auto& meant) {
    const auto busy = within(momentsOf(timeline, TimelineRow::Kind::queue, meant), window);
    return std::clamp(1 - lengthOf(busy) / length, 0.0, 1.0);
  };
  numbers.idle = shareWithout([](const TimelineBar&) { return true; });
  numbers.withoutKernel =
      shareWithout([](const TimelineBar& bar) { return bar.kind == TimelineBar::Kind::kernel; });
  return numbers;
}

} // namespace lloyd
