// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/palette.hpp"
#include "app/render/points/picture.hpp"
#include "app/render/points/point_renderer.hpp"
#include "tests/app/render/gl/gl_fixture.hpp"

#include <QColor>

#include <cstdint>
#include <functional>
#include <vector>

namespace lloyd {

inline constexpr int kWidth = 200, kHeight = 160;
inline constexpr Rgb kRed{255, 0, 0}, kGreen{0, 255, 0}, kBlue{0, 0, 255}, kGrey{90, 90, 90};
inline const std::vector<Rgb> kHues{kRed, kGreen, kBlue, {255, 255, 0}, {255, 0, 255}};

/// Draws into a picture and reads it back, the background black.
class Bench {
public:
  explicit Bench(CrowdDrawing most = CrowdDrawing::computed) : fixture({kWidth, kHeight}), points(most) {
    points.setColours(std::vector<Rgb>{kRed, kGreen, kBlue});
    look.size = 2;
    look.unlabelled = unlabelledOf(Theme::dark);
    camera.setViewport(kWidth, kHeight);
  }

  void show(const PointBuffers& buffers, const std::vector<float>& values) {
    points.setPoints(buffers);
    camera.setData(drawnDimensions(buffers.dimensions()),
                   drawnBounds(values.data(), buffers.size(), buffers.dimensions(), buffers.size()));
  }
  QImage draw(const std::function<void(PointRenderer&)>& calls) {
    picture.bind({kWidth, kHeight}, look.density, true);
    points.begin(camera.view(), look);
    calls(points);
    points.end();
    Gl& gl = currentGl();
    gl.glBindFramebuffer(GL_FRAMEBUFFER, fixture.target());
    gl.glViewport(0, 0, kWidth, kHeight);
    gl.glClearColor(0, 0, 0, 1);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    if (look.density) {
      picture.showDensity(4, {0, 0, 0, 1}, {255, 255, 255});
    } else {
      picture.show();
    }
    return fixture.image();
  }
  QImage drawAll() {
    return draw([](PointRenderer& renderer) { renderer.drawRange(0, 1U << 30); });
  }
  [[nodiscard]] QColor at(const QImage& image, glm::dvec3 position) const {
    const auto pixel = camera.project(position);
    return pixel ? image.pixelColor(static_cast<int>(pixel->x), static_cast<int>(pixel->y)) : QColor();
  }

  GlFixture fixture;
  PointRenderer points;
  Picture picture;
  Camera camera;
  PointLook look;
};

inline int litPixels(const QImage& image) {
  int lit = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      lit += (image.pixel(x, y) & 0xffffffU) != 0 ? 1 : 0;
  return lit;
}

/// A few thousand points of overlapping clusters, the same everywhere.
inline std::vector<float> scattered(std::size_t n, int d) {
  std::vector<float> values(n * static_cast<std::size_t>(d));
  std::uint32_t state = 12345;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<float>(state >> 8) / 16777216.0F;
  }
  return values;
}

inline std::vector<Label> striped(std::size_t n) {
  std::vector<Label> labels(n);
  for (std::size_t i = 0; i < n; ++i)
    labels[i] = static_cast<Label>(i % 3);
  return labels;
}

} // namespace lloyd
