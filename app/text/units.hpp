// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstddef>

namespace lloyd {

/// "17.2 GB", in powers of ten.
[[nodiscard]] QString bytesText(std::size_t bytes);
/// A time in the unit that reads best: "61.2 us", "4.56 ms", "1.23 s".
[[nodiscard]] QString durationText(double us);

} // namespace lloyd
