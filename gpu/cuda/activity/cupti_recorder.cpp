// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda/activity/cupti_recorder.hpp"

#include "gpu/cuda/runtime/optional_library.hpp"

#include <cupti.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace lloyd::cuda {
namespace {

constexpr std::size_t bufferBytes = std::size_t{4} << 20;
constexpr CUpti_ExternalCorrelationKind ours = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;

/// Calls of the runtime are recorded because a record of whose work it was stands before each of them.
constexpr std::array kinds{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                           CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME,
                           CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};

/// Those that give a card nothing to do, of which a wait makes thousands: recording them takes the host time
/// that it lacks for giving work.
constexpr std::array unrecorded{
    CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaEventQuery_v3020,
    CUPTI_RUNTIME_TRACE_CBID_cudaEventRecord_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaStreamWaitEvent_v3020};

/// The library, opened once. It stays, because CUDA keeps what it registers there.
class Library {
public:
  /// Null where there is none.
  static const Library* get() {
    static const Library library;
    return library.complete_ ? &library : nullptr;
  }

  decltype(&cuptiActivityRegisterCallbacks) registerCallbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityEnableRuntimeApi) enableCall = nullptr;
  decltype(&cuptiActivityFlushAll) flushAll = nullptr;
  decltype(&cuptiActivityGetNextRecord) nextRecord = nullptr;
  decltype(&cuptiActivityPushExternalCorrelationId) push = nullptr;
  decltype(&cuptiActivityPopExternalCorrelationId) pop = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;

private:
  Library() {
    // The records' shapes are those of one major version.
    const std::string name = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
    const OptionalLibrary library({name}, {"/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/"});
    complete_ = library && library.find("cuptiActivityRegisterCallbacks", registerCallbacks) &&
                library.find("cuptiActivityEnable", enable) &&
                library.find("cuptiActivityDisable", disable) &&
                library.find("cuptiActivityEnableRuntimeApi", enableCall) &&
                library.find("cuptiActivityFlushAll", flushAll) &&
                library.find("cuptiActivityGetNextRecord", nextRecord) &&
                library.find("cuptiActivityPushExternalCorrelationId", push) &&
                library.find("cuptiActivityPopExternalCorrelationId", pop) &&
                library.find("cuptiGetTimestamp", timestamp);
  }

  bool complete_ = false;
};

/// What CUPTI delivers, by a thread of its own or by the one that flushes.
class Records {
public:
  void clear() {
    const std::lock_guard lock(mutex_);
    operations_.clear();
    spans_.clear();
  }
  void take(const Library& library, std::uint8_t* buffer, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    CUpti_Activity* record = nullptr;
    while (library.nextRecord(buffer, bytes, &record) == CUPTI_SUCCESS)
      add(*record);
  }
  /// zero: nanoseconds of CUPTI's clock, which a card's moments may lie before by some hundred microseconds.
  [[nodiscard]] std::vector<Activity> since(std::uint64_t zero) {
    const std::lock_guard lock(mutex_);
    const auto us = [zero](std::uint64_t moment) {
      return 1e-3 * static_cast<double>(static_cast<std::int64_t>(moment - zero));
    };
    std::vector<Activity> found;
    found.reserve(spans_.size());
    for (const Span& span : spans_)
      if (const auto operation = operations_.find(span.correlation); operation != operations_.end())
        found.push_back({operation->second, us(span.start), us(span.end)});
    return found;
  }

private:
  struct Span {
    std::uint32_t correlation; ///< of the call that gave it to the card
    std::uint64_t start;
    std::uint64_t end;
  };

  void add(const CUpti_Activity& record) {
    const auto addSpan = [this]<class Record>(const Record& r) {
      spans_.push_back({r.correlationId, r.start, r.end});
    };
    switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return addSpan(reinterpret_cast<const CUpti_ActivityKernel10&>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return addSpan(reinterpret_cast<const CUpti_ActivityMemcpy6&>(record));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return addSpan(reinterpret_cast<const CUpti_ActivityMemset4&>(record));
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION: {
      const auto& external = reinterpret_cast<const CUpti_ActivityExternalCorrelation&>(record);
      if (external.externalKind == ours) operations_[external.correlationId] = external.externalId;
      return;
    }
    default:
      return;
    }
  }

  std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::size_t> operations_; ///< by the call's correlation
  std::vector<Span> spans_;
};

/// CUPTI's functions know no context, so that there is one place for what they deliver. It is never
/// destroyed: the last buffer comes while the program ends.
Records& records() {
  static auto* const all = new Records; // NOLINT(cppcoreguidelines-owning-memory)
  return *all;
}

std::atomic<bool> inUse = false;

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* bytes, std::size_t* mostRecords) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *mostRecords = 0; // as many as there is room for
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  const std::unique_ptr<std::uint8_t, void (*)(void*)> owned(buffer, std::free);
  if (const Library* library = Library::get(); library && valid > 0) records().take(*library, buffer, valid);
}

class CuptiRecorder final : public ActivityRecorder {
public:
  explicit CuptiRecorder(const Library& library) : library_(library) {}
  ~CuptiRecorder() override {
    for (std::size_t k = 0; k < enabled_; ++k)
      static_cast<void>(library_.disable(kinds[k]));
    flush();
    records().clear();
    inUse = false;
  }

  /// False when CUPTI refuses, as it does under a profiler.
  [[nodiscard]] bool enable() {
    if (library_.registerCallbacks(giveBuffer, takeBuffer) != CUPTI_SUCCESS) return false;
    while (enabled_ < kinds.size() && library_.enable(kinds[enabled_]) == CUPTI_SUCCESS)
      ++enabled_;
    return enabled_ == kinds.size() && std::ranges::all_of(unrecorded, [this](CUpti_CallbackId call) {
             return library_.enableCall(call, 0) == CUPTI_SUCCESS;
           });
  }

  void start() override {
    flush();
    records().clear();
    static_cast<void>(library_.timestamp(&zero_));
  }
  void give(std::size_t operation, const std::function<void()>& work) override {
    const Region region(library_, operation);
    work();
  }
  [[nodiscard]] std::vector<Activity> stop() override {
    flush();
    return records().since(zero_);
  }

private:
  class Region {
  public:
    Region(const Library& library, std::size_t operation) : library_(library) {
      static_cast<void>(library_.push(ours, operation));
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region() { static_cast<void>(library_.pop(ours, nullptr)); }

  private:
    const Library& library_;
  };

  void flush() const { static_cast<void>(library_.flushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED)); }

  const Library& library_;
  std::size_t enabled_ = 0; ///< of the kinds
  std::uint64_t zero_ = 0;
};

} // namespace

std::unique_ptr<ActivityRecorder> createCuptiRecorder() {
  const Library* const library = Library::get();
  if (!library || inUse.exchange(true)) return nullptr;
  auto recorder = std::make_unique<CuptiRecorder>(*library);
  if (!recorder->enable()) return nullptr;
  return recorder;
}

} // namespace lloyd::cuda
