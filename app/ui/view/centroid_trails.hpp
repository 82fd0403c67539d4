// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/projection.hpp"
#include "app/render/camera/camera.hpp"
#include "gpu/engine/clustering.hpp"

#include <QElapsedTimer>

#include <glm/glm.hpp>

#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace lloyd {

/// Where the centroids are shown: at the newest result, or on their way there when iterations are slow enough
/// to be followed one by one. Keeps the trails. Positions are in drawn coordinates: the first three columns,
/// or what a projection makes of all; a 1-D centroid is a value on the second axis.
class CentroidTrails {
public:
  /// rate: iterations a second, 0 for as many as frames. Below 10 a second centroids glide.
  void take(const IterationResult& result, int d, double rate);
  void clear();
  /// By which axes they are drawn from now on; null: by their first columns. Trails by other axes end.
  void setProjection(SharedProjection projection);
  /// Has them come, for so long, from where they were in another box to the same place in this one.
  void glideFrom(const std::vector<glm::dvec3>& places, const Bounds& box, const Bounds& now, double ms);

  /// Ends what glides: they are where they are going.
  void arrive() { glideMs_ = 0; }

  /// The others, and their trails, are neither drawn nor pointed to; nothing: all are.
  void showAlone(std::optional<int> cluster) { alone_ = cluster; }
  [[nodiscard]] std::optional<int> alone() const { return alone_; }
  [[nodiscard]] bool shows(std::size_t cluster) const {
    return !alone_ || static_cast<std::size_t>(*alone_) == cluster;
  }

  /// Where they are now.
  [[nodiscard]] std::vector<glm::dvec3> positions() const;
  [[nodiscard]] bool gliding() const;
  [[nodiscard]] const std::deque<std::vector<glm::dvec3>>& trails() const { return trails_; }
  [[nodiscard]] bool empty(int cluster) const;
  [[nodiscard]] int clusters() const { return static_cast<int>(to_.size()); }
  /// All coordinates of a centroid, as the newest result has them.
  [[nodiscard]] std::vector<float> coordinates(int cluster) const;
  /// Those of a centroid that is taken to a place of the drawing: what the axes do not show stays.
  [[nodiscard]] std::vector<float> coordinatesAt(int cluster, glm::dvec3 place) const;

  /// While a person drags a centroid it is where the pointer is, whatever results say.
  void hold(int cluster, glm::dvec3 position);
  /// It stays there until a result that knows of the move arrives.
  void letGo() { released_ = true; }
  [[nodiscard]] std::optional<int> held() const {
    return held_ && !released_ ? std::optional<int>(held_->first) : std::nullopt;
  }

private:
  [[nodiscard]] glm::dvec3 place(std::span<const float> coordinates) const;
  [[nodiscard]] std::vector<glm::dvec3> places(std::span<const float> centroids) const;

  SharedProjection projection_;
  std::vector<glm::dvec3> from_;
  std::vector<glm::dvec3> to_;
  std::vector<float> full_; ///< [k][d]
  std::vector<std::uint32_t> sizes_;
  int d_ = 0;
  double glideMs_ = 0;
  QElapsedTimer since_;
  std::deque<std::vector<glm::dvec3>> trails_;
  std::optional<int> alone_;
  std::optional<std::pair<int, glm::dvec3>> held_;
  bool released_ = false;
};

} // namespace lloyd
