// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a driver says before a device is made, in numbers, so that builds without CUDA can be asked for the
// sentences.
#include <string>

namespace lloyd::cuda {

/// Numbers of cudaError_t.
enum Code {
  success = 0,
  stubLibrary = 34,
  insufficientDriver = 35,
  noDevice = 100,
  launchTimeout = 702,
  systemDriverMismatch = 803
};

/// A CUDA version as CUDA counts it: "13.0" for 13000.
[[nodiscard]] inline std::string versionText(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The answer to the question how many devices there are.
struct DriverAnswer {
  int code = 0;             ///< CUDA's own
  const char* meaning = ""; ///< CUDA's words for it
  int driver = 0;           ///< the CUDA version that the driver supports; 0 without a driver
  int runtime = 0;          ///< the CUDA version of this program
  bool chosen = false;      ///< CUDA_VISIBLE_DEVICES names the devices to be seen
};
/// Why there is no device, and the cure.
[[nodiscard]] inline std::string whyNoDevices(const DriverAnswer& answer) {
  switch (answer.code) {
  case insufficientDriver:
  case stubLibrary:
    if (answer.driver == 0)
      return "no NVIDIA driver was found; to compute on an NVIDIA GPU, install its driver for CUDA " +
             versionText(answer.runtime) + " or newer";
    return "the NVIDIA driver supports CUDA " + versionText(answer.driver) + " and this program needs " +
           versionText(answer.runtime) + "; update the driver";
  case success:
  case noDevice:
    if (answer.chosen) return "CUDA sees no GPU, and CUDA_VISIBLE_DEVICES is set; unset it to use every GPU";
    return "the NVIDIA driver finds no GPU that CUDA can use";
  case systemDriverMismatch:
    return "the NVIDIA driver's parts are of different versions; restart the machine after an update of the "
           "driver";
  default:
    return std::string("CUDA does not start: ") + answer.meaning + " (error " + std::to_string(answer.code) +
           ")";
  }
}

/// What decides whether a device that is there can be used. Compute capabilities are major * 10 + minor.
struct DeviceAnswer {
  int capability = 0;
  int oldest = 0; ///< that something in this build runs on
  bool prohibited = false;
};
/// Empty when it can.
[[nodiscard]] inline std::string whyUnusable(const DeviceAnswer& answer) {
  const auto capabilityText = [](int capability) {
    return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  };
  if (answer.prohibited)
    return "its compute mode forbids CUDA; an administrator can allow it with nvidia-smi -c DEFAULT";
  if (answer.capability < answer.oldest)
    return "compute capability " + capabilityText(answer.capability) + " is older than " +
           capabilityText(answer.oldest) + ", the oldest this program is built for";
  return {};
}

/// CUDA's words for an error, with the cure where they have none.
[[nodiscard]] inline std::string meaningOf(int code, const char* text) {
  std::string meaning = text;
  if (code == launchTimeout)
    meaning += " (a card that also draws the screen has its long kernels cut; fewer points or clusters make "
               "them shorter)";
  return meaning;
}

} // namespace lloyd::cuda
