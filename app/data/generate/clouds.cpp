// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/clouds.hpp"

#include "app/data/random/random_draws.hpp"

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr double box = 100;

/// k directions of length 1, [k][d].
std::vector<double> directions(const GeneratorSpec& spec) {
  const RandomDraws draws(spec.seed);
  const auto d = static_cast<std::size_t>(spec.d);
  std::vector<double> all(static_cast<std::size_t>(spec.k) * d);
  for (std::size_t c = 0; c < static_cast<std::size_t>(spec.k); ++c) {
    const std::span direction(all.data() + c * d, d);
    draws.normals(Draw::axis, c, direction);
    double square = 0;
    for (const double x : direction)
      square += x * x;
    const double length = std::sqrt(square);
    for (double& x : direction)
      x /= length;
  }
  return all;
}

} // namespace

std::vector<double> cloudHomes(const GeneratorSpec& spec, double margin) {
  const RandomDraws draws(spec.seed);
  const auto d = static_cast<std::size_t>(spec.d);
  const auto k = static_cast<std::size_t>(spec.k);
  // Mitchell's best candidate (1991). It is quadratic in k, and past some thousands homes are dense anyway.
  const std::size_t tries = k <= 4096 ? 24 : 1;
  std::vector<double> homes(k * d);
  std::vector<double> candidate(d);
  for (std::size_t c = 0; c < k; ++c) {
    double best = -1;
    for (std::size_t t = 0; t < tries; ++t) {
      for (std::size_t j = 0; j < d; ++j) {
        candidate[j] = margin + (box - 2 * margin) * draws.uniform(Draw::home, j, c * tries + t);
      }
      double nearest = INFINITY;
      for (std::size_t other = 0; other < c && tries > 1; ++other) {
        double square = 0;
        for (std::size_t j = 0; j < d; ++j) {
          const double apart = candidate[j] - homes[other * d + j];
          square += apart * apart;
        }
        nearest = std::min(nearest, square);
      }
      if (nearest > best) {
        best = nearest;
        std::copy(candidate.begin(), candidate.end(), homes.begin() + static_cast<std::ptrdiff_t>(c * d));
      }
    }
  }
  return homes;
}

Sampler blobs(const GeneratorSpec& spec) {
  const Runs runs(spec.n, spec.k);
  return {.point =
              [=, draws = RandomDraws(spec.seed), homes = cloudHomes(spec, 8)](std::uint64_t b,
                                                                               std::span<double> x) {
                const double* const home = homes.data() + runs(b) * x.size();
                draws.normals(Draw::normal, b, x);
                for (std::size_t j = 0; j < x.size(); ++j)
                  x[j] = home[j] + spec.spread * x[j];
              },
          .component = runs};
}

Sampler anisotropic(const GeneratorSpec& spec) {
  constexpr double along = 2;
  constexpr double across = 0.4;
  const Runs runs(spec.n, spec.k);
  return {.point =
              [=, draws = RandomDraws(spec.seed), homes = cloudHomes(spec, 10),
               axes = directions(spec)](std::uint64_t b, std::span<double> x) {
                const std::size_t at = runs(b) * x.size();
                draws.normals(Draw::normal, b, x);
                double projection = 0;
                for (std::size_t j = 0; j < x.size(); ++j)
                  projection += x[j] * axes[at + j];
                for (std::size_t j = 0; j < x.size(); ++j) {
                  const double stretched = across * x[j] + (along - across) * projection * axes[at + j];
                  x[j] = homes[at + j] + spec.spread * stretched;
                }
              },
          .component = runs};
}

Sampler drift(const GeneratorSpec& spec) {
  const RandomDraws draws(spec.seed);
  const auto d = static_cast<std::size_t>(spec.d);
  const auto k = static_cast<std::size_t>(spec.k);
  std::vector<double> weights(k);
  std::vector<double> widths(k * d);
  for (std::size_t c = 0; c < k; ++c) {
    weights[c] = 0.5 + 1.5 * draws.uniform(Draw::size, 0, c);
    const double width = spec.spread * (0.5 + draws.uniform(Draw::width, 0, c));
    for (std::size_t j = 0; j < d; ++j)
      widths[c * d + j] = width * (0.7 + 0.6 * draws.uniform(Draw::width, j + 1, c));
  }
  const Runs runs(spec.n, weights);
  return {.point =
              [=, homes = cloudHomes(spec, 10), widths = std::move(widths)](std::uint64_t b,
                                                                            std::span<double> x) {
                const std::size_t at = runs(b) * x.size();
                draws.normals(Draw::normal, b, x);
                for (std::size_t j = 0; j < x.size(); ++j)
                  x[j] = homes[at + j] + widths[at + j] * x[j];
              },
          .component = runs};
}

} // namespace lloyd
