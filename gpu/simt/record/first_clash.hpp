// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"

namespace lloyd::simt {

/// Of the pairs of touches of one word that nothing orders, which kinds there are, and the one to be shown.
template <class Touch>
struct FirstClash {
  bool stores = false; ///< of stores with stores
  bool others = false;
  Touch earlier; ///< in the order in which the lanes happened to run
  Touch later;

  [[nodiscard]] bool any() const { return stores || others; }
  /// A pair that can change a result is the better example.
  void note(const Touch& before, const Touch& now) {
    const bool areStores = before.access == Access::store && now.access == Access::store;
    if (!any() || (!areStores && !others)) {
      earlier = before;
      later = now;
    }
    (areStores ? stores : others) = true;
  }
};

} // namespace lloyd::simt
