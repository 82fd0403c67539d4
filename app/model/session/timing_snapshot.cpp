// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/timing_snapshot.hpp"

#include <algorithm>

namespace lloyd {

Summary TimingSnapshot::timesOf(Stage stage, std::string_view variant) const {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&](const Row& row) { return row.stage == stage && row.variant == variant; });
  return found == rows.end() ? Summary{} : found->times;
}

} // namespace lloyd
