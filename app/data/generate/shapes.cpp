// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/shapes.hpp"

#include "app/data/random/random_draws.hpp"

#include <array>
#include <cmath>

namespace lloyd {

Sampler uniform(const GeneratorSpec& spec) {
  // The first coordinate is drawn within the b-th of n slices, so that the order of b is the order of that
  // coordinate.
  return {.point = [n = static_cast<double>(spec.n), draws = RandomDraws(spec.seed)](std::uint64_t b,
                                                                                     std::span<double> x) {
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = 100 * draws.uniform(Draw::uniform, j, b);
    x[0] = (100 * static_cast<double>(b) + x[0]) / n;
  }};
}

Sampler rings(const GeneratorSpec& spec) {
  // As many points to each unit of length (or of area) on every ring.
  std::vector<double> weights;
  for (int c = 1; c <= spec.k; ++c)
    weights.push_back(spec.d == 3 ? static_cast<double>(c) * c : c);
  const Runs runs(spec.n, weights);
  return {.point =
              [=, draws = RandomDraws(spec.seed)](std::uint64_t b, std::span<double> x) {
                std::array<double, 4> normal{};
                draws.normals(Draw::normal, b, normal);
                const double radius = 50 * static_cast<double>(runs(b) + 1) / spec.k + spec.noise * normal[3];
                if (x.size() == 2) {
                  const SinCos angle = portableSinCos(draws.uniform(Draw::uniform, 0, b));
                  x[0] = 50 + radius * angle.cos;
                  x[1] = 50 + radius * angle.sin;
                  return;
                }
                // A normal vector points in every direction alike. The three components are never 0 together.
                const double length =
                    std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
                for (std::size_t j = 0; j < 3; ++j)
                  x[j] = 50 + radius * normal[j] / length;
              },
          .component = runs};
}

Sampler moons(const GeneratorSpec& spec) {
  const Runs runs(spec.n, 2);
  return {.point =
              [=, draws = RandomDraws(spec.seed)](std::uint64_t b, std::span<double> x) {
                const bool second = runs(b) == 1;
                const SinCos angle = portableSinCos(0.5 * draws.uniform(Draw::uniform, 0, b));
                draws.normals(Draw::normal, b, x);
                for (double& value : x)
                  value *= spec.noise;
                x[0] += 35 + 30 * (second ? 1 - angle.cos : angle.cos);
                x[1] += 42 + 30 * (second ? 0.5 - angle.sin : angle.sin);
                if (x.size() == 3) x[2] += 50;
              },
          .component = runs};
}

Sampler bands(const GeneratorSpec& spec) {
  const Runs runs(spec.n, spec.k);
  return {.point =
              [=, draws = RandomDraws(spec.seed)](std::uint64_t b, std::span<double> x) {
                double normal = 0;
                if (spec.spread > 0) draws.normals(Draw::normal, b, {&normal, 1});
                x[0] = 100 * static_cast<double>(runs(b)) + 0.5 + spec.spread * normal;
              },
          .component = runs};
}

} // namespace lloyd
