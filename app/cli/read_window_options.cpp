// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_window_options.hpp"

#include "app/cli/requests.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "gpu/core/contract/error.hpp"

#include <QFileInfo>

#include <chrono>

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
    if (!found) arguments.refuse("--teach", "one of " + known);
    options.teach = QString::fromStdString(id);
  }
  options.race = arguments.given("--race");
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

} // namespace

WindowOptions windowOptions(const Arguments& arguments, Messages& messages) {
  WindowOptions options;
  options.request = dataRequest(arguments);
  options.settings = settingsFrom(arguments);
  requireDevice(options.settings);
  if (arguments.given("--theme")) {
    const std::string theme = arguments.text("--theme");
    if (theme != "dark" && theme != "light") arguments.refuse("--theme", "dark or light");
    options.theme = QString::fromStdString(theme);
  }
  takeWorkspace(arguments, options);
  if (!options.request) {
    for (const char* option : {"--columns", "--scale", "--init"})
      if (arguments.given(option) &&
          (std::string_view(option) != "--init" || options.settings.init.kind == InitKind::given))
        throw RequestError(std::string(option) + " needs points of your own: name a FILE or give --points");
    return options;
  }
  options.request->defaultCount = 0; // the window's choice, which depends on the device
  const std::string& path = options.request->path;
  if (!path.empty()) {
    const QFileInfo file(QString::fromStdString(path));
    if (!file.exists())
      throw RequestError("there is no file '" + path +
                         "' and no subcommand of this name; see lloydscope --help");
    if (file.isDir()) throw RequestError(path + ": is a directory, but a file of points was expected");
  }
  if (options.settings.init.kind != InitKind::given) return options;
  // The centroids are scaled as the points are, so these are read here.
  const auto start = std::chrono::steady_clock::now();
  const SharedPointSet points = loadForCommand(*options.request, messages);
  options.loadUs =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  readInitialCentroids(options.settings, *points, arguments.given("--k"));
  // How many points a generator makes is the window's choice; a file has those that it has.
  if (!path.empty()) options.points = points;
  return options;
}

} // namespace lloyd
