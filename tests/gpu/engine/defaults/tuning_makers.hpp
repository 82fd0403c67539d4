// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Measured choices, made by hand, and the tables that hold them.
#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"
#include "gpu/engine/plan.hpp"
#include "tests/support/tile_pass.hpp"

#include <string>
#include <utility>
#include <vector>

namespace lloyd::test {

inline constexpr Problem usual{.n = 1 << 20, .d = 2, .k = 16};

inline DeviceInfo processor(const char* name = "Some Processor", const char* target = "AVX2", int cores = 8) {
  DeviceInfo device;
  device.backend = Backend::cpu;
  device.name = name;
  device.runtime = target;
  device.multiprocessors = cores;
  return device;
}

inline TuningEntry fusedEntry(const Problem& problem, const DeviceInfo& device = processor()) {
  return {.device = measuredDevice(device),
          .problem = problem,
          .fuses = true,
          .fused = {.id = "cpu.v3", .tuning = {}, .us = 100},
          .tiled = {},
          .classify = {.id = "cpu.v2", .tuning = {}, .us = 70},
          .reduce = {.id = "cpu.v1", .tuning = {}, .us = 60},
          .update = {.id = "update.v1", .tuning = {}, .us = 2},
          .date = "2026-05-31"};
}

inline TuningEntry apartChoice(const Problem& problem, const DeviceInfo& device = processor()) {
  TuningEntry choice = fusedEntry(problem, device);
  choice.fuses = false;
  return choice;
}

inline TuningTable tableOf(std::vector<TuningEntry> choices,
                           TuningTable::Owner owner = TuningTable::Owner::user) {
  TuningTable table;
  table.add(std::move(choices), owner);
  return table;
}

/// A variant with tuning parameters, and with a limit, which none of the processor's own has.
inline const Variant& tunable() {
  Registry& registry = Registry::instance();
  if (!registry.find("tunable.v1")) {
    VariantInfo info;
    info.family = "tunable";
    info.tag = "v1";
    info.name = "has tuning parameters";
    info.changed = Changed::points;
    info.parameters = {{"block", {64, 128, 256}, 128}, {"items", {1, 4}, 4}};
    info.canRun = [](const Variant&, const Problem& problem, const DeviceInfo&,
                     const Tuning&) -> std::optional<std::string> {
      if (problem.k <= 32) return std::nullopt;
      return "tunable.v1 has room for 32 clusters";
    };
    static_cast<void>(registry.add(info, Backend::cpu, {.fused = [](const FusedArgs&, LaunchContext&) {}}));
  }
  return *registry.find("tunable.v1");
}

inline TuningEntry tunedEntry(const Problem& problem) {
  static_cast<void>(tunable());
  TuningEntry choice = fusedEntry(problem);
  choice.fused.id = "tunable.v1";
  choice.fused.tuning.block = 256;
  return choice;
}

/// The same with tiles, for points that stand still.
inline TuningEntry withTiles(TuningEntry choice) {
  choice.tiled.id = tileVariant("v1").id();
  choice.tiled.tuning.items = 128;
  choice.tiled.us = 20;
  return choice;
}

} // namespace lloyd::test
