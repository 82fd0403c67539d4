// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/cases.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/pairwise.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lloyd::test {

/// The problems that every variant is held to: sizes around those of warps and blocks, and some with nothing
/// to divide by, each meeting each two by two.
inline constexpr std::array<std::size_t, 11> kSizes{0, 1, 31, 32, 33, 127, 128, 129, 1023, 65537, 99991};
inline constexpr std::array<int, 5> kDimensions{1, 2, 3, 5, 64};
inline constexpr std::array<int, 7> kClusters{1, 2, 10, 16, 17, 256, 1000};

/// n k d that the simulator takes, and takes while it records, so that a test of all variants stays a matter
/// of a few minutes. Sanitizers watch every access, and see as much of a problem a quarter as large, and in
/// the last order of lanes as in the first.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::size_t kMostOnSimulator = std::size_t{1} << 20;
inline constexpr std::size_t kMostRecorded = std::size_t{1} << 16;
inline constexpr std::size_t kFirstOrder = 2;
#else
inline constexpr std::size_t kMostOnSimulator = std::size_t{1} << 22;
inline constexpr std::size_t kMostRecorded = std::size_t{1} << 18;
inline constexpr std::size_t kFirstOrder = 0;
#endif

/// Two warps go through all clusters even where there are no points for them.
[[nodiscard]] inline std::size_t work(const Problem& problem) {
  return std::max<std::size_t>(problem.n, 64) * problem.centroidValues();
}

[[nodiscard]] inline Problem problemOf(const Row& row) {
  return {kSizes[row[0]], kDimensions[row[1]], kClusters[row[2]]};
}

/// Pairs that fit the simulator are met within its limits, recorded where possible; the others in the least
/// larger problems; and no points, which test little, meet the rest only for their own sake.
[[nodiscard]] inline const std::vector<Problem>& variantProblems() {
  static const std::vector<Problem> problems = [] {
    const auto upTo = [](std::size_t most) {
      return [most](const Row& row) {
        const Problem problem = problemOf(row);
        return problem.n > 0 && work(problem) <= most;
      };
    };
    const std::array<RowFilter, 3> filters{upTo(kMostRecorded), upTo(kMostOnSimulator),
                                           upTo(std::size_t{1} << 27)};
    const std::array<std::size_t, 3> levels{kSizes.size(), kDimensions.size(), kClusters.size()};
    std::vector<Problem> found;
    for (const Row& row : pairwise(levels, filters))
      found.push_back(problemOf(row));
    return found;
  }();
  return problems;
}

/// A device with the cases that were prepared on it; each is prepared once, for all variants.
class VariantBench {
public:
  explicit VariantBench(Backend backend) : found_(findDevice(backend)) {}

  [[nodiscard]] Device* device() const { return found_.device.get(); }
  [[nodiscard]] const std::string& why() const { return found_.why; } ///< when there is no device
  [[nodiscard]] const PreparedCase& prepared(std::size_t problem) {
    std::unique_ptr<PreparedCase>& slot = cases_[problem];
    if (!slot)
      slot =
          std::make_unique<PreparedCase>(*found_.device, CaseRecipe{.problem = variantProblems()[problem]});
    return *slot;
  }

private:
  Found found_;
  std::map<std::size_t, std::unique_ptr<PreparedCase>> cases_;
};

/// The stages that a variant has code for on a backend.
[[nodiscard]] inline std::vector<Stage> stagesOf(const Variant& variant, Backend backend) {
  std::vector<Stage> stages;
  for (std::size_t stage = 0; stage < stageCount; ++stage)
    if (variant.on(backend).has(static_cast<Stage>(stage))) stages.push_back(static_cast<Stage>(stage));
  return stages;
}

/// What a refusal lacks, or nothing. It must be a sentence about the variant that names a way out, and the
/// way must lead there: another variant that does take the problem, or a parameter of its own that some
/// other value helps. Two stages, each with a variant of its own, are a way round a fused one and
/// round what repeats it.
[[nodiscard]] inline std::optional<std::string> refusalDefect(const std::string& reason,
                                                              const Variant& variant, Stage stage,
                                                              const Problem& problem,
                                                              const DeviceInfo& device) {
  if (!reason.starts_with(variant.id())) return "it does not begin with " + variant.id();
  if (reason.find(' ') == std::string::npos) return "it is no sentence";
  std::vector<Stage> ways{stage};
  if (stage == Stage::fused || stage == Stage::iterate)
    ways.insert(ways.end(), {Stage::classify, Stage::reduce});
  for (const Stage way : ways)
    for (const Variant* other : Registry::instance().of(way, device.backend))
      if (other != &variant && reason.find(other->id()) != std::string::npos &&
          !other->whyNot(way, problem, device, {}))
        return std::nullopt;
  for (const Parameter& parameter : variant.info.parameters) {
    if (reason.find(parameter.name) == std::string::npos) continue;
    for (const int value : parameter.values) {
      Tuning tuning;
      tuning.set(parameter.name, value);
      if (!variant.whyNot(stage, problem, device, tuning)) return std::nullopt;
    }
  }
  return "it names no way out that leads anywhere";
}

} // namespace lloyd::test
