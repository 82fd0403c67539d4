// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace lloyd {

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
