// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Boxes, centroids in and around them, and points that a table of cells finds hard.
#include "gpu/core/data/box.hpp"
#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "tests/gpu/kernels/fused/fused_cell_label.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace lloyd::test {

/// Random numbers, one after another; the same on every machine.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t bits() { return randomBits(seed_, 0, next_++); }
  unsigned below(unsigned count) { return count == 0 ? 0 : static_cast<unsigned>((bits() >> 32) % count); }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + unit() * (high - low); }

private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

/// Finite floats as integers that are apart by how many floats lie between.
[[nodiscard]] inline std::int32_t orderOf(float value) {
  const auto bits = std::bit_cast<std::int32_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<std::int32_t>::min() - bits;
}
[[nodiscard]] inline float floatAt(std::int32_t order) {
  return std::bit_cast<float>(order >= 0 ? order : std::numeric_limits<std::int32_t>::min() - order);
}
/// The float so many floats above value, or below; still finite.
[[nodiscard]] inline float stepped(float value, std::int64_t floats) {
  const std::int64_t most = orderOf(std::numeric_limits<float>::max());
  return floatAt(static_cast<std::int32_t>(std::clamp(orderOf(value) + floats, -most, most)));
}
[[nodiscard]] inline float asFloat(double value) {
  constexpr double most = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -most, most));
}

/// The definition of a label: distances link by link through addSquare(), the strictly nearest, the lowest
/// index. centroids is [k][d].
[[nodiscard]] inline unsigned nearestByDefinition(std::span<const float> centroids,
                                                  std::span<const float> x) {
  float nearest = INFINITY;
  unsigned label = 0;
  for (std::size_t c = 0; c * x.size() < centroids.size(); ++c) {
    float distance = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      distance = addSquare(distance, x[j], centroids[c * x.size() + j]);
    if (!(distance < nearest)) continue;
    nearest = distance;
    label = static_cast<unsigned>(c);
  }
  return label;
}

/// The box of a scene: how wide and where. A range of 0 is a dimension without extent.
struct BoxKind {
  const char* name;
  std::array<double, 3> low;
  std::array<double, 3> extent;
};
inline constexpr std::array<BoxKind, 17> boxKinds{{
    {"unit", {0, 0, 0}, {1, 1, 1}},
    {"wide", {-100, -300, 50}, {400, 500, 300}},
    {"uneven", {-1, 1e3, 0}, {2, 1e6, 1e-6}},
    {"at 1e6", {1e6, -1e6, 1e6}, {1, 1, 1}},
    {"at 1e6, some floats wide", {1e6, 1e6, -1e6}, {0.25, 0.5, 1}},
    {"at 1e30, narrow", {1e30, 1e30, -1e30}, {1e24, 1e25, 1e24}},
    {"at 1e30, wide", {1e30, -1e30, 1e30}, {1e29, 1e29, 1e29}},
    {"tiny", {0, -1e-30, 1e-30}, {1e-30, 2e-30, 1e-30}},
    {"squares are subnormal", {0, -1e-20, 0}, {2e-20, 2e-20, 1e-20}},
    {"subnormal", {0, -1e-40, 1e-42}, {1e-40, 2e-40, 1e-41}},
    {"squares near the largest float", {-9e18, -9e18, 0}, {1.8e19, 1.8e19, 9e18}},
    {"squares overflow", {-1e30, 0, -1e37}, {2e30, 1e38, 2e37}},
    {"all floats", {-3.4e38, -3.4e38, -3.4e38}, {6.8e38, 6.8e38, 6.8e38}},
    {"a point", {3.25, -7, 1e6}, {0, 0, 0}},
    {"a point at 0", {0, 0, 0}, {0, 0, 0}},
    {"a line along the first axis", {-1, 5, -2e3}, {3, 0, 0}},
    {"a line along the last axis", {7, -1e4, 0.5}, {0, 0, 2}},
}};

/// How centroids lie.
enum class CentroidKind {
  inside,
  spots,
  nearlyEqual,
  equal,
  around,
  farOutside,
  lattice,
  astride, ///< in pairs, with the edge of a cell between the two
  mixed
};
inline constexpr unsigned centroidKinds = 9;

/// A box in cells and k centroids; of a dimension without extent, centroids are as wide apart as its values
/// are large.
struct Scene {
  int d = 0;
  unsigned k = 0;
  unsigned perAxis = 0;
  Box box;
  std::array<float, 3> inverse; ///< cells for each unit of length
  std::vector<float> centroids; ///< [k][d]

  [[nodiscard]] double extent(std::size_t j) const {
    const double own = static_cast<double>(box.high[j]) - static_cast<double>(box.low[j]);
    return own > 0 ? own : std::max(1e-3 * std::abs(static_cast<double>(box.low[j])), 1e-3);
  }
};

[[nodiscard]] inline Scene makeScene(const BoxKind& boxKind, CentroidKind kind, int d, unsigned k,
                                     unsigned perAxis, Draw& draw) {
  Scene scene{.d = d, .k = k, .perAxis = perAxis, .box = {}, .inverse = {}, .centroids = {}};
  const auto dimensions = static_cast<std::size_t>(d);
  for (std::size_t j = 0; j < dimensions; ++j) {
    scene.box.low[j] = asFloat(boxKind.low[j]);
    scene.box.high[j] = std::max(scene.box.low[j], asFloat(boxKind.low[j] + boxKind.extent[j]));
  }
  scene.inverse = cellDensity(scene.box, d, perAxis);
  for (std::size_t j = 0; j < dimensions; ++j) // a box too wide for cells still has places to try
    if (scene.inverse[j] == 0.0f) scene.inverse[j] = asFloat(perAxis / scene.extent(j));
  const auto inBox = [&](std::size_t j, double at) {
    return asFloat(static_cast<double>(scene.box.low[j]) + at * scene.extent(j));
  };
  std::array<float, 3> spot{};
  std::array<double, 3> middle{}; // of a pair that is astride
  std::array<double, 3> half{};
  for (unsigned c = 0; c < k; ++c) {
    CentroidKind own = kind;
    if (kind == CentroidKind::mixed) own = static_cast<CentroidKind>(draw.below(centroidKinds - 1));
    const bool moves = c == 0 || (own == CentroidKind::spots && draw.below(4) == 0);
    for (std::size_t j = 0; j < dimensions; ++j) {
      if (moves) spot[j] = inBox(j, draw.unit());
      switch (own) {
      case CentroidKind::spots:
        scene.centroids.push_back(
            asFloat(static_cast<double>(spot[j]) + draw.between(-1e-3, 1e-3) * scene.extent(j)));
        break;
      case CentroidKind::nearlyEqual:
        scene.centroids.push_back(stepped(spot[j], static_cast<int>(draw.below(7)) - 3));
        break;
      case CentroidKind::equal:
        scene.centroids.push_back(spot[j]);
        break;
      case CentroidKind::around:
        scene.centroids.push_back(inBox(j, draw.between(-3, 4)));
        break;
      case CentroidKind::farOutside:
        scene.centroids.push_back(inBox(j, draw.between(-1, 1) * std::pow(10.0, draw.below(7))));
        break;
      case CentroidKind::lattice:
        scene.centroids.push_back(inBox(j, static_cast<double>(draw.below(9)) / 8));
        break;
      case CentroidKind::astride: {
        const double width = 1 / static_cast<double>(scene.inverse[j]);
        if (c % 2 == 0) {
          middle[j] = static_cast<double>(scene.box.low[j]) +
                      (draw.below(scene.perAxis) + draw.between(-1e-3, 1e-3)) * width;
          half[j] = draw.between(-2, 2) * width;
        }
        scene.centroids.push_back(asFloat(middle[j] + (c % 2 == 0 ? -half[j] : half[j])));
        break;
      }
      default:
        scene.centroids.push_back(inBox(j, draw.unit()));
      }
    }
  }
  return scene;
}

/// A point of the box: anywhere, in a corner, on the edge of a cell or close to it, or as near to being
/// between two centroids as floats allow; often a few floats beside that.
inline void drawPoint(const Scene& scene, Draw& draw, std::span<float> x) {
  std::array<double, 3> at{};
  for (std::size_t j = 0; j < x.size(); ++j)
    at[j] = draw.between(static_cast<double>(scene.box.low[j]), static_cast<double>(scene.box.high[j]));
  const unsigned way = draw.below(5);
  if ((way == 1 || way == 4) && scene.k > 1) {
    // Along the line between two centroids until both are equally near.
    const unsigned one = draw.below(scene.k);
    const unsigned other = draw.below(2) == 0 ? (one ^ 1u) % scene.k : draw.below(scene.k);
    const std::size_t a = one * x.size();
    const std::size_t b = other * x.size();
    double along = 0;
    double length = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double from = scene.centroids[a + j];
      const double to = scene.centroids[b + j];
      along += (at[j] - (from + to) / 2) * (to - from);
      length += (to - from) * (to - from);
    }
    for (std::size_t j = 0; j < x.size() && length > 0; ++j)
      at[j] -= along / length *
               (static_cast<double>(scene.centroids[b + j]) - static_cast<double>(scene.centroids[a + j]));
  }
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto low = static_cast<double>(scene.box.low[j]);
    if (way == 2)
      at[j] = low + (draw.below(scene.perAxis + 1) + draw.below(2) * draw.between(-2e-3, 2e-3)) /
                        static_cast<double>(scene.inverse[j]);
    if (way == 4) at[j] += draw.between(-1e-3, 1e-3) / static_cast<double>(scene.inverse[j]);
    if (way == 3 && draw.below(3) > 0) at[j] = draw.below(2) == 0 ? low : scene.box.high[j];
    const int beside = draw.below(2) == 0 ? 0 : static_cast<int>(draw.below(7)) - 3;
    x[j] = std::clamp(stepped(asFloat(at[j]), beside), scene.box.low[j], scene.box.high[j]);
  }
}

} // namespace lloyd::test
