// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/outputs.hpp"

#include "app/cli/messages.hpp"
#include "app/data/write/recoloured.hpp"
#include "app/data/write/write_results.hpp"
#include "app/data/write/write_table.hpp"
#include "app/model/report/html/timeline_file.hpp"
#include "app/model/report/run_report.hpp"
#include "gpu/core/contract/error.hpp"

#include <QFile>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <array>
#include <string_view>

namespace lloyd {
namespace {

constexpr const char* standardOutputName = "-";

/// One name for one file, however it is written.
QString identity(const QFileInfo& file) {
  const QString real = file.canonicalFilePath();
  return real.isEmpty() ? file.absoluteFilePath() : real;
}

RequestError cannotWrite(const std::string& path, const QString& reason) {
  return RequestError(path + " cannot be written: " + reason.toStdString());
}

/// A report and the names that its files have.
struct ReportKind {
  std::string_view option;
  QStringList endings;
};

const std::array<ReportKind, 5>& reportKinds() {
  static const std::array<ReportKind, 5> kinds{
      {{"--json", {QStringLiteral("json")}},
       {"--csv", {QStringLiteral("csv")}},
       {"--markdown", {QStringLiteral("md"), QStringLiteral("markdown")}},
       {"--html", {QStringLiteral("html"), QStringLiteral("htm")}},
       {"--svg", {QStringLiteral("svg")}}}};
  return kinds;
}

/// Whether a table of text is one that this program has written as a report, or is empty.
bool isCsvReport(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return true; // what cannot be read is found out later
  const QByteArray begins = file.read(64);
  return begins.isEmpty() ||
         std::ranges::any_of(
             std::to_array({"variant,stage,", "cluster,size,", "k,inertia,", "file,points,", "step,from,"}),
             [&](const char* heading) { return begins.startsWith(heading); });
}

/// A report's name is optional, so that a word behind the option may be a file that somebody meant to read.
/// Throws RequestError where it would be lost.
void requireReportName(std::string_view option, const std::string& path) {
  const auto kind = std::ranges::find(reportKinds(), option, &ReportKind::option);
  if (kind == reportKinds().end() || path == standardOutputName) return;
  const QFileInfo file(QString::fromStdString(path));
  if (const QString ending = file.suffix().toLower(); !ending.isEmpty() && !kind->endings.contains(ending))
    throw cannotWrite(path,
                      QStringLiteral("%1 writes a report whose name ends in .%2, and this one ends in .%3")
                          .arg(QLatin1String(option.data(), static_cast<qsizetype>(option.size())),
                               kind->endings.join(QStringLiteral(" or .")), ending));
  if (option == "--csv" && file.isFile() && !isCsvReport(file.filePath()))
    throw cannotWrite(path, QStringLiteral("it is there already and holds no report"));
}

} // namespace

Outputs::Outputs(const Arguments& arguments, std::vector<std::string> inputs)
    : arguments_(arguments), inputs_(std::move(inputs)) {
  for (const std::string_view option :
       {"--labels-out", "--table-out", "--centroids-out", "--picture-out", "--palette-out", "--tune-out",
        "--timeline", "--json", "--csv", "--markdown", "--html", "--svg"}) {
    if (!arguments.given(option)) continue;
    const std::string path = arguments.text(option);
    if (option == "--labels-out" || option == "--centroids-out")
      if (const std::string why = whyNotWritable(path); !why.empty()) throw RequestError(why);
    if (option == "--table-out")
      if (const std::string why = whyNoTable(path); !why.empty()) throw RequestError(why);
    if (option == "--picture-out")
      if (const std::string why = whyNotPhotographName(path); !why.empty()) throw RequestError(why);
    if (option == "--palette-out")
      if (const std::string why = whyNotPaletteName(path); !why.empty()) throw RequestError(why);
    promise(path);
    requireReportName(option, path);
  }
}

void Outputs::promise(const std::string& path) {
  if (path == standardOutputName) {
    if (standardOutput_)
      throw RequestError("only one report can go to standard output; name a file for the other");
    standardOutput_ = true;
    return;
  }
  const QFileInfo file(QString::fromStdString(path));
  const QFileInfo folder(file.absolutePath());
  if (path.empty()) throw RequestError("an output needs a file name");
  if (file.isDir()) throw cannotWrite(path, QStringLiteral("it is a directory"));
  if (!folder.isDir())
    throw cannotWrite(path, QStringLiteral("there is no directory %1").arg(file.absolutePath()));
  if (!folder.isWritable() || (file.exists() && !file.isWritable()))
    throw cannotWrite(path, QStringLiteral("permission denied"));
  for (const std::string& input : inputs_)
    if (!input.empty() && identity(file) == identity(QFileInfo(QString::fromStdString(input))))
      throw cannotWrite(path, QStringLiteral("the points are read from it"));
  const QString name = identity(file);
  if (promised_.end() != std::find(promised_.begin(), promised_.end(), name))
    throw cannotWrite(path, QStringLiteral("two outputs have this name"));
  promised_.push_back(name);
}

void Outputs::add(const std::string& path, QByteArray bytes) {
  if (path == standardOutputName) return printed_.push_back(std::move(bytes));
  writers_.emplace_back(path, [bytes = std::move(bytes)](const std::string& to) {
    return writtenFile(to, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
  });
}

void Outputs::write() {
  std::vector<AtomicFile> files;
  for (const auto& [path, writer] : writers_) {
    auto file = writer(path);
    if (!file) throw RequestError(file.error());
    files.push_back(std::move(*file));
  }
  for (AtomicFile& file : files)
    if (const auto placed = file.commit(); !placed) throw RequestError(placed.error());
  for (const QByteArray& bytes : printed_)
    printOutput(bytes);
  writers_.clear();
  printed_.clear();
}

void requireTimelineName(const Arguments& arguments) {
  if (!arguments.given("--timeline")) return;
  if (!isTimelineName(QString::fromStdString(arguments.text("--timeline"))))
    arguments.refuse("--timeline", "a file name that ends in .json, .csv or .svg");
}

void addTimelines(Outputs& outputs, const Arguments& arguments, const NamedTimelines& timelines) {
  const QString name = QString::fromStdString(arguments.text("--timeline"));
  outputs.addReport("--timeline", [&] { return timelineAs(name, timelines).value_or(QByteArray()); });
}

void addOutputs(Outputs& outputs, const RunReport& report, const std::vector<Label>& labels) {
  outputs.addWriter("--labels-out", [&](const std::string& path) {
    return labelsFile(path, labelsByInputRow(*report.data, labels));
  });
  outputs.addWriter("--table-out", [&](const std::string& path) {
    return clusteredTable(path, *report.data, labels, report.result.centroids, report.clusterNames);
  });
  outputs.addWriter("--centroids-out", [&](const std::string& path) {
    return centroidsFile(path, report.result.centroids, *report.data,
                         {.sizes = report.result.sizes, .names = report.clusterNames});
  });
  outputs.addWriter("--picture-out", [&](const std::string& path) {
    return recolouredFile(path, *report.data, labels, report.result.centroids);
  });
  outputs.addWriter("--palette-out", [&](const std::string& path) {
    return paletteFile(path, *report.data, report.result.centroids, report.result.sizes);
  });
  outputs.addReport("--json", [&] { return runJson(report); });
  outputs.addReport("--csv", [&] { return runCsv(report); });
  outputs.addReport("--markdown", [&] { return runMarkdown(report); });
}

} // namespace lloyd
