// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/centroid_trails.hpp"

#include <algorithm>

namespace lloyd {

namespace {

constexpr std::size_t trailLength = 48;
constexpr double glidesBelow = 10; ///< iterations a second
constexpr double longestGlideMs = 300;

} // namespace

void CentroidTrails::take(const IterationResult& result, int d, double rate) {
  d_ = d;
  std::vector<glm::dvec3> next = places(result.centroids);
  from_ = positions();
  if (released_) held_.reset();
  const bool glides = rate > 0 && rate < glidesBelow && from_.size() == next.size();
  glideMs_ = glides ? std::min(longestGlideMs, 600.0 / rate) : 0;
  if (trails_.empty() || trails_.back() != next) trails_.push_back(next);
  while (trails_.size() > trailLength)
    trails_.pop_front();
  to_ = std::move(next);
  full_ = result.centroids;
  sizes_ = result.sizes;
  since_.start();
}

glm::dvec3 CentroidTrails::place(std::span<const float> coordinates) const {
  if (projection_) {
    const auto place = projection_->projection.place(coordinates);
    return {place[0], place[1], place[2]};
  }
  if (coordinates.size() == 1) return {0, coordinates[0], 0};
  glm::dvec3 place(0);
  for (std::size_t j = 0; j < std::min<std::size_t>(coordinates.size(), 3); ++j)
    place[static_cast<int>(j)] = coordinates[j];
  return place;
}

std::vector<glm::dvec3> CentroidTrails::places(std::span<const float> centroids) const {
  const auto columns = static_cast<std::size_t>(std::max(1, d_));
  std::vector<glm::dvec3> places;
  for (std::size_t c = 0; c < centroids.size() / columns; ++c)
    places.push_back(place(centroids.subspan(c * columns, columns)));
  return places;
}

void CentroidTrails::setProjection(SharedProjection projection) {
  projection_ = std::move(projection);
  held_.reset();
  trails_.clear();
  to_ = places(full_);
  from_ = to_;
  if (!to_.empty()) trails_.push_back(to_);
}

void CentroidTrails::glideFrom(const std::vector<glm::dvec3>& places, const Bounds& box, const Bounds& now,
                               double ms) {
  if (places.size() != to_.size()) return;
  from_ = places;
  for (glm::dvec3& at : from_)
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = box.extent()[axis];
      const double share = extent > 0 ? (at[axis] - box.low[axis]) / extent : 0.5;
      at[axis] = now.low[axis] + share * now.extent()[axis];
    }
  glideMs_ = ms;
  since_.start();
}

std::vector<float> CentroidTrails::coordinatesAt(int cluster, glm::dvec3 place) const {
  std::vector<float> coordinates = this->coordinates(cluster);
  if (projection_) return projection_->projection.moved(coordinates, {place.x, place.y, place.z});
  if (coordinates.size() == 1) return {static_cast<float>(place.y)};
  for (std::size_t j = 0; j < std::min<std::size_t>(coordinates.size(), 3); ++j)
    coordinates[j] = static_cast<float>(place[static_cast<int>(j)]);
  return coordinates;
}

void CentroidTrails::clear() {
  from_.clear();
  to_.clear();
  full_.clear();
  sizes_.clear();
  trails_.clear();
  held_.reset();
}

bool CentroidTrails::gliding() const {
  return glideMs_ > 0 && since_.isValid() && static_cast<double>(since_.elapsed()) < glideMs_;
}

std::vector<glm::dvec3> CentroidTrails::positions() const {
  std::vector<glm::dvec3> now = to_;
  if (gliding()) {
    const double t = static_cast<double>(since_.elapsed()) / glideMs_;
    const double eased = t * t * (3 - 2 * t);
    for (std::size_t c = 0; c < now.size(); ++c)
      now[c] = from_[c] + (to_[c] - from_[c]) * eased;
  }
  if (held_ && static_cast<std::size_t>(held_->first) < now.size()) {
    now[static_cast<std::size_t>(held_->first)] = held_->second;
  }
  return now;
}

bool CentroidTrails::empty(int cluster) const {
  const auto c = static_cast<std::size_t>(cluster);
  return c < sizes_.size() && sizes_[c] == 0;
}

std::vector<float> CentroidTrails::coordinates(int cluster) const {
  const auto begin = full_.begin() + static_cast<std::ptrdiff_t>(cluster) * d_;
  return {begin, begin + d_};
}

void CentroidTrails::hold(int cluster, glm::dvec3 position) {
  held_ = {cluster, position};
  released_ = false;
}

} // namespace lloyd
