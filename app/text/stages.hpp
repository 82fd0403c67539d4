// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/stage.hpp"

#include <QString>

namespace lloyd {

/// What a stage does, in one sentence, for tooltips.
[[nodiscard]] QString stageMeaning(Stage stage);

} // namespace lloyd
