// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <type_traits>

namespace lloyd {

/// Turns a run-time value into a template argument: calls action with the std::integral_constant among Values
/// that equals value, and says whether there was one. action reads it as decltype(argument)::value.
template <unsigned... Values, class Action>
bool dispatch(unsigned value, const Action& action) {
  const auto tried = [&](auto constant) {
    if (constant.value != value) return false;
    action(constant);
    return true;
  };
  return (tried(std::integral_constant<unsigned, Values>{}) || ...);
}

} // namespace lloyd
