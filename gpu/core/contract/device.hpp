// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/activity_recorder.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/launch_context.hpp"
#include "gpu/core/contract/variant.hpp"
#include "gpu/core/tiles/tiles.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

class Queue;

/// LLOYD_MEMORY_LIMIT in the environment, in bytes: devices pretend to have no more memory. Anything that is
/// not a whole number counts as no limit.
[[nodiscard]] std::optional<std::size_t> memoryLimit();

/// Bytes that uploads and downloads, of queues too, moved between host and device so far.
struct Traffic {
  std::uint64_t toDevice = 0;
  std::uint64_t toHost = 0;
};

/// A moment in a device's order of work.
class Event {
public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event() = default;
};

/// Work that was recorded once and can be replayed: again and again in one replay, for as long as the work
/// itself says so with repeatLoop(). Belongs to a device, which must outlive it, and to its thread.
class Loop {
public:
  Loop() = default;
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  virtual ~Loop() = default;

  /// Once, and again until a run of the body has said that it was the last, in the device's order of work.
  /// Throws DeviceError, and Cancelled: a CUDA device asks before it starts and then cannot be stopped until
  /// the body has said so, a processor asks all the time.
  virtual void replay() = 0;
};

/// Operations that every device must have and that are not themselves compared. All arguments are device
/// memory.
struct InertiaArgs {
  Problem problem;
  PointView points;
  const float* centroids = nullptr;
  LabelView labels;
  /// [1]; the sum of squared distances is added to it, in double, and on each backend in one order whatever
  /// the threads do, so that equal labels give equal bits.
  double* inertia = nullptr;
};

/// One step of k-means++ (Arthur and Vassilvitskii, 2007) as an exponential race (Efraimidis and Spirakis,
/// 2006): each point draws an exponential variate from (seed, step, index), divides it by its squared
/// distance to the nearest chosen centre, and the smallest key wins. One pass, no prefix sums, and the same
/// winner on every device.
struct SeedArgs {
  Problem problem;
  PointView points;
  /// [1], the winner of the step before, whose point is the centre chosen last: on the device, so that steps
  /// follow each other without the host. Null in the first step, which draws uniformly.
  const std::uint64_t* newest = nullptr;
  /// [n], squared distance to the nearest centre: step 1 is the first that has a centre and writes them all,
  /// those after it read them and write the ones that became less.
  float* nearest = nullptr;
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  /// [1], all bits set on entry; key bits in the high half, the point's index in the low.
  std::uint64_t* winner = nullptr;
};

/// Drifting points: out = base + shift of the point's component, so that a moment is the same however it was
/// reached.
struct AdvanceArgs {
  std::size_t n = 0;
  int d = 0;
  std::size_t stride = 0;                  ///< of base and out
  const float* base = nullptr;             ///< soa
  float* out = nullptr;                    ///< soa, never base
  const std::uint8_t* component = nullptr; ///< [n]
  const float* shifts = nullptr;           ///< [components][d]
};

/// Labels of one width -> labels of another; -1 becomes whatever its low bytes are.
struct ConvertLabelsArgs {
  std::size_t n = 0;
  LabelView from;
  LabelSpan to; ///< not overlapping from
};

/// soa -> aos, for variants that want records.
struct InterleaveArgs {
  std::size_t n = 0;
  int d = 0;
  PointView points;
  float* records = nullptr; ///< [n][d]
};

/// What a backend launches for each operation: the same for every device of it, and for what wraps one.
struct Operations {
  Launch<InertiaArgs> inertia;
  Launch<SeedArgs> seedStep;
  Launch<AdvanceArgs> advance;
  Launch<InterleaveArgs> interleave;
  Launch<ConvertLabelsArgs> convertLabels;
  Launch<OrderTilesArgs> orderTiles; ///< every backend makes the same tiles of the same points
  Launch<WriteTileLabelsArgs> writeTileLabels;
  Launch<ReadTileLabelsArgs> readTileLabels;
  Launch<TileInertiaArgs> tileInertia;
};

/// What the host does to memory that copies are fastest from.
enum class HostAccess { read, write };

/// What an iteration, a seeding or a check is written over. One device is used by one thread at a time. Work
/// is ordered: every call takes effect after the ones before it. All failures throw DeviceError, after which
/// the device is usable unless the severity says lost.
class Device {
public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  [[nodiscard]] virtual const DeviceInfo& info() const noexcept = 0;
  [[nodiscard]] Backend backend() const noexcept { return info().backend; }
  [[nodiscard]] virtual std::size_t freeMemory() const = 0;

  /// Device memory, aligned to 256 bytes, its contents undefined. release() and releaseHost() ignore null,
  /// never throw, and wait for the work of all queues.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  /// Host memory for copies, of a kind where that means something; copies are fastest from pinned memory.
  /// releaseHost() is told the same kind.
  [[nodiscard]] virtual void* allocateHost(std::size_t bytes, HostMemory kind) = 0;
  virtual void releaseHost(void* memory, HostMemory kind) noexcept = 0;

  virtual void upload(void* to, const void* from, std::size_t bytes) = 0; ///< returns when from may be reused
  virtual void download(void* to, const void* from,
                        std::size_t bytes) = 0; ///< returns when to holds the bytes
  virtual void copy(void* to, const void* from,
                    std::size_t bytes) = 0; ///< both on the device, not overlapping
  virtual void fill(void* memory, int byte, std::size_t bytes) = 0;

  /// Runs work, which launches a variant or an operation, in this device's order. what names it in errors.
  virtual void launch(std::string_view what, const std::function<void(LaunchContext&)>& work) = 0;
  /// Records body, which launches kernels with launchKernel() and does nothing else to the device, under
  /// what. It may be called before, to be described, and is kept: what it refers to must outlive the loop.
  /// Which arguments and shapes it launches with is decided now. On a device that cannot repeat anything by
  /// itself, a replay calls it.
  [[nodiscard]] virtual std::unique_ptr<Loop> recordLoop(std::string_view what,
                                                         std::function<void(LaunchContext&)> body) = 0;

  [[nodiscard]] virtual const Operations& operations() const noexcept = 0;
  void inertia(const InertiaArgs& args) { run("inertia", operations().inertia, args); }
  void seedStep(const SeedArgs& args) { run("seeding", operations().seedStep, args); }
  void advance(const AdvanceArgs& args) { run("advancing points", operations().advance, args); }
  void interleave(const InterleaveArgs& args) { run("interleaving", operations().interleave, args); }
  void convertLabels(const ConvertLabelsArgs& args) {
    run("converting labels", operations().convertLabels, args);
  }
  void orderTiles(const OrderTilesArgs& args) { run("ordering points", operations().orderTiles, args); }
  void writeTileLabels(const WriteTileLabelsArgs& args) {
    run("writing labels", operations().writeTileLabels, args);
  }
  void readTileLabels(const ReadTileLabelsArgs& args) {
    run("reading labels", operations().readTileLabels, args);
  }
  void tileInertia(const TileInertiaArgs& args) { run("inertia", operations().tileInertia, args); }

  [[nodiscard]] virtual std::unique_ptr<Event> createEvent() = 0;
  virtual void record(Event& event) = 0;
  /// Both events must have been recorded; waits for them. Never negative.
  [[nodiscard]] virtual double elapsedUs(const Event& from, const Event& to) = 0;
  /// Waits for all work, that of all queues too; faults of kernels that ran earlier are thrown here at the
  /// latest.
  virtual void synchronize() = 0;

  /// An order of work of its own beside the device's (queue.hpp), whose thread is the device's. It must end
  /// before the device does.
  [[nodiscard]] virtual std::unique_ptr<Queue> createQueue() = 0;
  /// The host waits for the work that was recorded with event last, wherever that was. Nothing was: nothing
  /// is waited for, which a device that checks reports.
  void waitFor(const Event& event, CallSite where = CallSite::current()) { waitForEvent(event, where); }
  /// Whether that work is done; true where nothing was recorded. Nothing is ordered by asking: what the work
  /// has written may be read behind a wait alone.
  [[nodiscard]] virtual bool hasReached(const Event& event) = 0;
  /// The host is about to read or write memory of allocateHost(): said for a device that checks who may.
  virtual void hostTouches(const void*, std::size_t, HostAccess, const CallSite&) {}
  /// Where in the source memory was allocated, for such a device's reports.
  virtual void allocatedAt(const void*, const CallSite&) {}

  /// The clock that this device's cores run at now, MHz, by a probe that keeps one of them busy for some tens
  /// of microseconds; waits for all work. 0 when it cannot be told.
  [[nodiscard]] virtual double clockMhz() { return 0; }

  /// The device's own record of when it does what; null where it keeps none. It ends before the device does.
  [[nodiscard]] virtual std::unique_ptr<ActivityRecorder> createActivityRecorder() { return nullptr; }

  /// Calls work with memory to launch in, which is kept for the next launch, of whatever variant. What is
  /// cleared is cleared again after work that threw.
  void lendWorkMemory(const WorkBytes& bytes, const std::function<void(const WorkMemory&)>& work);

  [[nodiscard]] virtual Traffic traffic() const { return traffic_; }

  /// While cancel is true, work throws Cancelled soon. Not owned; null for none.
  void setCancel(const std::atomic<bool>* cancel) { cancel_ = cancel; }
  [[nodiscard]] const std::atomic<bool>* cancel() const { return cancel_; }
  /// Sleeps; throws Cancelled soon after cancel() became true.
  void rest(double seconds) const;
  /// While ending is true the process is about to end, which gives back all memory at once and stops what a
  /// card still works at: no memory is given back before, because that waits. Not owned; null for none.
  void setEnding(const std::atomic<bool>* ending) { ending_ = ending; }

protected:
  virtual void waitForEvent(const Event& event, const CallSite& where) = 0;
  Traffic traffic_; ///< counted by each implementation
  /// For destructors of implementations, while they can still release.
  void releaseWorkMemory() noexcept;
  [[nodiscard]] bool ending() const { return ending_ && ending_->load(std::memory_order_relaxed); }

private:
  template <class Args>
  void run(std::string_view what, Launch<Args> operation, const Args& args) {
    launch(what, [&](LaunchContext& context) { operation(args, context); });
  }

  const std::atomic<bool>* cancel_ = nullptr;
  const std::atomic<bool>* ending_ = nullptr;
  WorkMemory work_;
  WorkBytes workBytes_;
  bool workIsClear_ = false;
};

/// Labels in device memory, in input order -> labels in host memory, as Label, whatever their
/// width.
void downloadLabels(Device& device, const LabelView& from, std::span<Label> to);

/// Throws std::invalid_argument when args are not what a fused variant can be given: labels of its width, and
/// a known box.
void requireFusedArgs(const Variant& variant, const FusedArgs& args);

/// Runs one stage of a variant on a device. The variant must be able to (Variant::whyNot). A variant of tiles
/// that is given none makes them for this one call, and writes labels; one that is given some writes the
/// tiles' labels alone, which are those of args if these are tiled and else the tiles' own, and leaves it
/// to the caller to keep them.
void run(Device& device, const Variant& variant, const ClassifyArgs& args);
void run(Device& device, const Variant& variant, const ReduceArgs& args);
void run(Device& device, const Variant& variant, const FusedArgs& args);
void run(Device& device, const Variant& variant, const UpdateArgs& args);
void run(Device& device, const Variant& variant, const LayoutArgs& args);

/// count values of T in device memory. Move-only; the device must outlive it.
template <class T>
class Buffer {
public:
  Buffer() = default;
  Buffer(Device& device, std::size_t count, CallSite where = CallSite::current())
      : device_(&device), count_(count) {
    if (count == 0) return;
    data_ = static_cast<T*>(device.allocate(count * sizeof(T)));
    device.allocatedAt(data_, where);
  }
  Buffer(Device& device, std::span<const T> values, CallSite where = CallSite::current())
      : Buffer(device, values.size(), where) {
    upload(values);
  }
  Buffer(Buffer&& other) noexcept
      : device_(other.device_), data_(std::exchange(other.data_, nullptr)),
        count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    std::swap(device_, taken.device_);
    std::swap(data_, taken.data_);
    std::swap(count_, taken.count_);
    return *this;
  }
  ~Buffer() {
    if (data_) device_->release(data_);
  }

  [[nodiscard]] T* data() { return data_; }
  [[nodiscard]] const T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(T); }

  void upload(std::span<const T> values) {
    if (!values.empty()) device_->upload(data_, values.data(), values.size_bytes());
  }
  [[nodiscard]] std::vector<T> download() const {
    std::vector<T> values(count_);
    if (count_ > 0) device_->download(values.data(), data_, bytes());
    return values;
  }
  void fill(int byte) {
    if (count_ > 0) device_->fill(data_, byte, bytes());
  }

private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// n rounded up so that every row of a structure of arrays starts on a 128-byte line.
[[nodiscard]] constexpr std::size_t rowStride(std::size_t n) { return (n + 31) / 32 * 32; }

} // namespace lloyd
