// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <optional>
#include <string>

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

/// What kept a card from giving all it has while something was measured. Nothing where nobody can tell.
struct CardLoad {
  bool known = false;        ///< the card was asked, and answered
  int otherProcesses = 0;    ///< the most that had work on it beside this one
  bool powerLimited = false; ///< it ran slower to stay within its power
  bool heatLimited = false;  ///< it ran slower to stay cool
};

/// Asks an NVIDIA card what happens on it, through NVML, which comes with the driver (NVML API reference,
/// "Device Queries"). A look takes some microseconds. Knows nothing where the library or the card is missing.
/// One thread.
class CardWatch {
public:
  /// busId: as in DeviceInfo; empty for what is no card.
  explicit CardWatch(const std::string& busId);
  CardWatch(const CardWatch&) = delete;
  CardWatch& operator=(const CardWatch&) = delete;
  ~CardWatch();

  /// To be called while the card works, as it tells of the moment.
  void look();
  [[nodiscard]] const CardLoad& load() const { return load_; } ///< all looks so far

private:
  void* library_ = nullptr; ///< of dlopen()
  void* card_ = nullptr;    ///< nvmlDevice_t; null when nobody can be asked
  CardLoad load_;
};

} // namespace lloyd
