// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/occupancy/card_limits.hpp"

#include <array>

namespace lloyd {
namespace {

constexpr std::size_t KiB = 1024;

constexpr std::array<CardLimits, 9> cards{{
    {.computeCapability = 30,
     .warps = 64,
     .blocks = 16,
     .registersPerThread = 63,
     .sharedBytes = 48 * KiB,
     .sharedBytesPerBlock = 48 * KiB},
    {.computeCapability = 52,
     .warps = 64,
     .blocks = 32,
     .sharedBytes = 96 * KiB,
     .sharedBytesPerBlock = 48 * KiB},
    {.computeCapability = 75,
     .warps = 32,
     .blocks = 16,
     .sharedBytes = 64 * KiB,
     .sharedBytesPerBlock = 64 * KiB},
    {.computeCapability = 80,
     .warps = 64,
     .blocks = 32,
     .sharedBytes = 164 * KiB,
     .sharedBytesPerBlock = 163 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
    {.computeCapability = 86,
     .warps = 48,
     .blocks = 16,
     .sharedBytes = 100 * KiB,
     .sharedBytesPerBlock = 99 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
    {.computeCapability = 89,
     .warps = 48,
     .blocks = 24,
     .sharedBytes = 100 * KiB,
     .sharedBytesPerBlock = 99 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
    {.computeCapability = 90,
     .warps = 64,
     .blocks = 32,
     .sharedBytes = 228 * KiB,
     .sharedBytesPerBlock = 227 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
    {.computeCapability = 100,
     .warps = 64,
     .blocks = 32,
     .sharedBytes = 228 * KiB,
     .sharedBytesPerBlock = 227 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
    {.computeCapability = 120,
     .warps = 48,
     .blocks = 24,
     .sharedBytes = 100 * KiB,
     .sharedBytesPerBlock = 99 * KiB,
     .sharedUnit = 128,
     .sharedReserved = KiB},
}};

} // namespace

std::span<const CardLimits> knownCards() { return cards; }

std::optional<CardLimits> cardLimits(int computeCapability) {
  std::optional<CardLimits> found;
  for (const CardLimits& card : cards)
    if (card.computeCapability / 10 == computeCapability / 10 && card.computeCapability <= computeCapability)
      found = card;
  return found;
}

} // namespace lloyd
