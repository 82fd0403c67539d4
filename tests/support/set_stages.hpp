// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Schedules of sets and what they run, by name.
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd::test {

/// The variants of an iteration, by id: "fused.v1", or "classify.v7+reduce.v1"; null where there is none.
inline SetStages stagesOf(const std::string& ids) {
  const Registry& registry = Registry::instance();
  SetStages stages;
  stages.update = registry.find("update.v1");
  const std::size_t plus = ids.find('+');
  if (plus == std::string::npos) {
    stages.fused = registry.find(ids);
  } else {
    stages.classify = registry.find(ids.substr(0, plus));
    stages.reduce = registry.find(ids.substr(plus + 1));
  }
  return stages;
}

/// The schedule of sets of that name, which must exist.
inline const Variant& setSchedule(std::string_view id) { return *Registry::instance().find(id); }

/// All schedules of sets.
inline std::vector<const Variant*> setSchedules() {
  return Registry::instance().of(Stage::sets, Backend::cpu);
}

} // namespace lloyd::test
