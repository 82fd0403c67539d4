// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstddef>

namespace lloyd {

/// "17.2 GB", in powers of ten.
[[nodiscard]] QString bytesText(std::size_t bytes);

} // namespace lloyd
