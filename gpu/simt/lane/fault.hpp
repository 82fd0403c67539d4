// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stdexcept>

namespace lloyd::simt {

/// What a kernel did wrong, as a sentence that names block, warp, lanes and the place. Ends its launch.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace lloyd::simt
