// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/queue/deed.hpp"

#include "gpu/simt/lane/source_location.hpp"

#include <algorithm>

namespace lloyd::simt {

std::uint64_t Clock::tick(Actor actor) {
  if (actor >= times_.size()) times_.resize(actor + 1);
  return ++times_[actor];
}

void Clock::join(const Clock& other) {
  if (other.times_.size() > times_.size()) times_.resize(other.times_.size());
  std::transform(other.times_.begin(), other.times_.end(), times_.begin(), times_.begin(),
                 [](std::uint64_t theirs, std::uint64_t ours) { return std::max(theirs, ours); });
}

std::string describe(const CallSite& where) {
  Place place;
  place.file = where.file;
  place.line = static_cast<unsigned>(where.line);
  return describe(place);
}

std::string Deed::describe() const {
  if (actor == ownOrder) return what + " of the device's own order";
  const std::string at = where.line > 0 ? " at " + simt::describe(where) : std::string();
  if (actor == host) return what + " by the host" + at;
  return what + " of queue " + std::to_string(actor - firstQueue + 1) + at;
}

} // namespace lloyd::simt
