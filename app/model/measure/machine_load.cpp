// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/machine_load.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace lloyd {
namespace {

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Of nvml.h, which Debian has no free package of; these have been the same since NVML 4.
constexpr int nvmlSuccess = 0;
constexpr int nvmlMoreThanGivenRoom = 7; ///< NVML_ERROR_INSUFFICIENT_SIZE
constexpr unsigned long long powerReasons = 0x04 | 0x80;
constexpr unsigned long long heatReasons = 0x20 | 0x40;
using NoArguments = int (*)();
using HandleByBus = int (*)(const char*, void**);
using Processes = int (*)(void*, unsigned*, void*);
using Reasons = int (*)(void*, unsigned long long*);

template <class Function>
Function find(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));
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

CardWatch::CardWatch(const std::string& busId)
    : library_(busId.empty() ? nullptr : ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) return;
  const auto begin = find<NoArguments>(library_, "nvmlInit_v2");
  const auto handle = find<HandleByBus>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
  if (!begin || !handle || begin() != nvmlSuccess) return;
  if (handle(busId.c_str(), &card_) == nvmlSuccess) return;
  card_ = nullptr;
  if (const auto end = find<NoArguments>(library_, "nvmlShutdown")) end();
}

CardWatch::~CardWatch() {
  const auto end = card_ ? find<NoArguments>(library_, "nvmlShutdown") : nullptr;
  if (end) end();
  if (library_) ::dlclose(library_);
}

void CardWatch::look() {
  if (!card_) return;
  unsigned processes = 0;
  // Asked without room for their list, it tells how many there are.
  if (const auto count = find<Processes>(library_, "nvmlDeviceGetComputeRunningProcesses")) {
    const int code = count(card_, &processes, nullptr);
    if (code == nvmlSuccess || code == nvmlMoreThanGivenRoom) {
      load_.known = true;
      load_.otherProcesses = std::max(load_.otherProcesses, static_cast<int>(processes) - 1);
    }
  }
  unsigned long long reasons = 0;
  if (const auto ask = find<Reasons>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
      ask && ask(card_, &reasons) == nvmlSuccess) {
    load_.known = true;
    load_.powerLimited = load_.powerLimited || (reasons & powerReasons) != 0;
    load_.heatLimited = load_.heatLimited || (reasons & heatReasons) != 0;
  }
}

} // namespace lloyd
