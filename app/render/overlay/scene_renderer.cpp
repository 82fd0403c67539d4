// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/scene_renderer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lloyd {

namespace {

double millisecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Waits until everything drawn so far is there: what a slice costs is known only then.
void waitForDrawing(Gl& gl) {
  const GlSync fence = GlSync::create();
  constexpr GLuint64 kSecond = 1'000'000'000;
  gl.glClientWaitSync(fence.id(), GL_SYNC_FLUSH_COMMANDS_BIT, kSecond);
}

/// Where the fullest pixels of a density tend to.
Rgb beyondOf(Theme theme) { return theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{0, 0, 0}; }

} // namespace

SceneRenderer::SceneRenderer(std::size_t budget, CrowdDrawing most) : budget_(budget), points_(most) {
  progress_.setBudget(budget);
}

PointLook suitableLook(std::size_t points, int dimensions, glm::ivec2 viewport, Theme theme,
                       double pixelRatio, double sizeFactor) {
  PointLook look;
  look.background = backgroundOf(theme);
  look.unlabelled = unlabelledOf(theme);
  const double area = std::max(1.0, static_cast<double>(viewport.x) * viewport.y);
  const double share = area / static_cast<double>(std::max<std::size_t>(points, 1));
  const double suitable = std::clamp(std::sqrt(0.6 * share) / pixelRatio, 1.0, 7.0);
  const double size = std::clamp(suitable * sizeFactor * pixelRatio, 1.0, 48.0);
  look.size = static_cast<float>(size <= 2 ? std::round(size) : size);
  // With less than eight pixels a point, crowds overlap wherever the data is not spread evenly.
  look.density = dimensions < 3 && share < 8;
  return look;
}

double SceneRenderer::markerRadius(double pixelRatio, std::size_t clusters) {
  const double radius = clusters <= 32 ? 10 : clusters <= 100 ? 8 : clusters <= 300 ? 5 : 3;
  return radius * pixelRatio;
}

namespace {

/// Among points drawn as values in memory a centroid has no place in memory: it stands near the right edge.
std::optional<glm::dvec2> centroidPixel(const CameraView& view, glm::dvec3 centroid, double enlarged) {
  if (view.dimensions != 1) return projectToPixel(view, centroid);
  auto pixel = projectToPixel(view, {view.origin.x, centroid.y, 0});
  if (pixel)
    pixel->x = view.viewport.x -
               std::clamp(0.035 * view.viewport.x, 26.0 * enlarged, 0.5 * view.viewport.x + 26.0 * enlarged);
  return pixel;
}

} // namespace

std::vector<std::optional<glm::dvec2>>
projectCentroids(const Camera& camera, std::span<const glm::dvec3> centroids, double enlarged) {
  const CameraView view = camera.view();
  std::vector<std::optional<glm::dvec2>> pixels;
  pixels.reserve(centroids.size());
  for (const glm::dvec3& centroid : centroids)
    pixels.push_back(centroidPixel(view, centroid, enlarged));
  return pixels;
}

void SceneRenderer::drawPoints(const Scene& scene, const CameraView& view, Drawn& drawn) {
  const PointBuffers& buffers = *scene.points;
  bool changed = false;
  // A new set may live where an old one lived, and OpenGL gives its names again.
  if (attachedNumber_ != buffers.number()) {
    points_.setPoints(buffers);
    attachedNumber_ = buffers.number();
    progress_.setTotal(buffers.size());
    changed = true;
  }
  const std::span<const Rgb> colours =
      buffers.grouped() && !scene.byLabels ? scene.groupColours : scene.colours;
  if (!std::equal(colours_.begin(), colours_.end(), colours.begin(), colours.end())) {
    points_.setColours(colours);
    colours_.assign(colours.begin(), colours.end());
    changed = true;
  }
  // Where moving frames show a part only, points are as large as suits a few times that part: neither thin in
  // motion nor coarse at rest.
  const std::size_t shown = budget_ < buffers.size() / 4 ? 4 * budget_ : buffers.size();
  const glm::dvec2 whole(scene.camera->view().viewport);
  PointLook look = suitableLook(shown, view.dimensions, glm::round(whole / scene.enlarged), scene.theme,
                                scene.pixelRatio / scene.enlarged, scene.sizeFactor);
  look.size *= static_cast<float>(scene.enlarged);
  look.largest *= static_cast<float>(scene.enlarged);
  changed = changed || view != view_ || look != look_ || revision_ != buffers.revision() ||
            byLabels_ != scene.byLabels;
  // Computing costs a few passes over the pixels, then little for each point: where slices are drawn, too
  // much for the few points of a moving frame, and much less than drawing for all of them at rest.
  const bool sliced = budget_ != ProgressiveView::kEverything && !scene.atOnce;
  const CrowdDrawing crowds = sliced && scene.moving ? CrowdDrawing::drawn : points_.crowdDrawing();
  changed = changed || (look.crowd(view.dimensions) && crowds != crowds_);
  crowds_ = crowds;
  byLabels_ = scene.byLabels;
  view_ = view;
  look_ = look;
  revision_ = buffers.revision();

  const ProgressiveView::Slice slice =
      scene.atOnce ? ProgressiveView::Slice{true, 0, buffers.size()} : progress_.next(changed, scene.moving);
  const bool fresh = picture_.bind(view.viewport, look.density, slice.clear);
  if (fresh || slice.count > 0) {
    Gl& gl = currentGl();
    points_.begin(view, look, {scene.byLabels, fresh, crowds});
    if (sliced) {
      // Only what each point costs says how many the next slice may have.
      waitForDrawing(gl);
      const auto start = std::chrono::steady_clock::now();
      points_.drawOrdered(slice.first, slice.count);
      waitForDrawing(gl);
      progress_.measured(millisecondsSince(start));
    } else {
      points_.drawRange(slice.first, slice.count);
    }
    points_.end();
  }
  drawn = {scene.atOnce ? progress_.total() : progress_.drawn(), progress_.total(), look.density,
           look.density && points_.crowdDrawing() == CrowdDrawing::computed};
}

void SceneRenderer::addRegions(const Scene& scene, const CameraView& view) {
  if (!scene.regions || view.dimensions != 2) return;
  const auto lines = [&](double width, glm::vec4 colour) {
    for (const RegionBorder& border :
         borders_.of(scene.centroids, seenRectangle(view, region_lines::groundWidth * scene.pixelRatio))) {
      const auto from = projectToPixel(view, {border.from, 0});
      const auto to = projectToPixel(view, {border.to, 0});
      if (from && to) overlay_.line(*from, *to, static_cast<float>(width * scene.pixelRatio), colour);
    }
  };
  lines(region_lines::groundWidth,
        ink(backgroundOf(scene.theme), static_cast<float>(region_lines::groundOpacity)));
  const Rgb strong = scene.theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26};
  lines(region_lines::width, ink(strong, static_cast<float>(region_lines::opacity)));
}

void SceneRenderer::addTrails(const Scene& scene, const CameraView& view) {
  if (!scene.trails || scene.trails->empty()) return;
  const auto& trails = *scene.trails;
  for (std::size_t step = 0; step < trails.size(); ++step) {
    const bool last = step + 1 == trails.size();
    const std::span<const glm::dvec3> next =
        last ? scene.centroids : std::span<const glm::dvec3>(trails[step + 1]);
    const double age = static_cast<double>(step) / static_cast<double>(trails.size());
    const std::size_t clusters = std::min(trails[step].size(), next.size());
    for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
      const auto from = centroidPixel(view, trails[step][cluster], scene.enlarged);
      const auto to = centroidPixel(view, next[cluster], scene.enlarged);
      if (!from || !to || !scene.shows(cluster)) continue;
      const Rgb colour = scene.theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26};
      const float from_ = static_cast<float>(0.7 * age);
      const float to_ = static_cast<float>(0.7 * (age + 1.0 / static_cast<double>(trails.size())));
      overlay_.line(*from, *to, static_cast<float>(1.6 * scene.pixelRatio), ink(colour, from_),
                    ink(colour, to_));
    }
  }
}

void SceneRenderer::addCentroids(const Scene& scene, const CameraView& view) {
  const auto radius = static_cast<float>(markerRadius(scene.pixelRatio, scene.centroids.size()));
  const auto ring = static_cast<float>((radius > 6 * scene.pixelRatio ? 2.0 : 1.2) * scene.pixelRatio);
  const Rgb edge = scene.theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26};
  for (std::size_t cluster = 0; cluster < scene.centroids.size(); ++cluster) {
    const auto at = centroidPixel(view, scene.centroids[cluster], scene.enlarged);
    if (!at || !scene.shows(cluster)) continue;
    const Rgb fill = cluster < scene.colours.size() ? scene.colours[cluster] : unlabelledOf(scene.theme);
    if (view.dimensions == 1) {
      overlay_.line({0, at->y}, {view.viewport.x, at->y}, static_cast<float>(1.4 * scene.pixelRatio),
                    ink(edge, 0.3F));
    }
    overlay_.marker(*at, radius, ring, ink(fill), ink(edge));
  }
}

/// Regions, trails, centroids and rings.
void SceneRenderer::drawOver(const Scene& scene, const CameraView& view, glm::ivec2 framebuffer) {
  addRegions(scene, view);
  addTrails(scene, view);
  const Rgb strong = scene.theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26};
  const auto ratio = static_cast<float>(scene.pixelRatio);
  for (const glm::dvec3& ringed : scene.rings)
    if (const auto at = projectToPixel(view, ringed))
      overlay_.marker(*at, std::max(5 * ratio, look_.size / 2 + 3 * ratio), 1.5F * ratio, glm::vec4(0),
                      ink(scene.ringColour));
  addCentroids(scene, view);
  if (scene.hovered) {
    if (const auto at = projectToPixel(view, *scene.hovered)) {
      overlay_.marker(*at, std::max(7 * ratio, look_.size / 2 + 4 * ratio), 2 * ratio, glm::vec4(0),
                      ink(strong));
    }
  }
  overlay_.draw(framebuffer);
}

Drawn SceneRenderer::render(const Scene& scene, GLuint targetFramebuffer) {
  Gl& gl = currentGl();
  Drawn drawn;
  timer_.begin();
  const CameraView whole = scene.camera ? scene.camera->view() : CameraView{};
  const CameraView view = scene.part ? partOf(whole, scene.part->topLeft, scene.part->size) : whole;
  if (scene.points && scene.camera) drawPoints(scene, view, drawn);

  gl.glBindFramebuffer(GL_FRAMEBUFFER, targetFramebuffer);
  gl.glViewport(0, 0, view.viewport.x, view.viewport.y);
  gl.glDisable(GL_SCISSOR_TEST);
  if (scene.columns) {
    gl.glEnable(GL_SCISSOR_TEST);
    gl.glScissor(scene.columns->x, 0, std::max(0, scene.columns->y - scene.columns->x), view.viewport.y);
  }
  gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  const glm::vec3 background = toVec(backgroundOf(scene.theme));
  if (scene.transparent)
    gl.glClearColor(0, 0, 0, 0);
  else
    gl.glClearColor(background.r, background.g, background.b, 1);
  gl.glClear(GL_COLOR_BUFFER_BIT);

  const Rgb strong = scene.theme == Theme::dark ? Rgb{255, 255, 255} : Rgb{20, 22, 26};
  overlay_.setFrame(scene.part ? glm::dvec2(scene.part->topLeft) : glm::dvec2(0),
                    static_cast<float>(3 * scene.enlarged));
  if (scene.frame && scene.camera && scene.points && !scene.pointsAlone) {
    for (const FrameLine& line : axesFrame(*scene.camera, scene.pixelRatio).lines)
      overlay_.line(line.from, line.to, static_cast<float>(scene.pixelRatio),
                    ink(strong, line.strong ? 0.22F : 0.08F));
    overlay_.draw(view.viewport);
  }
  if (scene.points && scene.camera) {
    if (drawn.density) {
      // A pixel of the full colour holds a few times what it would if the points were spread evenly.
      const double pixels = static_cast<double>(whole.viewport.x) * whole.viewport.y;
      const double even = static_cast<double>(drawn.points) * look_.size * look_.size / pixels;
      picture_.showDensity(static_cast<float>(std::max(1.0, 6 * even)),
                           scene.transparent ? glm::vec4(0) : glm::vec4(background, 1),
                           beyondOf(scene.theme));
    } else {
      picture_.show();
    }
  }
  if (scene.camera && !scene.pointsAlone) drawOver(scene, whole, view.viewport);
  if (scene.columns) gl.glDisable(GL_SCISSOR_TEST);
  timer_.end();
  return drawn;
}

} // namespace lloyd
