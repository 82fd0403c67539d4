// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/device.hpp"

#include <QJsonObject>
#include <QString>

namespace lloyd {

/// What the program is, and what it was built from and with.
struct BuildInfo {
  QString version;  ///< "0.1.0"
  QString commit;   ///< "82cb8b6a1f20", with "-dirty" where files differ from it; empty when not known
  QString compiler; ///< "GCC 12.2.0", of the host's code
};
[[nodiscard]] const BuildInfo& buildInfo();
/// Once, before anything asks for it: the program alone knows its commit.
void setCommit(const QString& commit);

/// The program as every report carries it; null where something is not known.
[[nodiscard]] QJsonObject programJson();
/// "lloydscope 0.1.0, commit 82cb8b6a1f20, GCC 12.2.0"
[[nodiscard]] QString programText();

/// A device as every report carries it; null where something is not known.
[[nodiscard]] QJsonObject deviceJson(const DeviceInfo& device);
/// "NVIDIA H200, 141 GB, compute capability 9.0"
[[nodiscard]] QString deviceText(const DeviceInfo& device);

} // namespace lloyd
