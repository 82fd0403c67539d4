// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <vector>

namespace lloyd {

/// The lines of a file that a sentence about it names, as in "at mine.cu:37", each once and in its order.
/// path: of the file, which sentences name with its folder or without.
[[nodiscard]] std::vector<int> linesNamed(const QString& sentence, const QString& path);

} // namespace lloyd
