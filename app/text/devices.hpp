// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <QJsonObject>
#include <QString>

namespace lloyd {

/// A device as every report carries it; null where something is not known.
[[nodiscard]] QJsonObject deviceJson(const DeviceInfo& device);
/// "NVIDIA H200, 141 GB, compute capability 9.0"
[[nodiscard]] QString deviceText(const DeviceInfo& device);

} // namespace lloyd
