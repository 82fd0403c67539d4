// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/timeline/timeline.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lloyd::test {

/// The rows of a timeline that is written down by hand: the host is row 0, the queues are 1 and up.
inline std::vector<TimelineRow> handRows(std::size_t queues) {
  std::vector<TimelineRow> rows{{TimelineRow::Kind::host, "host"}};
  for (std::size_t queue = 1; queue <= queues; ++queue)
    rows.push_back({TimelineRow::Kind::queue, "queue " + std::to_string(queue)});
  return rows;
}

inline TimelineBar copyUp(std::size_t row, double begin, double end, std::optional<std::size_t> set = {},
                          std::uint64_t bytes = 1000) {
  return {.row = row,
          .begin = begin,
          .end = end,
          .kind = TimelineBar::Kind::upload,
          .what = "copy up",
          .bytes = bytes,
          .set = set};
}
inline TimelineBar copyDown(std::size_t row, double begin, double end, std::optional<std::size_t> set = {}) {
  return {.row = row,
          .begin = begin,
          .end = end,
          .kind = TimelineBar::Kind::download,
          .what = "copy down",
          .bytes = 100,
          .set = set};
}
inline TimelineBar kernel(std::size_t row, double begin, double end, std::optional<std::size_t> set = {},
                          const char* what = "fused.v1") {
  return {.row = row, .begin = begin, .end = end, .what = what, .set = set};
}
inline TimelineBar hostWaits(double begin, double end) {
  return {.begin = begin, .end = end, .kind = TimelineBar::Kind::wait, .what = "wait for queue 1"};
}

/// Two sets on two queues: the second set's copy lasts from 10 to 30, and a kernel of the first runs from 10
/// to 25 and one of the second from 30 to 40. Results come down from 40 to 44, after which the host waits up
/// to 50.
inline Timeline twoSets(TimelineClock clock = TimelineClock::events) {
  return Timeline(handRows(2),
                  {copyUp(1, 0, 10, 0), copyUp(2, 0, 30, 1), kernel(1, 10, 25, 0), kernel(2, 30, 40, 1),
                   copyDown(2, 40, 44, 1), hostWaits(1, 50)},
                  clock);
}

} // namespace lloyd::test
