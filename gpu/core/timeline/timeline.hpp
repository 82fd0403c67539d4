// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Where the times of a timeline come from: from the card's own record; from pairs of events on the card;
/// from the host's clock, on a device that has done each operation when its call returns; from the order of
/// steps alone, whose unit is a step and not a microsecond; or from a model that counts cycles.
enum class TimelineClock { card, events, host, steps, cycles };
/// "card's own record", "events", "host clock", "order of steps, no seconds", "cycles of a model"
[[nodiscard]] std::string_view name(TimelineClock clock);

/// Who does something, one thing after the other: the host's thread, a queue, one of the card's engines that
/// copy, up to the device or down from it; in a model a warp, or the scheduler that chooses among warps.
struct TimelineRow {
  enum class Kind { host, queue, up, down, warp, scheduler };
  Kind kind = Kind::host;
  std::string name;

  /// A queue's bars are on the card once; those of engines are its copies again.
  [[nodiscard]] bool isEngine() const { return kind == Kind::up || kind == Kind::down; }
};

/// Something that took place in a row. Times are microseconds, steps or cycles, from the beginning of the
/// record.
struct TimelineBar {
  /// give is the host's, it gives an operation to a queue; wait the host's or a warp's. From arithmetic on a
  /// warp's instructions, and a barrier is also what a warp waits at; busy and idle are a scheduler's.
  enum class Kind {
    upload,
    download,
    copy,
    fill,
    kernel,
    give,
    wait,
    arithmetic,
    load,
    store,
    shared,
    barrier,
    busy,
    idle
  };
  std::size_t row = 0;
  double begin = 0;
  double end = 0;
  Kind kind = Kind::kernel;
  std::string what = {};               ///< the variant of a launch; else what a person calls it
  std::uint64_t bytes = 0;             ///< of copies and fills
  std::optional<std::size_t> set = {}; ///< whose work it was, from 0; none: of no one set

  [[nodiscard]] double length() const { return end - begin; }
};
inline constexpr std::size_t timelineKinds = 14;
/// "copy up", "copy down", "copy on the card", "fill", "kernel", "give", "wait", "arithmetic", "load",
/// "store", "shared memory", "barrier", "issues", "nothing to issue"
[[nodiscard]] std::string_view name(TimelineBar::Kind kind);

/// Which row did what when, in one run. Immutable.
class Timeline {
public:
  Timeline() = default;
  /// rows: the host's and the queues'; a row is added for each engine that has something to copy, whose bars
  /// are the queues' copies. An engine does one copy at a time, so that there a copy begins when the one
  /// before it has ended. missing: operations that are not in the record, which was full.
  /// Throws std::invalid_argument for a row that is not there, an engine's row, and a bar that ends before it
  /// begins or is not finite.
  Timeline(std::vector<TimelineRow> rows, std::vector<TimelineBar> bars, TimelineClock clock,
           std::size_t missing = 0);

  [[nodiscard]] const std::vector<TimelineRow>& rows() const { return rows_; }
  /// Row after row, and by their begin in each.
  [[nodiscard]] const std::vector<TimelineBar>& bars() const { return bars_; }
  [[nodiscard]] std::span<const TimelineBar> barsOf(std::size_t row) const;
  [[nodiscard]] TimelineClock clock() const { return clock_; }
  [[nodiscard]] bool hasSeconds() const { return clock_ < TimelineClock::steps; }
  [[nodiscard]] std::size_t missing() const { return missing_; }
  [[nodiscard]] bool empty() const { return bars_.empty(); }
  /// Of all bars; 0 without any.
  [[nodiscard]] double begin() const { return begin_; }
  [[nodiscard]] double end() const { return end_; }

private:
  void addEngine(TimelineRow::Kind kind, TimelineBar::Kind copies, const char* name);

  std::vector<TimelineRow> rows_;
  std::vector<TimelineBar> bars_;
  std::vector<std::size_t> firsts_; ///< the first bar of each row, and the end of the last
  TimelineClock clock_ = TimelineClock::host;
  std::size_t missing_ = 0;
  double begin_ = 0;
  double end_ = 0;
};
using TimelinePtr = std::shared_ptr<const Timeline>;

} // namespace lloyd
