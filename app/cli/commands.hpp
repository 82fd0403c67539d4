// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"

namespace lloyd {

// One function a subcommand; each is in a file of its own. They return an exit status and throw RequestError,
// DeviceError and Cancelled. A QCoreApplication must exist; for the window and the shot a QApplication.
[[nodiscard]] int windowCommand(const Arguments& arguments);
[[nodiscard]] int runCommand(const Arguments& arguments);
[[nodiscard]] int benchCommand(const Arguments& arguments);
[[nodiscard]] int verifyCommand(const Arguments& arguments);
[[nodiscard]] int traceCommand(const Arguments& arguments);
[[nodiscard]] int shotCommand(const Arguments& arguments);
[[nodiscard]] int listCommand(const Arguments& arguments);

/// Whether the command shows something, and so needs a display.
[[nodiscard]] constexpr bool needsDisplay(Subcommand subcommand) {
  return subcommand == Subcommand::window || subcommand == Subcommand::shot;
}
/// Parses and does what was asked. Every error becomes one sentence on standard error and an exit status.
[[nodiscard]] int programMain(int argc, char** argv);

} // namespace lloyd
