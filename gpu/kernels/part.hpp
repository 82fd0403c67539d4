// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For a kernel file that is compiled for the simulator in parts, so that several compilers work at once:
// included before it, in each part, with LLOYD_PARTS, how many there are, and LLOYD_PART, which of them this
// is, from 0. Linked together they are the module. Every part has the file's host code, of which that in part
// 0 runs; of what dispatch() calls, which is where nearly all of a file's kernels are made, each part has its
// share, and calls the others' through the table below.
//
// A dispatch() inside the action of another would be looked for where that is not: dispatchInside() is the
// word for it, and a file that says dispatch() there is compiled whole.
//
// With LLOYD_CALLED, the choices that a trial is known to call (CalledChoices::text()), others are not
// compiled: a file of templates has five times as many as a trial calls. One that is called all the same is
// refused, and the file is to be compiled without LLOYD_CALLED.
#include "gpu/core/contract/called_choices.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/register.hpp"
#include "gpu/kernels/dispatch.hpp"

#include <bit>
#include <cstring>
#include <typeinfo>

namespace lloyd {

/// A call in the part that has it. All of one module are a list; hidden, because several modules may be
/// loaded.
struct [[gnu::visibility("hidden")]] PartCall {
  PartCall(const char* type, void (*run)(const void*)) : name(type), call(run), next(first()) {
    first() = this;
  }
  const char* name; ///< of its type
  void (*call)(const void* action);
  PartCall* next;

  static PartCall*& first() {
    static PartCall* calls = nullptr;
    return calls;
  }
};

/// No template: a file has some hundred such calls, and each would be compiled.
[[gnu::visibility("hidden")]] inline void callOther(const char* name, const void* action) {
  const PartCall* call = PartCall::first();
  while (call && std::strcmp(call->name, name) != 0)
    call = call->next;
  if (!call)
    throw RequestError("a dispatch() stands inside the action of another: it must be dispatchInside()");
  call->call(action);
}

/// A choice of each value that a call of dispatch() has.
template <unsigned... Chosen>
using Choice = std::integer_sequence<unsigned, Chosen...>;

/// Values of a choice are 1, 2, 3 or powers of two: this number differs by one from each to the next, which
/// deals them out evenly.
[[nodiscard]] constexpr int partOf(auto... chosen) {
  return (0 + ... + (std::bit_width(chosen) + std::popcount(chosen))) % LLOYD_PARTS;
}

template <class Action, unsigned... Chosen>
struct DispatchedCall<AnyPart, Action, Choice<Chosen...>> {
  static void run(const Action& action) {
    if constexpr (partOf(Chosen...) == LLOYD_PART) {
      static_cast<void>(&known); // which makes it be
      callChosen<Chosen...>(action);
    } else {
      callOther(typeid(DispatchedCall).name(), &action);
    }
  }

private:
  static void here(const void* action) { callChosen<Chosen...>(*static_cast<const Action*>(action)); }
  static inline const PartCall known{typeid(DispatchedCall).name(), here};
};

#ifdef LLOYD_CALLED
template <unsigned Value, unsigned... Values>
[[nodiscard]] constexpr bool isAmong(OneOf<Values...> /*of*/) {
  return ((Value == Values) || ...);
}
template <unsigned... Values>
[[nodiscard]] bool hasOneOf(OneOf<Values...> of) {
  return ((of.value == Values) || ...);
}

/// Calls are those of the list alone.
template <class Part, class... Called>
struct CalledDispatcher {
  template <class Action, class... Choices>
  static bool call(const Action& action, Choices... choices) {
    if ((callIf(Called{}, action, choices...) || ...)) return true;
    if ((hasOneOf(choices) && ...)) CalledChoices::refuse();
    return false;
  }

private:
  template <unsigned... Chosen, class Action, class... Choices>
  static bool callIf(Choice<Chosen...> /*choice*/, const Action& action, Choices... choices) {
    if constexpr (sizeof...(Chosen) == sizeof...(Choices)) {
      if constexpr ((isAmong<Chosen>(Choices{}) && ...)) {
        if (!((choices.value == Chosen) && ...)) return false;
        DispatchedCall<Part, Action, Choice<Chosen...>>::run(action);
        return true;
      }
    }
    return false;
  }
};
template <class Action>
struct Dispatcher<AnyPart, Action> : CalledDispatcher<AnyPart, LLOYD_CALLED> {};
template <class Action>
struct Dispatcher<SamePart, Action> : CalledDispatcher<SamePart, LLOYD_CALLED> {};
#endif

} // namespace lloyd

#if LLOYD_PART > 0
// Part 0 registers the variant; the others are to compile what its launchers call.
#undef LLOYD_REGISTER_ON
#define LLOYD_REGISTER_ON(backend, unique, ...)                                                              \
  [[maybe_unused]] static const ::lloyd::Launchers lloydCompiled_##unique = [] {                             \
    const struct {                                                                                           \
      ::lloyd::VariantInfo info;                                                                             \
      ::lloyd::Launchers launchers;                                                                          \
    } entry{__VA_ARGS__};                                                                                    \
    return entry.launchers;                                                                                  \
  }();
#endif
