// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/samples.hpp"

#include "app/data/generate/generator_spec.hpp"
#include "app/text/strings.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <utility>

namespace lloyd {
namespace {

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
