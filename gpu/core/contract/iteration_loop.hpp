// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/tiled_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
  IterationLoop(Device& device, const LoopSubject& subject);
  IterationLoop(const IterationLoop&) = delete;
  IterationLoop& operator=(const IterationLoop&) = delete;

  [[nodiscard]] const LoopSubject& subject() const { return subject_; }
  /// Whether what is or will be recorded is right for a subject.
  [[nodiscard]] bool isFor(const LoopSubject& subject) const;

  /// Where the next replay starts, host [k][d], and its parameters: one copy to the device. The replays after
  /// it go on from where the one before ended, with the same parameters. Tiles take their labels from the
  /// points.
  void start(std::span<const float> centroids, const LoopParams& params);
  /// The same without new centroids.
  void setParams(const LoopParams& params);
  /// At most LoopParams::most iterations; does not wait for them on a device that does not make it.
  void replay();
  /// One iteration whatever its parameters, launched as kernels are that nobody repeats: for a profiler,
  /// which cannot see into what a device repeats.
  void launchOnce();
  /// Waits, and copies all that a replay left to the host at once. Points take their labels from the tiles.
  [[nodiscard]] LoopState read() const;

  [[nodiscard]] const float* centroids() const { return args_.centroids; } ///< device memory
  [[nodiscard]] const IterateArgs& args() const { return args_; }

private:
  void clear();
  void launch(LaunchContext& context) const;

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
