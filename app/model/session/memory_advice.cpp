// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/memory_advice.hpp"

#include "app/text/numbers.hpp"
#include "gpu/core/contract/system_memory.hpp"
#include "gpu/core/data/labels.hpp"

#include <QCoreApplication>

namespace lloyd {

std::size_t pointsThatFit(const PointSet& points, std::size_t bytes, std::size_t frames) {
  const std::size_t copies = points.drift ? 3 + frames : 1; // points that move are kept at rest too
  const std::size_t each =
      copies * static_cast<std::size_t>(points.d) * sizeof(float) + (4 + frames) * sizeof(Label);
  std::size_t fit = bytes / 5 * 4 / each;
  std::size_t digits = 1;
  while (fit / digits >= 100)
    digits *= 10;
  return fit / digits * digits;
}

QString tooLittleMemoryText(std::size_t points, int k, const QString& what, std::size_t fit) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("Session", text); };
  return tr("There is not enough memory for %1 and %2: %3. %4")
      .arg(pointsText(points),
           countedText(static_cast<std::uint64_t>(k), tr("%1 cluster"), tr("%1 clusters")), what,
           fit > 0 && fit < points
               ? tr("About %1 fit; 'lloydscope run' takes all of them, in batches.").arg(pointsText(fit))
               : tr("Try fewer points or a smaller k."));
}

MemoryRoom roomForOthers(BackendRequest wanted, const DeviceInfo& device, const PointSet* present) {
  const bool onCpu = wanted == BackendRequest::cpu || wanted == BackendRequest::simt;
  const bool cuda = !device.name.empty() && device.backend == Backend::cuda;
  MemoryRoom room{.host = static_cast<double>(availableMemory()), .onHost = onCpu || !cuda};
  if (!room.onHost) {
    room.device = static_cast<double>(device.memoryBytes);
    room.name = device.name;
  }
  const double held = present ? static_cast<double>(present->values.size() * sizeof(float)) : 0;
  room.given = room.onHost ? 2 * held : held;
  return room;
}

} // namespace lloyd
