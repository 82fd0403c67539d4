// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/load_points.hpp"

#include "app/data/generate/generators.hpp"
#include "app/data/read/mapped_npy.hpp"
#include "app/data/read/read_points.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

namespace lloyd {
namespace {

/// Readers report every millisecond or so; a person sees ten changes a second.
ReadControl thinned(const std::string& source, const std::function<void(const LoadProgress&)>& progress,
                    const std::atomic<bool>* cancel) {
  ReadControl control;
  control.cancel = cancel;
  if (!progress) return control;
  control.progress = [source, progress, last = std::chrono::steady_clock::time_point{}](
                         std::uint64_t rows, double fraction) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    progress({.source = source, .rows = rows, .fraction = fraction});
  };
  return control;
}

/// Says what helps, and tells whoever follows the load of it.
std::string sentenceOf(const ReadError& error, const DataRequest& request,
                       const std::function<void(const LoadProgress&)>& progress) {
  if (progress && error.remedy != Remedy::none) progress({.source = request.path, .remedy = error.remedy});
  if (error.remedy != Remedy::dropRagged) return error.sentence();
  return error.sentence() + (request.scaleControl == scaleOption
                                 ? "; --drop-ragged leaves such rows out"
                                 : "; the panel Data can leave such rows out");
}

QString translated(const char* text) { return QCoreApplication::translate("Samples", text); }

/// Where an installed program has its files, and where a checkout has them that the program was built in.
QString sampleFolder() {
  const QDir here(QCoreApplication::applicationDirPath());
  for (const char* folder : {"../share/lloydscope/data", "../../resources/data"})
    if (const QFileInfo there(here.filePath(QLatin1String(folder))); there.isDir())
      return there.canonicalFilePath();
  return {};
}

} // namespace

tl::expected<SharedPointSet, std::string> loadPoints(const DataRequest& request,
                                                     const std::function<void(const LoadProgress&)>& progress,
                                                     const std::atomic<bool>* cancel) {
  const bool file = !request.path.empty();
  const std::string& source = file ? request.path : request.generator;
  if (!file && (!request.columns.empty() || request.classColumn || request.nameColumn))
    return tl::unexpected("columns can be chosen from a file only, not from the generator " + source);
  try {
    const ReadControl control = thinned(source, progress, cancel);
    auto points = file ? readPoints(request.path,
                                    {.columns = request.columns,
                                     .classColumn = request.classColumn,
                                     .nameColumn = request.nameColumn,
                                     .dropRagged = request.dropRagged,
                                     .scale = request.scaling,
                                     .scaleControl = request.scaleControl,
                                     .image = request.image},
                                    control)
                       : generatePoints(request.generator, generatorDefaults(request), control);
    if (!points) return tl::unexpected(sentenceOf(points.error(), request, progress));
    if (!file) {
      if (const auto scaled = applyScale(*points, request.scaling, request.scaleControl); !scaled)
        return tl::unexpected(
            sentenceOf({.message = scaled.error(), .remedy = Remedy::scale}, request, progress));
    }
    return std::make_shared<const PointSet>(std::move(*points));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(source + ": there is not enough memory for these points; try fewer");
  }
}

tl::expected<SharedPointSet, std::string> whenThereIsRoom(
    const DataRequest& request, const MemoryRoom& room,
    const std::function<tl::expected<SharedPointSet, std::string>(const std::string& takes)>& load) {
  const auto need = memoryNeed(request);
  if (!need) return load({});
  const std::string& source = request.path.empty() ? request.generator : request.path;
  if (const auto why = whyNoRoom(source, *need, room)) return tl::unexpected(*why);
  return load(memoryText(*need, room));
}

tl::expected<LoadedPoints, std::string>
loadOrMapPoints(const DataRequest& request, double room,
                const std::function<void(const LoadProgress&)>& progress, const std::atomic<bool>* cancel) {
  const auto mapped = orReadError(request.path, "there is not enough memory to map it", [&] {
    std::shared_ptr<const MappedNpy> file;
    if (request.path.empty() || npyPointBytes(request.path, request.columns) <= room) return file;
    if (request.scaling != Scale::none)
      refuse("its points take more memory than there is, and scaling needs all of them: scale the file, and "
             "set " +
             std::string(request.scaleControl) + " to none");
    return std::make_shared<const MappedNpy>(request.path, request.columns,
                                             thinned(request.path, progress, cancel));
  });
  if (!mapped) return tl::unexpected(mapped.error().sentence());
  if (*mapped) return LoadedPoints{(*mapped)->description(), *mapped};
  return loadPoints(request, progress, cancel).map([](SharedPointSet points) {
    return LoadedPoints{std::move(points), nullptr};
  });
}

GeneratorDefaults generatorDefaults(const DataRequest& request) {
  GeneratorDefaults defaults{.k = request.defaultClusters, .seed = request.seed};
  if (request.defaultCount > 0) defaults.n = request.defaultCount;
  return defaults;
}

DataRequest requestFor(const std::string& fileOrGenerator) {
  DataRequest request;
  const std::string name = fileOrGenerator.substr(0, fileOrGenerator.find(':'));
  const auto known = generators();
  const bool generator =
      fileOrGenerator.find(':') != std::string::npos &&
      std::any_of(known.begin(), known.end(), [&](const Generator& g) { return g.name == name; });
  std::error_code ignored;
  if (generator && !std::filesystem::exists(fileOrGenerator, ignored))
    request.generator = fileOrGenerator;
  else
    request.path = fileOrGenerator;
  return request;
}

QString whyNoSampleFiles() {
  return sampleFolder().isEmpty()
             ? translated(QT_TRANSLATE_NOOP(
                   "Samples", "Sample files are not beside this program: ../share/lloydscope/data"))
             : QString();
}

std::vector<Sample> samples() {
  constexpr std::pair<const char*, const char*> files[] = {
      {"faithful.csv", QT_TRANSLATE_NOOP("Samples", "eruptions of the Old Faithful geyser: two groups")},
      {"iris.csv", QT_TRANSLATE_NOOP("Samples", "flowers of three kinds of iris: four lengths in cm")},
      {"quakes.csv", QT_TRANSLATE_NOOP("Samples", "earthquakes near Fiji: place, depth, magnitude")},
      {"china.jpg", QT_TRANSLATE_NOOP("Samples", "a photograph, © danielbuechele, CC BY 2.0: its colours")}};
  std::vector<Sample> all;
  if (const QString folder = sampleFolder(); !folder.isEmpty())
    for (const auto& [name, idea] : files) {
      const QFileInfo file(QDir(folder).filePath(QLatin1String(name)));
      if (!file.isFile()) continue;
      Sample& sample = all.emplace_back(Sample{file.fileName(), translated(idea), {}});
      sample.request.path = file.filePath().toStdString();
    }
  for (const Generator& generator : generators()) {
    Sample& sample = all.emplace_back(Sample{qtext(generator.name), qtext(generator.idea), {}});
    sample.request.generator = std::string(generator.name) + ':';
  }
  return all;
}

} // namespace lloyd
