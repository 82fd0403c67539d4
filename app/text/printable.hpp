// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace lloyd {

/// The text with "?" for every character that a terminal obeys instead of showing it: control characters,
/// among them those that begin escape sequences, and marks that turn the direction of writing. Names of files
/// and columns may hold any. Tabs stay, and line ends where the text has several lines.
[[nodiscard]] QString printable(QString text, bool severalLines);

} // namespace lloyd
