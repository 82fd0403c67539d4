// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>

namespace lloyd {

/// Makes Ctrl+C (and a polite kill) set a flag that long work asks, so that it ends cleanly; a second one
/// ends the program at once. The flag lives as long as the program.
[[nodiscard]] const std::atomic<bool>& cancelOnInterrupt();
/// Whether that happened.
[[nodiscard]] bool interrupted();
/// Throws Cancelled when it did.
void throwIfInterrupted();

} // namespace lloyd
