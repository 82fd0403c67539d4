// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

namespace lloyd {

/// A list of at most most values of a simple type, within itself. Every kernel file makes such lists, and a
/// std::vector in them was an eighth of what a compiler had to do for one. Throws std::length_error where
/// there is no room.
template <class T, std::size_t most>
class ShortList {
public:
  using value_type = T;

  constexpr ShortList() = default;
  constexpr ShortList(std::initializer_list<T> values) { // NOLINT(google-explicit-constructor): as a vector's
    for (const T& value : values)
      push_back(value);
  }

  constexpr void push_back(const T& value) {
    if (size_ == most) throw std::length_error("a parameter with too many values, or too many parameters");
    values_[size_++] = value;
  }
  [[nodiscard]] constexpr const T* begin() const { return values_; }
  [[nodiscard]] constexpr const T* end() const { return values_ + size_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const T& front() const { return values_[0]; }
  [[nodiscard]] constexpr const T& back() const { return values_[size_ - 1]; }
  [[nodiscard]] constexpr const T& operator[](std::size_t at) const { return values_[at]; }
  [[nodiscard]] constexpr T& operator[](std::size_t at) { return values_[at]; }

private:
  T values_[most] = {};
  std::size_t size_ = 0;
};

} // namespace lloyd
