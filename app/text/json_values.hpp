// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/text/strings.hpp"

#include <QJsonValue>

#include <cstdint>

namespace lloyd {

/// Null for an empty text.
[[nodiscard]] inline QJsonValue textOrNull(std::string_view text) {
  return text.empty() ? QJsonValue() : QJsonValue(qtext(text));
}
/// A whole number of any size, exactly.
[[nodiscard]] inline QJsonValue countJson(std::uint64_t count) {
  return QJsonValue(static_cast<qint64>(count));
}

} // namespace lloyd
