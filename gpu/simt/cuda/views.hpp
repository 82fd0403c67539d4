// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Arrays as kernels see them under the simulator. Indexing gives a stand-in for the element, which is read
// when it is converted to its value and written when it is assigned to, so that every access can be checked
// and counted, with its place in the source.
#include "gpu/simt/lane/lane.hpp"

#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lloyd::simt {

/// An index, and where in the source it was used. operator[] cannot have a default argument of its own, the
/// conversion to its parameter can.
struct At {
  std::size_t index;
  SourceLocation here;

  template <std::integral I>
  constexpr At(I i, SourceLocation place = SourceLocation::current())
      : index(static_cast<std::size_t>(i)), here(place) {}
};

/// Blocks on several OS threads share global memory, and a kernel may store one value from many of them. A
/// relaxed atomic access is the same instruction as a plain one.
template <class T>
// NOLINTNEXTLINE(misc-redundant-expression): equal for most types, which is the question
inline constexpr bool movesAtOnce = sizeof(T) <= 8 && sizeof(T) == alignof(T);

template <class T>
class GlobalCell {
public:
  using Value = std::remove_const_t<T>;
  static constexpr bool shared = false;
  explicit GlobalCell(T* at) : at_(at) {}

  [[nodiscard]] T* at() const { return at_; }
  [[nodiscard]] Value load(const SourceLocation& here) const {
    if (turn.observed) [[unlikely]]
      noteGlobal(Access::load, at_, sizeof(T), here);
    if constexpr (movesAtOnce<T>) {
      Value value;
      __atomic_load(at_, &value, __ATOMIC_RELAXED);
      return value;
    } else {
      return *at_;
    }
  }
  void store(Value value, const SourceLocation& here) const {
    if (turn.observed) [[unlikely]]
      noteGlobal(Access::store, at_, sizeof(T), here);
    if constexpr (movesAtOnce<T>)
      __atomic_store(at_, &value, __ATOMIC_RELAXED);
    else
      *at_ = value;
  }
  /// Before an atomic operation.
  void noteAtomic(const SourceLocation& here) const {
    if (turn.observed) [[unlikely]]
      noteGlobal(Access::atomic, at_, sizeof(T), here);
  }

private:
  T* at_;
};

/// One block runs on one OS thread, so its shared memory needs no care of that kind. A byte beside each byte
/// says whether it was ever written.
template <class T>
class SharedCell {
public:
  using Value = std::remove_const_t<T>;
  static constexpr bool shared = true;
  SharedCell(T* at, unsigned char* written) : at_(at), written_(written) {}

  [[nodiscard]] T* at() const { return at_; }
  [[nodiscard]] Value load(const SourceLocation& here) const {
    if (turn.recording) [[unlikely]]
      noteShared(Access::load, at_, sizeof(T), here, nullptr);
    requireWritten(here);
    return *at_;
  }
  void store(Value value, const SourceLocation& here) const {
    if (turn.recording) [[unlikely]]
      noteShared(Access::store, at_, sizeof(T), here, &value);
    std::memset(written_, 1, sizeof(T));
    *at_ = value;
  }
  void noteAtomic(const SourceLocation& here) const {
    if (turn.recording) [[unlikely]]
      noteShared(Access::atomic, at_, sizeof(T), here, nullptr);
    requireWritten(here);
  }

private:
  void requireWritten(const SourceLocation& here) const {
    unsigned char all[sizeof(T)];
    std::memset(all, 1, sizeof(T));
    if (std::memcmp(written_, all, sizeof(T)) != 0) [[unlikely]]
      sharedNotWritten(at_, sizeof(T), here);
  }

  T* at_;
  unsigned char* written_;
};

/// &array[i]: where an atomic operation works.
template <class Cell>
struct Address {
  Cell cell;
  SourceLocation here;
};

/// array[i]. It can be read and written only where it stands, never kept in a variable: a copy would be read
/// later, or twice. An `auto` that would keep one does not compile at its first use.
template <class Cell>
class Element {
public:
  using Value = typename Cell::Value;

  Element(Cell cell, const SourceLocation& here) : cell_(cell), here_(here) {}

  operator Value() && { return load(); } // NOLINT(google-explicit-constructor): it stands for a value
  Value operator=(Value value) && {      // NOLINT(misc-unconventional-assign-operator)
    cell_.store(value, here_);
    return value;
  }
  Value operator=(Element&& other) && { return std::move(*this) = other.load(); } // NOLINT

  Value operator+=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a + b; });
  }
  Value operator-=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a - b; });
  }
  Value operator*=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a * b; });
  }
  Value operator/=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a / b; });
  }
  Value operator|=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a | b; });
  }
  Value operator&=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a & b; });
  }
  Value operator^=(auto&& by) && {
    return change(std::forward<decltype(by)>(by), [](auto a, auto b) { return a ^ b; });
  }
  Value operator++() && { return write(load() + 1); }
  Value operator--() && { return write(load() - 1); }
  Value operator++(int) && {
    const Value before = load();
    write(before + 1);
    return before;
  }
  Value operator--(int) && {
    const Value before = load();
    write(before - 1);
    return before;
  }

  Address<Cell> operator&() && { return {cell_, here_}; } // NOLINT(google-runtime-operator)

  [[nodiscard]] Value load() const { return cell_.load(here_); }

private:
  template <class V>
  static V valueOf(const V& value) {
    return value;
  }
  template <class Other>
  static typename Other::Value valueOf(Element<Other>&& other) {
    return other.load();
  }
  /// The right side is read first, as the language has it for assignments.
  Value change(auto&& by, const auto& operation) {
    const auto right = valueOf(std::forward<decltype(by)>(by));
    return write(operation(load(), right));
  }
  Value write(auto value) {
    const auto narrowed = static_cast<Value>(value);
    cell_.store(narrowed, here_);
    return narrowed;
  }

  Cell cell_;
  SourceLocation here_;
};

/// count values of T in global memory, as a kernel's argument.
template <class T>
class Global {
public:
  Global() = default;
  Global(T* data, std::size_t count) : data_(data), count_(count) {}
  /// An array that is only read may be given as one that could be written.
  template <class U>
  requires(std::same_as<const U, T>) Global(const Global<U>& other) // NOLINT(google-explicit-constructor)
      : data_(other.data()), count_(other.count()), argument_(other.argument()) {}

  Element<GlobalCell<T>> operator[](At at) const {
    if (at.index >= count_) [[unlikely]]
      globalOutOfRange(at.index, count_, argument_, at.here);
    return {GlobalCell<T>(data_ + at.index), at.here};
  }

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] unsigned argument() const { return argument_; }
  void setArgument(unsigned argument) { argument_ = argument; }

private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
  unsigned argument_ = 0;
};

/// count values of T in the block's shared memory.
template <class T>
class Shared {
public:
  Shared(const SharedRegion& region, std::size_t count)
      : data_(static_cast<T*>(region.data)), count_(count), written_(region.written) {}

  Element<SharedCell<T>> operator[](At at) const {
    if (at.index >= count_) [[unlikely]]
      sharedOutOfRange(data_, at.index, count_, at.here);
    return {SharedCell<T>(data_ + at.index, written_ + at.index * sizeof(T)), at.here};
  }

private:
  T* data_;
  std::size_t count_;
  unsigned char* written_;
};

} // namespace lloyd::simt
