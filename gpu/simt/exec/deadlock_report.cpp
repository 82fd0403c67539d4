// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/deadlock_report.hpp"

#include <algorithm>
#include <vector>

namespace lloyd::simt {
namespace {

/// Lanes that wait for the same thing.
struct Group {
  const Lane* first;
  std::size_t lanes = 0;
};

bool sameWait(const Lane& a, const Lane& b) {
  if (a.state != b.state) return false;
  if (a.state == Lane::State::finished) return true;
  return a.place == b.place && (a.state != Lane::State::atCollective || a.asked.kind == b.asked.kind);
}

std::string describe(const Group& group) {
  const Lane& lane = *group.first;
  std::string text = std::to_string(group.lanes) + (group.lanes == 1 ? " thread" : " threads");
  if (lane.state == Lane::State::finished)
    text += " returned";
  else
    text += " at " +
            std::string(lane.state == Lane::State::atBarrier ? "__syncthreads" : nameOf(lane.asked.kind)) +
            " in " + describe(lane.place);
  return text + ", the first is " + describeThread(lane.thread);
}

} // namespace

std::string deadlockReport(std::span<const Lane> lanes, unsigned block) {
  std::vector<Group> groups;
  for (const Lane& lane : lanes) {
    const auto known = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& group) { return sameWait(*group.first, lane); });
    if (known == groups.end())
      groups.push_back({&lane, 1});
    else
      ++known->lanes;
  }
  const bool onlyBarriers = std::none_of(
      lanes.begin(), lanes.end(), [](const Lane& lane) { return lane.state == Lane::State::atCollective; });
  std::string text = "block " + std::to_string(block) +
                     (onlyBarriers ? ": its threads wait at different barriers" : ": no thread can go on");
  for (const Group& group : groups)
    text += (&group == groups.data() ? ": " : "; ") + describe(group);
  return text;
}

} // namespace lloyd::simt
