// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/sampler.hpp"

#include "app/data/random/random_draws.hpp"

#include <algorithm>
#include <array>
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

/// [k][d], in a box of 100, each as far from the others as a few tries allow.
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

/// Runs whose lengths fall by the spec's skew. Weights are whole numbers, so that the last bit of a machine's
/// pow() does not decide on a point.
Runs skewedRuns(const GeneratorSpec& spec) {
  if (spec.skew == 0) return {spec.n, spec.k};
  std::vector<double> weights;
  for (int c = 1; c <= spec.k; ++c)
    weights.push_back(std::round(1e9 * std::pow(c, -spec.skew)));
  return {spec.n, weights};
}

} // namespace

Runs::Runs(std::size_t n, const std::vector<double>& weights) {
  double total = 0;
  for (const double weight : weights)
    total += weight;
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
    ends_.push_back(static_cast<std::uint64_t>(static_cast<double>(n) * (sum / total)));
  }
  ends_.back() = n;
}

std::size_t Runs::operator()(std::uint64_t b) const {
  return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), b) - ends_.begin());
}

Sampler blobs(const GeneratorSpec& spec) {
  const Runs runs = skewedRuns(spec);
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
  const Runs runs = skewedRuns(spec);
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
  const Runs runs = skewedRuns(spec);
  return {.point =
              [=, draws = RandomDraws(spec.seed)](std::uint64_t b, std::span<double> x) {
                double normal = 0;
                if (spec.spread > 0) draws.normals(Draw::normal, b, {&normal, 1});
                x[0] = 100 * static_cast<double>(runs(b)) + 0.5 + spec.spread * normal;
              },
          .component = runs};
}

} // namespace lloyd
