// SPDX-License-Identifier: GPL-3.0-or-later
// The window, and the picture of it.
#include "app/cli/chosen_rows.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/own_kernels.hpp"
#include "app/cli/requests.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/unpack.hpp"
#include "app/model/saved/saved_session.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/ui/take_away/film.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "app/ui/take_away/view_recorder.hpp"
#include "app/ui/window/run_window.hpp"
#include "gpu/core/contract/error.hpp"

#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <iterator>

namespace lloyd {
namespace {

/// The words of Teach: each must be one that there is.
void takeWorkspace(const Arguments& arguments, WindowOptions& options) {
  if (arguments.given("--workspace")) {
    options.workspace = workspaceFrom(QString::fromStdString(arguments.text("--workspace")));
    if (!options.workspace) arguments.refuse("--workspace", "explore, teach or compare");
  }
  if (arguments.given("--teach")) {
    const std::string id = arguments.text("--teach");
    std::string known;
    bool found = false;
    for (const Stage stage : taughtStages()) {
      for (const Variant* variant : taughtVariants(stage)) {
        found = found || variant->id() == id;
        known += (known.empty() ? "" : ", ") + variant->id();
      }
    }
    // Values are looked at once before a person's own kernels are there, and once more with them.
    if (!found && (!addedKernels().empty() || !arguments.given("--kernel")))
      arguments.refuse("--teach", "one of " + known);
    options.teach = QString::fromStdString(id);
  }
  options.race = arguments.given("--race");
  if (arguments.given("--watch")) {
    options.watch = QString::fromStdString(arguments.text("--watch"));
    if (!QFileInfo(options.watch).isFile()) arguments.refuse("--watch", "a kernel file that can be read");
    options.workspace = Workspace::teach;
  }
  if (arguments.given("--colour")) {
    const std::string wanted = arguments.text("--colour");
    for (const ColourBy by :
         {ColourBy::cluster, ColourBy::thread, ColourBy::warp, ColourBy::block, ColourBy::changed})
      if (wanted == name(by)) options.colourBy = by;
    if (!options.colourBy) arguments.refuse("--colour", "cluster, thread, warp, block or changed");
  }
}

/// What was asked for by name must be there; what is left open is chosen by the window, which says why.
void requireDevice(const Settings& settings) {
  const bool shared = settings.interop == InteropRequest::shared;
  if (!shared && settings.backend != BackendRequest::cuda && settings.backend != BackendRequest::simt) return;
  const ChosenDevice chosen = chooseDevice(settings.backend);
  if (shared && chosen.device->backend() != Backend::cuda)
    throw RequestError("--interop shared needs a CUDA device, and " +
                           (chosen.why.empty() ? "the CPU was asked for" : chosen.why),
                       RequestError::Kind::absent);
}

std::optional<QString> themeFrom(const Arguments& arguments) {
  if (!arguments.given("--theme")) return std::nullopt;
  const std::string theme = arguments.text("--theme");
  if (theme != "dark" && theme != "light") arguments.refuse("--theme", "dark or light");
  return QString::fromStdString(theme);
}

/// A session has points and settings of its own, and is looked at as it was. What remains is what the program
/// itself looks like, and where results go.
void refuseBesideSession(const Arguments& arguments) {
  constexpr std::string_view beside[] = {
      "FILE",  "--theme", "--size",     "--out",        "--view",          "--timings",  "--json",
      "--csv", "--quiet", "--markdown", "--labels-out", "--centroids-out", "--table-out"};
  for (const OptionSpec& option : optionTable()) {
    if (!arguments.given(option.name) || std::ranges::find(beside, option.name) != std::end(beside)) continue;
    // A session that cannot be opened helps nobody, whatever else is left out.
    if (const auto read = readSession(arguments.text("FILE")); !read) throw RequestError(read.error());
    throw RequestError(std::string(option.name) + " is for points: the session " + arguments.text("FILE") +
                       " has everything of its own, so open it and change it there");
  }
}

/// The values that stand in the words themselves.
WindowOptions windowValues(const Arguments& arguments) {
  WindowOptions options;
  if (isSessionFile(arguments.text("FILE"))) {
    refuseBesideSession(arguments);
    options.session = QString::fromStdString(arguments.text("FILE"));
    options.theme = themeFrom(arguments);
    return options;
  }
  options.request = dataRequest(arguments);
  options.settings = settingsFrom(arguments);
  options.axes = arguments.text("--axes");
  options.theme = themeFrom(arguments);
  takeWorkspace(arguments, options);
  return options;
}

/// What the window starts with, from FILE or --points and every setting. A file that is missing or a folder,
/// and initial centroids that do not fit, are refused here; a file that turns out to be malformed is the
/// window's to explain.
WindowOptions windowOptions(const Arguments& arguments, Messages& messages) {
  WindowOptions options = windowValues(arguments);
  if (!options.session.isEmpty()) return options;
  requireDevice(options.settings);
  if (!options.request) {
    for (const char* option : {"--columns", "--scale", "--init", "--where"})
      if (arguments.given(option) &&
          (std::string_view(option) != "--init" || options.settings.init.kind == InitKind::given))
        throw RequestError(std::string(option) + " needs points of your own: name a FILE or give --points");
    return options;
  }
  options.request->defaultCount = 0; // the window's choice, which depends on the device
  const std::string& path = options.request->path;
  if (!path.empty()) {
    const QFileInfo file(QString::fromStdString(memberPath(path).file));
    if (!file.exists()) throw RequestError(path + ": there is no such file");
    if (file.isDir()) throw RequestError(path + ": is a directory, but a file of points was expected");
  }
  const bool part = arguments.given("--where");
  if (options.settings.init.kind != InitKind::given && !part) return options;
  // The centroids are scaled as the points are, and a rule is of their columns, so these are read here.
  const auto start = std::chrono::steady_clock::now();
  const SharedPointSet whole = loadForCommand(*options.request, messages);
  const SharedPointSet points = chosenRows(arguments, {whole, nullptr}).points;
  options.loadUs =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  readInitialCentroids(options.settings, *points, arguments.given("--k"));
  // How many points a generator makes is the window's choice; a file has those that it has.
  if (!path.empty() || part) options.points = points;
  if (part) options.whole = whole;
  return options;
}

QSize sizeFrom(const Arguments& arguments) {
  const std::string text = arguments.text("--size", "1440x900");
  constexpr std::uint64_t most = 16384; // what OpenGL implementations can draw
  const auto cross = text.find('x');
  const auto width = parseCount(text.substr(0, cross));
  const auto height =
      cross == std::string::npos ? std::nullopt : parseCount(std::string_view(text).substr(cross + 1));
  if (!width || !height || *width < 1 || *height < 1 || *width > most || *height > most)
    arguments.refuse("--size", "a width and a height up to 16384, as in 1440x900");
  return {static_cast<int>(*width), static_cast<int>(*height)};
}

ScreenshotOptions shotValues(const Arguments& arguments) {
  ScreenshotOptions options;
  options.frames = arguments.smallCount("--frames", 120, 1, 1'000'000);
  options.size = sizeFrom(arguments);
  options.viewOnly = arguments.given("--view") || arguments.given("--record");
  options.wish.scale = arguments.smallCount("--enlarge", 1, 1, PictureWish::mostScale);
  options.wish.transparent = arguments.given("--transparent");
  for (const char* option : {"--enlarge", "--transparent"})
    if (arguments.given(option) && !options.viewOnly)
      throw RequestError(std::string(option) + " is of a picture of the points alone: give --view as well");
  if (const QString why = ViewPicture::whyNot(options.size, options.wish.scale); !why.isEmpty())
    throw RequestError("--enlarge: " + why.toStdString());
  options.record = QString::fromStdString(arguments.text("--record"));
  options.filmRate = arguments.smallCount("--film", 0, 1, 120);
  if (arguments.given("--film") && !arguments.given("--record"))
    throw RequestError("--film is of the frames of a recording: give --record as well");
  if (arguments.given("--record") && arguments.given("--out"))
    throw RequestError("--record writes many pictures and --out one: choose one of them");
  const std::string out = arguments.text("--out", options.out.toStdString());
  options.out = QString::fromStdString(out);
  if (isSvgName(options.out)) {
    if (!options.viewOnly) throw RequestError("--out: an SVG is of the points alone: give --view as well");
  } else if (!options.out.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
    throw RequestError("--out is '" + out +
                       "', but the picture is a PNG, or with --view an SVG, and its name must end in .png or "
                       ".svg");
  }
  return options;
}

} // namespace

void refuseWrongValues(const Arguments& arguments) {
  if (!needsDisplay(arguments.subcommand)) return;
  if (arguments.subcommand == Subcommand::shot) static_cast<void>(shotValues(arguments));
  static_cast<void>(windowValues(arguments));
}

int windowCommand(const Arguments& arguments) {
  Messages messages(arguments);
  WindowOptions options = windowOptions(arguments, messages);
  options.otherStarts = !arguments.given("--seed"); // whoever names one wants to see its run
  return runWindow(std::move(options));
}

int shotCommand(const Arguments& arguments) {
  Messages messages(arguments);
  ScreenshotOptions options = shotValues(arguments);
  const std::string out = options.out.toStdString();
  options.printTimings = arguments.given("--timings");
  options.quiet = arguments.given("--quiet");
  options.window = windowOptions(arguments, messages);
  if (options.window.session.isEmpty() && options.record.isEmpty() && !arguments.given("--seed"))
    options.remark = [&messages](const QString& sentence) { messages.info(sentence); };
  if (const QString why = options.record.isEmpty() ? QString() : ViewRecorder::whyNotInto(options.record);
      !why.isEmpty())
    throw RequestError("--record: " + why.toStdString());
  if (const QString why = options.filmRate > 0 ? Film::whyNot() : QString(); !why.isEmpty())
    throw RequestError("--film: " + why.toStdString());
  const std::string input = options.window.request ? options.window.request->path : std::string();
  Outputs outputs(arguments, {input});
  if (options.record.isEmpty()) outputs.promise(out);
  constexpr std::string_view results[] = {"--json",       "--csv",       "--markdown",
                                          "--labels-out", "--table-out", "--centroids-out"};
  if (std::ranges::any_of(results, [&](std::string_view option) { return arguments.given(option); }))
    options.report = [&](const RunReport& report, const std::vector<Label>& labels) {
      addOutputs(outputs, report, labels);
      outputs.write();
    };
  return runShot(options);
}

} // namespace lloyd
