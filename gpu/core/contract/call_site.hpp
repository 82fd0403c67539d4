// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

/// Where a call stands. std::source_location would do, but clang 14, which checks this code, does not know
/// it.
struct CallSite {
  const char* file = "";
  int line = 0;

  [[nodiscard]] static constexpr CallSite current(const char* file = __builtin_FILE(),
                                                  int line = __builtin_LINE()) {
    return {file, line};
  }
};

} // namespace lloyd
