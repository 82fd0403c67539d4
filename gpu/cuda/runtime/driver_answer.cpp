// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/runtime/driver_answer.hpp"

namespace lloyd::cuda {
namespace {

// Numbers of cudaError_t.
constexpr int success = 0;
constexpr int stubLibrary = 34;
constexpr int insufficientDriver = 35;
constexpr int noDevice = 100;
constexpr int launchTimeout = 702;
constexpr int systemDriverMismatch = 803;

std::string capabilityText(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

} // namespace

std::string versionText(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string whyNoDevices(const DriverAnswer& answer) {
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

std::string whyUnusable(const DeviceAnswer& answer) {
  if (answer.prohibited)
    return "its compute mode forbids CUDA; an administrator can allow it with nvidia-smi -c DEFAULT";
  if (answer.capability < answer.oldest)
    return "compute capability " + capabilityText(answer.capability) + " is older than " +
           capabilityText(answer.oldest) + ", the oldest this program is built for";
  return {};
}

std::string meaningOf(int code, const char* words) {
  std::string meaning = words;
  if (code == launchTimeout)
    meaning += " (a card that also draws the screen has its long kernels cut; fewer points or clusters make "
               "them shorter)";
  return meaning;
}

} // namespace lloyd::cuda
