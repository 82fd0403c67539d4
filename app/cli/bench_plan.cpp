// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_plan.hpp"

#include "app/cli/requests.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/text/number_list.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/reference/verify.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace lloyd {
namespace {

constexpr std::array<Stage, 8> stages{Stage::classify, Stage::reduce, Stage::fused,   Stage::order,
                                      Stage::labels,   Stage::update, Stage::iterate, Stage::layout};
constexpr std::uint64_t mostPoints = (std::uint64_t{1} << 32) - 1;

using ParameterValues = std::map<std::string_view, std::vector<int>>;

std::vector<int> parameterValues(std::string_view option, std::string_view parameterName,
                                 const std::string& text) {
  if (parameterName != "arithmetic") {
    const auto counts = parseCounts(option, text, 1, 1 << 20);
    return {counts.begin(), counts.end()};
  }
  std::vector<int> values;
  for (const std::string& word : splitList(text)) {
    constexpr std::array all{Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf};
    const auto* const found = std::ranges::find(all, word, [](Arithmetic how) { return name(how); });
    if (found == all.end()) throw RequestError("--arithmetic: '" + word + "' must be multiply, pow or powf");
    values.push_back(static_cast<int>(*found));
  }
  return values;
}

/// The values asked for, each of which some variant must allow.
ParameterValues askedParameters(const Arguments& arguments, const std::vector<const Variant*>& variants) {
  ParameterValues asked;
  for (const std::string_view parameterName : tuningParameters) {
    const std::string option = "--" + std::string(parameterName);
    if (!arguments.given(option)) continue;
    asked[parameterName] = parameterValues(option, parameterName, arguments.text(option));
    std::string ranges;
    for (const Variant* variant : variants)
      if (const Parameter* parameter = variant->parameter(parameterName))
        ranges.append(ranges.empty() ? "" : "; ")
            .append(variant->id())
            .append(" allows ")
            .append(parameter->range());
    if (ranges.empty())
      throw RequestError("none of the chosen variants has the parameter " + std::string(parameterName));
    for (const int value : asked[parameterName])
      if (std::none_of(variants.begin(), variants.end(), [&](const Variant* variant) {
            const Parameter* parameter = variant->parameter(parameterName);
            return parameter && parameter->allows(value);
          }))
        throw RequestError(option + ' ' + std::to_string(value) + " is out of range: " + ranges);
  }
  return asked;
}

/// The variant's own values, crossed with those asked for.
std::vector<Tuning> tuningsOf(const Variant& variant, const ParameterValues& asked) {
  std::vector<Tuning> tunings{variant.complete({})};
  for (const auto& [parameterName, values] : asked) {
    if (!variant.parameter(parameterName)) continue;
    std::vector<Tuning> crossed;
    for (const Tuning& tuning : tunings)
      for (const int value : values) {
        crossed.push_back(tuning);
        crossed.back().set(parameterName, value);
      }
    tunings = std::move(crossed);
  }
  return tunings;
}

std::string joined(const std::set<std::string>& words) {
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : ",") + word;
  return list;
}

} // namespace

std::vector<std::string> variantPatterns(const Arguments& arguments, const DeviceInfo& device) {
  std::vector<std::string> patterns = splitList(arguments.text("--variants", "all"));
  const std::vector<const Variant*> all = Registry::instance().all();
  std::string elsewhere;
  bool onExecutor = false;
  bool here = false;
  for (const std::string& pattern : patterns) {
    bool known = pattern.starts_with("operations");
    here = here || known;
    for (const Variant* variant : all) {
      if (!matchesPattern({pattern}, variant->id())) continue;
      known = true;
      if (variant->runsOn(device.backend))
        here = true;
      else
        elsewhere = variant->id();
      onExecutor = onExecutor || variant->runsOn(Backend::simt);
    }
    if (!known)
      throw RequestError("no variant matches '" + pattern + "'; lloydscope list variants names them");
  }
  if (!here)
    throw RequestError(elsewhere + " does not run on the " + std::string(name(device.backend)) +
                           " backend; " +
                           (!onExecutor ? "lloydscope list variants says what does"
                            : arguments.subcommand == Subcommand::bench
                                ? "lloydscope trace shows what it does without a GPU"
                                : "--backend simt runs it thread by thread on the SIMT simulator"),
                       RequestError::Kind::absent);
  return patterns;
}

std::vector<Candidate> benchCandidates(const Arguments& arguments, const DeviceInfo& device) {
  const auto patterns = variantPatterns(arguments, device);
  std::vector<const Variant*> chosen;
  std::vector<const Variant*> able;
  for (const Variant* variant : Registry::instance().all()) {
    if (!matchesPattern(patterns, variant->id())) continue;
    chosen.push_back(variant);
    if (variant->runsOn(device.backend)) able.push_back(variant);
  }
  const ParameterValues asked = askedParameters(arguments, able);
  std::vector<Candidate> candidates;
  for (const Stage stage : stages)
    for (const Variant* variant : chosen) {
      const bool runs = variant->has(stage, device.backend);
      if (!runs && (variant->runsOn(device.backend) || !variant->has(stage))) continue;
      if (!runs)
        candidates.push_back({variant, stage, variant->complete({})});
      else
        for (const Tuning& tuning : tuningsOf(*variant, asked))
          candidates.push_back({variant, stage, tuning});
    }
  return candidates;
}

std::vector<DataRequest> benchRequests(const Arguments& arguments, const PointDefaults& defaults) {
  const std::optional<DataRequest> given = dataRequest(arguments);
  DataRequest request = given.value_or(DataRequest{});
  if (!given) {
    request.generator = defaults.generator;
    request.defaultClusters = arguments.smallCount("--k", 16, 1);
    request.seed = arguments.count("--seed", 1);
    request.scaling = scaleFrom(arguments);
  }
  if (!request.path.empty()) {
    for (const char* option : {"--n", "--d"})
      if (arguments.given(option))
        throw RequestError(std::string(option) + " is for generators; " + request.path +
                           " has a size of its own");
    return {request};
  }
  // The last value of a key counts in no generator's text, so a key that is there already is a contradiction.
  const auto refuseTwice = [&](const char* option, const std::string& key) {
    for (const char* start : {":", ","})
      if (request.generator.find(start + key + "=") != std::string::npos && arguments.given(option))
        throw RequestError(std::string(option) + " and " + key + "= in '" + request.generator +
                           "' say the same thing twice: leave one out");
  };
  refuseTwice("--n", "n");
  refuseTwice("--d", "d");
  std::vector<DataRequest> requests;
  const auto counts =
      parseCounts("--n", arguments.text("--n", std::to_string(defaults.count)), 1, mostPoints);
  const auto dimensions = parseCounts("--d", arguments.text("--d", "1"), 1, 1 << 16);
  for (const std::uint64_t n : counts)
    for (const std::uint64_t d : dimensions) {
      DataRequest sized = request;
      sized.defaultCount = static_cast<std::size_t>(n);
      if (sized.generator.find(':') == std::string::npos) sized.generator += ':';
      if (arguments.given("--d"))
        sized.generator += (sized.generator.ends_with(':') ? "d=" : ",d=") + std::to_string(d);
      requests.push_back(sized);
    }
  return requests;
}

std::vector<int> benchClusters(const Arguments& arguments) {
  if (arguments.given("--k") && arguments.given("--ks"))
    throw RequestError("--k and --ks say the same thing twice: leave one out");
  const auto counts = parseCounts("--ks", arguments.text("--ks", arguments.text("--k", "16")), 1, 1 << 24);
  return {counts.begin(), counts.end()};
}

RaceOptions raceOptions(const Arguments& arguments) {
  RaceOptions options;
  const std::string cache = arguments.text("--cache", "hot");
  if (cache != name(CacheState::hot) && cache != name(CacheState::cold))
    arguments.refuse("--cache", "hot or cold");
  options.cache = cache == name(CacheState::cold) ? CacheState::cold : CacheState::hot;
  options.budgetSeconds = arguments.number("--budget", options.budgetSeconds);
  options.seed = arguments.count("--seed", options.seed);
  options.settle = true;
  if (arguments.given("--slower-than") && !arguments.given("--compare"))
    throw RequestError("--slower-than says what --compare calls slower: give --compare as well");
  options.rules.slowerThan = arguments.number("--slower-than", options.rules.slowerThan * 100) / 100;
  return options;
}

std::vector<std::string> benchWords(const Arguments& arguments) {
  constexpr std::array<std::string_view, 8> aside{"--json",    "--csv",         "--markdown", "--html",
                                                  "--compare", "--slower-than", "--quiet",    "--log-level"};
  std::vector<std::string> words{"bench"};
  const std::string file = arguments.text("FILE");
  if (!file.empty() && file.front() != '-') words.push_back(file);
  for (const OptionSpec& option : optionTable()) {
    const bool counts = option.of(Subcommand::bench) && !option.positional() &&
                        std::find(aside.begin(), aside.end(), option.name) == aside.end();
    if (counts && arguments.given(option.name))
      words.insert(words.end(), {std::string(option.name), arguments.text(option.name)});
    else if (option.name == "--seed")
      words.insert(words.end(), {"--seed", "1"});
  }
  if (!file.empty() && file.front() == '-') words.insert(words.end(), {"--", file});
  return words;
}

Arguments narrowedTo(const std::vector<Candidate>& candidates, Arguments arguments) {
  std::set<std::string> variants;
  for (const Candidate& candidate : candidates)
    variants.insert(candidate.variant->id());
  arguments.set("--variants", joined(variants));
  for (const std::string_view parameterName : tuningParameters) {
    const std::string option = "--" + std::string(parameterName);
    if (!arguments.given(option)) continue;
    std::set<std::string> values;
    for (const Candidate& candidate : candidates)
      if (candidate.variant->parameter(parameterName)) {
        const int value = candidate.tuning.value(parameterName);
        values.insert(parameterName == "arithmetic" ? std::string(name(static_cast<Arithmetic>(value)))
                                                    : std::to_string(value));
      }
    if (values.empty())
      arguments.unset(option);
    else
      arguments.set(option, joined(values));
  }
  return arguments;
}

std::string benchCommandLine(const Arguments& arguments) {
  std::string line = "lloydscope";
  for (const std::string& word : benchWords(arguments))
    line += ' ' + shellQuoted(QString::fromStdString(word)).toStdString();
  return line;
}

} // namespace lloyd
