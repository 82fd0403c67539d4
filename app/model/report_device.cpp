// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report_device.hpp"

#include "app/model/number_text.hpp"

namespace lloyd {

QJsonObject programJson() {
  return {{QStringLiteral("name"), QStringLiteral("lloydscope")},
          {QStringLiteral("version"), QStringLiteral(LLOYD_VERSION)}};
}

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

QString bytesText(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return significantText(size / 1e9) + QStringLiteral(" GB");
  if (bytes >= 1'000'000) return significantText(size / 1e6) + QStringLiteral(" MB");
  if (bytes >= 1'000) return significantText(size / 1e3) + QStringLiteral(" kB");
  return countText(bytes) + QStringLiteral(" bytes");
}

QString durationText(double us) {
  if (us >= 1e6) return significantText(us / 1e6) + QStringLiteral(" s");
  if (us >= 1e3) return significantText(us / 1e3) + QStringLiteral(" ms");
  return significantText(us) + QStringLiteral(" us");
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
