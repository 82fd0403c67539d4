// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The words of CUDA that kernels use, as the simulator understands them.
#include "gpu/simt/cuda/atomics.hpp"
#include "gpu/simt/cuda/vectors.hpp"
#include "gpu/simt/cuda/views.hpp"
#include "gpu/simt/lane/current_lane.hpp"

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define threadIdx (::lloyd::simt::turn.thread)
#define blockIdx (::lloyd::simt::turn.blockIndex)
#define blockDim (::lloyd::simt::turn.blockSize)
#define gridDim (::lloyd::simt::turn.gridSize)

namespace lloyd::simt {

template <class T>
concept Shuffled = std::is_arithmetic_v<T> &&(sizeof(T) == 4 || sizeof(T) == 8);

template <Shuffled T>
T shuffled(Collective::Kind kind, unsigned mask, T value, unsigned argument, int width,
           const SourceLocation& here) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = collective({kind, mask, argument, width, bits}, here);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

template <class T>
concept Reduced = std::same_as<T, unsigned> || std::same_as<T, int>;

template <Reduced T>
T reduced(Collective::Kind kind, unsigned mask, T value, const SourceLocation& here) {
  return std::bit_cast<T>(
      static_cast<unsigned>(collective({kind, mask, 0, 32, std::bit_cast<unsigned>(value)}, here)));
}

namespace words {

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own names

inline void __syncthreads(SourceLocation here = SourceLocation::current()) { barrier(true, here); }
/// How many lanes of the block have predicate, whether any has, whether all have; 0 or 1 for the last two.
inline int __syncthreads_count(int predicate, SourceLocation here = SourceLocation::current()) {
  return static_cast<int>(barrier(predicate != 0, here).count);
}
inline int __syncthreads_or(int predicate, SourceLocation here = SourceLocation::current()) {
  return barrier(predicate != 0, here).count > 0 ? 1 : 0;
}
inline int __syncthreads_and(int predicate, SourceLocation here = SourceLocation::current()) {
  const BarrierOutcome outcome = barrier(predicate != 0, here);
  return outcome.count == outcome.lanes ? 1 : 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, SourceLocation here = SourceLocation::current()) {
  collective({Collective::Kind::sync, mask}, here);
}

inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __uint_as_float(unsigned bits) { return std::bit_cast<float>(bits); }
inline int __popc(unsigned bits) { return std::popcount(bits); }
/// The lowest bit that is set, counted from 1; 0 where none is.
inline int __ffs(unsigned bits) { return bits == 0 ? 0 : std::countr_zero(bits) + 1; }

/// The order of memory needs no word here: a lane's accesses take effect when it makes them.
inline void __threadfence() {}
inline void __threadfence_block() {}

/// A grid that waits for itself is one block here (blocksTogether).
template <class Cell>
void waitForGrid(Address<Cell> arrived, unsigned, SourceLocation here = SourceLocation::current()) {
  if (threadIdx.x == 0) atomicAdd(arrived, 1u);
  barrier(true, here);
}

/// A loop is named by where its word is: the device reads it after each run of the body.
inline void repeatLoop(std::uint64_t loop, bool again) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): it was an address
  *reinterpret_cast<std::uint32_t*>(loop) = again ? 1 : 0;
}

auto __shfl_sync(unsigned mask, Shuffled auto value, int lane, int width = 32,
                 SourceLocation here = SourceLocation::current()) {
  return shuffled(Collective::Kind::shuffle, mask, value, static_cast<unsigned>(lane), width, here);
}
auto __shfl_up_sync(unsigned mask, Shuffled auto value, unsigned distance, int width = 32,
                    SourceLocation here = SourceLocation::current()) {
  return shuffled(Collective::Kind::shuffleUp, mask, value, distance, width, here);
}
auto __shfl_down_sync(unsigned mask, Shuffled auto value, unsigned distance, int width = 32,
                      SourceLocation here = SourceLocation::current()) {
  return shuffled(Collective::Kind::shuffleDown, mask, value, distance, width, here);
}
auto __shfl_xor_sync(unsigned mask, Shuffled auto value, int pattern, int width = 32,
                     SourceLocation here = SourceLocation::current()) {
  return shuffled(Collective::Kind::shuffleXor, mask, value, static_cast<unsigned>(pattern), width, here);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, SourceLocation here = SourceLocation::current()) {
  return static_cast<unsigned>(
      collective({Collective::Kind::ballot, mask, 0, 32, predicate != 0 ? 1u : 0u}, here));
}
inline int __any_sync(unsigned mask, int predicate, SourceLocation here = SourceLocation::current()) {
  return __ballot_sync(mask, predicate, here) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, int predicate, SourceLocation here = SourceLocation::current()) {
  return __ballot_sync(mask, predicate, here) == mask ? 1 : 0;
}

auto __reduce_add_sync(unsigned mask, Reduced auto value, SourceLocation here = SourceLocation::current()) {
  return reduced(Collective::Kind::reduceAdd, mask, value, here);
}
auto __reduce_min_sync(unsigned mask, Reduced auto value, SourceLocation here = SourceLocation::current()) {
  constexpr bool isSigned = std::is_signed_v<decltype(value)>;
  return reduced(isSigned ? Collective::Kind::reduceMinSigned : Collective::Kind::reduceMinUnsigned, mask,
                 value, here);
}
auto __reduce_max_sync(unsigned mask, Reduced auto value, SourceLocation here = SourceLocation::current()) {
  constexpr bool isSigned = std::is_signed_v<decltype(value)>;
  return reduced(isSigned ? Collective::Kind::reduceMaxSigned : Collective::Kind::reduceMaxUnsigned, mask,
                 value, here);
}
/// The lanes that reach this place together: all that can, once no lane of the warp can go on without. A card
/// may give fewer.
inline unsigned __activemask(SourceLocation here = SourceLocation::current()) {
  return static_cast<unsigned>(collective({Collective::Kind::activeMask}, here));
}

// NOLINTEND(bugprone-reserved-identifier)

} // namespace words

template <class T>
Shared<T> sharedArray(const SharedDeclaration& declaration) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {staticShared(declaration), declaration.count};
}

template <class T>
Shared<T> dynamicSharedArray(const char* name, std::size_t offset, std::size_t count,
                             SourceLocation here = SourceLocation::current()) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {dynamicShared(name, offset, sizeof(T), alignof(T), count, here), count};
}

} // namespace lloyd::simt
