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
/// One field of such a line, quoted when it has to be.
[[nodiscard]] QString csvField(const QString& text);

} // namespace lloyd
