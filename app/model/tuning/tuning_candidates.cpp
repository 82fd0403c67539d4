// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/tuning_candidates.hpp"

#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::array iterationStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};

/// Neighbours in the list of values, for tuning parameters whose steps change the launch and not the result.
std::vector<int> steps(const Parameter& parameter) {
  std::vector<int> values;
  const auto own = std::find(parameter.values.begin(), parameter.values.end(), parameter.fallback);
  if (own == parameter.values.end() || parameter.name == "arithmetic") return values;
  if (own != parameter.values.begin()) values.push_back(*(own - 1));
  if (own + 1 != parameter.values.end()) values.push_back(*(own + 1));
  return values;
}

} // namespace

TunedStage tunedStageOf(const Candidate& candidate) {
  switch (candidate.stage) {
  case Stage::classify:
    return TunedStage::classify;
  case Stage::reduce:
    return TunedStage::reduce;
  case Stage::fused:
    return candidate.variant->info.tileSize ? TunedStage::tiled : TunedStage::fused;
  default:
    return TunedStage::update;
  }
}

std::vector<Candidate> tuningCandidates(const DeviceInfo& device,
                                        const std::function<bool(const Variant&)>& wanted) {
  std::vector<Candidate> candidates;
  for (const Stage stage : iterationStages)
    for (const Variant* variant : Registry::instance().of(stage, device.backend)) {
      if (variant->info.layout == Layout::aos || (wanted && !wanted(*variant))) continue;
      const bool labels = stage == Stage::classify || stage == Stage::fused;
      if (labels && variant->info.changed == Changed::none) continue;
      const Tuning own = variant->complete({});
      candidates.push_back({variant, stage, own});
      if (stage == Stage::update) continue; // it has no tuning parameters in a plan
      for (const Parameter& parameter : variant->info.parameters)
        for (const int value : steps(parameter)) {
          candidates.push_back({variant, stage, own});
          candidates.back().tuning.set(parameter.name, value);
        }
    }
  return candidates;
}

std::optional<Candidate> presentDefault(TunedStage part, const Problem& problem, const DeviceInfo& device,
                                        const TuningTable& table) {
  const Stage stage = stageOf(part);
  for (const TuningTable::Ranked& ranked : table.ranked(problem, device)) {
    const MeasuredVariant& choice =
        part == TunedStage::tiled ? ranked.choice->tiled : ranked.choice->of(stage);
    const Variant* variant = Registry::instance().find(choice.id);
    if (variant && !variant->whyNot(stage, problem, device, choice.tuning))
      return Candidate{variant, stage, variant->complete(choice.tuning)};
  }
  if (part == TunedStage::tiled) return std::nullopt;
  if (const Variant* variant = preferred(stage, problem, device))
    return Candidate{variant, stage, variant->complete({})};
  return std::nullopt;
}

} // namespace lloyd
