// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/called_choices.hpp"

#include <type_traits>
#include <utility>

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

/// What every call comes down to.
template <unsigned... Chosen>
void callChosen(const auto& action) {
  CalledChoices::note({Chosen...});
  action(std::integral_constant<unsigned, Chosen>{}...);
}

/// Where a file's part that compiles a call of an action may be, when the file is compiled in parts
/// (gpu/kernels/part.hpp, which gives calls of AnyPart another meaning).
struct AnyPart {};
struct SamePart {};

/// A call of an action with constants, Chosen being their std::integer_sequence.
template <class Part, class Action, class Chosen>
struct DispatchedCall;
template <class Part, class Action, unsigned... Chosen>
struct DispatchedCall<Part, Action, std::integer_sequence<unsigned, Chosen...>> {
  static void run(const Action& action) { callChosen<Chosen...>(action); }
};

template <class Part, class Action, unsigned... Chosen>
bool dispatchChosen(const Action& action, std::integer_sequence<unsigned, Chosen...> chosen) {
  DispatchedCall<Part, Action, decltype(chosen)>::run(action);
  return true;
}
/// One choice after another: compilers make a function of each step, and no closure around closures.
template <class Part, class Action, unsigned... Chosen, unsigned... Values>
bool dispatchChosen(const Action& action, std::integer_sequence<unsigned, Chosen...>, OneOf<Values...> first,
                    auto... rest) {
  return ((first.value == Values &&
           dispatchChosen<Part>(action, std::integer_sequence<unsigned, Chosen..., Values>{}, rest...)) ||
          ...);
}

/// Finds the call among all that there are; gpu/kernels/part.hpp may know of some alone.
template <class Part, class Action>
struct Dispatcher {
  static bool call(const Action& action, auto... choices) {
    return dispatchChosen<Part>(action, std::integer_sequence<unsigned>{}, choices...);
  }
};

/// Turns run-time values into template arguments: calls action with the std::integral_constant of each, in
/// their order, and says whether each is among its Values. action passes them on as kernel<d, items>.
template <class Action>
bool dispatch(const Action& action, auto... choices) {
  return Dispatcher<AnyPart, Action>::call(action, choices...);
}
/// The same inside the action of another, which is compiled with it.
template <class Action>
bool dispatchInside(const Action& action, auto... choices) {
  return Dispatcher<SamePart, Action>::call(action, choices...);
}

} // namespace lloyd
