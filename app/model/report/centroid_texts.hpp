// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

#include <cstddef>

namespace lloyd {

struct RunReport;

/// A column of the centroids as text, in the units of the file: six digits, and more where centroids lie
/// closer together than six digits can say, or the file has more.
[[nodiscard]] QStringList centroidTexts(const RunReport& report, std::size_t column);

} // namespace lloyd
