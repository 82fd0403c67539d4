// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd::cpu {

/// The clock of the core that the calling thread runs on, MHz: a chain of additions, each of which waits for
/// the one before and takes one cycle on any processor of today, timed. The best of a few tries, because a
/// thread that was interrupted looks slow.
[[nodiscard]] double clockMhz();

} // namespace lloyd::cpu
