// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/plan.hpp"

#include "gpu/core/registry.hpp"

#include <algorithm>
#include <array>

namespace lloyd {
namespace {

/// Order of preference, fastest first as measured on an H200 (N = 2^20 and 2^24, D = 1, 2, 3 and 64, K = 16
/// to 1000) and on two AVX-512 cores; what cannot run is passed over. Variants not named come last. The
/// executor is for looking, so there the last ones of the ladders go first.
std::vector<std::string_view> preference(Stage stage, Backend backend) {
  if (backend == Backend::simt && stage == Stage::reduce) return {"reduce.v7", "reduce.general"};
  switch (stage) {
  case Stage::fused:
    return {"cpu.v3"};
  case Stage::classify:
    return {"cpu.v2", "classify.v7", "classify.general", "classify.v1"};
  case Stage::reduce:
    return {"cpu.v2", "reduce.general", "reduce.v7", "reduce.v1"};
  default:
    return {"update.v1"};
  }
}

const Variant* require(const std::string& id, Stage stage, const Problem& problem, const DeviceInfo& device,
                       const Tuning& tuning) {
  const Registry& registry = Registry::instance();
  const Variant* variant = registry.find(id);
  if (!variant) {
    std::string known;
    for (const Variant* other : registry.all())
      if (other->has(stage)) known += (known.empty() ? "" : ", ") + other->id();
    throw RequestError("there is no variant '" + id + "' for " + std::string(name(stage)) + "; there are " +
                       known);
  }
  if (variant->has(stage) && !variant->on(device.backend).has(stage))
    throw RequestError(*variant->whyNot(stage, problem, device, tuning) +
                           (variant->on(Backend::simt).has(stage)
                                ? "; --backend simt runs it thread by thread on the CPU executor"
                                : "; choose another variant or backend"),
                       RequestError::Kind::absent);
  if (const auto reason = variant->whyNot(stage, problem, device, tuning)) throw RequestError(*reason);
  return variant;
}

const Variant* requireAny(Stage stage, const Problem& problem, const DeviceInfo& device) {
  if (const Variant* variant = preferred(stage, problem, device)) return variant;
  throw RequestError("no variant can " + std::string(name(stage)) + " " + std::to_string(problem.n) +
                         " points of " + std::to_string(problem.d) + " dimensions into " +
                         std::to_string(problem.k) + " clusters on " + device.name,
                     RequestError::Kind::absent);
}

void requireKnobs(const Plan& plan) {
  for (const std::string_view knob : tuningKnobs) {
    if (plan.tuning.value(knob) == 0) continue;
    std::string chosen;
    bool known = false;
    for (const Variant* variant : plan.variants()) {
      known = known || variant->parameter(knob) != nullptr;
      chosen += (chosen.empty() ? "" : ", ") + variant->id();
    }
    if (!known)
      throw RequestError("none of the chosen variants (" + chosen + ") has the parameter " +
                         std::string(knob));
  }
}

} // namespace

std::vector<const Variant*> Plan::variants() const {
  std::vector<const Variant*> used;
  for (const Variant* variant : {classify, reduce, fused, update})
    if (variant) used.push_back(variant);
  return used;
}

const Variant* Plan::of(Stage stage) const {
  switch (stage) {
  case Stage::classify:
    return classify;
  case Stage::reduce:
    return reduce;
  case Stage::fused:
    return fused;
  case Stage::update:
    return update;
  default:
    return nullptr;
  }
}

bool Plan::wants(Layout layout) const {
  const auto used = variants();
  return std::any_of(used.begin(), used.end(), [&](const Variant* v) { return v->info.layout == layout; });
}

const Variant* preferred(Stage stage, const Problem& problem, const DeviceInfo& device) {
  std::vector<const Variant*> able = Registry::instance().of(stage, device.backend);
  std::erase_if(able, [&](const Variant* v) { return v->whyNot(stage, problem, device, {}).has_value(); });
  if (able.empty()) return nullptr;
  const auto order = preference(stage, device.backend);
  const auto place = [&](const Variant* v) {
    return std::find(order.begin(), order.end(), v->id()) - order.begin();
  };
  return *std::min_element(able.begin(), able.end(),
                           [&](const Variant* a, const Variant* b) { return place(a) < place(b); });
}

Plan makePlan(const Selection& selection, const Problem& problem, const DeviceInfo& device) {
  if (!selection.fused.empty() && !(selection.classify.empty() && selection.reduce.empty()))
    throw RequestError("a fused variant does both classify and reduce: choose either '" + selection.fused +
                       "' or a classify and a reduce variant");
  Plan plan;
  plan.tuning = selection.tuning;
  const auto choose = [&](const std::string& id, Stage stage) {
    return id.empty() ? requireAny(stage, problem, device)
                      : require(id, stage, problem, device, selection.tuning);
  };
  const bool apart = !selection.classify.empty() || !selection.reduce.empty();
  const bool fuse =
      !selection.fused.empty() || (!apart && preferred(Stage::fused, problem, device) != nullptr);
  if (fuse) {
    plan.fused = choose(selection.fused, Stage::fused);
  } else {
    plan.classify = choose(selection.classify, Stage::classify);
    plan.reduce = choose(selection.reduce, Stage::reduce);
  }
  plan.update = choose(selection.update, Stage::update);
  requireKnobs(plan);
  return plan;
}

} // namespace lloyd
