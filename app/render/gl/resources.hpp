// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// Makes the files of resources/resources.qrc readable under ":/". They live in a static library, whose
/// resources no linker keeps unless somebody asks. Any number of calls.
void initResources();

} // namespace lloyd
