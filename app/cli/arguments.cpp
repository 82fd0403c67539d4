// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.hpp"

#include "app/data/input/parse_number.hpp"
#include "gpu/core/contract/error.hpp"

#include <CLI/CLI.hpp>

#include <cmath>

namespace lloyd {
namespace {

/// One command's parser and where each of its options is in it.
struct Parser {
  CLI::App* app = nullptr;
  std::map<const OptionSpec*, CLI::Option*> options;
};

Parser describe(CLI::App& app, Subcommand subcommand) {
  Parser parser{&app, {}};
  app.allow_extras(); // reported below, in our own words
  app.set_help_flag();
  for (const OptionSpec& spec : optionTable()) {
    if (!spec.of(subcommand)) continue;
    std::string name(spec.name);
    if (!spec.letter.empty()) name.append(",").append(spec.letter);
    const bool isSwitch = spec.argument.empty() && !spec.positional();
    CLI::Option* option = isSwitch ? app.add_flag(name) : app.add_option(name);
    if (spec.optionalArgument) option->expected(0, 1)->default_str("-");
    parser.options.emplace(&spec, option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  }
  return parser;
}

void take(const Parser& parser, const SubcommandSpec& subcommand, Arguments& arguments) {
  for (const auto& [spec, option] : parser.options) {
    if (option->count() == 0) continue;
    const std::string name(spec->name);
    if (!spec->of(subcommand.subcommand))
      throw RequestError("'" + std::string(subcommand.name) + "' has no option " + name +
                         "; see lloydscope " + std::string(subcommand.name) + " --help");
    const bool isSwitch = spec->argument.empty() && !spec->positional();
    if (!isSwitch && (option->count() > 1 || arguments.given(name)))
      throw RequestError(name + " was given more than once");
    const std::string value = option->results().front();
    if (!isSwitch && !spec->positional() && value.starts_with("--"))
      throw RequestError(
          std::string(name).append(" needs a value (").append(spec->argument).append("), but ") + value +
          " follows it");
    arguments.set(name, value);
  }
}

void refuseRest(const Parser& parser, const SubcommandSpec& subcommand, const Arguments& arguments) {
  std::vector<std::string> rest = parser.app->remaining();
  std::erase(rest, "--"); // it ends the options, and stays behind
  if (rest.empty()) return;
  const std::string help =
      "lloydscope " + std::string(subcommand.name) + (subcommand.name.empty() ? "" : " ") + "--help";
  if (rest.front().starts_with('-') && rest.front() != "-")
    throw RequestError("there is no option " + rest.front() + "; " + help + " lists those there are");
  if (arguments.given("FILE"))
    throw RequestError("one FILE is expected, but both '" + arguments.text("FILE") + "' and '" +
                       rest.front() + "' were given");
  throw RequestError("'" + rest.front() + "' is one word too many; see " + help);
}

} // namespace

std::variant<Arguments, std::string> parseArguments(int argc, const char* const* argv) {
  CLI::App root;
  std::map<Subcommand, Parser> parsers;
  for (const SubcommandSpec& spec : subcommandTable()) {
    CLI::App* app = spec.name.empty() ? &root : root.add_subcommand(std::string(spec.name));
    parsers.emplace(spec.subcommand, describe(*app, spec.subcommand));
  }
  root.require_subcommand(0, 1);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw RequestError(error.what());
  }

  Arguments arguments;
  for (const SubcommandSpec& spec : subcommandTable())
    if (!spec.name.empty() && root.got_subcommand(std::string(spec.name)))
      arguments.subcommand = spec.subcommand;
  const SubcommandSpec& subcommand = subcommandSpec(arguments.subcommand);
  const Parser& rootParser = parsers.at(Subcommand::window);
  const Parser& ownParser = parsers.at(arguments.subcommand);
  for (const Parser* parser : {&rootParser, &ownParser})
    for (const auto& [spec, option] : parser->options) {
      if (spec->name == "--help" && option->count() > 0) return helpText(arguments.subcommand);
      if (spec->name == "--version" && option->count() > 0)
        return std::string("lloydscope " LLOYD_VERSION "\n");
    }
  refuseRest(rootParser, subcommandSpec(Subcommand::window), arguments);
  take(ownParser, subcommand, arguments);
  refuseRest(ownParser, subcommand, arguments);
  if (&rootParser != &ownParser) take(rootParser, subcommand, arguments);
  return arguments;
}

std::string Arguments::text(std::string_view name, std::string_view fallback) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(fallback) : found->second;
}

std::uint64_t Arguments::count(std::string_view name, std::uint64_t fallback, std::uint64_t low,
                               std::uint64_t high) const {
  if (!given(name)) return fallback;
  const auto value = parseCount(text(name));
  if (value && *value >= low && *value <= high) return *value;
  const std::string range = high == std::numeric_limits<std::uint64_t>::max()
                                ? "of at least " + std::to_string(low)
                                : "from " + std::to_string(low) + " to " + std::to_string(high);
  refuse(name, "a whole number " + range);
}

int Arguments::smallCount(std::string_view name, int fallback, int low, int high) const {
  return static_cast<int>(count(name, static_cast<std::uint64_t>(fallback), static_cast<std::uint64_t>(low),
                                static_cast<std::uint64_t>(high)));
}

double Arguments::number(std::string_view name, double fallback) const {
  if (!given(name)) return fallback;
  const auto value = parseReal(text(name));
  if (value && std::isfinite(*value) && *value >= 0) return *value;
  refuse(name, "a number of at least 0");
}

void Arguments::refuse(std::string_view name, const std::string& expected) const {
  throw RequestError(std::string(name) + " is '" + text(name) + "', but must be " + expected);
}

} // namespace lloyd
