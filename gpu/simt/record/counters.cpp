// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/counters.hpp"

namespace lloyd::simt {

Counters& Counters::operator+=(const Counters& other) {
  globalLoadRequests += other.globalLoadRequests;
  globalLoadSectors += other.globalLoadSectors;
  globalStoreRequests += other.globalStoreRequests;
  globalStoreSectors += other.globalStoreSectors;
  sharedRequests += other.sharedRequests;
  bankConflicts += other.bankConflicts;
  barriers += other.barriers;
  warpCollectives += other.warpCollectives;
  sharedAtomics += other.sharedAtomics;
  globalAtomics += other.globalAtomics;
  requests += other.requests;
  lanes += other.lanes;
  return *this;
}

} // namespace lloyd::simt
