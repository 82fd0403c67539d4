// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/exec/warp.hpp"

#include "gpu/core/math/half.hpp"

#include <array>
#include <bit>
#include <string>

namespace lloyd::simt {
namespace {

using Kind = Collective::Kind;

unsigned lowest(std::uint32_t mask) { return static_cast<unsigned>(std::countr_zero(mask)); }

std::string where(const Lane& lane, unsigned block) {
  return nameOf(lane.asked.kind) + std::string(" at ") + describe(lane.place) + ", warp " +
         std::to_string(lane.warp()) + " of block " + std::to_string(block);
}

/// "lanes 0-3, 8, 16-31"
std::string describeLanes(std::uint32_t mask) {
  std::string text = std::popcount(mask) == 1 ? "lane " : "lanes ";
  const std::size_t start = text.size();
  for (unsigned first = 0; first < warpSize; ++first) {
    if ((mask >> first & 1) == 0) continue;
    unsigned last = first;
    while (last + 1 < warpSize && (mask >> (last + 1) & 1) != 0)
      ++last;
    if (text.size() > start) text += ", ";
    text += std::to_string(first);
    if (last > first) text.append("-").append(std::to_string(last));
    first = last;
  }
  return mask == 0 ? "no lane" : text;
}

std::string hexadecimal(std::uint32_t mask) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4)
    text += digits[mask >> shift & 15];
  return text;
}

/// Lanes in the mask that will never come, or that came with another mask.
void requirePossible(std::span<Lane> lanes, const Lane& caller, std::uint32_t waiting, unsigned block) {
  const std::uint32_t mask = caller.asked.mask;
  std::uint32_t absent = 0;
  std::uint32_t exited = 0;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const unsigned at = lowest(left);
    if (at >= lanes.size())
      absent |= 1u << at;
    else if (lanes[at].state == Lane::State::finished)
      exited |= 1u << at;
  }
  if (absent != 0)
    throw Fault(where(caller, block) + ": the mask " + hexadecimal(mask) + " names " + describeLanes(absent) +
                ", and the warp has only " + std::to_string(lanes.size()));
  if (exited != 0)
    throw Fault(where(caller, block) + ": the mask " + hexadecimal(mask) + " names " + describeLanes(exited) +
                ", which returned from the kernel");
  for (std::uint32_t left = mask & waiting; left != 0; left &= left - 1) {
    const Lane& other = lanes[lowest(left)];
    if (other.asked.kind == caller.asked.kind && other.place == caller.place && other.asked.mask != mask)
      throw Fault(where(caller, block) + ": lane " + std::to_string(caller.inWarp()) + " gives the mask " +
                  hexadecimal(mask) + " and lane " + std::to_string(other.inWarp()) + ", which it names, " +
                  hexadecimal(other.asked.mask));
  }
}

bool allHere(std::span<Lane> lanes, const Lane& caller) {
  for (std::uint32_t left = caller.asked.mask; left != 0; left &= left - 1) {
    const Lane& other = lanes[lowest(left)];
    if (other.asked.kind != caller.asked.kind || !(other.place == caller.place) ||
        other.asked.mask != caller.asked.mask)
      return false;
  }
  return true;
}

/// Which lane a shuffle reads, by the rules of PTX's shfl: the distance or pattern counts modulo 32, and
/// where it would leave the segment of width lanes, a lane keeps its own value.
unsigned sourceOf(const Collective& asked, unsigned lane) {
  const auto width = static_cast<unsigned>(asked.width);
  const unsigned first = lane & ~(width - 1);
  const unsigned last = first + width - 1;
  const unsigned by = asked.argument % warpSize;
  switch (asked.kind) {
  case Kind::shuffle:
    return first + by % width;
  case Kind::shuffleUp:
    return lane >= first + by ? lane - by : lane;
  case Kind::shuffleDown:
    return lane + by <= last ? lane + by : lane;
  default:
    return (lane ^ by) <= last ? lane ^ by : lane;
  }
}

void shuffle(std::span<Lane> lanes, std::uint32_t mask, unsigned block) {
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    Lane& lane = lanes[lowest(left)];
    const unsigned source = sourceOf(lane.asked, lane.inWarp());
    if ((mask >> source & 1) == 0)
      throw Fault(where(lane, block) + ": lane " + std::to_string(lane.inWarp()) + " reads from lane " +
                  std::to_string(source) + ", which the mask " + hexadecimal(mask) + " does not name");
    lane.got = lanes[source].asked.value;
  }
}

/// A card reads no more than eleven digits, so that a product is exact.
float factorOfTf32(unsigned word) {
  constexpr std::uint32_t elevenDigits = 0xffffe000u;
  return std::bit_cast<float>(word & elevenDigits);
}
float factorOfHalf(unsigned word) { return floatOf(static_cast<std::uint16_t>(word)); }

/// Each lane's value is the address of its fragments, with inWord factors in a word. The products are added
/// in the order of the coordinates, which is one of those that a card may take.
template <unsigned InWord>
void multiply(std::span<Lane> lanes, std::uint32_t mask, unsigned block, float (*factor)(unsigned)) {
  if (mask != 0xffffffffu || lanes.size() != warpSize)
    throw Fault(where(lanes[lowest(mask)], block) +
                ": a matrix instruction needs all 32 lanes of the warp, and has " + hexadecimal(mask));
  constexpr unsigned rows = 16, columns = 8, depth = 8 * InWord;
  std::array<std::array<float, depth>, rows> a;
  std::array<std::array<float, columns>, depth> b;
  std::array<std::array<float, columns>, rows> sums;
  const auto forFragments = [&](const auto& each) {
    for (unsigned lane = 0; lane < warpSize; ++lane)
      // NOLINTNEXTLINE(performance-no-int-to-ptr): it was an address
      each(lane / 4, lane % 4, *reinterpret_cast<MatrixFragments*>(lanes[lane].asked.value));
  };
  forFragments([&](unsigned group, unsigned quad, const MatrixFragments& of) {
    for (unsigned half = 0; half < 2; ++half)
      for (unsigned in = 0; in < InWord; ++in) {
        const unsigned j = (half * 4 + quad) * InWord + in;
        a[group][j] = factor((*of.a)[std::size_t{half} * 2] >> in * 16);
        a[group + 8][j] = factor((*of.a)[std::size_t{half} * 2 + 1] >> in * 16);
        b[j][group] = factor((*of.b)[half] >> in * 16);
      }
    for (unsigned at = 0; at < 4; ++at)
      sums[group + at / 2 * 8][quad * 2 + at % 2] = (*of.sum)[at];
  });
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned j = 0; j < depth; ++j)
      for (unsigned column = 0; column < columns; ++column)
        sums[row][column] += a[row][j] * b[j][column];
  forFragments([&](unsigned group, unsigned quad, MatrixFragments& of) {
    for (unsigned at = 0; at < 4; ++at)
      (*of.sum)[at] = sums[group + at / 2 * 8][quad * 2 + at % 2];
  });
}

std::uint32_t combined(Kind kind, std::uint32_t a, std::uint32_t b) {
  switch (kind) {
  case Kind::reduceAdd:
    return a + b;
  case Kind::reduceMinUnsigned:
    return b < a ? b : a;
  case Kind::reduceMaxUnsigned:
    return a < b ? b : a;
  case Kind::reduceMinSigned:
    return static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) ? b : a;
  default: // reduceMaxSigned
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) ? b : a;
  }
}

/// All lanes get the same: the lanes whose predicate holds, or the sum and the like of all values.
std::uint32_t common(std::span<Lane> lanes, std::uint32_t mask) {
  const Kind kind = lanes[lowest(mask)].asked.kind;
  if (kind == Kind::sync) return 0;
  if (kind == Kind::ballot) {
    std::uint32_t holds = 0;
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
      if (lanes[lowest(left)].asked.value != 0) holds |= left & (~left + 1);
    return holds;
  }
  auto value = static_cast<std::uint32_t>(lanes[lowest(mask)].asked.value);
  for (std::uint32_t left = mask & (mask - 1); left != 0; left &= left - 1)
    value = combined(kind, value, static_cast<std::uint32_t>(lanes[lowest(left)].asked.value));
  return value;
}

bool isShuffle(Kind kind) {
  return kind == Kind::shuffle || kind == Kind::shuffleUp || kind == Kind::shuffleDown ||
         kind == Kind::shuffleXor;
}

} // namespace

void requireSensible(const Lane& lane, unsigned block) {
  const Collective& asked = lane.asked;
  if (asked.kind == Kind::activeMask) return;
  if ((asked.mask >> lane.inWarp() & 1) == 0)
    throw Fault(where(lane, block) + ": lane " + std::to_string(lane.inWarp()) + " gives the mask " +
                hexadecimal(asked.mask) + ", which does not name the lane itself");
  if (asked.width < 1 || asked.width > static_cast<int>(warpSize) || (asked.width & (asked.width - 1)) != 0)
    throw Fault(where(lane, block) + ": the width " + std::to_string(asked.width) +
                " is not 1, 2, 4, 8, 16 or 32");
}

std::uint32_t meet(std::span<Lane> lanes, std::uint32_t waiting, unsigned block) {
  for (std::uint32_t left = waiting; left != 0; left &= left - 1) {
    const Lane& caller = lanes[lowest(left)];
    const std::uint32_t mask = caller.asked.mask;
    if (caller.asked.kind == Kind::activeMask) continue;
    if ((mask & waiting) != mask || !allHere(lanes, caller)) {
      requirePossible(lanes, caller, waiting, block);
      continue;
    }
    if (isShuffle(caller.asked.kind)) {
      shuffle(lanes, mask, block);
    } else if (caller.asked.kind == Kind::multiplyTf32) {
      multiply<1>(lanes, mask, block, factorOfTf32);
    } else if (caller.asked.kind == Kind::multiplyHalves) {
      multiply<2>(lanes, mask, block, factorOfHalf);
    } else {
      const std::uint32_t value = common(lanes, mask);
      for (std::uint32_t members = mask; members != 0; members &= members - 1)
        lanes[lowest(members)].got = value;
    }
    return mask;
  }
  return 0;
}

std::uint32_t meetActive(std::span<Lane> lanes, std::uint32_t waiting) {
  for (std::uint32_t left = waiting; left != 0; left &= left - 1) {
    const Lane& first = lanes[lowest(left)];
    if (first.asked.kind != Kind::activeMask) continue;
    std::uint32_t together = 0;
    for (std::uint32_t others = left; others != 0; others &= others - 1) {
      const Lane& other = lanes[lowest(others)];
      if (other.asked.kind == Kind::activeMask && other.place == first.place)
        together |= others & (~others + 1);
    }
    for (std::uint32_t members = together; members != 0; members &= members - 1)
      lanes[lowest(members)].got = together;
    return together;
  }
  return 0;
}

} // namespace lloyd::simt
