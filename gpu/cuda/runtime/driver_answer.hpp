// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a driver says before a device is made, in numbers, so that builds without CUDA can be asked for the
// sentences.
#include <string>

namespace lloyd::cuda {

/// A CUDA version as CUDA counts it: "13.0" for 13000.
[[nodiscard]] std::string versionText(int number);

/// The answer to the question how many devices there are.
struct DriverAnswer {
  int code = 0;             ///< CUDA's own
  const char* meaning = ""; ///< CUDA's words for it
  int driver = 0;           ///< the CUDA version that the driver supports; 0 without a driver
  int runtime = 0;          ///< the CUDA version of this program
  bool chosen = false;      ///< CUDA_VISIBLE_DEVICES names the devices to be seen
};
/// Why there is no device, and the cure.
[[nodiscard]] std::string whyNoDevices(const DriverAnswer& answer);

/// What decides whether a device that is there can be used. Compute capabilities are major * 10 + minor.
struct DeviceAnswer {
  int capability = 0;
  int oldest = 0; ///< that something in this build runs on
  bool prohibited = false;
};
/// Empty when it can.
[[nodiscard]] std::string whyUnusable(const DeviceAnswer& answer);

/// CUDA's words for an error, with the cure where they have none.
[[nodiscard]] std::string meaningOf(int code, const char* words);

} // namespace lloyd::cuda
