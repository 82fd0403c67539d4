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
// A module remembers which choices were called. With LLOYD_CALLED, those that trials before this called of
// the same file, others are not compiled: a file of templates has five times as many as a trial calls. One
// that is called all the same throws, and the file is to be compiled without LLOYD_CALLED.
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/dispatch.hpp"

#include <bit>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <typeinfo>

namespace lloyd {

/// A call in the part that has it, of an action that lies at the address.
using PartCall = void (*)(const void* action);

/// Of all parts of one module, by the names of their types. Hidden: several modules may be loaded.
[[gnu::visibility("hidden")]] inline std::map<std::string_view, PartCall, std::less<>>& partCalls() {
  static std::map<std::string_view, PartCall, std::less<>> calls;
  return calls;
}

/// No template: a file has some hundred such calls, and each would be compiled.
[[gnu::visibility("hidden")]] inline void callOther(const char* name, const void* action) {
  const auto call = partCalls().find(name);
  if (call == partCalls().end())
    throw RequestError("a dispatch() stands inside the action of another: it must be dispatchInside()");
  call->second(action);
}

/// A choice of each value that a call of dispatch() has.
template <unsigned... Chosen>
using Choice = std::integer_sequence<unsigned, Chosen...>;

/// "Choice<1, 4>" and the like: what was called in this module.
[[gnu::visibility("hidden")]] inline std::set<std::string>& calledChoices() {
  static std::set<std::string> called;
  return called;
}
[[gnu::visibility("hidden")]] inline void noteCalled(std::initializer_list<unsigned> chosen) {
  std::string text;
  for (const unsigned value : chosen)
    text += (text.empty() ? "Choice<" : ", ") + std::to_string(value);
  calledChoices().insert(text + ">");
}
template <unsigned... Chosen>
void callChosen(const auto& action) {
  noteCalled({Chosen...});
  action(std::integral_constant<unsigned, Chosen>{}...);
}

/// Values of a choice are 1, 2, 3 or powers of two: this number differs by one from each to the next, which
/// deals them out evenly.
[[nodiscard]] constexpr int partOf(auto... chosen) {
  return (0 + ... + (std::bit_width(chosen) + std::popcount(chosen))) % LLOYD_PARTS;
}

template <class Action, unsigned... Chosen>
struct DispatchedCall<AnyPart, Action, Choice<Chosen...>> {
  static void run(const Action& action) {
    if constexpr (partOf(Chosen...) == LLOYD_PART) {
      static_cast<void>(isKnown); // which makes it be
      callChosen<Chosen...>(action);
    } else {
      callOther(typeid(DispatchedCall).name(), &action);
    }
  }

private:
  static void here(const void* action) { callChosen<Chosen...>(*static_cast<const Action*>(action)); }
  static inline const bool isKnown = partCalls().emplace(typeid(DispatchedCall).name(), here).second;
};

template <class Action, unsigned... Chosen>
struct DispatchedCall<SamePart, Action, Choice<Chosen...>> {
  static void run(const Action& action) { callChosen<Chosen...>(action); }
};

/// Whether something was called that LLOYD_CALLED has not. A file's own code may catch what is thrown then.
[[gnu::visibility("hidden")]] inline bool& calledOther() {
  static bool other = false;
  return other;
}

#ifdef LLOYD_CALLED
[[noreturn, gnu::visibility("hidden")]] inline void refuseUncalled() {
  calledOther() = true;
  throw RequestError("what is called here was not called by a trial before this, and not compiled for it");
}

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
    if ((hasOneOf(choices) && ...)) refuseUncalled();
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

#if LLOYD_PART == 0
/// What was called so far, for LLOYD_CALLED of the next trials. For whoever loads the module.
extern "C" [[gnu::visibility("default")]] const char* lloydCalledChoices() {
  static std::string text;
  text.clear();
  for (const std::string& choice : lloyd::calledChoices())
    text += (text.empty() ? "" : ", ") + choice;
  return text.c_str();
}
/// Whether what was found so far says nothing of the file, because a call was refused.
extern "C" [[gnu::visibility("default")]] bool lloydCalledOther() { return lloyd::calledOther(); }
#endif

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
