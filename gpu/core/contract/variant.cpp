// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/variant.hpp"

#include "gpu/core/contract/device.hpp"

#include <algorithm>
#include <array>

namespace lloyd {

std::string Parameter::range() const {
  const auto text = [&](int value) {
    return name == "arithmetic" ? std::string(lloyd::name(static_cast<Arithmetic>(value)))
                                : std::to_string(value);
  };
  constexpr std::size_t few = 5;
  const bool run = values.size() > few && std::ranges::adjacent_find(values, [](int a, int b) {
                                            return b != a + 1;
                                          }) == values.end();
  if (run) return text(values.front()) + " to " + text(values.back());
  std::string all;
  for (const int value : values)
    all += (all.empty() ? "" : ", ") + text(value);
  return all;
}

bool Parameter::allows(int value) const {
  return std::find(values.begin(), values.end(), value) != values.end();
}

int Tuning::value(std::string_view parameter) const {
  if (parameter == "block") return block;
  if (parameter == "items") return items;
  if (parameter == "vector") return vector;
  if (parameter == "unroll") return unroll;
  if (parameter == "arithmetic") return static_cast<int>(arithmetic);
  if (parameter == "streams") return streams;
  if (parameter == "late") return late;
  return 0;
}

void Tuning::set(std::string_view parameter, int value) {
  if (parameter == "block") block = value;
  if (parameter == "items") items = value;
  if (parameter == "vector") vector = value;
  if (parameter == "unroll") unroll = value;
  if (parameter == "arithmetic") arithmetic = static_cast<Arithmetic>(value);
  if (parameter == "streams") streams = value;
  if (parameter == "late") late = value;
}

std::string_view name(Arithmetic arithmetic) {
  constexpr std::array<std::string_view, 3> names{"multiply", "pow", "powf"};
  return names[static_cast<std::size_t>(arithmetic)];
}

std::string_view name(Backend backend) {
  constexpr std::array<std::string_view, backendCount> names{"cpu", "cuda", "simt"};
  return names[static_cast<std::size_t>(backend)];
}

bool Launchers::has(Stage stage) const {
  return (stage == Stage::classify && classify) || (stage == Stage::reduce && reduce) ||
         (stage == Stage::fused && fused) || (stage == Stage::update && update) ||
         (stage == Stage::iterate && iterate) || (stage == Stage::sets && sets) ||
         (stage == Stage::layout && layout);
}

std::string Variant::id() const { return std::string(info.family) + "." + std::string(info.tag); }

bool Variant::runsOn(Backend backend) const {
  const Launchers& launch = on(backend);
  return launch.classify || launch.reduce || launch.fused || launch.update || launch.iterate || launch.sets ||
         launch.layout;
}

bool Variant::has(Stage stage, Backend backend) const {
  if (stage == Stage::order || stage == Stage::labels) return info.tileSize && has(Stage::fused, backend);
  return on(backend).has(stage);
}

bool Variant::has(Stage stage) const {
  return has(stage, Backend::cpu) || has(stage, Backend::cuda) || has(stage, Backend::simt);
}

const Parameter* Variant::parameter(std::string_view name) const {
  const auto found = std::find_if(info.parameters.begin(), info.parameters.end(),
                                  [&](const Parameter& parameter) { return parameter.name == name; });
  return found == info.parameters.end() ? nullptr : &*found;
}

Reason Variant::whyNot(Stage stage, const Problem& problem, const DeviceInfo& device,
                       const Tuning& tuning) const {
  if (!has(stage)) return id() + " has no " + std::string(lloyd::name(stage)) + " stage";
  if (!has(stage, device.backend))
    return id() + (runsOn(Backend::simt)   ? " needs a CUDA device or the SIMT simulator"
                   : runsOn(Backend::cuda) ? " needs a CUDA device"
                                           : " is for the CPU");
  const Tuning full = complete(tuning);
  for (const Parameter& parameter : info.parameters) {
    const int value = full.value(parameter.name);
    if (!parameter.allows(value))
      return id() + ": " + std::string(parameter.name) + " " + std::to_string(value) + " is not one of " +
             parameter.range();
  }
  if (full.block > device.threadsPerBlock)
    return id() + ": a block of " + std::to_string(full.block) + " threads is more than " + device.name +
           " allows (" + std::to_string(device.threadsPerBlock) + ")";
  return info.canRun ? info.canRun(*this, problem, device, full) : std::nullopt;
}

Tuning Variant::complete(const Tuning& tuning) const {
  Tuning full;
  for (const Parameter& parameter : info.parameters) {
    const int asked = tuning.value(parameter.name);
    full.set(parameter.name, asked != 0 ? asked : parameter.fallback);
  }
  return full;
}

} // namespace lloyd
