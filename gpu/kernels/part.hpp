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
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/dispatch.hpp"

#include <bit>
#include <functional>
#include <map>
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

/// Values of a choice are 1, 2, 3 or powers of two: this number differs by one from each to the next, which
/// deals them out evenly.
[[nodiscard]] constexpr int partOf(auto... chosen) {
  return (0 + ... + (std::bit_width(chosen) + std::popcount(chosen))) % LLOYD_PARTS;
}

template <class Action, unsigned... Chosen>
struct DispatchedCall<AnyPart, Action, std::integer_sequence<unsigned, Chosen...>> {
  static void run(const Action& action) {
    if constexpr (partOf(Chosen...) == LLOYD_PART) {
      static_cast<void>(isKnown); // which makes it be
      here(&action);
    } else {
      callOther(typeid(DispatchedCall).name(), &action);
    }
  }

private:
  static void here(const void* action) {
    (*static_cast<const Action*>(action))(std::integral_constant<unsigned, Chosen>{}...);
  }
  static inline const bool isKnown = partCalls().emplace(typeid(DispatchedCall).name(), here).second;
};

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
