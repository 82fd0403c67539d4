// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace lloyd {

/// What one multiprocessor of a card has to give to the blocks that live on it. Source: the table of
/// technical specifications a compute capability in NVIDIA's CUDA C++ Programming Guide; the units that are
/// given out are those of the occupancy calculator that comes with the toolkit.
struct CardLimits {
  int computeCapability = 0; ///< major * 10 + minor
  int warps = 0;             ///< that are resident at most
  int blocks = 0;            ///< the same
  int threadsPerBlock = 1024;
  int registers = 65536;
  int registersPerThread = 255; ///< at most
  int registerUnit = 256;       ///< registers are given to a warp in such pieces
  int warpUnit = 4;             ///< and to warps in such groups, one on each of the parts of a multiprocessor
  std::size_t sharedBytes = 0;
  std::size_t sharedBytesPerBlock = 0; ///< at most
  std::size_t sharedUnit = 256;        ///< bytes are given to a block in such pieces
  std::size_t sharedReserved = 0;      ///< bytes of a block that CUDA keeps for itself

  [[nodiscard]] int threads() const { return 32 * warps; }
};

/// The compute capabilities that are known, ascending: 3.0 and 5.2, which text 001 measured on, and 7.5 on.
[[nodiscard]] std::span<const CardLimits> knownCards();
/// Those of a compute capability; of the newest known one with its major number and a smaller minor one,
/// where it is not known itself.
[[nodiscard]] std::optional<CardLimits> cardLimits(int computeCapability);

} // namespace lloyd
