// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/device.hpp"

#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <string_view>

namespace lloyd {

/// The program's name and version, as every report carries them.
[[nodiscard]] QJsonObject programJson();
/// A device as every report carries it; null where something is not known.
[[nodiscard]] QJsonObject deviceJson(const DeviceInfo& device);
/// "NVIDIA H200, 141 GB, compute capability 9.0"
[[nodiscard]] QString deviceText(const DeviceInfo& device);
/// "17.2 GB", in powers of ten.
[[nodiscard]] QString bytesText(std::size_t bytes);
/// A time in the unit that reads best: "61.2 us", "4.56 ms", "1.23 s".
[[nodiscard]] QString durationText(double us);

[[nodiscard]] inline QString qtext(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
/// Null for an empty text.
[[nodiscard]] inline QJsonValue textOrNull(std::string_view text) {
  return text.empty() ? QJsonValue() : QJsonValue(qtext(text));
}
/// A whole number of any size, exactly.
[[nodiscard]] inline QJsonValue countJson(std::uint64_t count) {
  return QJsonValue(static_cast<qint64>(count));
}

} // namespace lloyd
