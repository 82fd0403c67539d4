// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/occupancy/occupancy.hpp"

#include <QString>

#include <cstddef>
#include <vector>

namespace lloyd {

/// One rule of the Multi-level parallelism paper (text 001, lines 128 to 182) for the shape of a launch, held
/// against a launch.
struct PaperConstraint {
  QString formula; ///< its number there, and what it says; "in words" where its formula did not survive
  QString here;    ///< the same with this launch's numbers
  bool binds = false;
  QString remark; ///< what is wrong with the rule; empty where nothing is
};

/// needs: a launch that the card takes. points: that the launch has to cover, with items of them a thread.
/// multiprocessors: of the card; 0 when unknown.
[[nodiscard]] std::vector<PaperConstraint> paperConstraints(const CardLimits& card, const LaunchNeeds& needs,
                                                            std::size_t points, int items,
                                                            int multiprocessors);

} // namespace lloyd
