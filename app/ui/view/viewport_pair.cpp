// SPDX-License-Identifier: GPL-3.0-or-later
// What a viewport does for two runs: one camera with another view, and two runs in one view.
#include "app/render/camera/bounds.hpp"
#include "app/ui/view/viewport.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {

void Viewport::setCamera(const Camera& camera) {
  if (data_ && camera.dimensions() != camera_.dimensions()) return; // it looks at other data still
  const double ratio = devicePixelRatioF();
  Camera mine = camera;
  mine.setViewport(static_cast<int>(width() * ratio), static_cast<int>(height() * ratio));
  if (mine.view() == camera_.view() && mine.bounds() == camera_.bounds()) return;
  camera_ = mine;
  cameraRests_.start();
  update();
}

void Viewport::setPointed(std::optional<std::size_t> point) {
  if (point && (!data_ || *point >= data_->n)) point.reset();
  if (hovered_ == point) return;
  hovered_ = point;
  hoveredElsewhere_ = point.has_value();
  search_.reset();
  update();
}

void Viewport::setRinged(std::vector<std::size_t> points, Rgb colour) {
  if (points.empty() && ringed_.empty()) return;
  if (points.size() > mostRinged) points.resize(mostRinged);
  ringed_ = std::move(points);
  ringColour_ = colour;
  update();
}

std::vector<glm::dvec3> Viewport::ringedPositions() {
  std::vector<glm::dvec3> positions;
  if (ringed_.empty()) return positions;
  const PickSource source = pickSource();
  for (const std::size_t point : ringed_)
    if (source.values && point < source.n)
      positions.push_back(drawnPosition(source.values, point, source.d, source.stride));
  return positions;
}

bool Viewport::setOther(std::optional<OtherRun> other, double rate) {
  if (other && (!data_ || !other->labels || other->labels->size() != data_->n || !other->result))
    return false;
  if (!other && !other_) return true;
  const bool newLabels = !other || !other_ || other->labels != other_->labels;
  const bool newResult = other && (!other_ || other->result != other_->result);
  other_ = std::move(other);
  if (!other_) otherTrack_.clear();
  if (newResult) otherTrack_.take(*other_->result, data_->d, rate);
  groupsDue_ = groupsDue_ || newLabels;
  update();
  return true;
}

void Viewport::setDivider(double share) {
  share = std::clamp(share, 0.0, 1.0);
  if (share == divider_) return;
  divider_ = share;
  update();
}

int Viewport::dividerPixel() const {
  return static_cast<int>(std::lround(divider_ * width() * devicePixelRatioF()));
}

/// The right half: the same points and camera, in the colours of the other run.
void Viewport::paintOther(Scene scene, int divider) {
  if (!otherScene_)
    otherScene_ = std::make_unique<SceneRenderer>(software_ ? ProgressiveView::kSoftwareBudget
                                                            : ProgressiveView::kEverything);
  const std::vector<glm::dvec3> centroids = otherTrack_.positions();
  scene.byLabels = false;
  scene.groupColours = other_->colours;
  scene.colours = other_->colours;
  scene.centroids = centroids;
  scene.trails = trails_ ? &otherTrack_.trails() : nullptr;
  scene.columns = glm::ivec2(divider, static_cast<int>(std::lround(width() * devicePixelRatioF())));
  const Drawn other = otherScene_->render(scene, defaultFramebufferObject());
  drawn_.points = std::min(drawn_.points, other.points);
}

} // namespace lloyd
