// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/nvrtc/own_kernels.hpp"

#include "gpu/cuda/nvrtc/nvrtc.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/cuda/runtime/cuda_launch.hpp"

#include <deque>
#include <mutex>
#include <utility>

namespace lloyd::cuda {
namespace {

constexpr const char* doing = "compiling a kernel of one's own";

std::string architectureOf(const std::string& capability) {
  std::string digits;
  for (const char c : capability)
    if (c != '.') digits += c;
  return "sm_" + digits;
}

/// Its line of a compiler's log; all of a log without one.
std::string firstError(const std::string& log) {
  const std::size_t error = log.find("error:");
  if (error == std::string::npos) return log;
  const std::size_t begin = log.rfind('\n', error);
  const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
  return log.substr(first, log.find('\n', error) - first);
}

/// All files and all kernels that were compiled. Libraries stay loaded as long as the program lives, because
/// nobody can tell when a kernel is launched for the last time, and the driver gives them back at its end.
class OwnKernels {
public:
  [[nodiscard]] static OwnKernels& instance() {
    static OwnKernels kernels;
    return kernels;
  }

  void add(OwnKernelFile file) {
    const std::lock_guard lock(mutex_);
    files_.push_back(std::move(file));
  }

  /// What CUDA launches; of the present device.
  [[nodiscard]] const void* find(const void* kernel) {
    int device = 0;
    LLOYD_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex_);
    const auto known = loaded_.find({device, kernel});
    if (known != loaded_.end()) return known->second;
    const void* made = compile(kernel, device);
    loaded_[{device, kernel}] = made;
    return made;
  }

private:
  [[nodiscard]] const void* compile(const void* kernel, int device) const {
    for (const OwnKernelFile& file : files_) {
      const std::string name = file.nameOf(kernel);
      if (name.empty()) continue;
      int major = 0;
      int minor = 0;
      LLOYD_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
      LLOYD_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
      const CardCode compiled =
          compileForCard(file.path, file.text, file.headers, {name},
                         architectureOf(std::to_string(major) + "." + std::to_string(minor)));
      const auto lowered = compiled.names.find(name);
      if (compiled.code.empty() || lowered == compiled.names.end())
        throw DeviceError(0, Severity::badRequest, doing, firstError(compiled.log));
      cudaLibrary_t library = nullptr;
      LLOYD_CUDA(
          cudaLibraryLoadData(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
      cudaKernel_t loaded = nullptr;
      LLOYD_CUDA(cudaLibraryGetKernel(&loaded, library, lowered->second.c_str()));
      return loaded;
    }
    throw DeviceError(0, Severity::badRequest, doing, "it was not compiled for a card");
  }

  std::mutex mutex_;
  std::deque<OwnKernelFile> files_;
  std::map<std::pair<int, const void*>, const void*> loaded_; ///< by device and code for the simulator
};

} // namespace

std::string whyNoOwnKernels() {
  if (hasNvrtc()) return {};
  return "NVRTC, the part of the CUDA toolkit that compiles while a program runs, was not found "
         "(libnvrtc.so)";
}

std::string compileOwnKernels(const OwnKernelFile& file, const std::string& capability,
                              const std::vector<std::string>& names) {
  const CardCode compiled =
      compileForCard(file.path, file.text, file.headers, names, architectureOf(capability));
  return compiled.code.empty() ? firstError(compiled.log) : std::string();
}

void addOwnKernels(OwnKernelFile file) { OwnKernels::instance().add(std::move(file)); }

void launchOwnKernel(LaunchContext& context, const LaunchShape& shape, const void* kernel, void** arguments) {
  if (shape.blocks == 0) return;
  launchUntyped(context, shape, OwnKernels::instance().find(kernel), arguments);
}

} // namespace lloyd::cuda
