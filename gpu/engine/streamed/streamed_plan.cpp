// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/streamed/streamed_plan.hpp"

#include "gpu/core/contract/registry.hpp"
#include "gpu/cpu/blocks.hpp"

namespace lloyd {
namespace {

/// cpu.v3 and cpu.v4 add up parts and merge them in their order, so batches of whole parts are the same sums;
/// of so many points that parts grow with their number, a batch would have smaller ones.
BatchRule ruleOfParts(const Problem& problem, std::size_t worth) {
  const Chunks parts = partsOf(problem, worth);
  Problem least = problem;
  least.n = 1;
  const bool same = partsOf(least, worth).perChunk == parts.perChunk;
  return {.possible = true, .exact = same, .unit = parts.perChunk};
}

/// A selection whose sums are exact wherever the device can run it; none: nothing can.
std::optional<Selection> exactInstead(Selection selection, const Problem& problem, const DeviceInfo& device) {
  const auto can = [&](const char* id, Stage stage) {
    const Variant* variant = Registry::instance().find(id);
    return variant && variant->on(device.backend).has(stage) &&
           !variant->whyNot(stage, problem, device, Tuning());
  };
  if (can("fused.v3", Stage::fused)) {
    selection.classify = selection.reduce = {};
    selection.fused = "fused.v3";
    return selection;
  }
  if (!can("cpu.v2", Stage::classify) || !can("cpu.v2", Stage::reduce)) return std::nullopt;
  selection.classify = selection.reduce = "cpu.v2";
  selection.fused = {};
  return selection;
}

/// Whether two batches of the least size, with what goes along, take more than half of the device's memory.
bool isTooCoarse(const BatchRule& rule, const Problem& problem, const DeviceInfo& device) {
  const std::size_t ofPoint = (static_cast<std::size_t>(problem.d) + 2) * 3 * sizeof(float);
  return 2 * rule.unit * ofPoint > device.memoryBytes / 2;
}

std::string namesOf(const Selection& selection) {
  return selection.fused.empty() ? selection.classify + " with " + selection.reduce : selection.fused;
}

} // namespace

BatchRule batchRuleOf(const Plan& plan, const Problem& problem) {
  if (plan.fused && plan.fused->id() == "fused.v3")
    return {.possible = true, .exact = true, .unit = plan.tileSize(problem)};
  if (plan.fused && plan.fused->id() == "cpu.v3") return ruleOfParts(problem, worthOfSquares);
  if (plan.fused && plan.fused->id() == "cpu.v4") return ruleOfParts(problem, worthOfTiles);
  if (plan.fused) return {};
  if (plan.reduce->id() == "cpu.v1") return {.possible = true, .exact = true, .unit = 1};
  constexpr std::size_t block = 1024; // or a divisor of it: blocksOf()
  if (plan.reduce->id() == "cpu.v2") return {.possible = true, .exact = true, .unit = block};
  return {.possible = true, .exact = false, .unit = 1};
}

Plan makeStreamedPlan(const Selection& selection, const Problem& problem, const DeviceInfo& device) {
  if (!selection.schedule.empty())
    throw RequestError("'" + selection.schedule +
                       "' works on points that the device holds, and it has no memory for all of these: "
                       "leave the schedule out");
  Plan plan = makePlan(selection, problem, device);
  const BatchRule rule = batchRuleOf(plan, problem);
  const bool open = selection.classify.empty() && selection.reduce.empty() && selection.fused.empty();
  if (rule.exact && !(open && isTooCoarse(rule, problem, device))) return plan;
  if (const auto exact = exactInstead(selection, problem, device)) {
    if (open) return makePlan(*exact, problem, device);
    throw RequestError((plan.fused ? plan.fused->id() : plan.reduce->id()) +
                       " rounds sums in an order that depends on how points are cut into batches, and the "
                       "device has no memory for all points at once: choose " +
                       namesOf(*exact) + ", whose sums are exact");
  }
  if (rule.possible) return plan;
  const Variant* classify = preferred(Stage::classify, problem, device);
  const Variant* reduce = preferred(Stage::reduce, problem, device);
  if (!open || !classify || !reduce)
    throw RequestError(plan.fused->id() +
                       " takes all points at once, and the device has no memory for them: choose a classify "
                       "and a reduce variant");
  Selection apart = selection;
  apart.classify = classify->id();
  apart.reduce = reduce->id();
  return makePlan(apart, problem, device);
}

} // namespace lloyd
