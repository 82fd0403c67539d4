// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

namespace lloyd {

/// Registry::add() of the program's one registry, for whoever needs nothing else of it.
bool registerVariant(const VariantInfo& info, Backend backend, const Launchers& launchers);

} // namespace lloyd

/// Registers a file's variant for a backend. unique is any name used once in the file.
#define LLOYD_REGISTER_ON(backend, unique, ...)                                                              \
  [[maybe_unused]] static const bool lloydRegistered_##unique = [] {                                         \
    struct Entry {                                                                                           \
      ::lloyd::VariantInfo info;                                                                             \
      ::lloyd::Launchers launchers;                                                                          \
    } entry{__VA_ARGS__};                                                                                    \
    entry.info.source = __FILE__;                                                                            \
    return ::lloyd::registerVariant(entry.info, backend, entry.launchers);                                   \
  }();

/// Registers a file's schedule of sets, which is host code over queues, for every backend.
#define LLOYD_REGISTER_EVERYWHERE(unique, ...)                                                               \
  LLOYD_REGISTER_ON(::lloyd::Backend::cpu, unique##OnCpu, __VA_ARGS__)                                       \
  LLOYD_REGISTER_ON(::lloyd::Backend::simt, unique##OnSimt, __VA_ARGS__)                                     \
  LLOYD_REGISTER_ON(::lloyd::Backend::cuda, unique##OnCuda, __VA_ARGS__)
