// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/settings.hpp"

namespace lloyd {

Selection withVariant(const Selection& selection, const Plan& plan, Stage stage, const Variant& variant) {
  Selection next = selection;
  next.tuning = {};
  const std::string id = variant.id();
  if (stage == Stage::update) {
    next.update = id;
  } else if (stage == Stage::fused) {
    next.fused = id;
    next.classify.clear();
    next.reduce.clear();
  } else {
    // What ran before at the other stage goes on running, so that only one thing changes at a time.
    next.fused.clear();
    if (next.classify.empty() && plan.classify) next.classify = plan.classify->id();
    if (next.reduce.empty() && plan.reduce) next.reduce = plan.reduce->id();
    (stage == Stage::classify ? next.classify : next.reduce) = id;
  }
  return next;
}

Tuning tuningParametersFor(const Variant& variant, const Tuning& tuning) {
  Tuning parameters;
  for (const Parameter& parameter : variant.info.parameters) {
    const int value = tuning.value(parameter.name);
    if (parameter.allows(value)) parameters.set(parameter.name, value);
  }
  return variant.complete(parameters);
}

} // namespace lloyd
