// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/options.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace lloyd {

/// What was typed, as text. What it means is decided where it is used, so that messages can name the option.
class Arguments {
public:
  Subcommand subcommand = Subcommand::window;

  [[nodiscard]] bool given(std::string_view name) const { return values_.find(name) != values_.end(); }
  /// The value, or fallback when the option was not given.
  [[nodiscard]] std::string text(std::string_view name, std::string_view fallback = {}) const;
  /// A whole number from low to high; throws RequestError naming the option.
  [[nodiscard]] std::uint64_t count(std::string_view name, std::uint64_t fallback, std::uint64_t low = 0,
                                    std::uint64_t high = std::numeric_limits<std::uint64_t>::max()) const;
  [[nodiscard]] int smallCount(std::string_view name, int fallback, int low,
                               int high = std::numeric_limits<int>::max()) const;
  /// A finite number of at least 0; throws RequestError naming the option.
  [[nodiscard]] double number(std::string_view name, double fallback) const;
  /// Throws RequestError: "--k is '0', but must be " and what was expected.
  [[noreturn]] void refuse(std::string_view name, const std::string& expected) const;

  void set(std::string_view name, std::string value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
  void unset(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
  }

private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// The arguments, or a text that was asked for instead (--help, --version). Throws RequestError: unknown or
/// repeated option, missing value, more than one FILE. Options before a subcommand count for it when it has
/// them.
[[nodiscard]] std::variant<Arguments, std::string> parseArguments(int argc, const char* const* argv);

} // namespace lloyd
