// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/requests.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/own_kernels.hpp"
#include "app/data/generate/generators.hpp"
#include "app/data/input/unpack.hpp"
#include "app/data/input/wording.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/model/saved/saved_session.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/model/sweep/sweep_plan.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/core/contract/set_schedule.hpp"
#include "gpu/reference/verify.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace lloyd {
namespace {

/// One of a few words; throws RequestError that names them all.
template <class T, std::size_t N>
T oneOf(const Arguments& arguments, std::string_view option, const T (&values)[N]) {
  const std::string wanted = arguments.text(option, name(values[0]));
  std::string known;
  for (const T value : values) {
    if (wanted == name(value)) return value;
    known += (known.empty() ? "" : ", ") + std::string(name(value));
  }
  arguments.refuse(option, "one of " + known);
}

Init initFrom(const Arguments& arguments) {
  const std::string text = arguments.text("--init", "kmeans++");
  constexpr std::string_view file = "file:";
  if (text.starts_with(file)) {
    Init init;
    init.kind = InitKind::given;
    init.path = text.substr(file.size());
    if (init.path.empty())
      throw RequestError("--init file: needs the name of a file, as in file:centroids.csv");
    return init;
  }
  for (const InitKind kind : {InitKind::kmeansPlusPlus, InitKind::random, InitKind::first, InitKind::bands})
    if (text == name(kind)) return {.kind = kind, .given = {}, .path = {}};
  arguments.refuse("--init", "kmeans++, random, first, bands or file:CENTROIDS");
}

/// A variant's name is checked before anything is loaded or shown; whether it runs here is known only later.
std::string variantFrom(const Arguments& arguments, std::string_view option,
                        std::initializer_list<Stage> stages) {
  std::string id = arguments.text(option);
  if (!arguments.given(option)) return id;
  std::string known;
  for (const Variant* variant : Registry::instance().all()) {
    if (std::ranges::none_of(stages, [&](Stage stage) { return variant->has(stage); })) continue;
    if (variant->id() == id) return id;
    known += (known.empty() ? "" : ", ") + variant->id();
  }
  // The window's values are looked at once before a person's own kernels are there, and once more with them.
  if (arguments.given("--kernel") && addedKernels().empty()) return id;
  arguments.refuse(option, "one of " + known);
}

/// "graph" is short for "schedule.graph".
std::string scheduleFrom(const Arguments& arguments) {
  const std::string family = "schedule.";
  const std::string asked = arguments.text("--schedule");
  if (Registry::instance().find(family + asked)) return family + asked;
  return variantFrom(arguments, "--schedule", {Stage::iterate, Stage::sets});
}

constexpr std::array<Stage, 9> stages{Stage::classify, Stage::reduce, Stage::fused,
                                      Stage::order,    Stage::labels, Stage::update,
                                      Stage::iterate,  Stage::sets,   Stage::layout};
constexpr std::uint64_t mostPoints = (std::uint64_t{1} << 32) - 1;

using ParameterValues = std::map<std::string_view, std::vector<int>>;

std::vector<int> parameterValues(std::string_view option, std::string_view parameterName,
                                 const std::string& text) {
  if (parameterName != "arithmetic") {
    const auto counts = parseCounts(option, text, parameterName == "late" ? 0 : 1, 1 << 20);
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

/// The column that an option names; empty where no column is to have the role.
std::optional<std::string> roleFrom(const Arguments& arguments, std::string_view option) {
  if (!arguments.given(option)) return std::nullopt;
  const std::string column = arguments.text(option);
  return column == "-" ? std::string() : column;
}

/// The options that say how the points of a generator lie, with what they set. trace calls the order of turns
/// --order.
std::vector<std::pair<std::string, SweepParameter>> dataOptions(const Arguments& arguments) {
  std::vector<std::pair<std::string, SweepParameter>> all;
  for (const SweepParameter parameter : {SweepParameter::order, SweepParameter::spread, SweepParameter::skew})
    if (parameter != SweepParameter::order || arguments.subcommand != Subcommand::trace)
      all.emplace_back("--" + std::string(name(parameter)), parameter);
  return all;
}

void refuseWithoutKey(const std::string& option, const std::string& key, const DataRequest& request) {
  const auto hasKey = [&](const Generator& generator) {
    return std::ranges::find(generator.keys, key, &GeneratorKey::name) != generator.keys.end();
  };
  const auto spec = parseGenerator(request.generator, generatorDefaults(request));
  if (!spec || hasKey(*spec->generator)) return; // what is no generator is told where it is read
  std::string others;
  for (const Generator& generator : generators())
    if (hasKey(generator)) others += (others.empty() ? "" : ", ") + std::string(generator.name);
  throw RequestError(option + ": points of " + std::string(spec->generator->name) + " have no " + key +
                     "; those of " + others + " have one");
}

/// The keys that --order, --spread and --skew give a generator, every combination of their values:
/// "order=0.5" and "order=0.5,spread=2"; a single empty text where none is given.
std::vector<std::string> dataKeys(const Arguments& arguments, const DataRequest& request) {
  std::vector<std::string> all{std::string()};
  for (const auto& [option, parameter] : dataOptions(arguments)) {
    if (!arguments.given(option)) continue;
    const std::string key(name(parameter));
    refuseWithoutKey(option, key, request);
    std::vector<std::string> crossed;
    for (const std::string& before : all)
      for (const std::uint64_t value : parseSweepAxis(parameter, arguments.text(option), option).values) {
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(),
                                       static_cast<double>(value) / thousandths);
        crossed.push_back((before.empty() ? "" : before + ',') + key + '=' +
                          std::string(digits.data(), end.ptr));
      }
    all = std::move(crossed);
  }
  return all;
}

std::string joined(const std::set<std::string>& words) {
  std::string list;
  for (const std::string& word : words)
    list += (list.empty() ? "" : ",") + word;
  return list;
}

} // namespace

Scale scaleFrom(const Arguments& arguments) {
  return oneOf(arguments, "--scale", {Scale::none, Scale::standard, Scale::minmax});
}

void refuseUnknownGenerator(const std::string& file) {
  const std::string word = file.substr(0, file.find(':'));
  std::error_code unknown; // is for the reader to tell
  if (word.size() == file.size() || word.empty() ||
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos ||
      std::filesystem::exists(file, unknown) || unknown || !memberPath(file).member.empty())
    return;
  if (const auto spec = parseGenerator(file, {}); !spec)
    throw RequestError("there is no file '" + file + "', and " + spec.error());
}

std::optional<DataRequest> dataRequest(const Arguments& arguments) {
  const bool file = arguments.given("FILE");
  const bool generator = arguments.given("--points");
  if (file && generator) throw RequestError("points come from FILE or from --points: give one of them");
  if (file && isSessionFile(arguments.text("FILE")))
    throw RequestError(arguments.text("FILE") +
                       ": this is a session, which the window and shot open; name the file of its points");
  const Scale scale = scaleFrom(arguments); // which may be wrong without points, too
  for (const std::string option : {"--columns", "--class", "--name"})
    if (arguments.given(option) && !file)
      throw RequestError(option + " chooses from the columns of a file: name FILE");
  if (arguments.given("--drop-ragged") && !file)
    throw RequestError("--drop-ragged is for rows of a file: name FILE");
  const auto image = oneOf(arguments, "--image", {ImageColumns::rgb, ImageColumns::xyrgb});
  if (arguments.given("--image") && !file)
    throw RequestError("--image is for the pixels of a file: name FILE");
  if (!file && !generator) return std::nullopt;
  DataRequest request;
  if (file && arguments.text("FILE").empty()) throw RequestError("FILE is an empty name");
  if (file) refuseUnknownGenerator(arguments.text("FILE"));
  if (file)
    request = requestFor(arguments.text("FILE"));
  else
    request.generator = arguments.text("--points");
  if (arguments.given("--columns")) request.columns = splitList(arguments.text("--columns"));
  request.classColumn = roleFrom(arguments, "--class");
  request.nameColumn = roleFrom(arguments, "--name");
  request.dropRagged = arguments.given("--drop-ragged");
  request.image = image;
  request.scaling = scale;
  if (!needsDisplay(arguments.subcommand)) request.scaleControl = scaleOption;
  request.defaultCount = default_counts::clustered;
  request.defaultClusters = arguments.smallCount("--k", default_counts::clusters, 1);
  request.seed = arguments.seed(1);
  return request;
}

std::vector<DataRequest> dataRequests(const Arguments& arguments) {
  const auto first = dataRequest(arguments);
  if (!first) return {};
  std::vector<DataRequest> requests{*first};
  const std::vector<std::string>& files = arguments.files();
  for (std::size_t f = 1; f < files.size(); ++f) {
    refuseUnknownGenerator(files[f]);
    const DataRequest named = requestFor(files[f]);
    requests.push_back(*first);
    requests.back().path = named.path;
    requests.back().generator = named.generator;
  }
  return requests;
}

BackendRequest backendFrom(const Arguments& arguments) {
  const auto choice =
      oneOf(arguments, "--backend",
            {BackendRequest::automatic, BackendRequest::cuda, BackendRequest::cpu, BackendRequest::simt});
  if (choice == BackendRequest::simt && arguments.subcommand == Subcommand::bench)
    throw RequestError("bench compares times, and those of the SIMT simulator (simt) are a simulator's; "
                       "'lloydscope trace' shows what a variant does there, counted exactly, and 'lloydscope "
                       "try FILE' races a kernel of your own against its original there");
  return choice;
}

Settings settingsFrom(const Arguments& arguments) {
  Settings settings;
  settings.k = arguments.smallCount("--k", settings.k, 1);
  settings.seed = arguments.seed(settings.seed);
  settings.init = initFrom(arguments);
  settings.iterations = arguments.smallCount("--iterations", settings.iterations, 0);
  settings.tolerance = arguments.number("--tolerance", settings.tolerance);
  settings.backend = backendFrom(arguments);
  settings.interop = oneOf(arguments, "--interop",
                           {InteropRequest::automatic, InteropRequest::shared, InteropRequest::staged});
  if (arguments.text("--empty", "keep") != "keep") arguments.refuse("--empty", "keep");
  settings.selection.classify = variantFrom(arguments, "--classify", {Stage::classify});
  settings.selection.reduce = variantFrom(arguments, "--reduce", {Stage::reduce});
  settings.selection.fused = variantFrom(arguments, "--fused", {Stage::fused});
  settings.selection.schedule = scheduleFrom(arguments);
  if (arguments.subcommand != Subcommand::bench &&
      arguments.subcommand != Subcommand::trace) { // there they are lists
    Tuning& tuning = settings.selection.tuning;
    tuning.block = arguments.smallCount("--block", 0, 1);
    tuning.items = arguments.smallCount("--items", 0, 1);
    tuning.vector = arguments.smallCount("--vector", 0, 1);
    tuning.unroll = arguments.smallCount("--unroll", 0, 1);
    tuning.streams = arguments.smallCount("--streams", 0, 1, SetParams::mostStreams);
    tuning.late = arguments.smallCount("--late", 0, 0, SetParams::mostLate);
    tuning.arithmetic =
        oneOf(arguments, "--arithmetic", {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf});
  }
  return settings;
}

std::string sourceText(const DataRequest& request) {
  const std::string& source = request.path.empty() ? request.generator : request.path;
  return request.scaling == Scale::none ? source : source + ", scaled: " + std::string(name(request.scaling));
}

LoadedPoints loadOrMapForCommand(const DataRequest& request, double room, Messages& messages) {
  const auto need = memoryNeed(request);
  if (const std::string takes = need ? memoryText(*need, {}) : std::string(); !takes.empty())
    messages.info(QStringLiteral("%1 will take %2")
                      .arg(QString::fromStdString(request.path.empty() ? request.generator : request.path),
                           QString::fromStdString(takes)));
  const auto loaded = loadOrMapPoints(
      request, room,
      [&](const LoadProgress& progress) {
        if (progress.remedy != Remedy::none) return; // the error says so
        messages.progress(QStringLiteral("reading %1: %2 rows")
                              .arg(QString::fromStdString(progress.source), countText(progress.rows)));
      },
      &cancelOnInterrupt());
  throwIfInterrupted();
  if (!loaded) throw RequestError(loaded.error());
  if (loaded->points->n == 0) throw RequestError(loaded->points->source + " has no points to cluster");
  return *loaded;
}

SharedPointSet loadForCommand(const DataRequest& request, Messages& messages) {
  return loadOrMapForCommand(request, std::numeric_limits<double>::infinity(), messages).points;
}

void sayRemarks(const PointSet& points, const Messages& messages) {
  for (const std::string& remark : points.remarks)
    messages.warning(QString::fromStdString(points.source + ": " + remark));
}

void readInitialCentroids(Settings& settings, const PointSet& points, bool kGiven) {
  if (settings.init.kind != InitKind::given) return;
  const int asked = settings.k;
  readGivenCentroids(settings, points);
  if (kGiven && asked != settings.k)
    throw RequestError("--k is " + std::to_string(asked) + ", but " + settings.init.path + " has " +
                       counted(static_cast<std::uint64_t>(settings.k), "centroid") + "; leave --k out");
}

namespace {

/// What to do with a variant that the chosen device does not run.
std::string whereItRuns(const Arguments& arguments, const Variant& variant) {
  if (!variant.runsOn(Backend::simt)) return "lloydscope list variants says what does";
  if (arguments.subcommand != Subcommand::bench)
    return "--backend simt runs it thread by thread on the SIMT simulator";
  const std::vector<const Variant*> added = addedKernels();
  if (std::ranges::find(added, &variant) == added.end())
    return "lloydscope trace shows what it does without a GPU";
  return "lloydscope try " + shellQuoted(qtext(variant.info.source)).toStdString() +
         " races it on the SIMT simulator, without a GPU";
}

} // namespace

std::vector<std::string> variantPatterns(const Arguments& arguments, const DeviceInfo& device) {
  std::vector<std::string> patterns = splitList(arguments.text("--variants", "all"));
  const Variant* elsewhere = nullptr;
  bool here = false;
  for (const std::string& pattern : patterns) {
    bool known = pattern.starts_with("operations");
    here = here || known;
    for (const Variant* variant : matchingVariants({pattern})) {
      known = true;
      if (variant->runsOn(device.backend))
        here = true;
      else
        elsewhere = variant;
    }
    if (!known)
      throw RequestError("no variant matches '" + pattern + "'; lloydscope list variants names them");
  }
  if (!here && elsewhere)
    throw RequestError(elsewhere->id() + " does not run on the " + std::string(name(device.backend)) +
                           " backend; " + whereItRuns(arguments, *elsewhere),
                       RequestError::Kind::absent);
  return patterns;
}

std::vector<Candidate> benchCandidates(const Arguments& arguments, const DeviceInfo& device) {
  const auto patterns = variantPatterns(arguments, device);
  std::vector<const Variant*> chosen;
  std::vector<const Variant*> able;
  for (const Variant* variant : matchingVariants(patterns)) {
    chosen.push_back(variant);
    if (variant->runsOn(device.backend)) able.push_back(variant);
  }
  const ParameterValues asked = askedParameters(arguments, able);
  std::vector<Candidate> candidates;
  for (const Stage stage : stages)
    for (const Variant* variant : chosen) {
      // Sets take memory and time several times: they are raced when somebody names them.
      if (stage == Stage::sets && !arguments.given("--variants")) continue;
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
    request.defaultClusters = arguments.smallCount("--k", default_counts::clusters, 1);
    request.seed = arguments.seed(1);
    request.scaling = scaleFrom(arguments);
    request.scaleControl = scaleOption;
  }
  if (!request.path.empty()) {
    for (const char* option : {"--n", "--d"})
      if (arguments.given(option))
        throw RequestError(std::string(option) + " is for generators; " + request.path +
                           " has a size of its own");
    for (const auto& [option, parameter] : dataOptions(arguments))
      if (arguments.given(option))
        throw RequestError(option + " is for generators; the points of " + request.path +
                           " are what they are");
    return {request};
  }
  // The last value of a key counts in no generator's text, so a key that is there already is a contradiction.
  const auto refuseTwice = [&](const std::string& option, const std::string& key) {
    for (const char* start : {":", ","})
      if (request.generator.find(start + key + "=") != std::string::npos && arguments.given(option))
        throw RequestError(option + " and " + key + "= in '" + request.generator +
                           "' say the same thing twice: leave one out");
  };
  refuseTwice("--n", "n");
  refuseTwice("--d", "d");
  for (const auto& [option, parameter] : dataOptions(arguments))
    refuseTwice(option, std::string(name(parameter)));
  std::vector<DataRequest> requests;
  const auto counts =
      parseCounts("--n", arguments.text("--n", std::to_string(defaults.count)), 1, mostPoints);
  const auto dimensions = parseCounts("--d", arguments.text("--d", "1"), 1, 1 << 16);
  const std::vector<std::string> data = dataKeys(arguments, request);
  if (request.generator.find(':') == std::string::npos) request.generator += ':';
  const auto add = [](std::string& generator, const std::string& keys) {
    if (!keys.empty()) generator += (generator.ends_with(':') ? "" : ",") + keys;
  };
  for (const std::uint64_t n : counts)
    for (const std::uint64_t d : dimensions)
      for (const std::string& keys : data) {
        DataRequest& sized = requests.emplace_back(request);
        sized.defaultCount = static_cast<std::size_t>(n);
        if (arguments.given("--d")) add(sized.generator, "d=" + std::to_string(d));
        add(sized.generator, keys);
      }
  return requests;
}

namespace {

std::vector<int> clustersFrom(const Arguments& arguments, RangeStep unsaid) {
  if (arguments.given("--k") && arguments.given("--ks"))
    throw RequestError("--k and --ks say the same thing twice: leave one out");
  const auto counts = parseCounts(
      "--ks", arguments.text("--ks", arguments.text("--k", std::to_string(default_counts::clusters))), 1,
      1 << 24, unsaid);
  return {counts.begin(), counts.end()};
}

} // namespace

std::vector<int> benchClusters(const Arguments& arguments) {
  return clustersFrom(arguments, RangeStep::doubling);
}

// Whoever looks for a k wants to see the neighbours.
std::vector<int> runClusters(const Arguments& arguments) { return clustersFrom(arguments, RangeStep::one); }

RaceOptions raceOptions(const Arguments& arguments) {
  RaceOptions options;
  const std::string cache = arguments.text("--cache", "hot");
  if (cache != name(CacheState::hot) && cache != name(CacheState::cold))
    arguments.refuse("--cache", "hot or cold");
  options.cache = cache == name(CacheState::cold) ? CacheState::cold : CacheState::hot;
  options.budgetSeconds = arguments.number("--budget", options.budgetSeconds);
  options.seed = arguments.seed(options.seed);
  options.settle = true;
  if (arguments.given("--slower-than") && !arguments.given("--compare"))
    throw RequestError("--slower-than says what --compare calls slower: give --compare as well");
  options.rules.slowerThan = arguments.number("--slower-than", options.rules.slowerThan * 100) / 100;
  return options;
}

std::vector<std::string> benchArguments(const Arguments& arguments) {
  constexpr std::array<std::string_view, 9> aside{"--json",        "--csv",      "--markdown",
                                                  "--html",        "--timeline", "--compare",
                                                  "--slower-than", "--quiet",    "--log-level"};
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
  for (const std::string& word : benchArguments(arguments))
    line += ' ' + shellQuoted(QString::fromStdString(word)).toStdString();
  return line;
}

} // namespace lloyd
