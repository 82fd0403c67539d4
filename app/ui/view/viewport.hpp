// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/ui/view/axes_glide.hpp"
#include "app/ui/view/point_search.hpp"
#include "app/ui/view/shown_points.hpp"
#include "app/ui/view/view_gestures.hpp"
#include "app/ui/view/view_painter.hpp"
#include "app/ui/view/view_picture.hpp"
#include "app/ui/view/view_svg.hpp"

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLWidget>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace lloyd {

/// The widget of the points. Owns OpenGL's buffers of them and survives the loss of its context: what was
/// drawn is kept, or can be had again, on the host side. Painted only when something changed. GUI thread.
class Viewport : public QOpenGLWidget, public PointSurface {
  Q_OBJECT
public:
  explicit Viewport(QWidget* parent = nullptr);
  ~Viewport() override;

  // PointSurface
  [[nodiscard]] std::string show(const SharedPointSet& points, Device* device, double& uploadUs) override;
  void withdraw() override;
  [[nodiscard]] std::optional<PointMemory> map() override;
  void unmap(bool flip) override;
  void present(const Frame& frame) override;
  [[nodiscard]] std::vector<Label> labels() override;
  void refresh() override;

  // What else there is to show; each asks for a paint when it changes something.
  void setResult(const IterationPtr& result, double rate);
  void forgetRun();
  void setColours(const std::vector<Rgb>& colours);
  [[nodiscard]] const std::vector<Rgb>& colours() const { return state_.colours; }
  /// Of the centroids one alone; nothing: all of them.
  void showCentroidAlone(std::optional<int> cluster) {
    state_.centroids.showAlone(cluster);
    update();
  }
  [[nodiscard]] std::optional<int> centroidAlone() const { return state_.centroids.alone(); }
  /// Colours points by something else than their cluster: groups [n] names one entry of colours for each
  /// point, -1 (or beyond colours) none, which is drawn as points without a cluster are, and hiddenGroup a
  /// point that is not drawn. Null goes back to
  /// clusters. Centroids keep the colours of their clusters. Groups belong to the points shown now: another
  /// data set drops them, and groups that are not one a point, because they were made for points shown
  /// before, are not taken (false).
  /// key: what they mean, for a picture to take away.
  bool setGroups(std::shared_ptr<const std::vector<std::int32_t>> groups, std::vector<Rgb> colours,
                 ColourKey key = {});
  /// What setGroups() was given last; null while points are coloured by cluster.
  [[nodiscard]] const std::shared_ptr<const std::vector<std::int32_t>>& groups() const { return groups_; }
  /// Draws the points by other axes; null: by their first columns. Belongs to the points shown now, as groups
  /// do. The camera looks at all of them anew.
  void setProjection(const SharedProjection& projection);
  [[nodiscard]] const SharedProjection& projection() const { return state_.points.projection(); }
  /// What is drawn, on the host; without values where only OpenGL has it.
  [[nodiscard]] PickSource drawnOnHost() const { return state_.points.hostPositions(); }
  /// What is written beside a centroid that is pointed at; null, as at first: nothing.
  void setCentroidText(std::function<QString(int cluster)> text);
  /// What is written below what is said of a point that is pointed at; null, as at first: nothing.
  void setPointNote(std::function<QString(std::size_t point)> note);
  void setPlaying(bool playing);
  /// Points in space as they are from infinitely far away.
  void setOrthographic(bool on);
  void setTrails(bool on) { setLook(state_.trails, on); }
  [[nodiscard]] bool trails() const { return state_.trails; }
  /// The borders between the regions of the clusters, where whyNoRegions() has nothing against it.
  void setRegions(bool on) { setLook(state_.regions, on); }
  [[nodiscard]] bool regions() const { return state_.regions; }
  void setSizeFactor(double factor);
  [[nodiscard]] double sizeFactor() const { return state_.sizeFactor; }
  void setDark(bool dark);

  /// Shows nothing until there are points again; what it held of the others is released.
  void forgetData();

  // Two runs: one camera with another view, and two runs in one view.
  /// Looks at the data as another view does; cameraChanged() is not said.
  void setCamera(const Camera& camera);
  /// Marks a point as if the pointer were on it; pointed() is not said.
  void setPointed(std::optional<std::size_t> point);
  /// Puts a ring around points; at most mostRinged of them, of the points shown now.
  void setRinged(std::vector<std::size_t> points, Rgb colour);
  static constexpr std::size_t mostRinged = 2000;
  /// Draws the session's run left of a divider and the other right of it; null: the session's alone. False,
  /// and as before, when its labels are not one a point. Groups wait meanwhile.
  bool setOther(std::optional<OtherRun> other, double rate);
  [[nodiscard]] bool split() const { return state_.other.has_value(); }
  /// Where the divider is, 0 at the left edge to 1.
  void setDivider(double share);
  [[nodiscard]] double divider() const { return state_.divider; }

  // What keys do and gestures do alike.
  void fit() { gestures_.fit(); }
  void resetView() { gestures_.resetView(); }
  void axisView(int axis) { gestures_.axisView(axis); }
  void zoom(double factor) { gestures_.zoom(factor); }
  void pan(QPointF by) { gestures_.pan(by); }
  void orbit(QPointF by) { gestures_.orbit(by); }
  void centreUnderPointer() { gestures_.centreUnderPointer(); }
  void inspectUnderPointer() { inspect(gestures_.pointer()); }
  void selectNextCentroid() { gestures_.selectNextCentroid(); }
  void nudgeCentroid(QPointF by) { gestures_.nudgeCentroid(by); }
  void addCentroid() { gestures_.addCentroid(); }
  void removeCentroid() { gestures_.removeCentroid(); }
  /// The centroid that keys move; it may be one of a result that is on its way.
  void selectCentroid(std::optional<int> cluster) { gestures_.select(cluster); }
  [[nodiscard]] std::optional<int> selectedCentroid() const { return gestures_.selected(); }

  /// A centroid is on the pointer.
  [[nodiscard]] bool carrying() const { return gestures_.carrying(); }

  [[nodiscard]] const Camera& camera() const { return state_.camera; }
  /// Looks at the points from there.
  void setPose(const CameraPose& pose) {
    state_.camera.setPose(pose);
    cameraMoved();
  }
  /// The points that are shown; those of the session as soon as they are attached.
  [[nodiscard]] const SharedPointSet& points() const { return state_.points.data(); }
  [[nodiscard]] const Drawn& drawn() const { return drawn_; }
  /// Nothing is left to draw: what is on the screen is the whole picture.
  [[nodiscard]] bool settled() const { return state_.points.data() && drawn_.complete() && !gliding(); }
  /// Begins a picture of the view to take away, as it looks once nothing moves. Null where nothing can be
  /// drawn. Throws std::runtime_error with a sentence.
  [[nodiscard]] std::unique_ptr<ViewPicture> beginPicture(const PictureWish& wish);
  /// Draws more of it; false when it is complete. The points, their labels and the camera must not change
  /// meanwhile. Throws std::runtime_error.
  [[nodiscard]] bool advancePicture(ViewPicture& picture);
  /// It goes with the context current.
  void endPicture(std::unique_ptr<ViewPicture> picture);
  /// Whether an SVG of the view has each point as a circle; else it has a picture of the points alone.
  [[nodiscard]] bool circlesInSvg() const {
    return state_.points.data() && state_.points.data()->n <= SvgWish::mostCircles;
  }
  /// Why there is no SVG of what is shown; empty when there is one.
  [[nodiscard]] const QString& whyNoSvg() const { return failure_; }
  /// The view as an SVG; null points for circles. Empty where nothing can be drawn, and where whyNoSvg().
  [[nodiscard]] QByteArray svg(const SvgWish& wish, const SvgPoints* points);

  /// Whether the driver has taken a context away with everything in it, as it does after a reset of the card.
  /// Qt knows where the driver tells; a test may claim it.
  using ContextCheck = std::function<bool(const QOpenGLContext&)>;
  void setContextCheck(ContextCheck isGone) { contextIsGone_ = std::move(isGone); }
  /// What went wrong with the drawing itself; empty when all is well.
  [[nodiscard]] const QString& failure() const { return failure_; }

Q_SIGNALS:
  void ready(); ///< a context is there, and points can be shown
  void lost();  ///< the context goes; buffers lent to CUDA must come back at once
  void shown(double paintUs, double uploadUs); ///< a frame that refresh() asked for is on the screen
  void centroidMoved(int cluster, const std::vector<float>& position);
  void centroidWanted(const std::vector<float>& position); ///< as ViewGestures has it
  void centroidUnwanted(int cluster);                      ///< -1: none was meant
  void failed(const QString& reason);
  void cameraChanged();
  void pointed(std::optional<std::size_t> point);   ///< a person looks at a point, or no longer does
  void centroidPointed(std::optional<int> cluster); ///< the same of a centroid
  void lookChanged();                               ///< trails, regions or the size of points

protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void leaveEvent(QEvent* event) override;

private:
  /// What has changed since it was last uploaded, made or told.
  enum class Dirty : std::uint8_t {
    frame = 1,      ///< the session's labels and positions are not in OpenGL's buffers yet
    groups = 2,     ///< nor are the groups
    posterised = 4, ///< the photograph in its centroids' colours is of an older result
    shown = 8,      ///< the session waits for the next swap
    point = 16      ///< what is under the pointer is asked for, and a device has the points
  };
  Q_DECLARE_FLAGS(DirtyFlags, Dirty)
  /// Whether it is dirty; the caller cleans it.
  bool take(Dirty what);

  void setPoints(const SharedPointSet& points);
  void makeBuffers(Device* device = nullptr);
  void releaseContext();
  void fail(const std::exception& error);
  void keepHeadroom();
  void uploadFrame();
  void uploadGroups();
  void uploadGlide();
  bool readyToTake();
  void renewPosterised();
  void locatePoints();
  [[nodiscard]] bool gliding() const {
    return axesGlide_.begun() || state_.centroids.gliding() || state_.otherCentroids.gliding();
  }
  template <class Value>
  void setLook(Value& present, Value wanted) {
    present = wanted;
    Q_EMIT lookChanged();
    update();
  }
  void setHovered(std::optional<std::size_t> point);
  void setHoveredCentroid(std::optional<int> cluster);
  void cameraMoved();
  void inspect(QPointF at);

  ViewState state_;
  AxesGlide axesGlide_;
  ViewGestures gestures_{state_.camera, state_.centroids};
  DirtyFlags dirty_;
  std::shared_ptr<const std::vector<std::int32_t>> groups_;
  std::vector<std::size_t> ringed_;
  bool playing_ = false;
  Drawn drawn_;
  double paintUs_ = 0;
  double uploadUs_ = 0;
  QString failure_;
  ContextCheck contextIsGone_ = [](const QOpenGLContext& context) { return !context.isValid(); };

  SteppedSearch search_;
  QTimer cameraRests_;
  QElapsedTimer sincePosterised_;
  std::unique_ptr<ViewPainter> painter_; ///< destroyed before the buffers of state_, which it draws
};

} // namespace lloyd
