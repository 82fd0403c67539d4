// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/check_operations.hpp"

#include "gpu/core/math/distance.hpp"
#include "gpu/core/math/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {
namespace {

using reference::Comparison;
using reference::describe;

Comparison checkInertia(Device& device, const PreparedCase& prepared) {
  Buffer<double> sum(device, 1);
  sum.fill(0);
  device.inertia({.problem = prepared.problem,
                  .points = prepared.points(Layout::soa),
                  .centroids = prepared.centroids.data(),
                  .labels = prepared.rightLabels.data(),
                  .inertia = sum.data()});
  const double found = sum.download().front();
  const double expected = reference::inertia(prepared.problem, prepared.inputs.points,
                                             prepared.centroidsAsDoubles, prepared.labels);
  Comparison result;
  result.take(found == expected ? 0 : std::abs(found - expected) / (1e-6 * expected),
              [&] { return "the inertia is " + describe(found) + ", expected " + describe(expected); });
  return result;
}

/// Three steps of the k-means++ race. Keys are defined to the bit, so the winner and every distance must be
/// the same.
Comparison checkSeed(Device& device, const PreparedCase& prepared) {
  const auto [n, dimensions, clusters] = prepared.problem;
  const auto d = static_cast<std::size_t>(dimensions);
  const std::vector<float>& points = prepared.inputs.points;
  constexpr std::uint64_t seed = 7;
  Buffer<float> nearest(device, n);
  Buffer<float> newest(device, d);
  Buffer<std::uint64_t> winner(device, 1);
  nearest.fill(0xff); // before there is a centre, what lies here must not matter
  std::vector<float> expected(n, std::numeric_limits<float>::infinity());
  std::vector<float> centre;
  Comparison result;
  for (std::uint32_t step = 0; step < 3; ++step) {
    std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < n; ++i) {
      if (!centre.empty()) {
        float distance = 0;
        for (std::size_t j = 0; j < d; ++j)
          distance = addSquare(distance, points[j * n + i], centre[j]);
        expected[i] = std::min(expected[i], distance);
      }
      best = std::min(best, SeedRace(seed, step).entry(static_cast<std::uint32_t>(i), expected[i]));
    }
    winner.fill(0xff);
    device.seedStep({.problem = prepared.problem,
                     .points = prepared.points(Layout::soa),
                     .newest = centre.empty() ? nullptr : newest.data(),
                     .nearest = nearest.data(),
                     .seed = seed,
                     .step = step,
                     .winner = winner.data()});
    const std::uint64_t found = winner.download().front();
    result.require(found == best, [&] {
      return "step " + std::to_string(step) + " chose point " + std::to_string(found & 0xffffffffu) +
             ", expected " + std::to_string(best & 0xffffffffu);
    });
    result.require(step == 0 || nearest.download() == expected, [&] {
      return "distances to the nearest centre differ after step " + std::to_string(step);
    });
    if (n == 0 || !result.ok()) break;
    centre.resize(d);
    for (std::size_t j = 0; j < d; ++j)
      centre[j] = points[j * n + (best & 0xffffffffu)];
    newest.upload(centre);
  }
  return result;
}

Comparison checkAdvance(Device& device, const PreparedCase& prepared) {
  const auto [n, dimensions, clusters] = prepared.problem;
  const auto d = static_cast<std::size_t>(dimensions);
  constexpr std::size_t components = 3;
  const std::size_t stride = rowStride(n);
  std::vector<std::uint8_t> component(n);
  for (std::size_t i = 0; i < n; ++i)
    component[i] = static_cast<std::uint8_t>(i * 7 % components);
  std::vector<float> shifts(components * d);
  for (std::size_t at = 0; at < shifts.size(); ++at)
    shifts[at] = 0.37f * static_cast<float>(at) - 0.8f;
  const Buffer<std::uint8_t> deviceComponent(device, component);
  const Buffer<float> deviceShifts(device, shifts);
  Buffer<float> moved(device, stride * d);
  moved.fill(0xff);
  device.advance({.n = n,
                  .d = dimensions,
                  .stride = stride,
                  .base = prepared.rows.data(),
                  .out = moved.data(),
                  .component = deviceComponent.data(),
                  .shifts = deviceShifts.data()});
  const std::vector<float> found = moved.download();
  Comparison result;
  for (std::size_t j = 0; j < d; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const float expected = prepared.inputs.points[j * n + i] + shifts[component[i] * d + j];
      result.require(found[j * stride + i] == expected, [&, i, j] {
        return "point " + std::to_string(i) + ", dimension " + std::to_string(j) + " moved to " +
               describe(static_cast<double>(found[j * stride + i])) + ", expected " +
               describe(static_cast<double>(expected));
      });
    }
  }
  return result;
}

Comparison checkInterleave(Device& device, const PreparedCase& prepared) {
  Buffer<float> records(device, prepared.problem.pointValues());
  records.fill(0xff);
  device.interleave({.n = prepared.problem.n,
                     .d = prepared.problem.d,
                     .points = prepared.points(Layout::soa),
                     .records = records.data()});
  Comparison result;
  result.require(records.download() == prepared.records.download(),
                 [] { return std::string("the records are not the points that the rows hold"); });
  return result;
}

} // namespace

const std::array<OperationCheck, 4>& operationChecks() {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  static const std::array<OperationCheck, 4> checks{{
      {"operations.seed", Stage::seed, std::size_t{1} << 20, checkSeed},
      {"operations.advance", Stage::advance, any, checkAdvance},
      {"operations.interleave", Stage::upload, any, checkInterleave},
      {"operations.inertia", Stage::inertia, any, checkInertia},
  }};
  return checks;
}

} // namespace lloyd
