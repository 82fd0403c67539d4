// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Points and centroids that leave scores of matrix products no digits, and their right labels.
#include "gpu/core/data/problem.hpp"
#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/cpu/fma.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace lloyd::test::hostile {

struct Data {
  std::vector<float> points;    ///< [d][n]
  std::vector<float> centroids; ///< [k][d]
};

/// 0 <= value < 1
inline float number(std::uint64_t stream, std::uint64_t index) {
  return static_cast<float>(randomBits(11, stream, index) >> 40) * 0x1p-24F;
}

inline Data uniform(const Problem& problem) {
  Data data{std::vector<float>(problem.pointValues()), std::vector<float>(problem.centroidValues())};
  for (std::size_t i = 0; i < data.points.size(); ++i)
    data.points[i] = number(0, i);
  for (std::size_t i = 0; i < data.centroids.size(); ++i)
    data.centroids[i] = number(1, i);
  return data;
}

inline Data changed(const Problem& problem, const std::function<float(float)>& change) {
  Data data = uniform(problem);
  for (std::vector<float>* values : {&data.points, &data.centroids})
    for (float& value : *values)
      value = change(value);
  return data;
}

/// Small whole numbers: every distance is exact, and many are the same.
inline Data ties(const Problem& problem) {
  return changed(problem, [](float value) { return std::floor(3 * value); });
}

/// Each centroid is there twice, and the second time by a bit off in one coordinate, or not at all.
inline Data nearTies(const Problem& problem) {
  Data data = uniform(problem);
  const auto d = static_cast<std::size_t>(problem.d);
  for (std::size_t c = 1; c < static_cast<std::size_t>(problem.k); c += 2) {
    std::copy_n(data.centroids.begin() + static_cast<std::ptrdiff_t>((c - 1) * d), d,
                data.centroids.begin() + static_cast<std::ptrdiff_t>(c * d));
    if (c % 4 == 1) data.centroids[c * d + c % d] = std::nextafter(data.centroids[c * d + c % d], 2.0F);
  }
  return data;
}

inline Data allTheSame(const Problem& problem) {
  return changed(problem, [](float) { return 0.7F; });
}

/// Points far from the origin, as far as floats tell them apart.
inline Data offset(const Problem& problem) {
  return changed(problem, [](float value) { return 1e6F + 10 * value; });
}

/// Half of the clusters far away and large, the others small: one bound must serve both.
inline Data hugeBesideSmall(const Problem& problem) {
  Data data = changed(problem, [](float value) { return 1e-3F * value; });
  const auto d = static_cast<std::size_t>(problem.d);
  for (std::size_t at = 0; at < data.centroids.size(); ++at)
    if (at / d % 2 == 1) data.centroids[at] *= 1e9F;
  return data;
}

/// Each point lies halfway between two centroids, as far as rounding allows.
inline Data halfway(const Problem& problem) {
  Data data = uniform(problem);
  const auto d = static_cast<std::size_t>(problem.d);
  const auto k = static_cast<std::size_t>(problem.k);
  for (std::size_t i = 0; i < problem.n; ++i)
    for (std::size_t j = 0; j < d; ++j)
      data.points[j * problem.n + i] =
          (data.centroids[i % k * d + j] + data.centroids[(i / k + i + 1) % k * d + j]) / 2;
  return data;
}

/// Squares are denormal, or nothing, of numbers that are not.
inline Data tiny(const Problem& problem) {
  return changed(problem, [](float value) { return 1e-21F * value; });
}

/// Squares of norms are denormal, or nothing, where norms are not; and many clusters are nearly as near.
inline Data small(const Problem& problem) {
  Data data = nearTies(problem);
  for (std::vector<float>* values : {&data.points, &data.centroids})
    for (float& value : *values)
      value *= 3e-13F;
  return data;
}

inline Data denormal(const Problem& problem) {
  return changed(problem, [](float value) { return 1e-40F * value; });
}

/// Squares overflow, and with them distances; no cluster is nearer than infinitely far.
inline Data overflowing(const Problem& problem) {
  return changed(problem, [](float value) { return 3e38F * (value - 0.5F); });
}

/// Of some points alone.
inline Data someOverflow(const Problem& problem) {
  Data data = uniform(problem);
  for (std::size_t at = 0; at < data.points.size(); ++at)
    if (at % problem.n % 3 == 1) data.points[at] *= 1e19F;
  return data;
}

/// As the chain of float distances has them.
inline std::vector<Label> chainLabelsOf(const Problem& problem, const Data& data) {
  const auto d = static_cast<std::size_t>(problem.d);
  std::vector<Label> labels(problem.n);
  for (std::size_t i = 0; i < problem.n; ++i) {
    float nearest = std::numeric_limits<float>::infinity();
    for (int c = 0; c < problem.k; ++c) {
      float distance = 0;
      for (std::size_t j = 0; j < d; ++j)
        distance = addSquare(distance, data.points[j * problem.n + i],
                             data.centroids[static_cast<std::size_t>(c) * d + j]);
      if (!(distance < nearest)) continue;
      nearest = distance;
      labels[i] = c;
    }
  }
  return labels;
}

inline std::vector<Label> chainLabels(const Problem& problem, const Data& data) {
  return callFused<chainLabelsOf>(problem, data);
}

struct Kind {
  const char* name;
  Data (*make)(const Problem&);
};
inline constexpr std::array kinds{Kind{"uniform", uniform},
                                  Kind{"exact ties", ties},
                                  Kind{"near ties and duplicates", nearTies},
                                  Kind{"all the same", allTheSame},
                                  Kind{"an offset of 1e6", offset},
                                  Kind{"huge beside small", hugeBesideSmall},
                                  Kind{"points halfway", halfway},
                                  Kind{"squares of norms that vanish", small},
                                  Kind{"squares that vanish", tiny},
                                  Kind{"denormal numbers", denormal},
                                  Kind{"squares that overflow", overflowing},
                                  Kind{"some squares that overflow", someOverflow}};

} // namespace lloyd::test::hostile
