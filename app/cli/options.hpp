// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace lloyd {

/// What the program can be asked to do. window is what happens without a subcommand.
enum class Subcommand : unsigned {
  window = 1,
  run = 2,
  bench = 4,
  verify = 8,
  shot = 16,
  list = 32,
  trace = 64
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
};

[[nodiscard]] std::span<const OptionSpec> optionTable();
[[nodiscard]] std::span<const SubcommandSpec> subcommandTable();
[[nodiscard]] const SubcommandSpec& subcommandSpec(Subcommand subcommand);

/// The text of --help for a subcommand, wrapped to 100 columns.
[[nodiscard]] std::string helpText(Subcommand subcommand);
/// The table of all options for docs/manual.md.
[[nodiscard]] std::string optionsMarkdown();

} // namespace lloyd
