// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lloyd {

class Sequence;

/// One operation as an implementation of Queue gets it; what a kind has no use for is left empty.
struct QueuedOperation {
  enum class Kind { upload, download, copy, fill, launch, record, wait };

  Kind kind = Kind::wait;
  void* to = nullptr;
  const void* from = nullptr;
  int byte = 0;
  std::size_t bytes = 0;
  std::string what = {}; ///< of a launch
  std::function<void(LaunchContext&)> work = {};
  Event* recorded = nullptr;
  const Event* awaited = nullptr;
  CallSite where = {};
};

/// "the upload"; of a launch, what it was named.
[[nodiscard]] std::string nameOf(const QueuedOperation& operation);

/// An order of work on a device, beside the device's own and those of other queues.
///
/// Order: an operation takes effect after those that were given to the same queue before it. Between queues,
/// and between a queue and the device's own calls, there is no order but by events: what is behind a wait()
/// takes effect after what was recorded. The host knows that an operation is done when it has waited for it:
/// by synchronize(), by Device::waitFor() of an event recorded behind it, or by Device::synchronize().
/// Device::upload() and the like are an order of their own, in which nothing waits for a queue.
///
/// Lifetime: host memory is that of Device::allocateHost(), and neither written nor given back before the
/// operation that reads it is done, nor read before the one that writes it is. What the work of a launch
/// refers to lives until the launch was waited for, or the queue has ended: a device may call it at once or
/// as late as that. Events may end when they like. Ending a queue waits for its work, and reports nothing.
///
/// Threads: the device's. Errors: DeviceError, from the call or from any later wait; what was given to queues
/// before that and had not run then need not run any more. The device and its queues stay usable unless the
/// severity says lost. No bytes: nothing is done.
///
/// where is the call's place in the source, for reports of a device that checks (gpu/simt/queue).
class Queue {
public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;

  void upload(void* to, const void* from, std::size_t bytes, CallSite where = CallSite::current()) {
    move(QueuedOperation::Kind::upload, to, from, bytes, where);
  }
  void download(void* to, const void* from, std::size_t bytes, CallSite where = CallSite::current()) {
    move(QueuedOperation::Kind::download, to, from, bytes, where);
  }
  /// Both on the device, not overlapping.
  void copy(void* to, const void* from, std::size_t bytes, CallSite where = CallSite::current()) {
    move(QueuedOperation::Kind::copy, to, from, bytes, where);
  }
  void fill(void* memory, int byte, std::size_t bytes, CallSite where = CallSite::current()) {
    if (bytes == 0) return;
    submit({.kind = QueuedOperation::Kind::fill, .to = memory, .byte = byte, .bytes = bytes, .where = where});
  }
  /// Runs work, which launches kernels and does nothing else to the device. what names it in errors.
  void launch(std::string_view what, std::function<void(LaunchContext&)> work,
              CallSite where = CallSite::current()) {
    submit({.kind = QueuedOperation::Kind::launch,
            .what = std::string(what),
            .work = std::move(work),
            .where = where});
  }
  /// The event stands from now on for the moment at which all before it in this queue is done.
  void record(Event& event, CallSite where = CallSite::current()) {
    submit({.kind = QueuedOperation::Kind::record, .recorded = &event, .where = where});
  }
  /// What follows takes effect after the moment that the event stands for now. It stands for none: nothing is
  /// waited for, which a device that checks reports.
  void wait(const Event& event, CallSite where = CallSite::current()) {
    submit({.kind = QueuedOperation::Kind::wait, .awaited = &event, .where = where});
  }
  /// All operations of a sequence (sequence.hpp), as if each were submitted.
  void repeat(Sequence& sequence);
  /// What follows is work of that one of several sets; none: of no one set. For a queue that records.
  virtual void concerns(std::optional<std::size_t>) {}
  /// The host waits for all work of this queue.
  void synchronize(CallSite where = CallSite::current()) { finish(where); }

  /// For what implements or wraps a queue.
  virtual void submit(QueuedOperation operation) = 0;
  virtual void finish(const CallSite& where) = 0;
  /// Makes of a sequence what submitPrepared() gives at once; false: its operations are submitted instead.
  [[nodiscard]] virtual bool prepare(Sequence&) { return false; }
  virtual void submitPrepared(Sequence&) {}

private:
  void move(QueuedOperation::Kind kind, void* to, const void* from, std::size_t bytes,
            const CallSite& where) {
    if (bytes == 0) return;
    submit({.kind = kind, .to = to, .from = from, .bytes = bytes, .where = where});
  }
};

/// A stage of a variant in a queue, as run() of device.hpp does it in the device's own order: no variant of
/// tiles, and a fused one gets its work memory from the caller, in args.
void run(Queue& queue, Backend backend, const Variant& variant, const ClassifyArgs& args,
         CallSite where = CallSite::current());
void run(Queue& queue, Backend backend, const Variant& variant, const ReduceArgs& args,
         CallSite where = CallSite::current());
void run(Queue& queue, Backend backend, const Variant& variant, const FusedArgs& args,
         CallSite where = CallSite::current());
void run(Queue& queue, Backend backend, const Variant& variant, const UpdateArgs& args,
         CallSite where = CallSite::current());

/// count values of T in host memory that queues copy from and to. Move-only; the device must outlive it. Who
/// looks at the values or changes them says so, so that a device that checks knows.
template <class T>
class HostBuffer {
public:
  HostBuffer() = default;
  HostBuffer(Device& device, std::size_t count, HostMemory kind = HostMemory::pinned,
             CallSite where = CallSite::current())
      : device_(&device), count_(count), kind_(kind) {
    if (count == 0) return;
    data_ = static_cast<T*>(device.allocateHost(count * sizeof(T), kind));
    device.allocatedAt(data_, where);
  }
  HostBuffer(HostBuffer&& other) noexcept
      : device_(other.device_), data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)), kind_(other.kind_) {}
  HostBuffer& operator=(HostBuffer&& other) noexcept {
    HostBuffer taken(std::move(other));
    std::swap(device_, taken.device_);
    std::swap(data_, taken.data_);
    std::swap(count_, taken.count_);
    std::swap(kind_, taken.kind_);
    return *this;
  }
  ~HostBuffer() {
    if (data_) device_->releaseHost(data_, kind_);
  }

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }

  /// For copies by queues: nothing is said of the host.
  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }

  /// The values, which the host reads now. What writes them must have been waited for.
  [[nodiscard]] std::span<const T> read(CallSite where = CallSite::current()) const {
    return read(0, count_, where);
  }
  [[nodiscard]] std::span<const T> read(std::size_t first, std::size_t count,
                                        CallSite where = CallSite::current()) const {
    if (count > 0) device_->hostTouches(data_ + first, count * sizeof(T), HostAccess::read, where);
    return {data_ + first, count};
  }
  /// The values, all of which the host writes now. What reads or writes them must have been waited for.
  [[nodiscard]] std::span<T> write(CallSite where = CallSite::current()) {
    if (count_ > 0) device_->hostTouches(data_, bytes(), HostAccess::write, where);
    return {data_, count_};
  }

private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0;
  HostMemory kind_ = HostMemory::pinned;
};

} // namespace lloyd
