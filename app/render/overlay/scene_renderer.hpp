// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/camera/camera.hpp"
#include "app/render/gl/draw_timer.hpp"
#include "app/render/overlay/axes_frame.hpp"
#include "app/render/overlay/overlay_renderer.hpp"
#include "app/render/overlay/voronoi.hpp"
#include "app/render/points/palette.hpp"
#include "app/render/points/picture.hpp"
#include "app/render/points/point_renderer.hpp"
#include "app/render/points/progressive_view.hpp"

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {

/// A rectangle of device pixels, from the top left of what the camera sees.
struct ScenePart {
  glm::ivec2 topLeft{0};
  glm::ivec2 size{1};
};

/// Everything one frame shows. What is pointed to is used during render() only, the points excepted.
struct Scene {
  const PointBuffers* points = nullptr; ///< null: nothing to show yet
  const Camera* camera = nullptr;       ///< its viewport is the framebuffer's size
  Theme theme = Theme::dark;
  std::span<const Rgb> colours;                                ///< of each cluster
  std::span<const Rgb> groupColours;                           ///< of each group, while the points have some
  std::span<const glm::dvec3> centroids;                       ///< in data units, as points are drawn
  const std::deque<std::vector<glm::dvec3>>* trails = nullptr; ///< earlier centroids, oldest first
  std::optional<int> alone; ///< the one centroid that is drawn, with its trail; nothing: all
  bool regions = false; ///< the borders between the centroids' regions; of flat drawings of two axes alone
  std::optional<glm::dvec3> hovered; ///< a point to put a ring around
  [[nodiscard]] bool shows(std::size_t cluster) const {
    return !alone || static_cast<std::size_t>(*alone) == cluster;
  }
  std::span<const glm::dvec3> rings; ///< points with a ring in ringColour
  Rgb ringColour;
  bool byLabels = false; ///< colours are those of clusters even while the points have groups
  /// The columns of pixels that are drawn, from the first to before the second: what is left and right of
  /// them stays as it is in the framebuffer. Nothing: all.
  std::optional<glm::ivec2> columns;
  bool moving = false; ///< playing, or the camera is being dragged: no slices are added
  bool frame = true;   ///< grid or box
  double pixelRatio = 1;
  double sizeFactor = 1; ///< what the person set, times the size that suits the number of points

  // A picture to take away.
  double enlarged = 1; ///< how many times larger than on a screen everything is drawn; in pixelRatio too
  std::optional<ScenePart> part; ///< of the picture that the framebuffer is; nothing: all of it
  bool transparent = false;      ///< nothing behind the points
  bool pointsAlone = false;      ///< neither grid, centroids nor marks
  bool atOnce = false;           ///< all points in this frame, in the size that they have in others
};

/// What a frame did, for the status line.
struct Drawn {
  std::size_t points = 0;
  std::size_t total = 0;
  bool density = false;
  bool majority = false;  ///< of a density at rest: a pixel's colour is that of most of its points
  std::size_t hidden = 0; ///< of total, among points too as far as they have been gone through
  [[nodiscard]] bool complete() const { return points == total; }
};

/// Draws scenes: background, grid, points (progressively where drawing is slow), regions, trails, centroids
/// and the hovered point. Made, used and destroyed with the context current; after the context has died it
/// may be destroyed without.
class SceneRenderer {
public:
  /// budget: the most points of a moving frame; ProgressiveView::kEverything on a GPU, kSoftwareBudget on
  /// software OpenGL. most: as PointRenderer's. Throws std::runtime_error when a shader fails, which names
  /// its file.
  explicit SceneRenderer(std::size_t budget, CrowdDrawing most = CrowdDrawing::computed);

  /// Draws into a framebuffer (0 or a widget's own) and leaves it bound. When the scene stands still and the
  /// result is not complete, another frame draws more.
  Drawn render(const Scene& scene, GLuint targetFramebuffer);

  /// How long the GPU took to draw a recent frame, microseconds; nothing before the first is known. Never
  /// waits.
  [[nodiscard]] std::optional<double> drawUs() const { return timer_.lastUs(); }
  /// The ring of a centroid, device pixels, so that its number can be made to fit.
  [[nodiscard]] static double markerRadius(double pixelRatio, std::size_t clusters);

private:
  void drawPoints(const Scene& scene, const CameraView& view, Drawn& drawn);
  void drawOver(const Scene& scene, const CameraView& view, glm::ivec2 framebuffer);
  void addRegions(const Scene& scene, const CameraView& view);
  void addTrails(const Scene& scene, const CameraView& view);
  void addCentroids(const Scene& scene, const CameraView& view);

  std::size_t budget_;
  PointRenderer points_;
  Picture picture_;
  OverlayRenderer overlay_;
  DrawTimer timer_;
  ProgressiveView progress_;
  std::size_t attachedNumber_ = 0;
  std::vector<Rgb> colours_; ///< that points are drawn in
  bool byLabels_ = false;
  CrowdDrawing crowds_ = CrowdDrawing::computed;
  CameraView view_;
  PointLook look_;
  std::size_t revision_ = 0;
  KeptBorders borders_;
};

/// The lines of regions, logical pixels wide and as opaque as said: one of strong ink on a wider one of the
/// background, which parts it from points of the same colour.
namespace region_lines {
inline constexpr double width = 1.5, opacity = 0.8;
inline constexpr double groundWidth = 3.5, groundOpacity = 0.55;
} // namespace region_lines

/// The look that suits a number of points in a viewport: large and round for few, small for many, density for
/// crowds.
[[nodiscard]] PointLook suitableLook(std::size_t points, int dimensions, glm::ivec2 viewport, Theme theme,
                                     double pixelRatio, double sizeFactor);

/// Where each centroid is drawn, device pixels from the top left, for whoever writes the numbers; nothing
/// behind the eye. enlarged: as the scene has it.
[[nodiscard]] std::vector<std::optional<glm::dvec2>>
projectCentroids(const Camera& camera, std::span<const glm::dvec3> centroids, double enlarged = 1);

} // namespace lloyd
