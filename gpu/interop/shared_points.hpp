// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <memory>
#include <stdexcept>
#include <string_view>

namespace lloyd {

/// How the points drawn and the points computed on are related.
enum class Sharing {
  none,   ///< nothing is drawn, or computing and drawing share the CPU's memory by copies
  staged, ///< the device has its own copy; results reach OpenGL through pinned host memory
  shared  ///< the OpenGL buffers are the device's memory
};
[[nodiscard]] inline std::string_view name(Sharing sharing) {
  constexpr std::string_view names[] = {"none", "staged", "shared"};
  return names[static_cast<std::size_t>(sharing)];
}

/// The memory of one iteration, valid while it is mapped. Points that stand still have nextPositions ==
/// nullptr.
struct PointMemory {
  float* positions = nullptr; ///< soa, row stride below; what this iteration classifies
  std::size_t stride = 0;
  float* nextPositions = nullptr; ///< soa, same stride; where moving points go before they are classified
  LabelView oldLabels;            ///< [n], the last iteration's
  LabelSpan* labels = nullptr;    ///< [n], this iteration's: who writes them sets their layout
  Box box = {};                   ///< of the points wherever they move to; unknown unless a user fills it in
  bool unseen = false; ///< nobody looks at the labels of iterations, so they may be in the tiled layout

  /// The memory for labels of that layout.
  [[nodiscard]] LabelSpan labelsOf(LabelLayout layout) const {
    labels->width = layout.width;
    labels->tile = layout.tile;
    return *labels;
  }
};

/// Points and labels of one data set that a device computes on and a window may draw. Labels are
/// double-buffered, and so are positions that move: what is being written is never what is being drawn. map()
/// and unmap() alternate; for buffers registered with OpenGL both belong on the thread whose context is
/// current.
class SharedPoints {
public:
  SharedPoints() = default;
  SharedPoints(const SharedPoints&) = delete;
  SharedPoints& operator=(const SharedPoints&) = delete;
  virtual ~SharedPoints() = default;

  [[nodiscard]] virtual Sharing sharing() const = 0;
  /// Throws DeviceError (noSharing when lending failed) and std::logic_error when already mapped.
  [[nodiscard]] virtual PointMemory map() = 0;
  /// flip: the labels (and next positions) just written become the front, which is what is drawn.
  virtual void unmap(bool flip) = 0;
  [[nodiscard]] virtual bool mapped() const = 0;
};

/// Maps for a scope. Unmaps without flipping unless flip() was called: a failed iteration leaves the last
/// complete state.
class Mapping {
public:
  explicit Mapping(SharedPoints& points) : points_(points), memory_(points.map()) {}
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  ~Mapping() {
    try {
      points_.unmap(flip_);
    } catch (const std::exception&) {
      // The device was lost while it held the buffers; whoever launched the work has thrown already.
    }
  }

  [[nodiscard]] const PointMemory& memory() const { return memory_; }
  void flip() { flip_ = true; }

private:
  SharedPoints& points_;
  PointMemory memory_;
  bool flip_ = false;
};

/// Device memory of its own, for the command line and for the paths on which drawing has a copy. Any thread.
class DevicePoints final : public SharedPoints {
public:
  /// values: host, [d][n]. moving adds the second position buffer. unseen: as in PointMemory, and
  /// nobody asks for frontLabels() in input order.
  DevicePoints(Device& device, std::size_t n, int d, const float* values, bool moving,
               Sharing sharing = Sharing::none, bool unseen = false)
      : sharing_(sharing), stride_(rowStride(n)), moving_(moving), unseen_(unseen) {
    const auto rows = static_cast<std::size_t>(d);
    for (int side = 0; side < 2; ++side) {
      labels_[side] = Buffer<Label>(device, n);
      labels_[side].fill(0xff);
      stored_[side] = {labels_[side].data()};
      if (side == 1 && !moving) break;
      positions_[side] = Buffer<float>(device, stride_ * rows);
      positions_[side].fill(0);
      for (std::size_t j = 0; j < rows && n > 0; ++j)
        device.upload(positions_[side].data() + j * stride_, values + j * n, n * sizeof(float));
    }
  }
  [[nodiscard]] Sharing sharing() const override { return sharing_; }
  [[nodiscard]] PointMemory map() override {
    if (mapped_) throw std::logic_error("points mapped twice");
    mapped_ = true;
    const int back = 1 - front_;
    return {.positions = positions_[moving_ ? front_ : 0].data(),
            .stride = stride_,
            .nextPositions = moving_ ? positions_[back].data() : nullptr,
            .oldLabels = stored_[front_],
            .labels = &stored_[back],
            .unseen = unseen_};
  }
  void unmap(bool flip) override {
    mapped_ = false;
    if (flip) front_ = 1 - front_;
  }
  [[nodiscard]] bool mapped() const override { return mapped_; }

  [[nodiscard]] LabelView frontLabels() const { return stored_[front_]; }
  [[nodiscard]] const float* frontPositions() const { return positions_[moving_ ? front_ : 0].data(); }
  [[nodiscard]] std::size_t stride() const { return stride_; }

private:
  Sharing sharing_;
  std::size_t stride_;
  bool moving_;
  bool unseen_;
  Buffer<float> positions_[2];
  Buffer<Label> labels_[2];
  LabelSpan stored_[2]; ///< what labels_ hold
  int front_ = 0;
  bool mapped_ = false;
};

/// The two OpenGL position buffers (the second 0 when points stand still) and the two label buffers of one
/// drawing.
struct GlPointBuffers {
  unsigned positions[2] = {0, 0};
  unsigned labels[2] = {0, 0};
  LabelWidth labelWidths[2] = {LabelWidth::four, LabelWidth::four}; ///< of what they hold now
  std::size_t n = 0;
  int d = 0;
  std::size_t stride = 0; ///< of a row of positions, in floats
};

/// OpenGL's buffers, registered with CUDA. Needs the context that owns them to be current, here and in every
/// later call, the destructor included. device must be a CUDA device. Throws DeviceError with severity
/// noSharing when the window is drawn by something else; the failed call's error is cleared. Without CUDA in
/// this build it always throws so. What is drawn is front(); while an iteration is mapped CUDA writes the
/// back buffers only.
class RegisteredPoints : public SharedPoints {
public:
  /// 0 or 1: the index of the buffers to draw.
  [[nodiscard]] virtual int front() const = 0;
  /// Of the labels to draw, which are in input order.
  [[nodiscard]] virtual LabelWidth frontWidth() const = 0;
};
[[nodiscard]] std::unique_ptr<RegisteredPoints> registerPoints(Device& device, const GlPointBuffers& buffers);

/// Copies points (host, [d][n]) to all of the position buffers, which must not be registered: several times
/// as fast as OpenGL does it. As registerPoints() needs and throws; then the buffers hold nothing of use.
void fillPositions(Device& device, const GlPointBuffers& buffers, const float* values);

} // namespace lloyd
