// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/point_groups.hpp"

#include "app/text/numbers.hpp"

#include <QCoreApplication>

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::uint32_t warpLanes = 32;

QString tr(const char* text) { return QCoreApplication::translate("PointGroups", text); }

std::int32_t groupOf(ColourBy by, const simt::Owner& owner) {
  if (owner.block == simt::Owner::nobody) return -1;
  switch (by) {
  case ColourBy::thread:
    return static_cast<std::int32_t>(owner.thread % warpLanes);
  case ColourBy::warp:
    return static_cast<std::int32_t>(owner.thread / warpLanes);
  default:
    return static_cast<std::int32_t>(owner.block);
  }
}

/// "; each thread has 4 points" where that is so of most.
QString pointsEach(std::size_t points, std::size_t blocks, std::size_t threads) {
  const std::size_t all = blocks * threads;
  const std::size_t each = all == 0 ? 0 : (points + all - 1) / all;
  return each < 2 ? QString() : tr("; up to %1 points a thread").arg(countText(each));
}

QString legendOf(ColourBy by, std::size_t blocks, std::size_t threads) {
  const std::size_t warps = (threads + warpLanes - 1) / warpLanes;
  switch (by) {
  case ColourBy::thread:
    return tr("colour = lane, a thread's place in its warp: 0 violet to 31 yellow");
  case ColourBy::warp:
    return warps == 1
               ? tr("colour = warp in its block: the only one, of %1 threads").arg(threads)
               : tr("colour = warp in its block, 0 to %1; %2 warps of 32 threads").arg(warps - 1).arg(warps);
  default:
    return blocks == 1 ? tr("colour = block: the only one, of %1 threads").arg(threads)
                       : tr("colour = block; %1 blocks of %2 threads").arg(countText(blocks)).arg(threads);
  }
}

} // namespace

std::string_view name(ColourBy by) {
  constexpr std::string_view names[] = {"cluster", "thread", "warp", "block", "changed"};
  return names[static_cast<std::size_t>(by)];
}

PointGroups groupsOf(ColourBy by, std::span<const simt::Owner> owners, int threads) {
  PointGroups all;
  auto groups = std::make_shared<std::vector<std::int32_t>>(owners.size());
  std::size_t blocks = 0;
  std::size_t used = static_cast<std::size_t>(std::max(1, threads));
  for (std::size_t i = 0; i < owners.size(); ++i) {
    (*groups)[i] = groupOf(by, owners[i]);
    if (owners[i].block == simt::Owner::nobody) continue;
    blocks = std::max<std::size_t>(blocks, owners[i].block + std::size_t{1});
    used = std::max<std::size_t>(used, owners[i].thread + std::size_t{1});
  }
  const std::size_t warps = (used + warpLanes - 1) / warpLanes;
  all.count = by == ColourBy::thread ? warpLanes : by == ColourBy::warp ? warps : blocks;
  all.colours = by == ColourBy::thread ? GroupColours::ramp : GroupColours::distinct;
  all.legend = legendOf(by, blocks, used) + pointsEach(owners.size(), blocks, used);
  all.groups = std::move(groups);
  return all;
}

QString handlerText(const simt::Owner& owner, std::size_t point, const Problem& problem, Layout layout) {
  QString text = owner.block == simt::Owner::nobody ? tr("no thread handles it")
                                                    : tr("block %1, warp %2, lane %3")
                                                          .arg(countText(owner.block))
                                                          .arg(owner.thread / warpLanes)
                                                          .arg(owner.thread % warpLanes);
  const auto d = static_cast<std::size_t>(problem.d);
  const std::size_t first = layout == Layout::aos ? point * d : point;
  const std::size_t step = layout == Layout::aos ? 1 : rowStride(problem.n);
  text += tr("\nbyte %1 of the points").arg(countText(first * sizeof(float)));
  if (d > 1) text += tr(", each further coordinate %1 bytes on").arg(countText(step * sizeof(float)));
  return text;
}

PointGroups changedGroups(std::span<const Label> before, std::span<const Label> now) {
  PointGroups all;
  auto groups = std::make_shared<std::vector<std::int32_t>>(now.size(), 1);
  std::size_t changed = now.size();
  if (!before.empty()) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      const bool same = i < before.size() && before[i] == now[i];
      (*groups)[i] = same ? 0 : 1;
      changed -= same ? 1 : 0;
    }
  }
  all.count = 2;
  all.colours = GroupColours::change;
  all.legend = tr("bright = another label than before: %1 of %2 points")
                   .arg(countText(changed), countText(now.size()));
  all.groups = std::move(groups);
  return all;
}

} // namespace lloyd
