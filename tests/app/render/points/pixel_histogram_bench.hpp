// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/render/points/pixel_histogram.hpp"
#include "tests/app/render/points/point_bench.hpp"
#include "tests/app/render/points/sourced_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

/// One pixel after another from the lower left corner.
struct Seen {
  std::vector<std::array<std::uint8_t, 4>> colours;
  std::vector<float> counts;
  bool operator==(const Seen&) const = default;
};

/// Points that lie well inside their pixels, so that rounding cannot move one to the next pixel.
struct Crowd {
  explicit Crowd(std::size_t n, int dimensions = 2) : d(dimensions) {
    camera.setViewport(kWidth, kHeight);
    camera.setData(d, {{0, 0, 0}, {d == 1 ? static_cast<double>(n - 1) : 1.0, 1, 0}});
    std::uint32_t state = 4711;
    const auto random = [&state] {
      state = state * 1664525U + 1013904223U;
      return static_cast<float>(state >> 8) / 16777216.0F;
    };
    std::vector<float> x, y;
    while (labels.size() < n) {
      // Most of them in a corner, where they overlap.
      const float a = random(), b = random() * random();
      const auto at = pixelOf(a, b, labels.size());
      labels.push_back(static_cast<Label>(state >> 13) % 7 - 1); // -1: none, 5: beyond the colours
      x.push_back(a);
      y.push_back(b);
      if (std::abs(at.x - std::round(at.x)) > 0.01 && std::abs(at.y - std::round(at.y)) > 0.01) continue;
      if (d == 1 && std::abs(at.y - std::round(at.y)) > 0.01) continue; // places in memory are what they are
      labels.pop_back();
      x.pop_back();
      y.pop_back();
    }
    values = d == 1 ? y : x;
    if (d == 2) values.insert(values.end(), y.begin(), y.end());
  }
  [[nodiscard]] std::size_t n() const { return labels.size(); }
  [[nodiscard]] glm::dvec2 pixelOf(float x, float y, std::size_t i) const {
    const glm::dvec2 fromTop = *camera.project({d == 1 ? static_cast<double>(i) : double{x}, y, 0});
    return {fromTop.x, kHeight - fromTop.y};
  }
  [[nodiscard]] std::size_t pixelOf(std::size_t i) const {
    const glm::dvec2 at = pixelOf(values[i], values[d == 1 ? i : n() + i], i);
    return static_cast<std::size_t>(at.y) * kWidth + static_cast<std::size_t>(at.x);
  }
  /// What must be seen with cells of this many pixels, with or without bits for the colours of a pixel.
  [[nodiscard]] Seen expected(std::size_t cell = 1, bool byPixel = true) const {
    const std::size_t kinds = kHues.size() + 1;
    const auto cellOf = [cell](std::size_t pixel) {
      return pixel / kWidth / cell * kWidth + pixel % kWidth / cell;
    };
    std::vector<int> table(std::size_t{kWidth} * kHeight * kinds);
    std::vector<bool> present(table.size(), !byPixel);
    Seen seen{{std::size_t{kWidth} * kHeight, {0, 0, 0, 0}},
              std::vector<float>(std::size_t{kWidth} * kHeight)};
    for (std::size_t i = 0; i < n(); ++i) {
      const bool known = labels[i] >= 0 && labels[i] < static_cast<Label>(kHues.size());
      const std::size_t kind = known ? static_cast<std::size_t>(labels[i]) : kinds - 1;
      ++table[cellOf(pixelOf(i)) * kinds + kind];
      present[pixelOf(i) * kinds + kind] = true;
      seen.counts[pixelOf(i)] += 1;
    }
    for (std::size_t pixel = 0; pixel < seen.colours.size(); ++pixel) {
      if (seen.counts[pixel] == 0) continue;
      std::size_t winner = 0;
      int most = 0;
      for (std::size_t kind = 0; kind < kinds; ++kind) {
        const int here = present[pixel * kinds + kind] ? table[cellOf(pixel) * kinds + kind] : 0;
        if (here > most) winner = kind;
        most = std::max(most, here);
      }
      const Rgb hue = winner < kHues.size() ? kHues[winner] : kGrey;
      seen.colours[pixel] = {hue.r, hue.g, hue.b, 255};
    }
    return seen;
  }

  int d;
  std::vector<float> values;
  std::vector<Label> labels;
  Camera camera;
};

/// A table, and what it writes into a picture.
class Counter {
public:
  explicit Counter(const Crowd& crowd, const PixelHistogram::Limits& limits = {})
      : crowd_(crowd), points_(crowd.d, crowd.values, crowd.labels),
        table_(*computeOf(QOpenGLContext::currentContext()), limits) {
    table_.setColours(kHues);
  }
  void begin(bool fresh) { table_.begin(points_.points(), crowd_.camera.view(), 1, fresh); }
  void range(std::size_t first, std::size_t count) { table_.countRange(first, count); }
  void ordered(std::size_t first, std::size_t count) {
    points_.ordered(first, count,
                    [this](GLuint order, const auto& piece) { table_.countOrdered(order, piece); });
  }
  Seen finish() {
    picture_.bind({kWidth, kHeight}, true, true);
    table_.finish(kGrey);
    Seen seen;
    seen.colours.resize(std::size_t{kWidth} * kHeight);
    seen.counts.resize(seen.colours.size());
    Gl& gl = currentGl();
    gl.glReadBuffer(GL_COLOR_ATTACHMENT0);
    gl.glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, seen.colours.data());
    gl.glReadBuffer(GL_COLOR_ATTACHMENT1);
    gl.glReadPixels(0, 0, kWidth, kHeight, GL_RED, GL_FLOAT, seen.counts.data());
    return seen;
  }
  [[nodiscard]] PixelHistogram& table() { return table_; }

private:
  const Crowd& crowd_;
  SourcedPoints points_;
  PixelHistogram table_;
  Picture picture_;
};

} // namespace lloyd
