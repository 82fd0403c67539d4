// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/launch/planned_launch.hpp"

#include <QByteArray>

#include <cstddef>
#include <string>

namespace lloyd {

/// What "lloydscope plan" tells: how many blocks of each launch live on a multiprocessor of a card, and why
/// no more.
struct PlanReport {
  LaunchPlans plans;
  CardLimits card;
  bool ownCard = false; ///< the driver that told of registers is that of the card: it is held against it
  std::size_t points = 0;
  int multiprocessors = 0; ///< of the card; 0 when unknown

  /// The launches for which the driver says another occupancy than the model.
  [[nodiscard]] std::size_t disagreements() const;
};

/// "9.0"
[[nodiscard]] QString capabilityText(int computeCapability);
/// For a terminal: a table; of a single launch bars, the sentence and the paper's constraints.
[[nodiscard]] QByteArray planText(const PlanReport& report);
/// Always a list, an object for each launch.
[[nodiscard]] QByteArray planJson(const PlanReport& report);
/// A row for each launch; KernelTable reads what of it does not depend on the card.
[[nodiscard]] QByteArray planCsv(const PlanReport& report);

} // namespace lloyd
