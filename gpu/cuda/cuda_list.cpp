// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/cuda_check.hpp"
#include "gpu/cuda/cuda_device.hpp"

#include <cstdlib>
#include <fstream>

namespace lloyd {
namespace {

/// The first CUDA version whose graphs have nodes that repeat others for as long as those say.
constexpr int firstWithLoops = 12040;

std::string cudaVersion(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// The CUDA version that the driver supports; 0 when there is no driver.
int driverCudaVersion() {
  int version = 0;
  const cudaError_t code = cudaDriverGetVersion(&version);
  static_cast<void>(cudaGetLastError());
  return code == cudaSuccess ? version : 0;
}

int runtimeVersion() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? version : CUDART_VERSION;
}

/// "580.82.07 (CUDA 13.0)", or the CUDA version alone where the system does not tell the driver's own.
std::string driverText() {
  const std::string cuda = "CUDA " + cudaVersion(driverCudaVersion());
  std::ifstream file("/sys/module/nvidia/version");
  std::string own;
  return file >> own ? own + " (" + cuda + ")" : cuda;
}

std::string whyNoDevices(cudaError_t code) {
  const int driver = driverCudaVersion();
  const int runtime = runtimeVersion();
  switch (code) {
  case cudaErrorInsufficientDriver:
  case cudaErrorStubLibrary:
    if (driver == 0)
      return "no NVIDIA driver was found; to compute on an NVIDIA GPU, install its driver for CUDA " +
             cudaVersion(runtime) + " or newer";
    return "the NVIDIA driver supports CUDA " + cudaVersion(driver) + " and this program needs " +
           cudaVersion(runtime) + "; update the driver";
  case cudaSuccess:
  case cudaErrorNoDevice:
    if (std::getenv("CUDA_VISIBLE_DEVICES")) // NOLINT(concurrency-mt-unsafe)
      return "CUDA sees no GPU, and CUDA_VISIBLE_DEVICES is set; unset it to use every GPU";
    return "the NVIDIA driver finds no GPU that CUDA can use";
  case cudaErrorSystemDriverMismatch:
    return "the NVIDIA driver's parts are of different versions; restart the machine after an update of the "
           "driver";
  default:
    return std::string("CUDA does not start: ") + cudaGetErrorString(code) + " (error " +
           std::to_string(static_cast<int>(code)) + ")";
  }
}

/// Single-precision lanes of a multiprocessor: the datacentre chips before Hopper have half as many as the
/// others.
int lanesOf(int capability) { return capability == 75 || capability == 80 ? 64 : 128; }

/// Operations a second at the highest clock, a multiply-add counted as two; 0 when the driver does not tell
/// the clock.
double peakOperations(int index, int capability, int multiprocessors) {
  int kilohertz = 0;
  if (cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, index) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  return 2.0 * lanesOf(capability) * multiprocessors * kilohertz * 1e3;
}

DeviceInfo describe(int index) {
  DeviceInfo info;
  info.backend = Backend::cuda;
  info.index = index;
  info.name = "CUDA device " + std::to_string(index);
  info.driver = driverText();
  info.runtime = cudaVersion(runtimeVersion());
  cudaDeviceProp properties{};
  const cudaError_t code = cudaGetDeviceProperties(&properties, index);
  if (code != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    info.why = std::string("its properties cannot be read: ") + cudaGetErrorString(code);
    return info;
  }
  info.name = properties.name;
  info.computeCapability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  info.memoryBytes = properties.totalGlobalMem;
  info.threadsPerBlock = properties.maxThreadsPerBlock;
  info.sharedBytesPerBlock = properties.sharedMemPerBlockOptin;
  info.multiprocessors = properties.multiProcessorCount;
  info.l2Bytes = static_cast<std::size_t>(properties.l2CacheSize);

  int computeMode = cudaComputeModeDefault;
  if (cudaDeviceGetAttribute(&computeMode, cudaDevAttrComputeMode, index) != cudaSuccess)
    static_cast<void>(cudaGetLastError());
  const int capability = properties.major * 10 + properties.minor;
  info.repeats = driverCudaVersion() >= firstWithLoops;
  info.peakFlops = peakOperations(index, capability, info.multiprocessors);
  if (computeMode == cudaComputeModeProhibited)
    info.why = "its compute mode forbids CUDA; an administrator can allow it with nvidia-smi -c DEFAULT";
  else if (capability < LLOYD_CUDA_OLDEST)
    info.why = "compute capability " + info.computeCapability + " is older than " +
               std::to_string(LLOYD_CUDA_OLDEST / 10) + "." + std::to_string(LLOYD_CUDA_OLDEST % 10) +
               ", the oldest this program is built for";
  info.usable = info.why.empty();
  return info;
}

} // namespace

CudaDevices listCudaDevices() {
  CudaDevices list;
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (code != cudaSuccess || count == 0) {
    list.why = whyNoDevices(code);
    return list;
  }
  bool anyUsable = false;
  for (int index = 0; index < count; ++index) {
    list.devices.push_back(describe(index));
    anyUsable = anyUsable || list.devices.back().usable;
  }
  if (!anyUsable) list.why = list.devices.front().name + ": " + list.devices.front().why;
  return list;
}

} // namespace lloyd
