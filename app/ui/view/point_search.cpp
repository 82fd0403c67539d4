// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/point_search.hpp"

#include "app/render/points/point_buffers.hpp"

#include <utility>

namespace lloyd {
namespace {

constexpr std::size_t pointsAStep = 400'000; ///< a few milliseconds

} // namespace

PointSearch::PointSearch(PickSource source, const CameraView& view, glm::dvec2 pixel, double reachPixels,
                         PointGroupsPtr groups)
    : source_(std::move(source)), view_(view), pixel_(pixel), best_(reachPixels * reachPixels),
      groups_(groups && groups->size() == source_.n ? std::move(groups) : nullptr) {}

bool PointSearch::advance(std::size_t points) {
  const std::size_t end = source_.n - next_ > points ? next_ + points : source_.n;
  for (; next_ < end; ++next_) {
    if (groups_ && (*groups_)[next_] == hiddenGroup) continue;
    const auto at = projectToPixel(view_, drawnPosition(source_.values, next_, source_.d, source_.stride));
    if (!at) continue;
    const glm::dvec2 off = *at - pixel_;
    const double square = glm::dot(off, off);
    if (square < best_) {
      best_ = square;
      found_ = next_;
    }
  }
  return next_ < source_.n;
}

SteppedSearch::SteppedSearch(QObject* parent) : QObject(parent) {
  connect(&step_, &QTimer::timeout, this, &SteppedSearch::advance);
}

void SteppedSearch::start(PointSearch search) {
  search_ = std::move(search);
  step_.start(0);
}

void SteppedSearch::stop() {
  search_.reset();
  step_.stop();
}

void SteppedSearch::advance() {
  if (search_ && search_->advance(pointsAStep)) return;
  const std::optional<PointSearch> ended = std::exchange(search_, std::nullopt);
  step_.stop();
  if (ended) Q_EMIT found(ended->found());
}

} // namespace lloyd
