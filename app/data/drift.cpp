// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/drift.hpp"

#include "app/data/random/random_draws.hpp"

#include <cmath>

namespace lloyd {

// Each coordinate of each component swings like two sines added, one slow and wide, one quicker and small: a
// Lissajous figure around home. All start there at t = 0, in different directions. Periods are random reals,
// so the figure as a whole does not repeat.

std::vector<float> Drift::shifts(double t, int d) const {
  const RandomDraws draws(seed);
  const auto dims = static_cast<std::size_t>(d);
  std::vector<float> all(static_cast<std::size_t>(components) * dims);
  for (std::size_t c = 0; c < static_cast<std::size_t>(components); ++c) {
    for (std::size_t j = 0; j < dims; ++j) {
      const std::uint64_t index = 4 * c;
      // Divided by sqrt(d), so that the distance from home stays within reach in any number of dimensions.
      const double size =
          reach / std::sqrt(static_cast<double>(d)) * (0.55 + 0.45 * draws.uniform(Draw::path, j, index));
      const double slow = 480 + 420 * draws.uniform(Draw::path, j, index + 1);
      const double quick = 300 + 120 * draws.uniform(Draw::path, j, index + 2);
      const double sign = (draws.bits(Draw::path, j, index + 3) >> 63) != 0 ? -1 : 1;
      const double swing = 0.78 * portableSinCos(t / slow).sin + 0.22 * portableSinCos(t / quick).sin;
      all[c * dims + j] = static_cast<float>(sign * size * swing);
    }
  }
  return all;
}

} // namespace lloyd
