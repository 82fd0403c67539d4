// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"

#include <QObject>
#include <QTimer>

#include <glm/vec2.hpp>

#include <cstddef>
#include <cstdint>
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

/// What colours points in place of their labels: [n].
using PointGroupsPtr = std::shared_ptr<const std::vector<std::int32_t>>;

/// Finds the drawn point under a pixel, a chunk at a time, so that a search of millions never holds up the
/// window.
class PointSearch {
public:
  /// groups: those that are drawn, null for none; hidden points are not found.
  PointSearch(PickSource source, const CameraView& view, glm::dvec2 pixel, double reachPixels,
              PointGroupsPtr groups = nullptr);

  /// Looks at the next points; false when all were seen.
  bool advance(std::size_t points);
  [[nodiscard]] std::optional<std::size_t> found() const { return found_; }

private:
  PickSource source_;
  CameraView view_;
  glm::dvec2 pixel_;
  double best_;
  PointGroupsPtr groups_;
  std::size_t next_ = 0;
  std::optional<std::size_t> found_;
};

/// The newest of such searches, a few milliseconds at a time between other events. GUI thread.
class SteppedSearch : public QObject {
  Q_OBJECT
public:
  explicit SteppedSearch(QObject* parent = nullptr);

  /// Instead of the one before, which then finds nothing.
  void start(PointSearch search);
  void stop();

Q_SIGNALS:
  void found(std::optional<std::size_t> point); ///< of a search that came to its end

private:
  void advance();

  std::optional<PointSearch> search_;
  QTimer step_;
};

} // namespace lloyd
