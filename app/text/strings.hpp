// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string_view>

namespace lloyd {

/// UTF-8 as the widgets and the reports take it.
[[nodiscard]] inline QString qtext(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace lloyd
