// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/ui/view/centroid_trails.hpp"

#include <QObject>
#include <QPointF>
#include <QTimer>

#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// What the mouse, the wheel and keys mean in a view: they move the camera, select and carry centroids, and
/// ask for the point under the pointer. A drag pans the flat view; in space it orbits, and pans with Shift or
/// the middle button. Ctrl with a click asks for a centroid there, or for none where one is. Knows no window:
/// places are logical pixels from the view's top left corner.
class ViewGestures : public QObject {
  Q_OBJECT
public:
  /// Both must outlive this.
  ViewGestures(Camera& camera, CentroidTrails& centroids);
  /// Device pixels in a logical one.
  void setPixelRatio(double ratio) { ratio_ = ratio; }

  // The pointer.
  void press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {});
  /// A menu opens there, and takes the pointer.
  void openMenu(QPointF at) {
    pointer_ = at;
    inside_ = menu_ = true;
  }
  void move(QPointF to, Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers);
  void release(QPointF at);
  void turnWheel(QPointF at, double notches);
  void leave() {
    hoverDelay_.stop();
    if (!std::exchange(menu_, false)) inside_ = false;
  }
  [[nodiscard]] QPointF pointer() const { return pointer_; }
  [[nodiscard]] bool dragging() const { return dragging_; }
  /// The drag in progress has hold of a centroid.
  [[nodiscard]] bool carrying() const { return centroids_.held().has_value(); }

  // What keys do, and gestures do alike.
  void fit() { moveCamera(&Camera::fit); }
  void resetView() { moveCamera(&Camera::reset); }
  void axisView(int axis) { moveCamera(&Camera::axisView, axis); }
  void zoom(double factor) { moveCamera(&Camera::zoom, factor, glm::dvec2(camera_.view().viewport) / 2.0); }
  void pan(QPointF by) { moveCamera(&Camera::pan, devicePixel(by)); }
  void orbit(QPointF by) { moveCamera(&Camera::orbit, devicePixel(by)); }
  void centreUnderPointer() { moveCamera(&Camera::centreOn, camera_.unproject(devicePixel(pointer_))); }
  void selectNextCentroid();
  void nudgeCentroid(QPointF by);
  /// Under the pointer, or in the middle of the view where the pointer is elsewhere.
  void addCentroid();
  /// The one under the pointer, or else the selected one.
  void removeCentroid();

  /// The centroid whose marker is under a place.
  [[nodiscard]] std::optional<int> centroidAt(QPointF at) const;
  /// The centroid that keys move.
  [[nodiscard]] std::optional<int> selected() const { return selected_; }
  void select(std::optional<int> cluster) {
    selected_ = cluster;
    Q_EMIT selectionChanged();
  }
  /// A result came: what is selected may be no cluster of it.
  void checkSelected() {
    if (selected_ && *selected_ >= centroids_.clusters()) selected_.reset();
  }

Q_SIGNALS:
  void cameraMoved();
  void selectionChanged();
  void pointerMoved();        ///< without a button: nothing is looked at until it rests
  void inspected(QPointF at); ///< the pointer rests, or was clicked, on what may be a point
  void centroidMoved(int cluster, const std::vector<float>& position);
  /// Another centroid is wanted at a place of the drawing. What the axes do not show is that of the centroid
  /// which is nearest on the screen, as if that one were there twice and this one dragged: so the new one
  /// gets those of its points that are drawn nearer to it. No coordinates where there is no other centroid.
  void centroidWanted(const std::vector<float>& position);
  void centroidUnwanted(int cluster); ///< -1: none was meant

private:
  template <class... Taken, class... Given>
  void moveCamera(void (Camera::*verb)(Taken...), Given... given) {
    (camera_.*verb)(given...);
    Q_EMIT cameraMoved();
  }
  [[nodiscard]] glm::dvec2 devicePixel(QPointF at) const { return {at.x() * ratio_, at.y() * ratio_}; }
  void dragCentroid(QPointF to, bool last);
  [[nodiscard]] glm::dvec3 drawnAt(int cluster, glm::dvec3 position, glm::dvec2 pixel) const;
  void addCentroidAt(QPointF at);

  Camera& camera_;
  CentroidTrails& centroids_;
  double ratio_ = 1;
  QPointF pointer_;
  QTimer hoverDelay_;
  bool inside_ = false; ///< the pointer is in the view, or in a menu of it
  bool menu_ = false;   ///< it is about to be in a menu
  bool edits_ = false;  ///< the press in progress is one with Ctrl
  bool dragging_ = false;
  bool carried_ = false; ///< the drag in progress has moved a centroid
  double travelled_ = 0; ///< in the drag in progress
  std::optional<int> selected_;
};

} // namespace lloyd
