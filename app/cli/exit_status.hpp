// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// What the program says to a shell.
enum ExitStatus : int {
  exitDone = 0,
  exitCheckFailed = 1, ///< a variant did not match the reference
  exitWrong = 2,       ///< the request cannot be met anywhere, or an output cannot be written
  exitAbsent = 3,      ///< the request needs something that this machine or build does not have
  exitCancelled = 130  ///< ended by Ctrl+C, as shells count it
};

} // namespace lloyd
