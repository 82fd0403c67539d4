// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/read_window_options.hpp"

namespace lloyd {

int windowCommand(const Arguments& arguments) {
  Messages messages(arguments);
  return runWindow(windowOptions(arguments, messages));
}

} // namespace lloyd
