// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonArray>
#include <QString>
#include <QStringList>

namespace lloyd {

/// One line for every object of rows, one field for every key, as RFC 4180 has it; null and absent are empty.
/// Numbers keep their full precision.
[[nodiscard]] QByteArray csvOf(const QStringList& keys, const QJsonArray& rows);
/// One such line with its end, each field quoted when it has to be.
[[nodiscard]] QString csvLine(const QStringList& fields, const char* end = "\n");
/// A number with its full precision, in as few digits as read back the same; empty when it is not finite.
[[nodiscard]] QString exactText(double value);
/// As many as read back the same in single precision: 1.45 and not 1.4500000476837158.
[[nodiscard]] QString exactText(float value);

} // namespace lloyd
