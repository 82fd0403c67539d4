// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.hpp"

#include "app/cli/commands.hpp"
#include "app/cli/requests.hpp"
#include "app/data/generate/generators.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/unpack.hpp"
#include "gpu/core/contract/error.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <system_error>

namespace lloyd {
namespace {

static_assert(default_counts::raced == 1 << 20 && default_counts::simulated == 1 << 16, "--n gives others");
static_assert(default_counts::clusters == 16, "--k gives others");

constexpr unsigned window = static_cast<unsigned>(Subcommand::window);
constexpr unsigned run = static_cast<unsigned>(Subcommand::run);
constexpr unsigned bench = static_cast<unsigned>(Subcommand::bench);
constexpr unsigned verify = static_cast<unsigned>(Subcommand::verify);
constexpr unsigned shot = static_cast<unsigned>(Subcommand::shot);
constexpr unsigned list = static_cast<unsigned>(Subcommand::list);
constexpr unsigned trace = static_cast<unsigned>(Subcommand::trace);
constexpr unsigned plan = static_cast<unsigned>(Subcommand::plan);
constexpr unsigned trial = static_cast<unsigned>(Subcommand::trial);
constexpr unsigned apart = static_cast<unsigned>(Subcommand::apart);
constexpr unsigned pointUsers = window | run | bench | trace | shot;
constexpr unsigned clusterers = window | run | shot;
constexpr unsigned everyone = window | run | bench | verify | trace | shot | list | plan | apart;

constexpr OptionSpec options[] = {
    {"FILE", "", "",
     "CSV, TSV or XYZ text, a NumPy array (.npy), a PLY or PCD point cloud, or an image, whose pixels are "
     "red-green-blue points; packed or not; FILE.npz:NAME names one of several in an archive; run takes "
     "several, the window and shot a session (.lloyd)",
     pointUsers},
    {"FILE", "", "", "a kernel file of your own, as in mine.cu; of a schedule, as in mine.cpp", trial},
    {"WHAT", "", "", "variants, devices, generators, formats, presets, steps or options", list},
    {"STEP", "", "",
     "the version that the step leads to, as in classify.v4; several between commas, or all; see --list",
     apart},
    {"--list", "", "", "the steps that can be taken apart, and what each of their changes is", apart},
    {"--points", "SPEC", "none; the window takes drift:, bench uniform:, trace uniform:d=3",
     "points from a generator instead of a file, as in blobs:n=1e6,d=2,k=16; see list generators",
     pointUsers | apart},
    {"--columns", "A,B,C", "all with numbers; neither ids nor the class",
     "the columns to cluster, by name or by index from 0", pointUsers},
    {"--class", "COLUMN", "guessed, and said",
     "the column of a table that clusters are held against, by name or by index; - for none", pointUsers},
    {"--name", "COLUMN", "guessed, and said",
     "the column of a table that names its rows, by name or by index; - for none", pointUsers},
    {"--drop-ragged", "", "", "leave out rows with more or fewer fields than others, and count them",
     pointUsers},
    {"--image", "rgb|xyrgb", "rgb", "what a pixel of an image is: its colour, or its place and its colour",
     pointUsers},
    {"--where", "RULE", "",
     "cluster only the rows that meet the rule, as in \"income > 3 & kind == 'a'\"; the labels of others are "
     "-1",
     clusterers},
    {"--scale", "none|standard|minmax", "none",
     "scale each column before clustering; centroids are reported in the file's units", pointUsers | apart},
    {"--k", "N", "16", "clusters", pointUsers | plan | apart, false, "-k"},
    {"--seed", "N", "1", "seed of everything random", pointUsers | apart},
    {"--init", "WHAT", "kmeans++",
     "first centroids: kmeans++, random, first, bands (100 i + 10) or file:CENTROIDS, whose rows set k",
     pointUsers | apart},
    {"--restarts", "R", "1",
     "runs from other first centroids, by the seeds from --seed on; the one of the least inertia is "
     "reported, with what the others came to",
     run},
    {"--iterations", "N", "300", "the most iterations of a run", window | run},
    {"--tolerance", "X", "0",
     "stop when no centroid moved farther than X; 0 stops only when no label changed", window | run},
    {"--backend", "auto|cuda|cpu|simt", "auto",
     "where to compute; auto takes a GPU when one is usable; trace counts on simt, and on cuda launches each "
     "variant once for a profiler to count",
     everyone & ~list},
    {"--interop", "auto|shared|staged", "auto", "how points reach the window; auto falls back and says why",
     clusterers},
    {"--classify", "ID", "the fastest", "variant that labels points; for bench, in schedules of sets",
     clusterers | bench},
    {"--reduce", "ID", "the fastest", "variant that sums clusters; for bench, in schedules of sets",
     clusterers | bench},
    {"--fused", "ID", "the fastest",
     "variant that does both in one pass; for bench, the one that schedules repeat", clusterers | bench},
    {"--schedule", "ID", "one iteration at a time",
     "graph, by which the device repeats iterations itself; or an order in which all runs of --restarts, "
     "--ks and several FILEs are done at once, from host memory to host memory: see list variants; single "
     "iterations leave no record "
     "then",
     run},
    {"--arithmetic", "multiply|pow|powf", "the variant's",
     "how a difference is squared; bench, trace and plan take a list", pointUsers | plan},
    {"--block", "N", "the variant's",
     "threads in a block; bench, trace and plan take lists and ranges, as in 32:1024", pointUsers | plan},
    {"--items", "N", "the variant's", "points a thread; bench, trace and plan take lists and ranges",
     pointUsers | plan},
    {"--vector", "N", "the variant's", "floats a load; bench, trace and plan take lists and ranges",
     pointUsers | plan},
    {"--unroll", "N", "the variant's",
     "clusters a turn of the loop; bench, trace and plan take lists and ranges", pointUsers | plan},
    {"--streams", "N", "the schedule's",
     "queues that a schedule deals its sets to, 1 to 16; bench takes lists and ranges", run | bench},
    {"--late", "N", "the schedule's",
     "how many iterations later a schedule looks whether a label changed, 0 to 32; bench takes lists and "
     "ranges",
     run | bench},
    {"--timeline", "F", "",
     "record one run of the schedule, or with bench of each, outside of all times: what its queues, the copy "
     "engines and the host do, and when; to a .json of trace events, a .csv or an .svg",
     run | bench},
    {"--empty", "keep", "keep", "what becomes of an empty cluster: it keeps its centre and is reported",
     clusterers},
    {"--labels-out", "F", "",
     "write a label for every input row to a .npy or .csv file, -1 for rows that were dropped", run | shot},
    {"--table-out", "F", "",
     "write the original table with two columns more, cluster (-1 for rows that were dropped) and distance, "
     "to a "
     ".csv, .tsv, .txt or .dat file",
     run | shot},
    {"--centroids-out", "F", "", "write the centroids, in the file's units, to a .npy or .csv file",
     run | shot},
    {"--picture-out", "F", "",
     "write a photograph with every pixel in the colour of its centroid to a .png file", run},
    {"--palette-out", "F", "",
     "write the colours of a photograph's centroids, those of most pixels first, to a .gpl, .csv or .hex "
     "file",
     run},
    {"--kernel", "FILES", "",
     "kernel files of your own, as in mine.cu,other.cu: compiled with the system's C++ compiler, and beside "
     "the program's variants on the simulator, with NVRTC on cards too",
     everyone},
    {"--watch", "FILE", "",
     "open a kernel file of your own beside Teach, and try it whenever it is saved; allows its folder; try "
     "prints each verdict until Ctrl+C",
     window | trial},
    {"--limit", "S", "10", "seconds after which a kernel that is being tried is stopped", trial},
    {"--waiting", "", "",
     "try what a line of JSON names that was compiled of FILE, in this process, and tell in JSON", trial},
    {"--variants", "LIST", "all", "variants by id or pattern, as in classify.*,reduce.v7",
     bench | verify | trace | plan},
    {"--preset", "NAME", "",
     "options by a name, as in scheduling; what is given beside it counts; see list presets", bench},
    {"--n", "LIST", "2^20; trace 2^16",
     "numbers of points of a generator; 1e6, 2^20 and ranges are understood; of plan those that a launch has "
     "to cover",
     bench | trace | plan | apart},
    {"--d", "LIST", "the generator's; plan 2", "numbers of dimensions of a generator",
     bench | trace | plan | apart},
    {"--order", "LIST", "the generator's",
     "shares of a generator's points that are shuffled, 0 (sorted) to 1, as in 0,0.25,1", bench},
    {"--spread", "LIST", "the generator's", "standard deviations of a generator's clusters, as in 0,1,5",
     bench | trace},
    {"--skew", "LIST", "the generator's",
     "how unequal a generator's clusters are: cluster c has (c + 1)^-skew times the points of the first",
     bench | trace},
    {"--card", "CC", "the GPU's; 9.0 without one",
     "the compute capability whose multiprocessors blocks are to live on: 3.0, 5.2, 7.5, 8.0, 8.6, 8.9, 9.0, "
     "10.0 or 12.0",
     plan},
    {"--registers", "N", "the kernel's", "plan a kernel of so many registers a thread instead of variants",
     plan},
    {"--shared", "BYTES", "the kernel's", "and of so many bytes of shared memory a block", plan},
    {"--ks", "LIST", "the value of --k",
     "numbers of clusters, as in 4:64, which doubles, or 2:16:3, which adds; run reports a run of each, and "
     "takes every number of 2:20",
     run | bench | trace | plan | apart},
    {"--scores", "none|best|all", "all where --ks names several, else none",
     "judge runs by their silhouette, Davies-Bouldin and Calinski-Harabasz scores: none, the best of the "
     "restarts, or all of them; beyond 2e9 differences of coordinates, a silhouette is of points drawn by "
     "--seed",
     run},
    {"--cache", "hot|cold", "hot",
     "what the caches hold when a sample begins: what the launch before left there, or nothing of use",
     bench | apart},
    {"--budget", "SECONDS", "20; with --tune 300",
     "the most time to spend on the samples of one problem; a race ends sooner when every verdict is "
     "decided; "
     "with --tune the time for everything",
     bench | apart},
    {"--tune", "", "",
     "measure which variants are fastest on this device, by n, d and k, and use them by default from now on; "
     "--n, --d, --ks and --variants restrict it",
     bench},
    {"--tune-out", "F", "the user's table, whose path --tune prints",
     "write what --tune measures into this table instead", bench},
    {"--order", "forward|reverse|seeded[:N]", "forward",
     "the order in which the simulator gives blocks and lanes their turns", trace},
    {"--thorough", "", "", "the large and the hostile cases too", verify},
    {"--frames", "N", "120", "frames to play before the picture is taken", shot},
    {"--size", "WxH", "1440x900", "size of the picture in pixels", shot},
    {"--out", "F", "lloydscope.png",
     "the picture, a PNG; with --view also an SVG (.svg), whose points are circles, or beyond 20,000 of them "
     "an image",
     shot},
    {"--view", "", "", "the points alone, without the window around them", shot},
    {"--record", "DIR", "",
     "instead of --out: --frames pictures of the points alone, of the first centroids and after each "
     "iteration, fewer where the run converges; frame-0001.png and on in a folder, which has no frames yet "
     "or is made",
     shot},
    {"--film", "RATE", "",
     "with --record: a film of the frames beside them, run.mp4, so many a second; ffmpeg makes it", shot},
    {"--enlarge", "N", "1",
     "with --view or --record: the points drawn anew at N times their size, 1 to 8; points, markers and "
     "texts grow with it",
     shot},
    {"--transparent", "", "", "with --view or --record: nothing behind the points", shot},
    {"--timings", "", "", "print the timing table when done", shot},
    {"--axes", "A,B[,C]", "the first columns",
     "what the axes of the drawing show: columns by name or by index from 0, and principal components, as in "
     "PC1,PC2,PC3; of run with --html",
     clusterers},
    {"--theme", "dark|light", "the desktop's", "colours of the window", window | shot},
    {"--workspace", "explore|teach|compare", "the last; shot explore", "what the window is arranged for",
     window | shot},
    {"--teach", "ID", "", "variant that Teach shows, as in classify.v3; the window opens in Teach",
     window | shot},
    {"--race", "", "", "race the variants once the first iteration is done; the window opens in Compare",
     window | shot},
    {"--colour", "cluster|thread|warp|block|changed", "cluster", "what the colour of a point says in Teach",
     window | shot},
    {"--json", "F", "", "write the report as JSON; - is standard output",
     run | bench | verify | trace | shot | list | plan | apart, true},
    {"--csv", "F", "", "write the report as CSV; - is standard output", run | bench | shot | plan | apart,
     true},
    {"--markdown", "F", "", "write the report as Markdown; - is standard output", run | bench | shot | apart,
     true},
    {"--svg", "F", "", "draw the shares of the one step as a waterfall", apart},
    {"--html", "F", "",
     "write the report as one HTML file with its plots, which asks nothing of the network; - is standard "
     "output; of run one clustering: its settings, clusters, plots and the command that repeats it",
     run | bench, true},
    {"--compare", "OLD.json", "",
     "hold the times against an older report of --json; what got slower is measured again, and exit 1 when "
     "it "
     "did again",
     bench},
    {"--slower-than", "PERCENT", "2", "by how much a time must differ from the older report's to count",
     bench},
    {"--quiet", "", "", "no progress and no remarks on standard error, errors only", everyone},
    {"--log-level", "error|warning|info|debug", "info", "what is said on standard error", everyone},
    {"--help", "", "", "explain the command and its options", everyone | trial, false, "-h"},
    {"--version", "", "", "print the version", everyone, false, "-V"},
};

constexpr SubcommandSpec subcommands[] = {
    {Subcommand::window, windowCommand, "", "lloydscope [FILE] [OPTIONS]",
     "the window, on FILE or on a generator"},
    {Subcommand::run, runCommand, "run", "lloydscope run [FILE...] [OPTIONS]",
     "cluster, write the results, exit; of several FILEs each on its own", true},
    {Subcommand::bench, benchCommand, "bench", "lloydscope bench [FILE] [OPTIONS]",
     "time variants and sweep their parameters"},
    {Subcommand::verify, verifyCommand, "verify", "lloydscope verify [OPTIONS]",
     "check every variant against double precision"},
    {Subcommand::trace, traceCommand, "trace", "lloydscope trace [FILE] [OPTIONS]",
     "count what CUDA variants request of memory, and find races and faults, without a GPU"},
    {Subcommand::shot, shotCommand, "shot", "lloydscope shot [FILE] [OPTIONS]",
     "draw the window for some frames and write a PNG"},
    {Subcommand::plan, planCommand, "plan", "lloydscope plan [OPTIONS]",
     "say how many blocks of a kernel live on a multiprocessor, and what keeps others off it"},
    {Subcommand::trial, tryCommand, "try", "lloydscope try FILE [OPTIONS]",
     "compile a kernel file of your own, then verify, trace and race it on the simulator"},
    {Subcommand::apart, apartCommand, "apart", "lloydscope apart STEP [OPTIONS]",
     "race every combination of what a version changed, and share the gain out"},
    {Subcommand::list, listCommand, "list", "lloydscope list WHAT [OPTIONS]",
     "list variants, devices, generators, formats, presets, steps of the texts or options"},
};

/// text wrapped to width, later lines indented.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string lines;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    const bool first = lines.empty();
    if (!first && column + 1 + word.size() > width) {
      lines += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines + '\n';
}

std::string entry(std::string left, std::string_view meaning) {
  constexpr std::size_t indent = 32;
  left = "  " + left;
  left += left.size() + 1 < indent ? std::string(indent - left.size(), ' ') : '\n' + std::string(indent, ' ');
  return left + wrapped(meaning, indent, 100);
}

std::string withArgument(const OptionSpec& option) {
  std::string text(option.letter);
  text.append(text.empty() ? "" : ", ").append(option.name);
  if (option.argument.empty()) return text;
  text += option.optionalArgument ? " [" : " ";
  text += option.argument;
  if (option.optionalArgument) text += ']';
  return text;
}

std::string codeCell(std::string_view text) {
  std::string cell;
  for (const char c : text)
    cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return "`" + cell + "`";
}

std::string commandNames(const OptionSpec& option) {
  if ((option.subcommands & everyone) == everyone) return "all";
  std::string names;
  for (const SubcommandSpec& subcommand : subcommands)
    if (option.of(subcommand.subcommand))
      names +=
          (names.empty() ? "" : ", ") + std::string(subcommand.name.empty() ? "window" : subcommand.name);
  return names;
}

/// One command's parser and where each of its options is in it.
struct Parser {
  CLI::App* app = nullptr;
  std::map<const OptionSpec*, CLI::Option*> options;
};

Parser describe(CLI::App& app, const SubcommandSpec& subcommand) {
  Parser parser{&app, {}};
  app.allow_extras(); // reported below, in our own words
  app.set_help_flag();
  for (const OptionSpec& spec : optionTable()) {
    if (!spec.of(subcommand.subcommand)) continue;
    std::string name(spec.name);
    if (!spec.letter.empty()) name.append(",").append(spec.letter);
    const bool isSwitch = spec.argument.empty() && !spec.positional();
    CLI::Option* option = isSwitch ? app.add_flag(name) : app.add_option(name);
    if (spec.optionalArgument) option->expected(0, 1)->default_str("-");
    if (spec.positional() && subcommand.severalFiles) option->expected(-1);
    parser.options.emplace(&spec, option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll));
  }
  return parser;
}

bool hasOption(Subcommand subcommand, std::string_view name) {
  return std::ranges::any_of(
      options, [&](const OptionSpec& spec) { return spec.name == name && spec.of(subcommand); });
}

void take(const Parser& parser, const SubcommandSpec& subcommand, Arguments& arguments) {
  for (const auto& [spec, option] : parser.options) {
    if (option->count() == 0) continue;
    const std::string name(spec->name);
    if (!hasOption(subcommand.subcommand, spec->name))
      throw RequestError("'" + std::string(subcommand.name) + "' has no option " + name +
                         "; see lloydscope " + std::string(subcommand.name) + " --help");
    if (spec->positional() && subcommand.severalFiles && !arguments.given(name)) {
      arguments.setFiles(option->results());
      continue;
    }
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

/// The first word that is a subcommand's name says which is meant; without one it is the window.
Subcommand typedSubcommand(std::span<const char* const> words) {
  for (const std::string_view word : words)
    for (const SubcommandSpec& spec : subcommands)
      if (!spec.name.empty() && word == spec.name) return spec.subcommand;
  return Subcommand::window;
}

/// What "help" prints, and "help SUBCOMMAND"; nothing where neither was typed.
std::optional<std::string> typedHelp(std::span<const char* const> words) {
  if (words.size() < 2 || std::string_view(words[1]) != "help") return std::nullopt;
  if (words.size() > 3)
    throw RequestError("'" + std::string(words[3]) + "' is one word too many; see lloydscope help");
  const std::string_view word = words.size() == 3 ? words[2] : "help";
  if (word == "help" || word == "--help" || word == "-h") return helpText(Subcommand::window);
  const Subcommand asked = typedSubcommand(words.subspan(2));
  if (asked == Subcommand::window)
    throw RequestError("there is no subcommand '" + std::string(word) + "'; lloydscope help lists them");
  return helpText(asked);
}

/// The option that a person typed so, or nothing. Of two that share a name it is the subcommand's.
const OptionSpec* findOption(std::string_view typed, Subcommand subcommand) {
  const OptionSpec* found = nullptr;
  for (const OptionSpec& spec : options)
    if (!spec.positional() && (typed == spec.name || typed == spec.letter) && (!found || spec.of(subcommand)))
      found = &spec;
  return found;
}

/// What stands behind "=" must be a value, and must be wanted. CLI11 takes the next word for a value that is
/// not there.
void refuseBadEquals(std::string_view word, Subcommand subcommand) {
  const std::size_t equals = word.find('=');
  if (!word.starts_with("--") || equals == std::string_view::npos) return;
  const OptionSpec* spec = findOption(word.substr(0, equals), subcommand);
  if (!spec) return;
  const std::string name(spec->name);
  if (spec->argument.empty())
    throw RequestError(name + " takes no value, but '" + std::string(word) + "' gives one");
  if (equals + 1 == word.size())
    throw RequestError(name + " needs a value (" + std::string(spec->argument) +
                       "), but nothing follows its =");
}

/// An option whose value is missing is the last word, since any word behind it would have been its value.
[[noreturn]] void refuseMissingValue(std::string_view last, Subcommand subcommand,
                                     const CLI::ParseError& error) {
  const OptionSpec* spec = findOption(last, subcommand);
  if (!spec) throw RequestError(error.what());
  throw RequestError(std::string(last) + " needs a value (" + std::string(spec->argument) +
                     "), but nothing follows it");
}

void refuseRest(const Parser& parser, const SubcommandSpec& subcommand, const Arguments& arguments) {
  std::vector<std::string> rest = parser.app->remaining();
  std::erase(rest, "--"); // it ends the options, and stays behind
  if (rest.empty()) return;
  const std::string help =
      "lloydscope " + std::string(subcommand.name) + (subcommand.name.empty() ? "" : " ") + "--help";
  if (rest.front().starts_with('-') && rest.front() != "-")
    throw RequestError("there is no option " + rest.front() + "; " + help + " lists those there are");
  requireFile(arguments); // of a mistyped subcommand no word behind it is wrong
  if (arguments.given("FILE"))
    throw RequestError("one FILE is expected, but both '" + arguments.text("FILE") + "' and '" +
                       rest.front() + "' were given");
  throw RequestError("'" + rest.front() + "' is one word too many; see " + help);
}

} // namespace

void requireFile(const Arguments& arguments) {
  const bool opensWindow = arguments.subcommand == Subcommand::window;
  if (!opensWindow && arguments.subcommand != Subcommand::shot) return;
  const std::string path = arguments.text("FILE");
  std::error_code unknown; // is for the reader to tell
  if (path.empty() || std::filesystem::exists(memberPath(path).file, unknown) || unknown) return;
  refuseUnknownGenerator(path);
  if (opensWindow && path.find_first_of("./") == std::string::npos)
    throw RequestError("there is no subcommand and no file '" + path +
                       "'; lloydscope --help lists the subcommands");
  throw RequestError(path + ": there is no such file");
}

std::span<const OptionSpec> optionTable() { return options; }
std::span<const SubcommandSpec> subcommandTable() { return subcommands; }

const SubcommandSpec& subcommandSpec(Subcommand subcommand) {
  for (const SubcommandSpec& spec : subcommands)
    if (spec.subcommand == subcommand) return spec;
  return subcommands[0];
}

std::string helpText(Subcommand subcommand) {
  const SubcommandSpec& spec = subcommandSpec(subcommand);
  std::string text = "Usage: " + std::string(spec.usage) + "\n  " + std::string(spec.meaning) + "\n";
  if (subcommand == Subcommand::window) {
    text += "\nSubcommands (each has its own --help, which help SUBCOMMAND prints, too)\n";
    for (const SubcommandSpec& other : subcommands)
      if (!other.name.empty()) text += entry(std::string(other.name), other.meaning);
  }
  text += "\nOptions\n";
  for (const OptionSpec& option : options) {
    if (!option.of(subcommand)) continue;
    std::string meaning(option.meaning);
    if (!option.fallback.empty()) meaning += " (default: " + std::string(option.fallback) + ")";
    text += entry(withArgument(option), meaning);
  }
  return text + "\nExit status\n" + entry("0", "done") +
         entry("1", subcommand == Subcommand::bench
                        ? "a variant differs from double precision, or --compare found something slower"
                    : subcommand == Subcommand::trial ? "the kernel is wrong"
                                                      : "a check failed") +
         entry("2", subcommand == Subcommand::trial
                        ? "the request is wrong, or there is no verdict: the file does not compile, or the "
                          "kernel crashed or did not end"
                        : "the request is wrong") +
         entry("3", "what was asked for is not on this machine") +
         entry("130",
               subcommand == Subcommand::bench
                   ? "cancelled with Ctrl+C; what had been measured was written, marked as not finished"
                   : "cancelled with Ctrl+C; nothing was written");
}

std::string optionsMarkdown() {
  std::string text = "| option | default | commands | meaning |\n|---|---|---|---|\n";
  for (const OptionSpec& option : options)
    text += "| " + codeCell(withArgument(option)) + " | " + std::string(option.fallback) + " | " +
            commandNames(option) + " | " + std::string(option.meaning) + " |\n";
  return text;
}

std::variant<Arguments, std::string> parseArguments(int argc, const char* const* argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  if (const auto help = typedHelp(words)) return *help;
  CLI::App root;
  std::map<Subcommand, Parser> parsers;
  for (const SubcommandSpec& spec : subcommandTable()) {
    CLI::App* app = spec.name.empty() ? &root : root.add_subcommand(std::string(spec.name));
    parsers.emplace(spec.subcommand, describe(*app, spec));
  }
  root.require_subcommand(0, 1);
  const Subcommand typed = typedSubcommand(words);
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i)
    refuseBadEquals(argv[i], typed);
  try {
    root.parse(argc, argv);
  } catch (const CLI::ArgumentMismatch& error) {
    refuseMissingValue(argv[argc - 1], typed, error);
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
  if (&rootParser != &ownParser) refuseRest(rootParser, subcommandSpec(Subcommand::window), arguments);
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
                                ? "of at least " + std::to_string(low) + " and below 2^64"
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
