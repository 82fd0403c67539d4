// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// Makes kernels, lessons and counters of cards readable as ":/kernels/classify/v1_....cu",
/// ":/lessons/<id>.md" and ":/counters/<card>.csv". Any number of calls.
void initTexts();

} // namespace lloyd
