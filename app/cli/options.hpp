// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lloyd {

/// What the program can be asked to do. window is what happens without a subcommand.
enum class Subcommand : unsigned {
  window = 1,
  run = 2,
  bench = 4,
  verify = 8,
  shot = 16,
  list = 32,
  trace = 64,
  plan = 128,
  trial = 256, ///< "try", which is a word of the language
  apart = 512
};

/// One option of the command line. The table of these is the only description there is: the parser, --help
/// and the manual's table are made from it.
struct OptionSpec {
  std::string_view name;         ///< "--k"; without dashes for what is known by its place
  std::string_view argument;     ///< "N"; empty for a switch
  std::string_view fallback;     ///< the value when it is not given, for people; empty when there is none
  std::string_view meaning;      ///< one line, no full stop
  unsigned subcommands = 0;      ///< the subcommands that have it, or-ed
  bool optionalArgument = false; ///< a report: without an argument it goes to standard output
  std::string_view letter = {};  ///< "-k"; empty for most

  [[nodiscard]] bool positional() const { return !name.starts_with('-'); }
  [[nodiscard]] bool of(Subcommand subcommand) const {
    return (subcommands & static_cast<unsigned>(subcommand)) != 0;
  }
};

class Arguments;

/// One subcommand.
struct SubcommandSpec {
  Subcommand subcommand;
  int (*run)(const Arguments& arguments); ///< as commands.hpp has them
  std::string_view name;                  ///< empty for the window
  std::string_view usage;
  std::string_view meaning;
  bool severalFiles = false; ///< FILE may stand there more than once
};

[[nodiscard]] std::span<const OptionSpec> optionTable();
[[nodiscard]] std::span<const SubcommandSpec> subcommandTable();
[[nodiscard]] const SubcommandSpec& subcommandSpec(Subcommand subcommand);

/// The text of --help for a subcommand, wrapped to 100 columns.
[[nodiscard]] std::string helpText(Subcommand subcommand);
/// The table of all options for docs/manual.md.
[[nodiscard]] std::string optionsMarkdown();

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
  /// --seed. Of all seeds that restarts count to, reports in JSON hold whole numbers.
  [[nodiscard]] std::uint64_t seed(std::uint64_t fallback) const {
    return count("--seed", fallback, 0, 1'000'000'000'000'000'000);
  }
  /// A finite number of at least 0; throws RequestError naming the option.
  [[nodiscard]] double number(std::string_view name, double fallback) const;
  /// Throws RequestError: "--k is '0', but must be " and what was expected.
  [[noreturn]] void refuse(std::string_view name, const std::string& expected) const;

  /// Every FILE, in the order in which they stand; text("FILE") is the first.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  void setFiles(std::vector<std::string> files) {
    set("FILE", files.front());
    files_ = std::move(files);
  }

  void set(std::string_view name, std::string value) {
    values_.insert_or_assign(std::string(name), std::move(value));
  }
  void unset(std::string_view name) {
    if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
  }

private:
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<std::string> files_;
};

/// Of the window and a picture of it: a first word that is neither a subcommand nor a file, or a missing
/// file, gets one sentence, with or without a display. The other subcommands hold their options against each
/// other before they open a file. Throws RequestError.
void requireFile(const Arguments& arguments);

/// The arguments, or a text that was asked for instead (--help, help, --version). Throws RequestError:
/// unknown or repeated option, missing value, more FILEs than the subcommand takes. Options before a
/// subcommand count for it when it has them.
[[nodiscard]] std::variant<Arguments, std::string> parseArguments(int argc, const char* const* argv);

} // namespace lloyd
