// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/nvrtc/own_kernels.hpp"

#include "gpu/cuda/nvrtc/nvrtc.hpp"
#include "gpu/cuda/runtime/cuda_calls.hpp"
#include "gpu/cuda/runtime/cuda_launch.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
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

using KernelFile = std::shared_ptr<const OwnKernelFile>;

/// Kernels of one file that are compiled together, on a thread of their own.
struct Group {
  KernelFile file;
  std::string architecture;
  std::vector<std::string> names;
  std::shared_future<CardCode> code;
  std::map<int, cudaLibrary_t> libraries; ///< by device

  [[nodiscard]] bool has(const OwnKernelFile& of, const std::string& name,
                         const std::string& forArchitecture) const {
    return architecture == forArchitecture && file->path == of.path && file->text == of.text &&
           std::ranges::find(names, name) != names.end();
  }
};

Group begin(const KernelFile& file, const std::string& architecture, const std::vector<std::string>& names) {
  const auto compile = [file, architecture, names] {
    return compileForCard(file->path, file->text, file->headers, names, architecture);
  };
  return {.file = file,
          .architecture = architecture,
          .names = names,
          .code = std::async(std::launch::async, compile).share(),
          .libraries = {}};
}

cudaLibrary_t load(const CardCode& compiled) {
  cudaLibrary_t library = nullptr;
  LLOYD_CUDA(cudaLibraryLoadData(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  return library;
}

std::string architectureOf(int device) {
  int major = 0;
  int minor = 0;
  LLOYD_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  LLOYD_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return architectureOf(std::to_string(major) + "." + std::to_string(minor));
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
    files_.push_back(std::make_shared<const OwnKernelFile>(std::move(file)));
  }

  /// Without those that have been begun.
  void beginAll(const KernelFile& file, const std::string& architecture, std::vector<std::string> names) {
    const std::lock_guard lock(mutex_);
    std::erase_if(names, [&](const std::string& name) {
      return std::ranges::any_of(groups_,
                                 [&](const Group& group) { return group.has(*file, name, architecture); });
    });
    const std::size_t count =
        std::min<std::size_t>(std::max(std::thread::hardware_concurrency(), 1u), names.size());
    for (std::size_t first = 0; first < count; ++first) {
      std::vector<std::string> dealt;
      for (std::size_t i = first; i < names.size(); i += count)
        dealt.push_back(names[i]);
      groups_.push_back(begin(file, architecture, dealt));
    }
  }
  /// Whether kernels of this text were compiled, for which it waits.
  [[nodiscard]] bool isCompiled(const std::string& text, const std::string& architecture) {
    std::vector<std::shared_future<CardCode>> codes;
    {
      const std::lock_guard lock(mutex_);
      for (const Group& group : groups_)
        if (group.architecture == architecture && group.file->text == text) codes.push_back(group.code);
    }
    return std::ranges::any_of(codes, [](const auto& code) { return !code.get().code.empty(); });
  }
  [[nodiscard]] std::vector<std::pair<KernelFile, std::vector<std::string>>>
  named(std::span<const void* const> kernels) {
    const std::lock_guard lock(mutex_);
    std::vector<std::pair<KernelFile, std::vector<std::string>>> found;
    for (const KernelFile& file : files_) {
      std::vector<std::string> names;
      for (const void* kernel : kernels)
        if (const std::string name = file->nameOf(kernel); !name.empty()) names.push_back(name);
      found.emplace_back(file, names);
    }
    return found;
  }

  /// What CUDA launches; of the present device.
  [[nodiscard]] const void* find(const void* kernel) {
    int device = 0;
    LLOYD_CUDA(cudaGetDevice(&device));
    const std::lock_guard lock(mutex_);
    const auto known = loaded_.find({device, kernel});
    if (known != loaded_.end()) return known->second;
    const void* made = make(kernel, device);
    loaded_[{device, kernel}] = made;
    return made;
  }
  [[nodiscard]] std::map<std::string, std::set<std::string>> launched() {
    const std::lock_guard lock(mutex_);
    return launched_;
  }

private:
  [[nodiscard]] const void* make(const void* kernel, int device) {
    for (const KernelFile& file : files_) {
      const std::string name = file->nameOf(kernel);
      if (name.empty()) continue;
      launched_[file->path].insert(name);
      const std::string architecture = architectureOf(device);
      for (Group& group : groups_)
        if (group.has(*file, name, architecture))
          if (const void* made = take(group, name, device)) return made;
      const CardCode compiled = compileForCard(file->path, file->text, file->headers, {name}, architecture);
      const auto lowered = compiled.names.find(name);
      if (compiled.code.empty() || lowered == compiled.names.end())
        throw DeviceError(0, Severity::badRequest, doing, firstError(compiled.log));
      return kernelOf(load(compiled), lowered->second);
    }
    throw DeviceError(0, Severity::badRequest, doing, "it was not compiled for a card");
  }
  /// Null where it did not compile, which may be another kernel's fault.
  [[nodiscard]] static const void* take(Group& group, const std::string& name, int device) {
    const CardCode& compiled = group.code.get();
    const auto lowered = compiled.names.find(name);
    if (compiled.code.empty() || lowered == compiled.names.end()) return nullptr;
    cudaLibrary_t& library = group.libraries[device];
    if (!library) library = load(compiled);
    return kernelOf(library, lowered->second);
  }
  [[nodiscard]] static const void* kernelOf(cudaLibrary_t library, const std::string& lowered) {
    cudaKernel_t kernel = nullptr;
    LLOYD_CUDA(cudaLibraryGetKernel(&kernel, library, lowered.c_str()));
    return kernel;
  }

  std::mutex mutex_;
  std::deque<KernelFile> files_;
  std::deque<Group> groups_;
  std::map<std::pair<int, const void*>, const void*> loaded_; ///< by device and code for the simulator
  std::map<std::string, std::set<std::string>> launched_;     ///< by path
};

} // namespace

std::string whyNoOwnKernels() {
  if (hasNvrtc()) return {};
  return "NVRTC, the part of the CUDA toolkit that compiles while a program runs, was not found "
         "(libnvrtc.so)";
}

std::string compileOwnKernels(const OwnKernelFile& file, const std::string& capability,
                              const std::vector<std::string>& names) {
  const std::string architecture = architectureOf(capability);
  if (names.empty() && OwnKernels::instance().isCompiled(file.text, architecture)) return {};
  const CardCode compiled = compileForCard(file.path, file.text, file.headers, names, architecture);
  return compiled.code.empty() ? firstError(compiled.log) : std::string();
}

void addOwnKernels(OwnKernelFile file) { OwnKernels::instance().add(std::move(file)); }

void beginOwnKernels(const OwnKernelFile& file, const std::string& capability,
                     const std::vector<std::string>& names) {
  OwnKernels::instance().beginAll(std::make_shared<const OwnKernelFile>(file), architectureOf(capability),
                                  names);
}

void beginOwnKernels(std::span<const void* const> kernels, const std::string& capability) {
  OwnKernels& own = OwnKernels::instance();
  for (const auto& [file, names] : own.named(kernels))
    own.beginAll(file, architectureOf(capability), names);
}

std::map<std::string, std::set<std::string>> launchedOwnKernels() {
  return OwnKernels::instance().launched();
}

void launchOwnKernel(LaunchContext& context, const LaunchShape& shape, const void* kernel, void** arguments) {
  if (shape.blocks == 0) return;
  launchUntyped(context, shape, OwnKernels::instance().find(kernel), arguments);
}

} // namespace lloyd::cuda
