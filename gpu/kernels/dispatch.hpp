// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <type_traits>

namespace lloyd {

/// A run-time value that a kernel is compiled for some of.
template <unsigned... Values>
struct OneOf {
  unsigned value;
};
template <unsigned... Values>
[[nodiscard]] constexpr OneOf<Values...> oneOf(auto value) {
  return {static_cast<unsigned>(value)};
}

/// Turns run-time values into template arguments: calls action with the std::integral_constant of each, in
/// their order, and says whether each is among its Values. action passes them on as kernel<d, items>.
template <unsigned... Values>
bool dispatch(const auto& action, OneOf<Values...> first, auto... rest) {
  const auto tried = [&](auto constant) {
    if (constant.value != first.value) return false;
    if constexpr (sizeof...(rest) == 0) {
      action(constant);
      return true;
    } else {
      return dispatch([&](auto... others) { action(constant, others...); }, rest...);
    }
  };
  return (tried(std::integral_constant<unsigned, Values>{}) || ...);
}

} // namespace lloyd
