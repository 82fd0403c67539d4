// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/machine_load.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace lloyd {
namespace {

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

} // namespace

MachineWatch::MachineWatch() : begin_(read()) {}

/// The first line of /proc/stat (proc(5)): ticks of user, nice, system, idle, waiting, two kinds of
/// interrupts, stolen.
std::optional<MachineWatch::Reading> MachineWatch::read() {
  std::ifstream file("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, hard = 0, soft = 0, stolen = 0;
  if (!(file >> cpu >> user >> nice >> system >> idle >> waiting >> hard >> soft >> stolen) || cpu != "cpu")
    return std::nullopt;
  rusage usage{};
  const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (::getrusage(RUSAGE_SELF, &usage) != 0 || !(ticks > 0)) return std::nullopt;
  return Reading{.busySeconds = (user + nice + system + hard + soft) / ticks,
                 .stolenSeconds = stolen / ticks,
                 .ownSeconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime),
                 .switches = static_cast<double>(usage.ru_nivcsw),
                 .when = std::chrono::steady_clock::now()};
}

MachineLoad MachineWatch::load() const {
  const std::optional<Reading> end = read();
  if (!begin_ || !end) return {};
  const double seconds = std::chrono::duration<double>(end->when - begin_->when).count();
  // Ticks are hundredths of a second: in less than a few tenths they say nothing.
  constexpr double shortest = 0.3;
  if (seconds < shortest) return {};
  const double busy = end->busySeconds - begin_->busySeconds;
  const double own = end->ownSeconds - begin_->ownSeconds;
  return {.processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)),
          .byOthers = std::max(0.0, busy - own) / seconds,
          .stolen = std::max(0.0, end->stolenSeconds - begin_->stolenSeconds) / seconds,
          .switchedAway = std::max(0.0, end->switches - begin_->switches) / seconds};
}

} // namespace lloyd
