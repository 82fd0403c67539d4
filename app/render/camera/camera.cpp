// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/camera/camera.hpp"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

constexpr double kFill = 0.88;      // of the viewport that a fitted box takes
constexpr double kFillSpace = 0.92; // the same in space, where few points are near a corner
constexpr double kMostHead = 0.4;   // of the viewport's height that text may take from the points
constexpr double kMostFoot = 0.2;   // and that numbers may take below a box in space
constexpr double kAlike = 4.0;      // ranges that differ by more get scales of their own
constexpr double kHalfView = 0.28;  // half the vertical angle of view, radians
constexpr double kDefaultYaw = 0.62;
constexpr double kDefaultPitch = 0.42;
constexpr double kSteepest = 1.5607; // a little less than a right angle, where left and right would swap

/// An extent that can be divided by: an axis on which all points agree gets the width that its magnitude can
/// resolve.
double usable(double extent, double magnitude) {
  if (extent > 0 && std::isfinite(extent)) return extent;
  return std::max(1.0, magnitude * 1e-5);
}

} // namespace

void Camera::setData(int dimensions, const Bounds& bounds) {
  dimensions_ = std::clamp(dimensions, 1, 3);
  bounds_ = bounds;
  figures_ = {};
  scaleAxes();
  reset();
}

void Camera::setBounds(const Bounds& bounds) {
  bounds_ = bounds;
  if (!untouched_) return;
  scaleAxes();
  fit();
}

bool Camera::makeRoomFor(const std::vector<glm::dvec3>& places, double part) {
  Bounds wider = bounds_;
  for (const glm::dvec3& place : places) {
    wider.low = glm::min(wider.low, place - part * wider.extent());
    wider.high = glm::max(wider.high, place + part * wider.extent());
  }
  if (wider == bounds_) return false;
  setBounds(wider);
  return true;
}

void Camera::setViewport(int width, int height) {
  const glm::ivec2 size(std::max(width, 1), std::max(height, 1));
  if (size == viewport_) return;
  const glm::ivec2 before = viewport_;
  viewport_ = size;
  if (untouched_) return fit();
  // From where it was set, because steps there and back would not end where they began.
  if (posed_) pixelsPerUnit_ = posed_->pixelsPerUnit;
  resizeFrom(posed_ ? posed_->viewport : before);
}

void Camera::resizeFrom(glm::ivec2 before) {
  const glm::dvec2 ratio = glm::dvec2(viewport_) / glm::dvec2(before);
  if (equalAxes_)
    pixelsPerUnit_ *= std::min(ratio.x, ratio.y);
  else
    pixelsPerUnit_ *= ratio;
}

void Camera::setHeadroom(int pixels) {
  if (pixels == headroom_) return;
  headroom_ = pixels;
  if (untouched_) fit();
}

void Camera::setFootroom(int pixels) {
  if (pixels == footroom_) return;
  footroom_ = pixels;
  if (untouched_) fit();
}

void Camera::setOrthographic(bool on) {
  if (on == orthographic_) return;
  orthographic_ = on;
  if (untouched_) fit();
}

Camera Camera::enlarged(int factor) const {
  Camera camera = *this;
  camera.viewport_ *= factor;
  camera.headroom_ *= factor;
  camera.footroom_ *= factor;
  camera.pixelsPerUnit_ *= factor;
  return camera;
}

void Camera::scaleAxes() {
  const glm::dvec3 raw = bounds_.extent();
  for (int axis = 0; axis < 3; ++axis) {
    extent_[axis] = usable(raw[axis], std::max(std::abs(bounds_.low[axis]), std::abs(bounds_.high[axis])));
  }
  // An axis without extent says nothing about units, so only the others are compared.
  double least = 0, most = 0;
  const int axes = flat() ? 2 : 3;
  for (int axis = 0; axis < axes; ++axis) {
    if (!(raw[axis] > 0)) continue;
    most = std::max(most, raw[axis]);
    least = least > 0 ? std::min(least, raw[axis]) : raw[axis];
  }
  equalAxes_ = dimensions_ != 1 && most <= kAlike * least;
  if (equalAxes_ && most > 0) {
    for (int axis = 0; axis < axes; ++axis)
      if (!(raw[axis] > 0)) extent_[axis] = most;
  }
  const double longest = std::max({extent_.x, extent_.y, extent_.z});
  for (int axis = 0; axis < 3; ++axis)
    worldPerUnit_[axis] = 2.0 / (equalAxes_ ? longest : extent_[axis]);
}

void Camera::reset() {
  yaw_ = kDefaultYaw;
  pitch_ = kDefaultPitch;
  fit();
}

void Camera::fit() {
  posed_.reset();
  target_ = bounds_.centre();
  if (flat()) {
    fitFlat();
  } else {
    fitSpace();
  }
  untouched_ = true;
}

/// Pixels above what a fitted flat view shows: the usual margin, or what text takes of it.
double Camera::topMargin() const {
  const double usual = (1 - kFill) / 2 * viewport_.y;
  return std::clamp(static_cast<double>(headroom_), usual, std::max(usual, kMostHead * viewport_.y));
}

/// Pixels that a fitted box leaves above and below itself beyond the usual margin, in space.
double Camera::moreAbove() const { return std::max(0.0, topMargin() - (1 - kFill) / 2 * viewport_.y); }
double Camera::moreBelow() const {
  const double most = kMostFoot * viewport_.y;
  return std::max(0.0, std::min<double>(footroom_, most) - (1 - kFillSpace) / 2 * viewport_.y);
}

/// Pixels by which the eye's axis meets the screen below its middle, in space. The target stays the centre of
/// the data, about which the view turns.
double Camera::lowered() const { return flat() ? 0 : (moreAbove() - moreBelow()) / 2; }

void Camera::fitFlat() {
  const glm::dvec2 size(viewport_);
  const double below = (1 - kFill) / 2 * size.y;
  const double top = topMargin();
  pixelsPerUnit_ = glm::dvec2(kFill * size.x, size.y - top - below) / glm::dvec2(extent_);
  if (equalAxes_) pixelsPerUnit_ = glm::dvec2(std::min(pixelsPerUnit_.x, pixelsPerUnit_.y));
  // What would reach into the text from the middle is drawn as much lower.
  const double above = (size.y - extent_.y * pixelsPerUnit_.y) / 2;
  target_.y += std::max(0.0, top - above) / pixelsPerUnit_.y;
}

void Camera::fitSpace() {
  // The eye stands where the corner of the box that needs the most room just has it.
  const glm::dmat3 rows = turn();
  const double half = std::tan(kHalfView) * kFillSpace;
  const double up = half * (1 - (moreAbove() + moreBelow()) / viewport_.y);
  const double across = half * viewport_.x / viewport_.y;
  const glm::dvec3 raw = bounds_.extent();
  const glm::dvec3 box = (raw == glm::dvec3(0) ? extent_ : raw) * worldPerUnit_ / 2.0;
  distance_ = 0.1;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::dvec3 sign((corner & 1) ? 1 : -1, (corner & 2) ? 1 : -1, (corner & 4) ? 1 : -1);
    const glm::dvec3 seen = rows * (sign * box);
    const double nearer = orthographic_ ? 0 : seen.z;
    distance_ = std::max({distance_, nearer + std::abs(seen.x) / across, nearer + std::abs(seen.y) / up});
  }
}

void Camera::axisView(int axis) {
  constexpr double kRight = 1.5707963267948966;
  constexpr std::array<double, 3> yaws{kRight, 0, 0};
  constexpr std::array<double, 3> pitches{0, 0, kSteepest};
  const auto chosen = static_cast<std::size_t>(std::clamp(axis, 0, 2));
  yaw_ = yaws[chosen];
  pitch_ = pitches[chosen];
  fit();
}

glm::dmat3 Camera::turn() const {
  // The third data axis points up on the screen; yaw turns about it.
  const glm::dvec3 back(std::sin(yaw_) * std::cos(pitch_), -std::cos(yaw_) * std::cos(pitch_),
                        std::sin(pitch_));
  const glm::dvec3 right(std::cos(yaw_), std::sin(yaw_), 0);
  const glm::dvec3 up = glm::cross(back, right);
  return glm::transpose(glm::dmat3(right, up, back));
}

glm::dvec3 Camera::towardsEye() const { return glm::transpose(turn())[2]; }

void Camera::pan(glm::dvec2 pixels) {
  leave();
  if (flat()) {
    target_ += glm::dvec3(-pixels.x / pixelsPerUnit_.x, pixels.y / pixelsPerUnit_.y, 0);
    return;
  }
  const double worldPerPixel = 2 * distance_ * std::tan(kHalfView) / viewport_.y;
  const glm::dvec3 moved = glm::transpose(turn()) * glm::dvec3(-pixels.x, pixels.y, 0) * worldPerPixel;
  target_ += moved / worldPerUnit_;
}

void Camera::orbit(glm::dvec2 pixels) {
  if (flat()) {
    pan(pixels);
    return;
  }
  leave();
  constexpr double kRadiansPerPixel = 0.006;
  yaw_ = std::remainder(yaw_ - pixels.x * kRadiansPerPixel, 6.283185307179586);
  pitch_ = std::clamp(pitch_ + pixels.y * kRadiansPerPixel, -kSteepest, kSteepest);
}

void Camera::zoom(double factor, glm::dvec2 atPixel) {
  if (!(factor > 0) || !std::isfinite(factor)) return;
  leave();
  if (!flat()) {
    distance_ = std::clamp(distance_ / factor, 1e-4, 1e3);
    return;
  }
  const glm::dvec3 before = unproject(atPixel);
  const glm::dvec2 fitted = kFill * glm::dvec2(viewport_) / glm::dvec2(extent_);
  const double least = 1e-3 * std::min(fitted.x, fitted.y) / std::min(pixelsPerUnit_.x, pixelsPerUnit_.y);
  const double most = 1e7 * std::max(fitted.x, fitted.y) / std::max(pixelsPerUnit_.x, pixelsPerUnit_.y);
  pixelsPerUnit_ *= std::clamp(factor, std::min(least, 1.0), std::max(most, 1.0));
  target_ += before - unproject(atPixel);
}

void Camera::centreOn(glm::dvec3 position) {
  leave();
  target_ = position;
}

CameraPose Camera::pose() const {
  return {untouched_, target_, pixelsPerUnit_, viewport_, yaw_, pitch_, distance_};
}

void Camera::setPose(const CameraPose& pose) {
  yaw_ = pose.yaw;
  pitch_ = std::clamp(pose.pitch, -kSteepest, kSteepest);
  if (pose.fitted) return fit();
  untouched_ = false;
  posed_ = pose;
  posed_->viewport = glm::max(pose.viewport, glm::ivec2(1));
  target_ = pose.target;
  pixelsPerUnit_ = pose.pixelsPerUnit;
  distance_ = pose.distance;
  resizeFrom(posed_->viewport);
}

CameraView Camera::view() const {
  CameraView view;
  view.origin = target_;
  view.dimensions = dimensions_;
  view.viewport = viewport_;
  if (flat()) {
    // Depth is the point's rank, which the shader gives; the drawing has none of its own.
    view.clipFromOffset =
        glm::scale(glm::dmat4(1), glm::dvec3(2.0 * pixelsPerUnit_ / glm::dvec2(viewport_), 0.0));
    return view;
  }
  // The planes enclose the sphere around the box wherever the eye has been taken.
  const double radius = glm::length(extent_ * worldPerUnit_) / 2;
  const glm::dvec3 boxCentre = turn() * ((bounds_.centre() - target_) * worldPerUnit_);
  const double toCentre = distance_ - boxCentre.z;
  const double far = std::max(toCentre + 1.05 * radius, 2e-3);
  const double near = std::max(toCentre - 1.05 * radius, far * 1e-3);
  view.nearest = near;
  view.farthest = far;
  const double aspect = static_cast<double>(viewport_.x) / viewport_.y;
  const glm::dvec3 down(0, -2 * lowered() / viewport_.y, 0);
  const glm::dmat4 turned = glm::dmat4(turn()) * glm::scale(glm::dmat4(1), worldPerUnit_);
  if (orthographic_) {
    // Nothing is behind an eye that is infinitely far away: the planes lie about the box wherever it is.
    view.orthographic = true;
    view.nearest = 1;
    view.farthest = 1 + 2.1 * radius;
    const double half = distance_ * std::tan(kHalfView);
    view.clipFromOffset = glm::translate(glm::dmat4(1), down) *
                          glm::ortho(-half * aspect, half * aspect, -half, half, -boxCentre.z - 1.05 * radius,
                                     -boxCentre.z + 1.05 * radius) *
                          turned;
    return view;
  }
  const glm::dmat4 eyeFromWorld = glm::translate(glm::dmat4(1), glm::dvec3(0, 0, -distance_)) * turned;
  view.clipFromOffset =
      glm::translate(glm::dmat4(1), down) * glm::perspective(2 * kHalfView, aspect, near, far) * eyeFromWorld;
  return view;
}

ShaderCamera shaderCamera(const CameraView& view) {
  const glm::vec3 origin(view.origin);
  return {origin, glm::mat4(glm::translate(view.clipFromOffset, glm::dvec3(origin) - view.origin))};
}

CameraView partOf(const CameraView& view, glm::ivec2 topLeft, glm::ivec2 size) {
  CameraView part = view;
  part.viewport = size;
  const glm::dvec2 grown = glm::dvec2(view.viewport) / glm::dvec2(size);
  const glm::dvec2 off = 2.0 * glm::dvec2(topLeft) / glm::dvec2(size);
  const glm::dvec3 moved(grown.x - 1 - off.x, 1 - grown.y + off.y, 0);
  part.clipFromOffset =
      glm::scale(glm::translate(glm::dmat4(1), moved), glm::dvec3(grown, 1)) * view.clipFromOffset;
  return part;
}

std::optional<glm::dvec2> projectToPixel(const CameraView& view, glm::dvec3 position) {
  const glm::dvec4 clip = view.clipFromOffset * glm::dvec4(position - view.origin, 1);
  if (!(clip.w > 0) || !(std::abs(clip.z) <= clip.w)) return std::nullopt;
  return glm::dvec2(clip.x / clip.w + 1, 1 - clip.y / clip.w) / 2.0 * glm::dvec2(view.viewport);
}

std::optional<glm::dvec2> Camera::project(glm::dvec3 position) const {
  return projectToPixel(view(), position);
}

glm::dvec3 Camera::unproject(glm::dvec2 pixel) const {
  const glm::dvec2 fromMiddle = pixel - middle();
  if (flat())
    return target_ + glm::dvec3(fromMiddle.x / pixelsPerUnit_.x, -fromMiddle.y / pixelsPerUnit_.y, 0);
  const double worldPerPixel = 2 * distance_ * std::tan(kHalfView) / viewport_.y;
  const glm::dvec3 moved =
      glm::transpose(turn()) * glm::dvec3(fromMiddle.x, -fromMiddle.y, 0) * worldPerPixel;
  return target_ + moved / worldPerUnit_;
}

} // namespace lloyd
