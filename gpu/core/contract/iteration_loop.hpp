// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/tiled_points.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

namespace lloyd {

/// What whole iterations are recorded for. Replays differ in nothing of it.
struct LoopSubject {
  const Variant* schedule = nullptr; ///< has Stage::iterate on the device
  const Variant* fused = nullptr;    ///< what it repeats
  Tuning tuning;                     ///< of fused
  Problem problem;
  PointView points; ///< in the layout that fused wants, with a known box
  LabelSpan labels; ///< [n], of fused's width, read and written in place
  /// The points in order, for a fused variant of tiles, which then has its labels there. Null: the loop
  /// orders them itself. Not owned; it must outlive the loop.
  TiledPoints* tiled = nullptr;

  bool operator==(const LoopSubject&) const = default;
};

/// What the device holds after a replay.
struct LoopState {
  LoopOutcome outcome;
  std::vector<float> centroids; ///< [k][d], the next ones
  std::vector<float> used;      ///< [k][d], with which the labels were found
  std::vector<std::uint32_t> sizes;
};

/// Whole iterations of one problem, recorded once and replayed with whatever centroids and parameters. Owns
/// all memory that they work in but for points, labels and tiles that it is given, which must stay where they
/// are while it is replayed. The device must outlive it; one thread at a time.
class IterationLoop {
public:
  /// Makes its memory; what is recorded is recorded by the first replay. Throws DeviceError;
  /// std::invalid_argument for labels or a box that fused cannot use.
  IterationLoop(Device& device, const LoopSubject& subject)
      : device_(device), subject_(subject), block_(device, LoopLayout(subject.problem).bytes) {
    const LoopLayout layout(subject.problem);
    block_.fill(0); // what lies between its parts is read with them
    const auto place = [&]<class T>(T*& pointer, std::size_t offset) {
      pointer = reinterpret_cast<T*>(block_.data() + offset);
    };
    FusedArgs& pass = args_.pass;
    pass.problem = subject.problem;
    pass.points = subject.points;
    pass.oldLabels = pass.labels = subject.labels;
    pass.tuning = subject.fused->complete(subject.tuning);
    place(pass.changed, layout.changed);
    place(pass.counts, layout.counts);
    place(pass.sums, layout.sums);
    place(args_.done, layout.done);
    place(args_.centroids, layout.centroids);
    place(args_.used, layout.used);
    place(args_.sizes, layout.sizes);
    place(args_.outcome, layout.outcome);
    args_.params = reinterpret_cast<const LoopParams*>(block_.data() + layout.params);
    args_.fused = subject.fused;
    pass.centroids = args_.centroids;
    requireFusedArgs(*subject.fused, pass);
    if (subject.fused->info.tileSize) {
      const unsigned size = subject.fused->info.tileSize(subject.problem, pass.tuning);
      if (!subject.tiled)
        ownTiles_.emplace(device, subject.problem.n, subject.problem.d, size).order(subject.points);
      tiled_ = subject.tiled ? subject.tiled : &*ownTiles_;
      pass.tiles = tiled_->argsInPlace();
    }
    if (subject.fused->info.workBytes) {
      const WorkBytes bytes = subject.fused->info.workBytes(subject.problem, pass.tuning);
      workCleared_ = Buffer<std::byte>(device, bytes.cleared);
      workScratch_ = Buffer<std::byte>(device, bytes.scratch);
      pass.work = {workCleared_.data(), workScratch_.data()};
    }
  }
  IterationLoop(const IterationLoop&) = delete;
  IterationLoop& operator=(const IterationLoop&) = delete;

  [[nodiscard]] const LoopSubject& subject() const { return subject_; }
  /// Whether what is or will be recorded is right for a subject.
  [[nodiscard]] bool isFor(const LoopSubject& subject) const {
    // A single pass leaves the labels of tiles elsewhere.
    return subject_ == subject &&
           (!tiled_ || args_.pass.tiles.labels.tiles == tiled_->argsInPlace().labels.tiles);
  }

  /// Where the next replay starts, host [k][d], and its parameters: one copy to the device. The replays after
  /// it go on from where the one before ended, with the same parameters. Tiles take their labels from the
  /// points.
  void start(std::span<const float> centroids, const LoopParams& params) {
    const LoopLayout layout(subject_.problem);
    if (centroids.size() != subject_.problem.centroidValues())
      throw std::invalid_argument("centroids are not k x d values");
    std::vector<std::byte> bytes(layout.centroids - layout.params + centroids.size_bytes());
    std::memcpy(bytes.data(), &params, sizeof(params));
    std::memcpy(bytes.data() + (layout.centroids - layout.params), centroids.data(), centroids.size_bytes());
    device_.upload(block_.data() + layout.params, bytes.data(), bytes.size());
    if (!tiled_) return;
    if (params.fresh != 0)
      tiled_->forgetLabels();
    else
      tiled_->takeLabels(subject_.labels);
  }
  /// The same without new centroids.
  void setParams(const LoopParams& params) {
    device_.upload(block_.data() + LoopLayout(subject_.problem).params, &params, sizeof(params));
  }
  /// At most LoopParams::most iterations; does not wait for them on a device that does not make it.
  void replay() {
    if (!loop_)
      loop_ =
          device_.recordLoop(subject_.schedule->id(), [this](LaunchContext& context) { launch(context); });
    if (!isClear_) clear();
    isClear_ = false;
    loop_->replay();
    isClear_ = true;
  }
  /// One iteration whatever its parameters, launched as kernels are that nobody repeats: for a profiler,
  /// which cannot see into what a device repeats.
  void launchOnce() {
    clear();
    isClear_ = false; // the count of iterations may stand anywhere
    device_.launch(subject_.schedule->id(), [this](LaunchContext& context) { launch(context); });
  }
  /// Waits, and copies all that a replay left to the host at once. Points take their labels from the tiles.
  [[nodiscard]] LoopState read() const {
    const LoopLayout layout(subject_.problem);
    if (tiled_) tiled_->writeLabels(subject_.labels);
    std::vector<std::byte> bytes(layout.bytes - layout.centroids);
    device_.download(bytes.data(), block_.data() + layout.centroids, bytes.size());
    const std::size_t values = subject_.problem.centroidValues();
    return {.outcome = valuesAt<LoopOutcome>(bytes, layout.outcome - layout.centroids, 1).front(),
            .centroids = valuesAt<float>(bytes, 0, values),
            .used = valuesAt<float>(bytes, layout.used - layout.centroids, values),
            .sizes = valuesAt<std::uint32_t>(bytes, layout.sizes - layout.centroids,
                                             static_cast<std::size_t>(subject_.problem.k))};
  }

  [[nodiscard]] const float* centroids() const { return args_.centroids; } ///< device memory
  [[nodiscard]] const IterateArgs& args() const { return args_; }

private:
  /// Where things lie in a loop's block, each on a 256-byte line of its own: what must be zero, then what the
  /// host writes, then what it reads. Centroids are both.
  struct LoopLayout {
    explicit LoopLayout(const Problem& problem) {
      const auto k = static_cast<std::size_t>(problem.k);
      const auto take = [&](std::size_t size) {
        const std::size_t at = bytes;
        bytes += (size + 255) / 256 * 256;
        return at;
      };
      changed = take(sizeof(std::uint32_t));
      done = take(sizeof(std::uint32_t));
      counts = take(k * sizeof(std::uint32_t));
      sums = take(problem.centroidValues() * sizeof(double));
      cleared = bytes;
      params = take(sizeof(LoopParams));
      centroids = take(problem.centroidValues() * sizeof(float));
      used = take(problem.centroidValues() * sizeof(float));
      sizes = take(k * sizeof(std::uint32_t));
      outcome = take(sizeof(LoopOutcome));
    }
    std::size_t changed = 0, done = 0, counts = 0, sums = 0;
    std::size_t cleared = 0; ///< bytes from the beginning
    std::size_t params = 0, centroids = 0, used = 0, sizes = 0, outcome = 0;
    std::size_t bytes = 0;
  };
  template <class T>
  static std::vector<T> valuesAt(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), bytes.data() + offset, count * sizeof(T));
    return values;
  }

  /// After a replay that was cut short, some of it is not zero.
  void clear() {
    device_.fill(block_.data(), 0, LoopLayout(subject_.problem).cleared);
    workCleared_.fill(0);
  }
  void launch(LaunchContext& context) const {
    subject_.schedule->on(device_.backend()).iterate(args_, context);
  }

  Device& device_;
  LoopSubject subject_;
  Buffer<std::byte> block_;
  Buffer<std::byte> workCleared_;
  Buffer<std::byte> workScratch_;
  std::optional<TiledPoints> ownTiles_;
  TiledPoints* tiled_ = nullptr; ///< these or the subject's; null for variants that want none
  IterateArgs args_;
  bool isClear_ = false;       ///< all that an iteration expects to be zero
  std::unique_ptr<Loop> loop_; ///< null before the first replay
};

} // namespace lloyd
