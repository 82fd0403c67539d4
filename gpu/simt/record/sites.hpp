// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/simt/lane/current_lane.hpp"
#include "gpu/simt/lane/source_location.hpp"
#include "gpu/simt/record/counters.hpp"

#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace lloyd::simt {

/// What stands at a place of a kernel's source.
enum class Asked : std::uint8_t {
  globalLoad,
  globalStore,
  globalAtomic,
  sharedLoad,
  sharedStore,
  sharedAtomic,
  barrier,
  collective
};

/// One access, barrier or collective in the source, with what it has been counted to ask for so far.
struct Site {
  Place place;
  Asked asked = Asked::globalLoad;
  unsigned bytes = 0; ///< of one lane's access
  Counters counters;
};

/// All sites that a recording met, numbered from 0 on in the order of meeting.
class Sites {
public:
  [[nodiscard]] std::uint32_t find(const Place& place, Asked asked, std::size_t bytes);
  [[nodiscard]] Site& operator[](std::uint32_t site) { return sites_[site]; }
  [[nodiscard]] const Site& operator[](std::uint32_t site) const { return sites_[site]; }
  [[nodiscard]] std::size_t size() const { return sites_.size(); }

  /// Ranks all sites in the order of the source, and those on one line in the order of meeting, because a
  /// line is not always gone through from left to right.
  void putInOrder();
  [[nodiscard]] std::uint32_t rank(std::uint32_t site) const { return ranks_[site]; }
  /// Whether the sites of two ranks stand on one line.
  [[nodiscard]] bool sameLine(std::uint32_t rank, std::uint32_t other) const;

  [[nodiscard]] Counters total() const;
  [[nodiscard]] std::vector<Trace::Line> lines() const;

private:
  struct Key {
    const char* file = nullptr;
    std::uint64_t rest = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
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
