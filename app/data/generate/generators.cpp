// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/generators.hpp"

#include "app/data/generate/sampler.hpp"
#include "app/data/generate/shuffle.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"

#include <array>

namespace lloyd {
namespace {

std::vector<std::string> axisNames(int d) {
  constexpr std::array letters{"x", "y", "z"};
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(d));
  for (int j = 0; j < d; ++j) {
    names.push_back(d <= 3 ? std::string(letters.at(static_cast<std::size_t>(j)))
                           : std::string("x").append(std::to_string(j)));
  }
  return names;
}

/// Fills values (and drift's components) on all cores; false when cancelled.
bool fill(PointSet& points, const GeneratorSpec& spec, const ReadControl& control) {
  const Sampler sampler = spec.generator->sampler(spec);
  const Shuffle shuffle(spec.n, spec.seed);
  return parallelRanges(spec.n, control, [&](std::size_t begin, std::size_t end) {
    std::vector<double> x(static_cast<std::size_t>(spec.d));
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t b = spec.sorted ? i : shuffle(i);
      sampler.point(b, x);
      for (std::size_t j = 0; j < x.size(); ++j)
        points.values[j * spec.n + i] = static_cast<float>(x[j]);
      if (points.drift) points.drift->component[i] = static_cast<std::uint8_t>(sampler.component(b));
    }
  });
}

} // namespace

tl::expected<PointSet, ReadError> generatePoints(const std::string& text, const GeneratorDefaults& defaults,
                                                 const ReadControl& control) {
  return orReadError(text, "there is not enough memory for these points", [&] {
    const auto spec = parseGenerator(text, defaults);
    if (!spec) refuse(spec.error());
    refuseTooLarge(pointBytes(spec->n, spec->d));
    PointSet points;
    points.n = spec->n;
    points.d = spec->d;
    points.columns = axisNames(spec->d);
    points.source = text;
    points.inputRows = spec->n;
    points.scales.assign(static_cast<std::size_t>(spec->d), {});
    points.values.resize(spec->n * static_cast<std::size_t>(spec->d));
    if (spec->generator->name == "drift") {
      Drift& moving = points.drift.emplace();
      moving.components = spec->k;
      moving.reach = spec->reach;
      moving.seed = spec->seed;
      moving.component.resize(spec->n);
    }
    if (!fill(points, *spec, control))
      throw ReadFailure({.message = "making the points was cancelled", .cancelled = true});
    control.report(spec->n, 1);
    return points;
  });
}

} // namespace lloyd
