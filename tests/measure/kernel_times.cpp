// SPDX-License-Identifier: GPL-3.0-or-later
// When every kernel of a program began and how long it took by the driver's own clock (CUPTI's activity
// records), in the very run that the program times itself: the same caches, the same clock, the same
// neighbours. A profiler that stops between kernels changes all three.
//
//   CUDA_INJECTION64_PATH=.../liblloyd_kernel_times.so LLOYD_KERNEL_TIMES=TABLE.csv lloydscope bench ...
//
// CUDA loads the library when the program first uses it. TABLE.csv is written when the program ends: a row a
// launch, in the order of their starts, in the shape of "ncu --csv --page raw", which scripts/ncu_table.py
// reads. With LLOYD_COPY_TIMES=1 copies and fills are rows, too, named [copy up], [copy down], [copy] and
// [fill], with their bytes. They are left out otherwise, because recording them takes time from the kernels.
#include <cupti.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::size_t bufferBytes = std::size_t{4} << 20;

/// Says what went wrong; the program that is looked at goes on as if nobody looked.
bool worked(CUptiResult code, const char* call) {
  if (code == CUPTI_SUCCESS) return true;
  const char* words = nullptr;
  static_cast<void>(cuptiGetResultString(code, &words));
  std::fprintf(stderr, "kernel times: %s: %s\n", call, words ? words : "unknown error");
  return false;
}

/// All launches so far, copies and fills among them. Filled by a thread of CUPTI's.
class Launches {
public:
  void add(const char* mangled, std::uint64_t start, std::uint64_t end, std::uint64_t bytes = 0) {
    const std::lock_guard lock(mutex_);
    const auto [name, isNew] = indices_.try_emplace(mangled, names_.size());
    if (isNew) names_.push_back(readable(mangled));
    launches_.push_back({start, end - start, name->second, bytes});
  }
  /// Starts are counted from the first one.
  void write(const char* path) {
    const std::lock_guard lock(mutex_);
    std::stable_sort(launches_.begin(), launches_.end(),
                     [](const Launch& a, const Launch& b) { return a.start < b.start; });
    std::ofstream table(path);
    table << "\"ID\",\"Kernel Name\",\"Start\",\"gpu__time_duration.sum\",\"Bytes\"\n"
             "\"\",\"\",\"ns\",\"ns\",\"byte\"\n";
    for (std::size_t i = 0; i < launches_.size(); ++i)
      table << '"' << i << "\",\"" << names_[launches_[i].name] << "\",\""
            << launches_[i].start - launches_.front().start << "\",\"" << launches_[i].ns << "\",\""
            << launches_[i].bytes << "\"\n";
    if (!table.flush()) std::fprintf(stderr, "kernel times: cannot write %s\n", path);
  }

private:
  struct Launch {
    std::uint64_t start; ///< in nanoseconds of the card's clock
    std::uint64_t ns;
    std::size_t name;
    std::uint64_t bytes;
  };

  static std::string readable(const char* mangled) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                      std::free);
    std::string text = name ? name.get() : mangled;
    for (char& letter : text)
      if (letter == '"') letter = '\'';
    return text;
  }

  std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> indices_;
  std::vector<std::string> names_;
  std::vector<Launch> launches_;
};

/// Lives until after the last record, which comes while the program ends.
Launches& launches() {
  static auto* const all = new Launches; // NOLINT(cppcoreguidelines-owning-memory): never destroyed
  return *all;
}

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* mostRecords) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bufferBytes));
  *size = *buffer ? bufferBytes : 0;
  *mostRecords = 0; // as many as there is room for
}

const char* nameOfCopy(std::uint8_t kind) {
  if (kind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD) return "[copy up]";
  return kind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? "[copy down]" : "[copy]";
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::unique_ptr<std::uint8_t, void (*)(void*)> owned(buffer, std::free);
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
      launches().add(kernel->name, kernel->start, kernel->end);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy6*>(record);
      launches().add(nameOfCopy(copy->copyKind), copy->start, copy->end, copy->bytes);
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
      const auto* fill = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
      launches().add("[fill]", fill->start, fill->end, fill->bytes);
    }
  }
}

void writeAll() {
  if (!worked(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll")) return;
  launches().write(std::getenv("LLOYD_KERNEL_TIMES"));
}

} // namespace

/// CUDA calls it once, by this name, before the program's first use of the driver.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (!std::getenv("LLOYD_KERNEL_TIMES")) {
    std::fprintf(stderr, "kernel times: LLOYD_KERNEL_TIMES must name the table to write\n");
    return 0;
  }
  static_cast<void>(launches());
  std::vector kinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL};
  if (std::getenv("LLOYD_COPY_TIMES")) {
    kinds.push_back(CUPTI_ACTIVITY_KIND_MEMCPY);
    kinds.push_back(CUPTI_ACTIVITY_KIND_MEMSET);
  }
  bool isOn =
      worked(cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer), "cuptiActivityRegisterCallbacks");
  for (const CUpti_ActivityKind kind : kinds)
    isOn = isOn && worked(cuptiActivityEnable(kind), "cuptiActivityEnable");
  if (isOn) static_cast<void>(std::atexit(writeAll));
  return 1;
}
