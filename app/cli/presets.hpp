// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/messages.hpp"
#include "app/cli/options.hpp"
#include "gpu/core/contract/variant.hpp"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// A setting of bench that has a name: the options that stand for it.
struct Preset {
  std::string_view name;
  std::string_view meaning; ///< one line, no full stop
  std::vector<std::pair<std::string_view, std::string_view>> options;
};

[[nodiscard]] std::span<const Preset> presets();

/// The arguments with the options of the preset that --preset names in its place; those that were given stay.
/// Points that were given, as FILE or --points, take the place of the preset's; variants that do not run on
/// the backend are left out, which messages tell of, and so are tuning parameters that no variant of
/// --variants has. Throws RequestError for a name that is none.
[[nodiscard]] Arguments withPreset(Arguments arguments, Backend backend, const Messages& messages);

} // namespace lloyd
