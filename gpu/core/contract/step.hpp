// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/registry.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace lloyd {

/// One change that a version makes.
struct Switch {
  std::string_view name; ///< "clusters outside"
  std::string_view idea; ///< one sentence: what it is
};

/// What a version changes, taken apart: a kernel in which each change is a switch.
struct VersionStepInfo {
  std::string_view from; ///< "classify.v3": what all switches off are
  std::string_view to;   ///< "classify.v4": what all switches on are
  Stage stage = Stage::classify;
  std::vector<Switch> switches; ///< two to four
  Changed changed = Changed::none;
  /// Of every combination, as VariantInfo has it.
  Reason (*canRun)(const Variant&, const Problem&, const DeviceInfo&, const Tuning&) = nullptr;
  std::string_view source = {}; ///< path of the file, from the repository's top
};

/// A step with its kernels. Bit s of a combination says whether switch s is on.
struct VersionStep {
  VersionStepInfo info;
  std::vector<const Variant*> combinations; ///< 2^switches; the first has none on, the last has all

  [[nodiscard]] bool runsOn(Backend backend) const { return combinations.front()->runsOn(backend); }
};

/// The steps that this build can take apart. Their combinations are variants of the family "apart", called
/// apart.classify_v4_13 where the first and the third switch are on and apart.classify_v4_0 where none is.
/// They are no versions: Registry::instance() has none of them, so that no list, race or default has one.
/// Filled by static initialisers; complete, and read by any thread, from main() on.
class StepRegistry {
public:
  [[nodiscard]] static StepRegistry& instance();

  /// Adds what one file provides for one backend; launchers by combination. The texts that step views must
  /// last as long as the program.
  bool add(const VersionStepInfo& step, Backend backend, const std::vector<Launchers>& launchers);

  /// In the order of the versions that they lead to.
  [[nodiscard]] std::vector<const VersionStep*> all() const;
  /// The step to the version of this id ("classify.v4"); null where it is not taken apart.
  [[nodiscard]] const VersionStep* find(std::string_view to) const;
  /// Every combination of every step.
  [[nodiscard]] const Registry& combinations() const { return combinations_; }

private:
  [[nodiscard]] std::string_view kept(std::string text);

  Registry combinations_;
  std::deque<VersionStep> steps_;
  std::deque<std::string> texts_; ///< that the combinations' descriptions view
};

/// Which switches are on, as ids have it: "13"; "0" where none is.
[[nodiscard]] std::string switchesText(std::size_t combination);

/// make(constant) for each combination of so many switches, in their order.
template <std::size_t Switches>
[[nodiscard]] std::vector<Launchers> everyCombination(const auto& make) {
  return [&]<std::size_t... Combination>(std::index_sequence<Combination...>) {
    return std::vector<Launchers>{
        make(std::integral_constant<unsigned, static_cast<unsigned>(Combination)>{})...};
  }
  (std::make_index_sequence<std::size_t{1} << Switches>{});
}

} // namespace lloyd

/// Registers a file's step for a backend: its VersionStepInfo and the launch functions of its combinations.
/// unique is any name used once in the file.
#define LLOYD_REGISTER_STEP_ON(backend, unique, ...)                                                         \
  [[maybe_unused]] static const bool lloydRegistered_##unique = [](::lloyd::VersionStepInfo step,            \
                                                                   const auto& launchers) {                  \
    step.source = __FILE__;                                                                                  \
    return ::lloyd::StepRegistry::instance().add(step, backend, launchers);                                  \
  }(__VA_ARGS__);

/// The same for the backend that a kernel file is being compiled for.
#define LLOYD_REGISTER_STEP(unique, ...) LLOYD_REGISTER_STEP_ON(LLOYD_BACKEND, unique, __VA_ARGS__)
