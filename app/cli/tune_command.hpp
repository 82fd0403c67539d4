// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"

namespace lloyd {

/// bench --tune: measures what is fastest on this device and writes it into the user's table, or into the
/// file of --tune-out. Ends as the commands of commands.hpp do; what was measured before a cancel or a
/// failure is written all the same.
[[nodiscard]] int tuneCommand(const Arguments& arguments);

} // namespace lloyd
