// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/generate/generators.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace lloyd {

/// Which of the sorted points belong to which component: consecutive runs whose lengths follow the weights.
class Runs {
public:
  /// k runs of equal length, to within a point.
  Runs(std::size_t n, int k) : Runs(n, std::vector<double>(static_cast<std::size_t>(k), 1.0)) {}
  Runs(std::size_t n, const std::vector<double>& weights);
  /// The component of sorted point b.
  [[nodiscard]] std::size_t operator()(std::uint64_t b) const;

private:
  std::vector<std::uint64_t> ends_; ///< [components], one past each run's last point
};

/// A point as a pure function of its place in sorted order, so that order is free and threads share nothing.
struct Sampler {
  std::function<void(std::uint64_t b, std::span<double> x)> point = {}; ///< writes d coordinates
  std::function<std::size_t(std::uint64_t b)> component = {}; ///< empty where there are no components
};

[[nodiscard]] Sampler blobs(const GeneratorSpec& spec);
[[nodiscard]] Sampler anisotropic(const GeneratorSpec& spec);
[[nodiscard]] Sampler drift(const GeneratorSpec& spec);

[[nodiscard]] Sampler uniform(const GeneratorSpec& spec);
[[nodiscard]] Sampler rings(const GeneratorSpec& spec);
[[nodiscard]] Sampler moons(const GeneratorSpec& spec);
[[nodiscard]] Sampler bands(const GeneratorSpec& spec);

} // namespace lloyd
