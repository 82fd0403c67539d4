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

/// Those variants, or the one pass of which a schedule has kernels of its own.
inline SetStages stagesFor(const Variant& schedule, Backend backend, const std::string& ids) {
  const bool own = !schedule.info.pass.empty() && backend != Backend::cpu;
  return stagesOf(own ? std::string(schedule.info.pass) : ids);
}

/// What a set's iterations are to be judged by: a schedule with kernels of its own ends a set on the card,
/// however late the host looks.
inline SetParams judgedBy(const Variant& schedule, SetParams params) {
  if (!schedule.info.pass.empty()) params.late = 0;
  return params;
}

/// All schedules of sets.
inline std::vector<const Variant*> setSchedules() {
  return Registry::instance().of(Stage::sets, Backend::cpu);
}

} // namespace lloyd::test
