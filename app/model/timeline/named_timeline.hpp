// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/timeline/timeline.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// A recorded run under the name that a person reads: that of its schedule.
struct NamedTimeline {
  QString name;
  TimelinePtr timeline; ///< not null
};
using NamedTimelines = std::vector<NamedTimeline>;

} // namespace lloyd
