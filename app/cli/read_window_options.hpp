// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/arguments.hpp"
#include "app/cli/messages.hpp"
#include "app/ui/window/window_options.hpp"

namespace lloyd {

/// What the window starts with, from FILE or --points and every setting. A file that is missing or a folder,
/// and initial centroids that do not fit, are refused here; a file that turns out to be malformed is the
/// window's to explain.
[[nodiscard]] WindowOptions windowOptions(const Arguments& arguments, Messages& messages);

} // namespace lloyd
