// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/random/random_draws.hpp"

#include <bit>
#include <cstdint>

namespace lloyd {

/// A random-looking order of 0 ... n - 1 whose i-th entry is found without the others: a Feistel network on
/// the next power of two, walked until it lands below n (Black and Rogaway, 2002).
class Shuffle {
public:
  Shuffle(std::uint64_t n, std::uint64_t seed) : n_(n), draws_(seed) {
    const int bits = n > 1 ? static_cast<int>(std::bit_width(n - 1)) : 0;
    lowBits_ = bits / 2;
    lowMask_ = (std::uint64_t{1} << lowBits_) - 1;
    highMask_ = (std::uint64_t{1} << (bits - lowBits_)) - 1;
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const {
    do {
      std::uint64_t low = i & lowMask_;
      std::uint64_t high = i >> lowBits_;
      for (std::size_t round = 0; round < 6; round += 2) {
        // The upper half of the random word: the lower bits of a product are its weaker ones.
        high ^= draws_.bits(Draw::shuffle, round, low) >> 32 & highMask_;
        low ^= draws_.bits(Draw::shuffle, round + 1, high) >> 32 & lowMask_;
      }
      i = high << lowBits_ | low;
    } while (i >= n_);
    return i;
  }

private:
  std::uint64_t n_;
  RandomDraws draws_;
  int lowBits_ = 0;
  std::uint64_t lowMask_ = 0;
  std::uint64_t highMask_ = 0;
};

} // namespace lloyd
