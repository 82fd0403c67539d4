// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/devices.hpp"

#include "app/text/json_values.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/text/units.hpp"

namespace lloyd {

QJsonObject deviceJson(const DeviceInfo& device) {
  return {{QStringLiteral("name"), qtext(device.name)},
          {QStringLiteral("backend"), qtext(name(device.backend))},
          {QStringLiteral("simulated"), device.backend == Backend::simt},
          {QStringLiteral("compute_capability"), textOrNull(device.computeCapability)},
          {QStringLiteral("memory_bytes"), countJson(device.memoryBytes)},
          {QStringLiteral("multiprocessors"), device.multiprocessors},
          {QStringLiteral("l2_bytes"), countJson(device.l2Bytes)},
          {QStringLiteral("driver"), textOrNull(device.driver)},
          {QStringLiteral("runtime"), textOrNull(device.runtime)},
          {QStringLiteral("usable"), device.usable},
          {QStringLiteral("why"), textOrNull(device.why)}};
}

QString deviceText(const DeviceInfo& device) {
  QStringList parts{qtext(device.name)};
  if (device.multiprocessors > 0)
    parts << countText(static_cast<std::uint64_t>(device.multiprocessors)) +
                 (device.backend != Backend::cuda ? QStringLiteral(" threads")
                                                  : QStringLiteral(" multiprocessors"));
  if (device.memoryBytes > 0) parts << bytesText(device.memoryBytes);
  if (!device.computeCapability.empty())
    parts << QStringLiteral("compute capability ") + qtext(device.computeCapability);
  return parts.join(QStringLiteral(", "));
}

} // namespace lloyd
