// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/interop/shared_points.hpp"

#include <stdexcept>

namespace lloyd {

std::string_view name(Sharing sharing) {
  constexpr std::string_view names[] = {"none", "staged", "shared"};
  return names[static_cast<std::size_t>(sharing)];
}

Mapping::~Mapping() {
  try {
    points_.unmap(flip_);
  } catch (const std::exception&) {
    // The device was lost while it held the buffers; whoever launched the work has thrown already.
  }
}

DevicePoints::DevicePoints(Device& device, std::size_t n, int d, const float* values, bool moving,
                           Sharing sharing, bool unseen)
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

PointMemory DevicePoints::map() {
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

void DevicePoints::unmap(bool flip) {
  mapped_ = false;
  if (flip) front_ = 1 - front_;
}

} // namespace lloyd
