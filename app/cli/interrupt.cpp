// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt.hpp"

#include "gpu/core/contract/error.hpp"

#include <csignal>

namespace lloyd {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void onInterrupt(int signal) {
  flag.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

} // namespace

const std::atomic<bool>& cancelOnInterrupt() {
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  // A terminal that goes away leaves no file half written; under nohup it does not matter.
  if (std::signal(SIGHUP, onInterrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit then fails, and that is said
  return flag;
}

bool interrupted() { return flag.load(std::memory_order_relaxed); }

void throwIfInterrupted() {
  if (interrupted()) throw Cancelled();
}

} // namespace lloyd
