// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/variant.hpp"

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

  /// Sorted by family in the order classify, reduce, fused, update, then the rest, and by tag (v2 before
  /// v10).
  [[nodiscard]] std::vector<const Variant*> all() const;
  /// Those that can perform stage on backend by their code; whether a problem fits is Variant::whyNot.
  [[nodiscard]] std::vector<const Variant*> of(Stage stage, Backend backend) const;
  [[nodiscard]] const Variant* find(std::string_view id) const;
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

private:
  std::deque<Variant> variants_; // addresses stay valid
  std::vector<std::string> problems_;
};

} // namespace lloyd
