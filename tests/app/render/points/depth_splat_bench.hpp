// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/compute_depth_splat.hpp"
#include "app/render/points/palette_texture.hpp"
#include "tests/app/render/points/point_bench.hpp"
#include "tests/app/render/points/sourced_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace lloyd {

inline constexpr Rgb kCloudBackground{10, 20, 30};

/// Colours of pixels, one after another from the lower left corner; all 0 where there is no point.
using Colours = std::vector<std::array<std::uint8_t, 4>>;

/// Points in space, seen in perspective.
struct Cloud {
  explicit Cloud(std::size_t count, float pointSize = 1) : size(pointSize) {
    camera.setViewport(kWidth, kHeight);
    camera.setData(3, {{0, 0, 0}, {1, 1, 1}});
    const std::vector<float> candidates = scattered(4 * count, 3);
    for (std::size_t i = 0; labels.size() < count; ++i)
      add({candidates.at(i), candidates.at(4 * count + i), candidates.at(8 * count + i)},
          static_cast<Label>(i % 7) - 1); // -1: none, 5: beyond the colours
  }
  void add(glm::vec3 at, Label label) {
    points.push_back(at);
    labels.push_back(label);
  }
  [[nodiscard]] std::size_t n() const { return labels.size(); }
  /// The three rows.
  [[nodiscard]] std::vector<float> values() const {
    std::vector<float> rows;
    for (int row = 0; row < 3; ++row)
      for (const glm::vec3& point : points)
        rows.push_back(point[row]);
    return rows;
  }

  /// What must be seen, in double precision; a colour of alpha 1 where rounding may decide.
  [[nodiscard]] Colours expected() const {
    const CameraView view = camera.view();
    struct Pixel {
      double nearest = std::numeric_limits<double>::infinity();
      Label label = 0;
      bool doubtful = false;
    };
    std::vector<Pixel> pixels(std::size_t{kWidth} * kHeight);
    for (std::size_t i = 0; i < n(); ++i) {
      const glm::dvec4 clip = view.clipFromOffset * glm::dvec4(glm::dvec3(points[i]) - view.origin, 1);
      if (!(clip.w > 0) || !(std::abs(clip.z) <= clip.w)) continue;
      const glm::dvec2 middle = (glm::dvec2(clip) / clip.w + 1.0) / 2.0 * glm::dvec2(kWidth, kHeight);
      const double half = std::clamp(size * (view.nearest + view.farthest) / 2 / clip.w, 1.0, 48.0) / 2;
      for (int y = static_cast<int>(middle.y - half) - 1; y <= static_cast<int>(middle.y + half) + 1; ++y) {
        for (int x = static_cast<int>(middle.x - half) - 1; x <= static_cast<int>(middle.x + half) + 1; ++x) {
          if (x < 0 || y < 0 || x >= kWidth || y >= kHeight) continue;
          const glm::dvec2 off = glm::abs(glm::dvec2(x, y) + 0.5 - middle);
          const double inside = half - std::max(off.x, off.y);
          constexpr double rounding = 1e-3;
          if (inside < -rounding) continue;
          Pixel& pixel = pixels[static_cast<std::size_t>(y) * kWidth + static_cast<std::size_t>(x)];
          const bool same = std::abs(clip.w - pixel.nearest) <= 1e-6 * clip.w;
          if (clip.w > pixel.nearest && !same) continue;
          pixel.doubtful = inside < rounding || (same && pixel.label != labels[i]);
          pixel.nearest = std::min(clip.w, pixel.nearest);
          pixel.label = labels[i];
        }
      }
    }
    Colours seen(pixels.size(), {0, 0, 0, 0});
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (std::isinf(pixels[i].nearest)) continue;
      const auto label = static_cast<std::size_t>(pixels[i].label);
      const Rgb hue = label < kHues.size() ? kHues[label] : kGrey;
      const double away =
          std::clamp((pixels[i].nearest - view.nearest) / (view.farthest - view.nearest), 0.0, 1.0);
      const glm::vec3 faded =
          255.0F * glm::mix(toVec(hue), toVec(kCloudBackground), static_cast<float>(0.55 * away * away));
      for (int c = 0; c < 3; ++c)
        seen[i].at(static_cast<std::size_t>(c)) = static_cast<std::uint8_t>(std::lround(faded[c]));
      seen[i][3] = pixels[i].doubtful ? 1 : 255;
    }
    return seen;
  }

  std::vector<glm::vec3> points;
  std::vector<Label> labels;
  float size; ///< pixels, in the middle of the data
  Camera camera;
};

/// A table, and the picture that it writes.
class Finder {
public:
  /// windowPoints: as ComputeDepthSplat's.
  explicit Finder(const Cloud& cloud, std::size_t windowPoints = ComputePointSource::kMostWindow)
      : cloud_(cloud), points_(3, cloud.values(), cloud.labels),
        table_(*computeOf(QOpenGLContext::currentContext()), windowPoints) {
    fillPaletteTexture<Rgb>(palette_, kHues);
  }
  /// One stretch of drawing: what draw adds, over what was there or, when fresh, over nothing.
  Colours after(bool fresh, const std::function<void(ComputeDepthSplat&)>& draw) {
    picture_.bind({kWidth, kHeight}, false, fresh);
    table_.begin(points_.points(), cloud_.camera.view(),
                 {cloud_.size, palette_.id(), static_cast<int>(kHues.size()), kGrey, kCloudBackground},
                 fresh);
    draw(table_);
    table_.finish();
    Colours seen(std::size_t{kWidth} * kHeight);
    Gl& gl = currentGl();
    gl.glReadBuffer(GL_COLOR_ATTACHMENT0);
    gl.glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, seen.data());
    return seen;
  }
  Colours range(std::size_t first, std::size_t count, bool fresh = true) {
    return after(fresh, [&](ComputeDepthSplat& table) { table.addRange(first, count); });
  }
  Colours ordered(std::size_t first, std::size_t count, bool fresh = true) {
    return after(fresh, [&](ComputeDepthSplat& table) {
      points_.ordered(first, count, [&](GLuint order, const auto& piece) { table.addOrdered(order, piece); });
    });
  }
  [[nodiscard]] ComputeDepthSplat& table() { return table_; }

private:
  const Cloud& cloud_;
  SourcedPoints points_;
  ComputeDepthSplat table_;
  GlTexture palette_;
  Picture picture_;
};

} // namespace lloyd
