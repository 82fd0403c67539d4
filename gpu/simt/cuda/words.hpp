// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The words of CUDA that kernels use, as the simulator understands them.
#include "gpu/core/math/half.hpp"
#include "gpu/simt/cuda/views.hpp"
#include "gpu/simt/lane/lane.hpp"

#include <atomic>
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

namespace words {

// CUDA's small vectors: one load or store of a kernel moves all members.
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

[[nodiscard]] constexpr float2 make_float2(float x, float y) { return {x, y}; }
[[nodiscard]] constexpr float3 make_float3(float x, float y, float z) { return {x, y, z}; }
[[nodiscard]] constexpr float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
[[nodiscard]] constexpr int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
[[nodiscard]] constexpr uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
[[nodiscard]] constexpr uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}

} // namespace words

// CUDA's atomic functions on &array[i], for the types that CUDA has them for. Blocks on several OS threads
// meet in global memory, where they are the processor's own atomics; a shared array belongs to one OS thread.
template <class T>
concept AtomicInteger =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, unsigned long long>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;

/// Replaces the value at address by change(value) and gives back what was there.
template <class Cell>
typename Cell::Value atomically(const Address<Cell>& address, const auto& change) {
  using Value = typename Cell::Value;
  address.cell.noteAtomic(address.here);
  if constexpr (Cell::shared) {
    const Value before = *address.cell.at();
    *address.cell.at() = change(before);
    return before;
  } else {
    const std::atomic_ref<Value> value(*address.cell.at());
    Value before = value.load(std::memory_order_relaxed);
    while (!value.compare_exchange_weak(before, change(before), std::memory_order_relaxed)) {
    }
    return before;
  }
}

namespace words {

template <class Cell, AtomicNumber T = typename Cell::Value>
T atomicAdd(Address<Cell> address, std::type_identity_t<T> by) {
  return atomically(address, [by](T value) { return static_cast<T>(value + by); });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicSub(Address<Cell> address, std::type_identity_t<T> by) {
  return atomically(address, [by](T value) { return static_cast<T>(value - by); });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicMax(Address<Cell> address, std::type_identity_t<T> other) {
  return atomically(address, [other](T value) { return value < other ? other : value; });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicMin(Address<Cell> address, std::type_identity_t<T> other) {
  return atomically(address, [other](T value) { return other < value ? other : value; });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicOr(Address<Cell> address, std::type_identity_t<T> bits) {
  return atomically(address, [bits](T value) { return value | bits; });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicAnd(Address<Cell> address, std::type_identity_t<T> bits) {
  return atomically(address, [bits](T value) { return value & bits; });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicXor(Address<Cell> address, std::type_identity_t<T> bits) {
  return atomically(address, [bits](T value) { return value ^ bits; });
}
template <class Cell, AtomicNumber T = typename Cell::Value>
T atomicExch(Address<Cell> address, std::type_identity_t<T> other) {
  return atomically(address, [other](T) { return other; });
}
template <class Cell, AtomicInteger T = typename Cell::Value>
T atomicCAS(Address<Cell> address, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  return atomically(address, [expected, desired](T value) { return value == expected ? desired : value; });
}

/// What CUDA reads past a multiprocessor's own cache.
template <class Cell, AtomicNumber T = typename Cell::Value>
T readAnew(Address<Cell> address) {
  return atomically(address, [](T value) { return value; });
}

/// Begins to copy 16 bytes from global to shared memory, which are there behind waitForCopies(). Here they
/// are there at once.
template <class To, class From>
void copyAhead(Address<To> to, Address<From> from) {
  static_assert(To::shared && !From::shared && std::same_as<typename To::Value, typename From::Value>);
  static_assert(sizeof(typename To::Value) == 16);
  to.cell.store(from.cell.load(from.here), to.here);
}
inline void waitForCopies() {}
inline void endOfCopies() {}
inline void waitForEarlierCopies() {}

} // namespace words

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
/// sum += a b, 16 x 8 by 8 x 8, by all lanes of the warp: PTX's mma.m16n8k8 for tf32.
inline void multiplyTf32(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                         SourceLocation here = SourceLocation::current()) {
  MatrixFragments fragments{&sum, &a, &b};
  collective(
      {Collective::Kind::multiplyTf32, 0xffffffffu, 0, 32, reinterpret_cast<std::uintptr_t>(&fragments)},
      here);
}
/// sum += a b, 16 x 16 by 16 x 8 halves, two in a word, by all lanes of the warp: PTX's mma.m16n8k16.
inline void multiplyHalves(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2],
                           SourceLocation here = SourceLocation::current()) {
  MatrixFragments fragments{&sum, &a, &b};
  collective(
      {Collective::Kind::multiplyHalves, 0xffffffffu, 0, 32, reinterpret_cast<std::uintptr_t>(&fragments)},
      here);
}
inline float lowHalf(unsigned both) { return floatOf(static_cast<std::uint16_t>(both)); }
inline float highHalf(unsigned both) { return floatOf(static_cast<std::uint16_t>(both >> 16)); }
/// Both rounded to the nearest half, of equally near ones to the even one.
inline unsigned packHalves(float low, float high) {
  return halfOf(low) | static_cast<unsigned>(halfOf(high)) << 16;
}
/// The lanes that reach this place together: all that can, once no lane of the warp can go on without. A card
/// may give fewer.
inline unsigned __activemask(SourceLocation here = SourceLocation::current()) {
  return static_cast<unsigned>(collective({Collective::Kind::activeMask}, here));
}

// NOLINTEND(bugprone-reserved-identifier)

} // namespace words

/// Vectors are numbers of one kind side by side.
template <class T>
[[nodiscard]] constexpr SharedScalar scalarOf() {
  using Kind = SharedScalar::Kind;
  if constexpr (requires(T value) { value.x; })
    return scalarOf<decltype(T::x)>();
  else if constexpr (std::is_floating_point_v<T>)
    return {Kind::real, sizeof(T)};
  else if constexpr (std::is_integral_v<T>)
    return {std::is_signed_v<T> ? Kind::whole : Kind::natural, sizeof(T)};
  else
    return {};
}

template <class T>
Shared<T> sharedArray(const SharedDeclaration& declaration) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {staticShared(declaration, scalarOf<T>()), declaration.count};
}

template <class T>
Shared<T> dynamicSharedArray(const char* name, std::size_t offset, std::size_t count,
                             SourceLocation here = SourceLocation::current()) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {dynamicShared(name, offset, sizeof(T), alignof(T), count, scalarOf<T>(), here), count};
}

} // namespace lloyd::simt
