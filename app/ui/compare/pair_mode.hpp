// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// How two runs are shown, in the order in which a key goes through them.
enum class PairMode {
  beside,     ///< two views
  split,      ///< one view with a divider
  difference, ///< one view in which the points that both label alike step back
  alone       ///< A; there is no B
};

} // namespace lloyd
