// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/contract/register.hpp"
#include "gpu/core/contract/variant.hpp"

#include <deque>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What one file provides for one backend.
struct Registration {
  VariantInfo info;
  Backend backend = Backend::simt;
  Launchers launchers;
};

/// All variants of this build, and those that a person adds while the program runs. Filled by static
/// initialisers (see kernel.hpp), so it must not touch a device. Any thread; a variant stays where it is as
/// long as the program lives.
class Registry {
public:
  [[nodiscard]] static Registry& instance();

  /// Adds what one file provides for one backend; the same id from another backend is merged. A clash is kept
  /// as a problem, because a static initialiser has nobody to throw to.
  bool add(const VariantInfo& info, Backend backend, const Launchers& launchers);

  /// What the static initialisers that load runs on this thread register; none of it is added. Passes on what
  /// load throws.
  [[nodiscard]] static std::vector<Registration> capture(const std::function<void()>& load);
  /// Adds a variant while the program runs; its id is no other's but that of replaced, which lists and
  /// searches then leave out, and which may still be running. What its texts view must last as long as the
  /// program.
  const Variant& adopt(const Variant& variant, const Variant* replaced = nullptr);

  /// Sorted by family in the order classify, reduce, fused, update, layout, then the rest, and by tag
  /// (v2 before v10; words by VariantInfo::place), with what was adopted behind the rest of its family.
  [[nodiscard]] std::vector<const Variant*> all() const;
  /// Those that can perform stage on backend by their code; whether a problem fits is Variant::whyNot.
  [[nodiscard]] std::vector<const Variant*> of(Stage stage, Backend backend) const;
  [[nodiscard]] const Variant* find(std::string_view id) const;
  /// What is wrong with the variants of this build, as sentences: two of one id; a number that a family skips
  /// ("classify.v3 is missing"), because numbers tell a story and a file that was not built leaves a hole in
  /// it. Empty when all is well.
  [[nodiscard]] std::vector<std::string> problems() const;

private:
  struct Entry {
    Variant variant;
    bool replaced = false;
    bool adopted = false;
  };

  mutable std::shared_mutex mutex_;
  std::deque<Entry> entries_; // addresses stay valid
  std::vector<std::string> clashes_;
};

} // namespace lloyd
