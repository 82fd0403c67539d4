// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/variant.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// All variants of this build. Filled by static initialisers (see kernel.hpp), so it must not touch a device.
class Registry {
public:
  [[nodiscard]] static Registry& instance();

  /// Adds what one file provides for one backend; the same id from another backend is merged. A clash is kept
  /// as a problem, because a static initialiser has nobody to throw to.
  bool add(const VariantInfo& info, Backend backend, const Launchers& launchers);

  /// Sorted by family in the order classify, reduce, fused, update, layout, then the rest, and by tag
  /// (v2 before v10; words by VariantInfo::place).
  [[nodiscard]] std::vector<const Variant*> all() const;
  /// Those that can perform stage on backend by their code; whether a problem fits is Variant::whyNot.
  [[nodiscard]] std::vector<const Variant*> of(Stage stage, Backend backend) const;
  [[nodiscard]] const Variant* find(std::string_view id) const;
  /// What is wrong with the variants of this build, as sentences: two of one id; a number that a family skips
  /// ("classify.v3 is missing"), because numbers tell a story and a file that was not built leaves a hole in
  /// it. Empty when all is well.
  [[nodiscard]] std::vector<std::string> problems() const;

private:
  std::deque<Variant> variants_; // addresses stay valid
  std::vector<std::string> clashes_;
};

} // namespace lloyd

/// Registers a file's variant for a backend. unique is any name used once in the file.
#define LLOYD_REGISTER_ON(backend, unique, ...)                                                              \
  [[maybe_unused]] static const bool lloydRegistered_##unique = [] {                                         \
    struct Entry {                                                                                           \
      ::lloyd::VariantInfo info;                                                                             \
      ::lloyd::Launchers launchers;                                                                          \
    } entry{__VA_ARGS__};                                                                                    \
    entry.info.source = __FILE__;                                                                            \
    return ::lloyd::Registry::instance().add(entry.info, backend, entry.launchers);                          \
  }();

/// Registers a file's schedule of sets, which is host code over queues, for every backend.
#define LLOYD_REGISTER_EVERYWHERE(unique, ...)                                                               \
  LLOYD_REGISTER_ON(::lloyd::Backend::cpu, unique##OnCpu, __VA_ARGS__)                                       \
  LLOYD_REGISTER_ON(::lloyd::Backend::simt, unique##OnSimt, __VA_ARGS__)                                     \
  LLOYD_REGISTER_ON(::lloyd::Backend::cuda, unique##OnCuda, __VA_ARGS__)
