// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/record/sites.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace lloyd::simt {

std::size_t Sites::Hash::operator()(const Key& key) const {
  std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(key.file) ^ key.rest * 0x9e3779b97f4a7c15u;
  mixed ^= mixed >> 32;
  return static_cast<std::size_t>(mixed * 0xd1342543de82ef95u >> 16);
}

std::uint32_t Sites::find(const Place& place, Asked asked, std::size_t bytes) {
  const Key key{place.file, static_cast<std::uint64_t>(place.line) << 32 |
                                static_cast<std::uint64_t>(place.column & 0xffffu) << 16 |
                                static_cast<std::uint64_t>(bytes & 0xffu) << 8 |
                                static_cast<std::uint64_t>(asked)};
  Recent& recent = recent_[Hash()(key) % recent_.size()];
  if (recent.key == key) return recent.site;
  const auto [entry, isNew] = numbers_.try_emplace(key, static_cast<std::uint32_t>(sites_.size()));
  if (isNew) sites_.push_back({place, asked, static_cast<unsigned>(bytes), {}});
  recent = {key, entry->second};
  return entry->second;
}

void Sites::putInOrder() {
  if (ranks_.size() == sites_.size()) return;
  const auto place = [&](std::uint32_t site) {
    return std::tuple(fileOf(sites_[site].place), sites_[site].place.line, site);
  };
  sorted_.resize(sites_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
  ranks_.resize(sorted_.size());
  for (std::uint32_t rank = 0; rank < sorted_.size(); ++rank)
    ranks_[sorted_[rank]] = rank;
}

bool Sites::sameLine(std::uint32_t rank, std::uint32_t other) const {
  const Place& a = sites_[sorted_[rank]].place;
  const Place& b = sites_[sorted_[other]].place;
  return a.line == b.line && fileOf(a) == fileOf(b);
}

Counters Sites::total() const {
  Counters total;
  for (const Site& site : sites_)
    total += site.counters;
  return total;
}

std::vector<Trace::Line> Sites::lines() const {
  std::map<std::pair<std::string_view, unsigned>, Counters> sorted;
  for (const Site& site : sites_)
    sorted[{fileOf(site.place), site.place.line}] += site.counters;
  std::vector<Trace::Line> lines;
  lines.reserve(sorted.size());
  for (const auto& [place, counters] : sorted)
    lines.push_back({std::string(place.first), static_cast<int>(place.second), counters});
  return lines;
}

} // namespace lloyd::simt
