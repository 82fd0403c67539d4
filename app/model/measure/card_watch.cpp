// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/measure/card_watch.hpp"

#include <dlfcn.h>

#include <algorithm>

namespace lloyd {
namespace {

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
