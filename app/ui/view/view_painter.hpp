// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/render/overlay/scene_renderer.hpp"
#include "app/ui/view/centroid_trails.hpp"
#include "app/ui/view/colour_key.hpp"
#include "app/ui/view/shown_points.hpp"

#include <QFont>
#include <QImage>
#include <QPointF>
#include <QRectF>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace lloyd {

/// Another run on the same points, to be drawn beside the session's in one view.
struct OtherRun {
  std::shared_ptr<const HostArray<Label>> labels; ///< [n]
  IterationPtr result;
  std::vector<Rgb> colours; ///< of its clusters
};

/// All that a view shows.
struct ViewState {
  ShownPoints points;
  Camera camera;
  CentroidTrails centroids;
  std::vector<Rgb> colours;      ///< of the clusters
  std::vector<Rgb> groupColours; ///< of the groups, while points are coloured by those
  ColourKey key;                 ///< what these mean, where it is known
  std::size_t hidden = 0;        ///< points of hiddenGroup, while points are coloured by groups
  bool moving = false;           ///< more changes are about to come
  bool trails = false;
  bool regions = false; ///< wanted; drawn where whyNoRegions() has nothing against it
  bool dark = true;
  double sizeFactor = 1;
  std::optional<int> selected; ///< a centroid
  QImage posterised;           ///< of a photograph

  std::optional<std::size_t> hovered;
  std::vector<float> hoveredPosition; ///< its coordinates; empty: not known
  std::optional<int> hoveredCentroid; ///< which is described in place of a point
  std::function<QString(int)> centroidText;
  std::function<QString(std::size_t)> pointNote;
  std::optional<QPointF> pointer; ///< that hovers; none: it is on another view
  std::vector<glm::dvec3> ringed;
  Rgb ringColour;

  std::optional<OtherRun> other; ///< right of the divider
  CentroidTrails otherCentroids;
  double divider = 0.5;        ///< of the width, from the left edge
  std::vector<QRectF> covered; ///< by what stands over the view, logical pixels
};

/// Whether the borders of regions are drawn: they are wanted, and the axes have them.
[[nodiscard]] bool showsRegions(const ViewState& state);

/// What of a view is drawn, and where to.
struct ViewCanvas {
  QSize size;       ///< of the view in logical pixels
  double ratio = 1; ///< device pixels each
  // A picture to take away, at most a part of which is the framebuffer; otherwise as Scene has them.
  double enlarged = 1; ///< in ratio and the camera, too
  std::optional<ScenePart> part;
  bool transparent = false;
  bool pointsAlone = false;
  bool atOnce = false;
};

/// Paints a view: points, centroids and what is written over them, of one run or of two on either side of a
/// divider. Belongs to a context, which must be current in all calls.
class ViewPainter {
public:
  /// software: the CPU draws. Throws std::runtime_error when this OpenGL cannot draw.
  explicit ViewPainter(bool software);

  /// size: of the framebuffer in logical pixels, ratio device pixels each.
  [[nodiscard]] Drawn paint(const ViewState& state, GLuint framebuffer, QSize size, double ratio,
                            const QFont& font);
  /// The points and what OpenGL draws over them. camera: that of the state, or as enlarged as the canvas.
  [[nodiscard]] Drawn drawScenes(const ViewState& state, const Camera& camera, GLuint framebuffer,
                                 const ViewCanvas& canvas);
  /// What is written over the points of the canvas, its whole size, in logical pixels.
  static void write(QPainter& painter, const ViewState& state, const Camera& camera, const ViewCanvas& canvas,
                    const Drawn& drawn);
  /// How long a frame before took to draw, once it is known.
  [[nodiscard]] std::optional<double> drawUs() const { return scene_.drawUs(); }

private:
  std::size_t budget_;
  SceneRenderer scene_;
  std::unique_ptr<SceneRenderer> otherScene_; ///< made when first needed
};

} // namespace lloyd
