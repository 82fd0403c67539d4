// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/motion.hpp"

namespace lloyd {

Motion::Motion(Device& device, std::size_t n, int d, const float* base,
               std::span<const std::uint8_t> component)
    : device_(device), n_(n), d_(d), stride_(rowStride(n)),
      base_(device, stride_ * static_cast<std::size_t>(d)), component_(device, component) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(d); ++j)
    device.upload(base_.data() + j * stride_, base + j * n, n * sizeof(float));
}

void Motion::moveTo(std::span<const float> shifts, const PointMemory& memory) {
  if (shifts_.size() != shifts.size()) shifts_ = Buffer<float>(device_, shifts.size());
  shifts_.upload(shifts);
  device_.advance({.n = n_,
                   .d = d_,
                   .stride = stride_,
                   .base = base_.data(),
                   .out = memory.nextPositions,
                   .component = component_.data(),
                   .shifts = shifts_.data()});
}

} // namespace lloyd
