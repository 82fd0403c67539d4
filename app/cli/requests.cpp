// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/requests.hpp"

#include "app/cli/interrupt.hpp"
#include "app/data/generate/generators.hpp"
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/compute/load_points.hpp"
#include "app/text/number_list.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"

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
std::string variantFrom(const Arguments& arguments, std::string_view option, Stage stage) {
  std::string id = arguments.text(option);
  if (!arguments.given(option)) return id;
  std::string known;
  for (const Variant* variant : Registry::instance().all()) {
    if (!variant->has(stage)) continue;
    if (variant->id() == id) return id;
    known += (known.empty() ? "" : ", ") + variant->id();
  }
  arguments.refuse(option, "one of " + known);
}

/// "graph" is short for "schedule.graph".
std::string scheduleFrom(const Arguments& arguments) {
  const std::string family = "schedule.";
  const std::string asked = arguments.text("--schedule");
  if (Registry::instance().find(family + asked)) return family + asked;
  return variantFrom(arguments, "--schedule", Stage::iterate);
}

} // namespace

Scale scaleFrom(const Arguments& arguments) {
  return oneOf(arguments, "--scale", {Scale::none, Scale::standard, Scale::minmax});
}

std::optional<DataRequest> dataRequest(const Arguments& arguments) {
  const bool file = arguments.given("FILE");
  const bool generator = arguments.given("--points");
  if (file && generator) throw RequestError("points come from FILE or from --points: give one of them");
  const Scale scale = scaleFrom(arguments); // which may be wrong without points, too
  if (arguments.given("--columns") && !file)
    throw RequestError("--columns chooses from the columns of a file: name FILE");
  if (!file && !generator) return std::nullopt;
  DataRequest request;
  if (file)
    request = requestFor(arguments.text("FILE"));
  else
    request.generator = arguments.text("--points");
  if (arguments.given("--columns")) request.columns = splitList(arguments.text("--columns"));
  request.scaling = scale;
  request.defaultCount = default_counts::clustered;
  request.defaultClusters = arguments.smallCount("--k", 16, 1);
  request.seed = arguments.count("--seed", 1);
  return request;
}

BackendRequest backendFrom(const Arguments& arguments) {
  const auto choice =
      oneOf(arguments, "--backend",
            {BackendRequest::automatic, BackendRequest::cuda, BackendRequest::cpu, BackendRequest::simt});
  if (choice == BackendRequest::simt && arguments.subcommand == Subcommand::bench)
    throw RequestError("bench compares times, and those of the SIMT simulator (simt) are a simulator's; "
                       "'lloydscope trace' shows what a variant does there, counted exactly");
  return choice;
}

Settings settingsFrom(const Arguments& arguments) {
  Settings settings;
  settings.k = arguments.smallCount("--k", settings.k, 1);
  settings.seed = arguments.count("--seed", settings.seed);
  settings.init = initFrom(arguments);
  settings.iterations = arguments.smallCount("--iterations", settings.iterations, 0);
  settings.tolerance = arguments.number("--tolerance", settings.tolerance);
  settings.backend = backendFrom(arguments);
  settings.interop = oneOf(arguments, "--interop",
                           {InteropRequest::automatic, InteropRequest::shared, InteropRequest::staged});
  if (arguments.text("--empty", "keep") != "keep") arguments.refuse("--empty", "keep");
  settings.selection.classify = variantFrom(arguments, "--classify", Stage::classify);
  settings.selection.reduce = variantFrom(arguments, "--reduce", Stage::reduce);
  settings.selection.fused = variantFrom(arguments, "--fused", Stage::fused);
  settings.selection.schedule = scheduleFrom(arguments);
  if (arguments.subcommand != Subcommand::bench &&
      arguments.subcommand != Subcommand::trace) { // there they are lists
    Tuning& tuning = settings.selection.tuning;
    tuning.block = arguments.smallCount("--block", 0, 1);
    tuning.items = arguments.smallCount("--items", 0, 1);
    tuning.vector = arguments.smallCount("--vector", 0, 1);
    tuning.unroll = arguments.smallCount("--unroll", 0, 1);
    tuning.arithmetic =
        oneOf(arguments, "--arithmetic", {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf});
  }
  return settings;
}

SharedPointSet loadForCommand(const DataRequest& request, Messages& messages) {
  const auto loaded = loadPoints(
      request,
      [&](const LoadProgress& progress) {
        messages.progress(QStringLiteral("reading %1: %2 rows")
                              .arg(QString::fromStdString(progress.source), countText(progress.rows)));
      },
      &cancelOnInterrupt());
  throwIfInterrupted();
  if (!loaded) throw RequestError(loaded.error());
  if ((*loaded)->n == 0) throw RequestError((*loaded)->source + " has no points to cluster");
  return *loaded;
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
                       std::to_string(settings.k) + " centroids; leave --k out");
}

} // namespace lloyd
