// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/plan.hpp"

#include "gpu/core/contract/registry.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// Order of preference where nobody measured anything that can run, fastest first as seen on an H200 (N =
/// 2^20 and 2^24, D = 1, 2, 3 and 64, K = 16 to 1000) and on two AVX-512 cores; what cannot run is passed
/// over. Variants not named come last. The simulator is for looking, so there the last ones of the ladders go
/// first.
std::vector<std::string_view> preference(Stage stage, Backend backend, const Problem& problem) {
  if (backend == Backend::simt && stage == Stage::reduce) return {"reduce.v7", "reduce.general"};
  // Seen on an H100 with D = 16 to 784 and K = 64 to 1000: below these a tile of 128 clusters is mostly
  // empty.
  const bool wide = backend == Backend::cuda && problem.d >= 32 && problem.k >= 64;
  // Seen on an AVX-512 core: below these turning points and finding margins costs more than products save.
  const bool product = problem.d >= 8 ? problem.k >= 16 && problem.centroidValues() >= 256
                                      : problem.d >= 4 && problem.k >= 128;
  switch (stage) {
  case Stage::fused:
    if (product) return {"cpu.v4", "cpu.v3"};
    return {"cpu.v3"};
  case Stage::classify:
    if (product && backend == Backend::cpu) return {"cpu.v4", "cpu.v2"};
    if (wide) return {"distance.v7", "distance.v6", "classify.general"};
    return {"cpu.v2", "classify.v7", "classify.general", "classify.v1"};
  case Stage::reduce:
    // Seen on an H200 with N = 2^14 to 2^22, D = 3 to 784 and K = 2 to 3000, down to D = 10.
    if (backend == Backend::cuda && problem.d > 8) return {"reduce.sorted", "reduce.general"};
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
                                ? "; --backend simt runs it thread by thread on the SIMT simulator"
                                : "; choose another variant or backend"),
                       RequestError::Kind::absent);
  if (const auto reason = variant->whyNot(stage, problem, device, tuning)) throw RequestError(*reason);
  return variant;
}

/// The variant that was measured for stage; null when this build lacks it or it cannot run.
const Variant* measuredFor(Stage stage, const MeasuredVariant& measured, const Problem& problem,
                           const DeviceInfo& device) {
  const Variant* variant = Registry::instance().find(measured.id);
  if (!variant || variant->whyNot(stage, problem, device, measured.tuning)) return nullptr;
  return variant;
}

const Variant* requireAny(Stage stage, const Problem& problem, const DeviceInfo& device) {
  if (const Variant* variant = preferred(stage, problem, device)) return variant;
  throw RequestError("no variant can " + std::string(name(stage)) + " " + std::to_string(problem.n) +
                         " points of " + std::to_string(problem.d) + " dimensions into " +
                         std::to_string(problem.k) + " clusters on " + device.name,
                     RequestError::Kind::absent);
}

/// A tuning parameter that a person sets must mean something to at least one of the variants.
void requireParameters(const Plan& plan) {
  for (const std::string_view parameterName : tuningParameters) {
    const int value = plan.tuning.value(parameterName);
    if (value == 0) continue;
    bool allowed = false;
    std::string chosen;
    std::string ranges;
    for (const Variant* variant : plan.variants()) {
      const Parameter* parameter = variant->parameter(parameterName);
      allowed = allowed || (parameter && parameter->allows(value));
      chosen += (chosen.empty() ? "" : ", ") + variant->id();
      if (parameter) ranges += (ranges.empty() ? "" : "; ") + variant->id() + " allows " + parameter->range();
    }
    if (allowed) continue;
    if (ranges.empty() && !plan.schedule && (parameterName == "streams" || parameterName == "late"))
      throw RequestError(std::string(parameterName) +
                         " is a parameter of schedules of sets, and none was chosen");
    if (ranges.empty())
      throw RequestError("none of the chosen variants (" + chosen + ") has the parameter " +
                         std::string(parameterName));
    throw RequestError(std::string(parameterName) + " " + std::to_string(value) +
                       " is out of range: " + ranges);
  }
}

} // namespace

std::vector<const Variant*> Plan::variants() const {
  std::vector<const Variant*> used;
  for (const Variant* variant : {classify, reduce, fused, update, schedule})
    if (variant) used.push_back(variant);
  return used;
}

const Variant* Plan::of(Stage stage) const {
  return stage == Stage::classify  ? classify
         : stage == Stage::reduce  ? reduce
         : stage == Stage::fused   ? fused
         : stage == Stage::update  ? update
         : stage == Stage::iterate ? (repeats() ? schedule : nullptr)
         : stage == Stage::sets    ? (runsSets() ? schedule : nullptr)
                                   : nullptr;
}

SetStages Plan::setStages() const {
  return {.classify = classify,
          .reduce = reduce,
          .fused = fused,
          .update = update,
          .classifyTuning = tuningOf(Stage::classify),
          .reduceTuning = tuningOf(Stage::reduce),
          .fusedTuning = tuningOf(Stage::fused)};
}

Tuning Plan::tuningOf(Stage stage) const {
  Tuning parameters = measured[static_cast<std::size_t>(stage)];
  const Variant* variant = of(stage);
  if (!variant) return parameters;
  for (const Parameter& parameter : variant->info.parameters)
    if (const int value = tuning.value(parameter.name); value != 0 && parameter.allows(value))
      parameters.set(parameter.name, value);
  return parameters;
}

unsigned Plan::tileSize(const Problem& problem) const {
  if (!fused || !fused->info.tileSize) return 0;
  return fused->info.tileSize(problem, fused->complete(tuningOf(Stage::fused)));
}

const Variant* preferred(Stage stage, const Problem& problem, const DeviceInfo& device) {
  std::vector<const Variant*> able = Registry::instance().of(stage, device.backend);
  std::erase_if(able, [&](const Variant* v) { return v->whyNot(stage, problem, device, {}).has_value(); });
  if (able.empty()) return nullptr;
  const auto order = preference(stage, device.backend, problem);
  const auto place = [&](const Variant* v) {
    return std::find(order.begin(), order.end(), v->id()) - order.begin();
  };
  return *std::min_element(able.begin(), able.end(),
                           [&](const Variant* a, const Variant* b) { return place(a) < place(b); });
}

namespace {

bool runsSets(const Selection& selection) {
  const Variant* schedule = Registry::instance().find(selection.schedule);
  return schedule && schedule->has(Stage::sets);
}

/// Fills in what a person left open.
class Chooser {
public:
  Chooser(const Selection& selection, const Problem& problem, const DeviceInfo& device, Ordering ordering)
      : selection_(selection), problem_(problem), device_(device), ordering_(ordering) {
    plan_.tuning = selection.tuning;
  }

  [[nodiscard]] Plan plan(const TuningTable& table) {
    takeAsked();
    for (const TuningTable::Ranked& ranked : table.ranked(problem_, device_)) {
      if (complete()) break;
      takeMeasured(ranked);
    }
    takeOrdered();
    requireParameters(plan_);
    return std::move(plan_);
  }

private:
  [[nodiscard]] const Variant*& place(Stage stage) {
    return stage == Stage::classify  ? plan_.classify
           : stage == Stage::reduce  ? plan_.reduce
           : stage == Stage::fused   ? plan_.fused
           : stage == Stage::iterate ? plan_.schedule
           : stage == Stage::sets    ? plan_.schedule
                                     : plan_.update;
  }
  [[nodiscard]] bool complete() const {
    return (plan_.fused || (plan_.classify && plan_.reduce)) && plan_.update;
  }
  [[nodiscard]] bool able(Stage stage, const MeasuredVariant& measured) const {
    return measuredFor(stage, measured, problem_, device_) != nullptr;
  }
  /// With a person's tuning parameters too: one that tiles do not have or allow leaves what would be taken
  /// without them.
  [[nodiscard]] bool ableInTiles(MeasuredVariant measured) const {
    if (ordering_ == Ordering::never || measured.id.empty()) return false;
    const Variant* variant = Registry::instance().find(measured.id);
    for (const std::string_view parameterName : tuningParameters) {
      const int value = selection_.tuning.value(parameterName);
      if (value == 0) continue;
      if (!variant || !variant->parameter(parameterName)) return false;
      measured.tuning.set(parameterName, value);
    }
    return able(Stage::fused, measured);
  }
  void take(Stage stage, const MeasuredVariant& measured, const TuningTable::Ranked& ranked) {
    place(stage) = measuredFor(stage, measured, problem_, device_);
    plan_.measured[static_cast<std::size_t>(stage)] = measured.tuning;
    plan_.source = {ranked.origin, ranked.entry->device, ranked.entry->problem, ranked.entry->date};
  }
  [[nodiscard]] bool nothingChosen() const { return !plan_.fused && !plan_.classify && !plan_.reduce; }

  void takeAsked() {
    const auto takeNamed = [&](Stage stage, const std::string& id) {
      if (!id.empty()) place(stage) = require(id, stage, problem_, device_, selection_.tuning);
    };
    takeNamed(Stage::classify, selection_.classify);
    takeNamed(Stage::reduce, selection_.reduce);
    takeNamed(Stage::fused, selection_.fused);
    takeNamed(Stage::update, selection_.update);
    takeNamed(runsSets(selection_) ? Stage::sets : Stage::iterate, selection_.schedule);
    if (plan_.schedule && !plan_.schedule->info.pass.empty() && device_.backend != Backend::cpu &&
        nothingChosen())
      takeNamed(Stage::fused, std::string(plan_.schedule->info.pass));
  }

  /// Takes of a measurement what is open and can run. Where the whole iteration is open, that is its fastest
  /// form or nothing: the halves of two measurements were never compared. Tiles that cannot be had leave the
  /// faster of the other two forms.
  void takeMeasured(const TuningTable::Ranked& ranked) {
    const TuningEntry& entry = *ranked.entry;
    if (nothingChosen() && ableInTiles(entry.tiled)) take(Stage::fused, entry.tiled, ranked);
    std::vector<Stage> open;
    if (nothingChosen())
      open = entry.fuses || plan_.repeats() ? std::vector<Stage>{Stage::fused}
                                            : std::vector<Stage>{Stage::classify, Stage::reduce};
    else if (!plan_.fused)
      open = {plan_.classify ? Stage::reduce : Stage::classify};
    std::erase_if(open, [&](Stage stage) { return place(stage) != nullptr; });
    if (std::all_of(open.begin(), open.end(), [&](Stage stage) { return able(stage, entry.of(stage)); }))
      for (const Stage stage : open)
        take(stage, entry.of(stage), ranked);
    if (!plan_.update) plan_.update = measuredFor(Stage::update, entry.update, problem_, device_);
  }

  void takeOrdered() {
    const auto takeAny = [&](Stage stage) {
      if (place(stage)) return;
      place(stage) = requireAny(stage, problem_, device_);
      if (stage != Stage::update)
        plan_.source = {.origin = TuningOrigin::order, .device = {}, .problem = {}, .date = {}};
    };
    // On the simulator what a ladder teaches is looked at stage by stage.
    const bool fuses =
        plan_.repeats() || (device_.backend != Backend::simt && preferred(Stage::fused, problem_, device_));
    if (nothingChosen() && fuses) takeAny(Stage::fused);
    if (!plan_.fused) {
      takeAny(Stage::classify);
      takeAny(Stage::reduce);
    }
    takeAny(Stage::update);
  }

  const Selection& selection_;
  const Problem& problem_;
  const DeviceInfo& device_;
  Ordering ordering_;
  Plan plan_;
};

} // namespace

Plan makePlan(const Selection& selection, const Problem& problem, const DeviceInfo& device,
              const TuningTable& table, Ordering ordering) {
  if (!selection.fused.empty() && !(selection.classify.empty() && selection.reduce.empty()))
    throw RequestError("a fused variant does both classify and reduce: choose either '" + selection.fused +
                       "' or a classify and a reduce variant");
  const bool sets = runsSets(selection);
  if (!selection.schedule.empty() && !sets && !(selection.classify.empty() && selection.reduce.empty()))
    throw RequestError("'" + selection.schedule +
                       "' repeats a fused variant, which does both classify and reduce: leave the variants "
                       "of these two out, or the schedule");
  return Chooser(selection, problem, device, sets ? Ordering::never : ordering).plan(table);
}

} // namespace lloyd
