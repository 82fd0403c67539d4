// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/plan.hpp"

#include <QJsonValue>
#include <QString>

namespace lloyd {

/// Why the program's own choice of variants is what it is, as a clause: "measured on this device on
/// 2026-05-31, at 1,048,576 points, 2 dimensions, k = 16". Empty when a person chose all.
[[nodiscard]] QString defaultSourceText(const DefaultSource& source);
/// The same for the defaults of a device as a whole, of no problem in particular: "measured on this device on
/// 2026-05-31".
[[nodiscard]] QString defaultsText(const DeviceInfo& device,
                                   const TuningTable& table = TuningTable::present());
/// As reports for programs carry it: what it is from (here, shipped, similar, order), the words, and the
/// measurement where there is one; null when a person chose all.
[[nodiscard]] QJsonValue sourceJson(const DefaultSource& source);

} // namespace lloyd
