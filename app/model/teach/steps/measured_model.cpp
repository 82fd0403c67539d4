// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/steps/measured_model.hpp"

#include "app/text/numbers.hpp"

#include <array>

namespace lloyd {
namespace {

struct Figure {
  const char* name;
  const char* meaning;
  QString (*text)(const WarpWaits& waits);
};

/// Behind the time, which is not the profiler's everywhere.
constexpr std::array<Figure, 6> figures{
    Figure{QT_TRANSLATE_NOOP("MeasuredModel", "registers"),
           QT_TRANSLATE_NOOP("MeasuredModel", "Of a thread."),
           [](const WarpWaits& waits) { return QString::number(waits.registers); }},
    Figure{
        QT_TRANSLATE_NOOP("MeasuredModel", "local traffic, B a launch"),
        QT_TRANSLATE_NOOP("MeasuredModel",
                          "Moved in local memory by the launch: arrays that are indexed at run time, and "
                          "what did not fit into registers."),
        [](const WarpWaits& waits) { return shortCountText(static_cast<std::uint64_t>(waits.localBytes)); }},
    Figure{QT_TRANSLATE_NOOP("MeasuredModel", "shared memory, B a block"),
           QT_TRANSLATE_NOOP("MeasuredModel", "Shared memory of a block."),
           [](const WarpWaits& waits) { return countText(static_cast<std::uint64_t>(waits.sharedBytes)); }},
    Figure{QT_TRANSLATE_NOOP("MeasuredModel", "occupancy %"),
           QT_TRANSLATE_NOOP("MeasuredModel",
                             "Warps that lived on a multiprocessor on average, per cent of those "
                             "that it can hold."),
           [](const WarpWaits& waits) { return significantText(waits.occupancy); }},
    Figure{QT_TRANSLATE_NOOP("MeasuredModel", "IPC"),
           QT_TRANSLATE_NOOP("MeasuredModel", "Instructions a cycle of a multiprocessor, 4 at most."),
           [](const WarpWaits& waits) { return significantText(waits.ipc); }},
    Figure{QT_TRANSLATE_NOOP("MeasuredModel", "issue slots %"),
           QT_TRANSLATE_NOOP("MeasuredModel", "Cycles in which a scheduler issues an instruction, per cent."),
           [](const WarpWaits& waits) { return significantText(waits.issue); }}};

} // namespace

void MeasuredModel::setVersions(const Version& before, const Version& now, const QString& timeMeaning) {
  beginResetModel();
  before_ = before;
  now_ = now;
  timeMeaning_ = timeMeaning;
  endResetModel();
}

QString MeasuredModel::labelOf(const Version& version, const Version& other) {
  if (!version.waits) return version.name;
  return (QStringList(version.name) + launchDifferences(*version.waits, other.waits)).join(QLatin1Char('\n'));
}

int MeasuredModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !now_.waits ? 0 : 1 + static_cast<int>(figures.size());
}

QString MeasuredModel::text(int row, int column) const {
  if (column == nameColumn)
    return row == 0 ? tr("time µs") : tr(figures.at(static_cast<std::size_t>(row) - 1).name);
  const Version& version = column == beforeColumn ? before_ : now_;
  if (row == 0) return version.waits ? microsecondsText(version.us) : unknownText();
  return version.waits ? figures.at(static_cast<std::size_t>(row) - 1).text(*version.waits) : unknownText();
}

QString MeasuredModel::meaning(int row) const {
  return row == 0 ? tr("Microseconds of one launch: %1.").arg(timeMeaning_)
                  : tr(figures.at(static_cast<std::size_t>(row) - 1).meaning);
}

} // namespace lloyd
