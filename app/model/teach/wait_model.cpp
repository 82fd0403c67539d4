// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/wait_model.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>
#include <array>

namespace lloyd {
namespace {

constexpr double leastShown = 0.01; ///< of the latency, in one of the versions

/// What stands below the reasons.
struct Figure {
  const char* name;
  const char* meaning;
  QString (*text)(const WarpWaits& waits);
};

constexpr std::array<Figure, 8> figures{
    Figure{QT_TRANSLATE_NOOP("WaitModel", "all, cycles"),
           QT_TRANSLATE_NOOP("WaitModel", "Cycles of a warp for each instruction that it issues."),
           [](const WarpWaits& waits) { return significantText(waits.sum()); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "time µs"),
           QT_TRANSLATE_NOOP("WaitModel", "Of one launch under the profiler, caches warm, microseconds."),
           [](const WarpWaits& waits) { return significantText(waits.us); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "registers"), QT_TRANSLATE_NOOP("WaitModel", "Of a thread."),
           [](const WarpWaits& waits) { return QString::number(waits.registers); }},
    Figure{
        QT_TRANSLATE_NOOP("WaitModel", "local bytes"),
        QT_TRANSLATE_NOOP("WaitModel",
                          "Moved in local memory by the launch: arrays that are indexed at run time, and "
                          "what did not fit into registers."),
        [](const WarpWaits& waits) { return shortCountText(static_cast<std::uint64_t>(waits.localBytes)); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "shared bytes"),
           QT_TRANSLATE_NOOP("WaitModel", "Shared memory of a block."),
           [](const WarpWaits& waits) { return countText(static_cast<std::uint64_t>(waits.sharedBytes)); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "occupancy %"),
           QT_TRANSLATE_NOOP("WaitModel",
                             "Warps that lived on a multiprocessor on average, per cent of those "
                             "that it can hold."),
           [](const WarpWaits& waits) { return significantText(waits.occupancy); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "IPC"),
           QT_TRANSLATE_NOOP("WaitModel", "Instructions a cycle of a multiprocessor, 4 at most."),
           [](const WarpWaits& waits) { return significantText(waits.ipc); }},
    Figure{QT_TRANSLATE_NOOP("WaitModel", "issue slots %"),
           QT_TRANSLATE_NOOP("WaitModel", "Cycles in which a scheduler issues an instruction, per cent."),
           [](const WarpWaits& waits) { return significantText(waits.issue); }}};

} // namespace

void WaitModel::setVersions(const Version& before, const Version& now) {
  beginResetModel();
  before_ = before;
  now_ = now;
  shown_.clear();
  for (std::size_t reason = 0; reason < waitReasons; ++reason)
    if ((before_.waits && before_.waits->share(reason) >= leastShown) ||
        (now_.waits && now_.waits->share(reason) >= leastShown))
      shown_.push_back(reason);
  endResetModel();
}

QString WaitModel::spoken(const Version& version) {
  if (!version.waits) return {};
  QStringList parts;
  for (std::size_t reason = 0; reason < waitReasons; ++reason)
    if (version.waits->share(reason) >= leastShown)
      parts << tr("%1 %2 %").arg(waitReasonName(reason), percentText(version.waits->share(reason)));
  return tr("%1: %2 cycles an instruction; %3")
      .arg(version.name, significantText(version.waits->sum()), parts.join(QStringLiteral(", ")));
}

int WaitModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || shown_.empty() ? 0 : static_cast<int>(shown_.size() + figures.size());
}

QString WaitModel::text(int row, int column) const {
  const auto at = static_cast<std::size_t>(row);
  const bool reason = at < shown_.size();
  if (column == nameColumn)
    return reason ? waitReasonName(shown_[at]) + QStringLiteral(" %") : tr(figures[at - shown_.size()].name);
  const Version& version = column == beforeColumn ? before_ : now_;
  if (!version.waits) return unknownText();
  return reason ? percentText(version.waits->share(shown_[at]))
                : figures[at - shown_.size()].text(*version.waits);
}

QString WaitModel::meaning(int row) const {
  const auto at = static_cast<std::size_t>(row);
  if (at >= shown_.size()) return tr(figures[at - shown_.size()].meaning);
  QStringList lines{waitReasonMeaning(shown_[at])};
  for (const Version* version : {&before_, &now_})
    if (version->waits)
      lines << tr("%1: %2 cycles an instruction")
                   .arg(version->name, significantText(version->waits->cycles[shown_[at]]));
  return lines.join(QLatin1Char('\n'));
}

std::optional<std::size_t> WaitModel::partOf(int row) const {
  const auto at = static_cast<std::size_t>(row);
  return at < shown_.size() ? std::optional(shown_[at]) : std::nullopt;
}

} // namespace lloyd
