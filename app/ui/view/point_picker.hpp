// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

/// Positions to search, soa, and what keeps them alive.
struct PickSource {
  const float* values = nullptr;
  std::size_t n = 0;
  int d = 0;
  std::size_t stride = 0;
  std::shared_ptr<const void> owner;
};

/// Finds the drawn point under a pixel, a chunk at a time, so that a search of millions never holds up the
/// window.
class PointSearch {
public:
  PointSearch(PickSource source, const CameraView& view, glm::dvec2 pixel, double reachPixels);

  /// Looks at the next points; false when all were seen.
  bool advance(std::size_t points);
  [[nodiscard]] std::optional<std::size_t> found() const { return found_; }

private:
  PickSource source_;
  CameraView view_;
  glm::dvec2 pixel_;
  double best_;
  std::size_t next_ = 0;
  std::optional<std::size_t> found_;
};

} // namespace lloyd
