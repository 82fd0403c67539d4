// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/reference/described_launches.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lloyd {
namespace {

/// Describes launches of a variant on problems that have no arrays.
class DryLaunches {
public:
  DryLaunches(Device& device, const Variant& variant) : device_(device), variant_(variant) {}

  void at(Stage stage, const Problem& problem, const Tuning& asked) {
    const Tuning tuning = variant_.complete(asked);
    if (variant_.whyNot(stage, problem, device_.info(), tuning)) return;
    const Launchers& launchers = variant_.on(device_.backend());
    const PointView points{&nothing_.value, rowStride(problem.n)};
    const WorkMemory work{&nothing_.byte, &nothing_.byte};
    std::vector<KernelResources> described;
    device_.launch(variant_.id(), [&](LaunchContext& context) {
      context.describe = &described;
      if (stage == Stage::classify)
        launchers.classify({.problem = problem,
                            .points = points,
                            .centroids = &nothing_.value,
                            .oldLabels = &nothing_.label,
                            .labels = &nothing_.label,
                            .changed = &nothing_.count,
                            .tuning = tuning,
                            .work = work,
                            .rechecked = &nothing_.count},
                           context);
      if (stage == Stage::reduce)
        launchers.reduce({.problem = problem,
                          .points = points,
                          .labels = &nothing_.label,
                          .pivots = &nothing_.value,
                          .sums = &nothing_.sum,
                          .counts = &nothing_.count,
                          .tuning = tuning,
                          .work = work},
                         context);
    });
  }

private:
  /// Where arrays would be.
  struct alignas(256) Nothing {
    float value = 0;
    double sum = 0;
    Label label = 0;
    std::uint32_t count = 0;
    std::byte byte{};
  };

  Device& device_;
  const Variant& variant_;
  Nothing nothing_;
};

} // namespace

void describeLaunches(Device& device, const Variant& variant, std::span<const Problem> problems,
                      Tunings tunings) {
  DryLaunches launches(device, variant);
  for (const Stage stage : {Stage::classify, Stage::reduce})
    if (variant.on(device.backend()).has(stage))
      for (const Problem& problem : problems)
        for (const Tuning& tuning : tuningsOf(variant, tunings))
          launches.at(stage, problem, tuning);
}

void describeVerification(Device& device, const Variant& variant) {
  for (const CaseRecipe& recipe : verifyCases(false))
    if (!recipe.stage) describeLaunches(device, variant, std::span(&recipe.problem, 1), recipe.tunings);
}

} // namespace lloyd
