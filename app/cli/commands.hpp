// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/options.hpp"

#include <atomic>

namespace lloyd {

/// What the program says to a shell.
enum ExitStatus : int {
  exitDone = 0,
  exitCheckFailed = 1, ///< a variant did not match the reference
  exitWrong = 2,       ///< the request cannot be met anywhere, or an output cannot be written
  exitAbsent = 3,      ///< the request needs something that this machine or build does not have
  exitCancelled = 130  ///< ended by Ctrl+C, as shells count it
};

// One function a subcommand. They return an exit status and throw RequestError,
// DeviceError and Cancelled. A QCoreApplication must exist; for the window and the shot a QApplication.
[[nodiscard]] int windowCommand(const Arguments& arguments);
[[nodiscard]] int runCommand(const Arguments& arguments);
[[nodiscard]] int benchCommand(const Arguments& arguments);
[[nodiscard]] int verifyCommand(const Arguments& arguments);
[[nodiscard]] int traceCommand(const Arguments& arguments);
[[nodiscard]] int shotCommand(const Arguments& arguments);
[[nodiscard]] int listCommand(const Arguments& arguments);
[[nodiscard]] int planCommand(const Arguments& arguments);
[[nodiscard]] int tryCommand(const Arguments& arguments);
[[nodiscard]] int apartCommand(const Arguments& arguments);

/// bench --tune: measures what is fastest on this device and writes it into the user's table, or into the
/// file of --tune-out. Ends as the others do; what was measured before a cancel or a failure is written all
/// the same.
[[nodiscard]] int tuneCommand(const Arguments& arguments);

/// Whether the command shows something, and so needs a display.
[[nodiscard]] constexpr bool needsDisplay(Subcommand subcommand) {
  return subcommand == Subcommand::window || subcommand == Subcommand::shot;
}
/// Throws for a wrong value of a command that needs a display, so that it is named where there is none.
void refuseWrongValues(const Arguments& arguments);
/// Parses and does what was asked. Every error becomes one sentence on standard error and an exit status.
[[nodiscard]] int programMain(int argc, char** argv);

/// Makes Ctrl+C (and a polite kill) set a flag that long work asks, so that it ends cleanly; a second one
/// ends the program at once. The flag lives as long as the program.
[[nodiscard]] const std::atomic<bool>& cancelOnInterrupt();
/// Whether that happened.
[[nodiscard]] bool interrupted();
/// Throws Cancelled when it did.
void throwIfInterrupted();

} // namespace lloyd
