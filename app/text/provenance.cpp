// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/provenance.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QJsonValue>
#include <QStringList>

namespace lloyd {
namespace {

QString compilerName() {
#if defined(__clang__)
  return QStringLiteral("Clang " __clang_version__).trimmed();
#elif defined(__GNUC__)
  return QStringLiteral("GCC " __VERSION__);
#else
  return {};
#endif
}

BuildInfo& info() {
  static BuildInfo all{QStringLiteral(LLOYD_VERSION), {}, compilerName()};
  return all;
}

QJsonValue orNull(const QString& text) { return text.isEmpty() ? QJsonValue() : QJsonValue(text); }

} // namespace

const BuildInfo& buildInfo() { return info(); }
void setCommit(const QString& commit) { info().commit = commit; }

QJsonObject programJson() {
  return {{QStringLiteral("name"), QStringLiteral("lloydscope")},
          {QStringLiteral("version"), info().version},
          {QStringLiteral("commit"), orNull(info().commit)},
          {QStringLiteral("compiler"), orNull(info().compiler)}};
}

QString programText() {
  QStringList parts{QStringLiteral("lloydscope ") + info().version};
  if (!info().commit.isEmpty()) parts << QStringLiteral("commit ") + info().commit;
  if (!info().compiler.isEmpty()) parts << info().compiler;
  return parts.join(QStringLiteral(", "));
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
