// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>

namespace lloyd {

/// What else the machine's processors did while something was measured. All 0 where the system does not say.
struct MachineLoad {
  int processors = 0;
  double byOthers = 0;     ///< processors kept busy by other processes, on average: 1 is a whole one
  double stolen = 0;       ///< processors that the host of a virtual machine gave to others
  double switchedAway = 0; ///< times a second that this process lost a processor to another one

  /// So much that times measured on the processors say little.
  [[nodiscard]] bool busy() const { return byOthers > 0.2 || stolen > 0.1; }
};

/// Watches the machine from its construction on. Linux; elsewhere there is nothing to tell. Any thread.
class MachineWatch {
public:
  MachineWatch();
  [[nodiscard]] MachineLoad load() const;

private:
  struct Reading {
    double busySeconds = 0; ///< of all processors, by anybody
    double stolenSeconds = 0;
    double ownSeconds = 0; ///< of this process
    double switches = 0;   ///< of this process, not of its own will
    std::chrono::steady_clock::time_point when;
  };
  [[nodiscard]] static std::optional<Reading> read();

  std::optional<Reading> begin_;
};

} // namespace lloyd
