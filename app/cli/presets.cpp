// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/presets.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/verify.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace lloyd {
namespace {

/// Whether a value names a variant that does not run there.
bool runsElsewhere(std::string_view value, Backend backend) {
  const Variant* variant = Registry::instance().find(value);
  return variant && !variant->runsOn(backend);
}

/// Whether a tuning parameter is of no variant among those that --variants names.
bool isOfNone(std::string_view option, const Arguments& arguments) {
  const std::string_view parameter = option.substr(2);
  if (std::ranges::find(tuningParameters, parameter) == std::end(tuningParameters)) return false;
  const std::vector<std::string> patterns = splitList(arguments.text("--variants", "all"));
  return std::ranges::none_of(Registry::instance().all(), [&](const Variant* variant) {
    return variant->parameter(parameter) && matchesPattern(patterns, variant->id());
  });
}

} // namespace

std::span<const Preset> presets() {
  // Two iterations of a set are needed, and a flag that is looked at five later ends it after the article's
  // seven.
  static const std::vector<Preset> all{
      {"scheduling",
       "the Scheduling article's setting: schedules of four sets, 2^20 points in bands, D = 1, K = 16",
       {{"--points", "bands:spread=0"},
        {"--n", "2^20"},
        {"--d", "1"},
        {"--k", "16"},
        {"--init", "bands"},
        {"--variants", "schedule.sync,schedule.single,schedule.multi,schedule.prefetch,schedule.unordered,"
                       "schedule.batched"},
        {"--classify", "classify.v7"},
        {"--reduce", "reduce.v5"},
        {"--streams", "4"},
        {"--late", "5"}}},
  };
  return all;
}

Arguments withPreset(Arguments arguments, Backend backend, const Messages& messages) {
  const auto found = std::ranges::find(presets(), arguments.text("--preset"), &Preset::name);
  if (found == presets().end()) {
    std::string known;
    for (const Preset& preset : presets())
      known += (known.empty() ? "" : ", ") + std::string(preset.name);
    arguments.refuse("--preset", "one of " + known);
  }
  const bool ownPoints = arguments.given("FILE") || arguments.given("--points");
  const bool ownClusters = arguments.given("--ks");
  std::string elsewhere;
  for (const auto& [name, value] : found->options) {
    const bool ofPoints = name == "--points" || name == "--n" || name == "--d";
    if (arguments.given(name) || (ofPoints && ownPoints) || (name == "--k" && ownClusters) ||
        isOfNone(name, arguments))
      continue;
    if (runsElsewhere(value, backend))
      elsewhere += (elsewhere.empty() ? "" : " and ") + std::string(value);
    else
      arguments.set(name, std::string(value));
  }
  if (!elsewhere.empty())
    messages.warning(
        QStringLiteral("the preset's %1 cannot run here: the program's own choice takes the place")
            .arg(qtext(elsewhere)));
  arguments.unset("--preset");
  return arguments;
}

} // namespace lloyd
