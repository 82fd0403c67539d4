// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/step.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// "several points, clusters outside"
std::string namesOf(const VersionStepInfo& step, std::size_t combination) {
  std::string names;
  for (std::size_t s = 0; s < step.switches.size(); ++s)
    if ((combination >> s & 1U) != 0) names.append(names.empty() ? "" : ", ").append(step.switches[s].name);
  return names.empty() ? "none of the changes" : names;
}

/// "classify_v4_13"
std::string tagOf(const VersionStepInfo& step, std::size_t combination) {
  std::string tag(step.to);
  std::replace(tag.begin(), tag.end(), '.', '_');
  return tag + '_' + switchesText(combination);
}

} // namespace

std::string switchesText(std::size_t combination) {
  std::string text;
  for (std::size_t s = 0; combination >> s != 0; ++s)
    if ((combination >> s & 1U) != 0) text += std::to_string(s + 1);
  return text.empty() ? "0" : text;
}

StepRegistry& StepRegistry::instance() {
  static StepRegistry registry;
  return registry;
}

std::string_view StepRegistry::kept(std::string text) { return texts_.emplace_back(std::move(text)); }

bool StepRegistry::add(const VersionStepInfo& step, Backend backend,
                       const std::vector<Launchers>& launchers) {
  if (launchers.size() != std::size_t{1} << step.switches.size()) return false;
  bool added = true;
  std::vector<std::string> ids;
  for (std::size_t combination = 0; combination < launchers.size(); ++combination) {
    VariantInfo info;
    info.family = "apart";
    info.tag = kept(tagOf(step, combination));
    info.name = kept(namesOf(step, combination));
    info.changed = step.changed;
    info.canRun = step.canRun;
    info.source = step.source;
    info.idea = kept("The kernel between " + std::string(step.from) + " and " + std::string(step.to) +
                     " with " + std::string(info.name) + ".");
    added = combinations_.add(info, backend, launchers[combination]) && added;
    ids.push_back("apart." + std::string(info.tag));
  }
  if (find(step.to)) return added; // from another backend: the combinations are the same ones
  VersionStep& entry = steps_.emplace_back(VersionStep{step, {}});
  for (const std::string& id : ids)
    entry.combinations.push_back(combinations_.find(id));
  entry.info.source = entry.combinations.front()->info.source; // from the repository's top
  std::sort(steps_.begin(), steps_.end(),
            [](const VersionStep& a, const VersionStep& b) { return a.info.to < b.info.to; });
  return added;
}

std::vector<const VersionStep*> StepRegistry::all() const {
  std::vector<const VersionStep*> steps;
  for (const VersionStep& step : steps_)
    steps.push_back(&step);
  return steps;
}

const VersionStep* StepRegistry::find(std::string_view to) const {
  const auto found =
      std::ranges::find_if(steps_, [&](const VersionStep& step) { return step.info.to == to; });
  return found == steps_.end() ? nullptr : &*found;
}

} // namespace lloyd
