// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// CUDA's atomic functions on &array[i], for the types that CUDA has them for. Blocks on several OS threads
// meet in global memory, where they are the processor's own atomics; a shared array belongs to one OS thread.
#include "gpu/simt/cuda/views.hpp"

#include <atomic>
#include <concepts>
#include <type_traits>

namespace lloyd::simt {

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

} // namespace words
} // namespace lloyd::simt
