// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/lane.hpp"
#include "gpu/simt/lane/source_location.hpp"
#include "gpu/simt/record/counters.hpp"
#include "gpu/simt/record/warp_steps.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lloyd::simt {

/// One access, barrier or collective in the source, with what it has been counted to ask for so far.
struct Site {
  Place place;
  Asked asked = Asked::globalLoad;
  unsigned bytes = 0; ///< of one lane's access
  Counters counters;

  /// These lanes of a warp being here.
  [[nodiscard]] WarpStep step(std::uint32_t lanes) const {
    return {asked, lanes, bytes, 0, fileOf(place), static_cast<int>(place.line), {}};
  }
};

/// All sites that a recording met, numbered from 0 on in the order of meeting.
class Sites {
public:
  [[nodiscard]] std::uint32_t find(const Place& place, Asked asked, std::size_t bytes) {
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
  [[nodiscard]] Site& operator[](std::uint32_t site) { return sites_[site]; }
  [[nodiscard]] const Site& operator[](std::uint32_t site) const { return sites_[site]; }
  [[nodiscard]] std::size_t size() const { return sites_.size(); }

  /// Ranks all sites in the order of the source, and those on one line in the order of meeting, because a
  /// line is not always gone through from left to right. Headers come before the file that includes them,
  /// wherever it lies: a person's copy is counted as what it is a copy of.
  void putInOrder() {
    if (ranks_.size() == sites_.size()) return;
    const auto place = [&](std::uint32_t site) {
      const std::string_view file = fileOf(sites_[site].place);
      return std::tuple(!file.ends_with(".hpp"), file, sites_[site].place.line, site);
    };
    sorted_.resize(sites_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    std::sort(sorted_.begin(), sorted_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return place(a) < place(b); });
    ranks_.resize(sorted_.size());
    for (std::uint32_t rank = 0; rank < sorted_.size(); ++rank)
      ranks_[sorted_[rank]] = rank;
  }
  [[nodiscard]] std::uint32_t rank(std::uint32_t site) const { return ranks_[site]; }
  /// Whether the sites of two ranks stand on one line.
  [[nodiscard]] bool sameLine(std::uint32_t rank, std::uint32_t other) const {
    const Place& a = sites_[sorted_[rank]].place;
    const Place& b = sites_[sorted_[other]].place;
    return a.line == b.line && fileOf(a) == fileOf(b);
  }

  [[nodiscard]] Counters total() const {
    Counters total;
    for (const Site& site : sites_)
      total += site.counters;
    return total;
  }
  [[nodiscard]] std::vector<Trace::Line> lines() const {
    std::map<std::pair<std::string_view, unsigned>, Counters> sorted;
    for (const Site& site : sites_)
      sorted[{fileOf(site.place), site.place.line}] += site.counters;
    std::vector<Trace::Line> lines;
    lines.reserve(sorted.size());
    for (const auto& [place, counters] : sorted)
      lines.push_back({std::string(place.first), static_cast<int>(place.second), counters});
    return lines;
  }

private:
  struct Key {
    const char* file = nullptr;
    std::uint64_t rest = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(key.file) ^ key.rest * 0x9e3779b97f4a7c15u;
      mixed ^= mixed >> 32;
      return static_cast<std::size_t>(mixed * 0xd1342543de82ef95u >> 16);
    }
  };

  std::deque<Site> sites_;
  std::vector<std::uint32_t> ranks_;  ///< of the sites known when last put in order
  std::vector<std::uint32_t> sorted_; ///< the site of each rank
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
  /// The same few places are asked for over and over.
  struct Recent {
    Key key;
    std::uint32_t site = 0;
  };
  std::array<Recent, 256> recent_;
};

} // namespace lloyd::simt
