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
  const auto columns = static_cast<std::size_t>(std::max(1, d));
  const std::size_t k = result.centroids.size() / columns;
  std::vector<glm::dvec3> next(k, glm::dvec3(0));
  for (std::size_t c = 0; c < k; ++c) {
    const float* centroid = result.centroids.data() + c * columns;
    if (d == 1) {
      next[c].y = centroid[0];
    } else {
      for (int j = 0; j < std::min(d, 3); ++j)
        next[c][j] = centroid[j];
    }
  }
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
  d_ = d;
  since_.start();
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
