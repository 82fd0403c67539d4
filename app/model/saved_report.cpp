// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved_report.hpp"

#include "app/data/wording.hpp"
#include "app/model/saved_report_json.hpp"
#include "gpu/core/registry.hpp"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <optional>

namespace lloyd {
namespace {

std::optional<Stage> stageOf(const std::string& text) {
  for (std::size_t i = 0; i < stageCount; ++i)
    if (name(static_cast<Stage>(i)) == text) return static_cast<Stage>(i);
  return std::nullopt;
}

/// A report that has no ranks yet: by medians alone, since its samples are gone.
void rankByMedians(RaceResult& race) {
  for (Measurement& row : race.rows) {
    if (!row.ran() || !row.verified || !(row.times.median > 0)) continue;
    row.rank = 1;
    for (const Measurement& other : race.rows)
      if (other.ran() && other.verified && other.times.median > 0 &&
          other.candidate.stage == row.candidate.stage && other.times.median < row.times.median)
        ++row.rank;
  }
}

/// The objects of a list that a report has under key.
std::vector<ReportObject> objectsOf(const ReportObject& report, const char* key) {
  if (!report.value(key).isArray()) report.refuse(key, "a list");
  std::vector<ReportObject> objects;
  const QJsonArray list = report.value(key).toArray();
  for (qsizetype i = 0; i < list.size(); ++i) {
    const std::string place = std::string(key) + '[' + std::to_string(i) + ']';
    if (!list[i].isObject()) throw ReportError(place + " is not an object");
    objects.emplace_back(list[i].toObject(), place);
  }
  return objects;
}

/// The races of a report, found by their problems.
class Races {
public:
  explicit Races(const ReportObject& report) {
    if (!report.value("device").isObject()) report.refuse("device", "an object");
    frame_.device = savedDevice(ReportObject(report.value("device").toObject(), "device"));
    frame_.source = report.textOr("source", "");
    frame_.when = savedMoment(report);
    frame_.finished = true;
    if (!report.has("races")) return;
    for (const ReportObject& object : objectsOf(report, "races")) {
      RaceResult& race = of(savedProblem(object));
      race.conditions = savedConditions(object);
      race.finished = object.booleanOr("finished", true);
      race.source = object.textOr("source", frame_.source);
      if (object.has("date")) race.when = savedMoment(object);
    }
  }

  RaceResult& of(const Problem& problem) {
    const auto found = std::find(problems_.begin(), problems_.end(), problem);
    if (found != problems_.end()) return races_[static_cast<std::size_t>(found - problems_.begin())];
    problems_.push_back(problem);
    return races_.emplace_back(frame_);
  }

  std::vector<RaceResultPtr> take(bool haveRanks) {
    std::vector<RaceResultPtr> taken;
    for (RaceResult& race : races_) {
      if (race.rows.empty()) continue;
      if (!haveRanks) rankByMedians(race);
      for (const Measurement& row : race.rows)
        race.conditions.rounds = std::max(race.conditions.rounds, row.times.samples);
      taken.push_back(std::make_shared<const RaceResult>(std::move(race)));
    }
    return taken;
  }

private:
  RaceResult frame_;
  std::vector<Problem> problems_;
  std::vector<RaceResult> races_;
};

SavedReport reportOf(const QJsonDocument& document) {
  if (!document.isObject() || !document.object().contains(QStringLiteral("results")))
    throw ReportError("this is no report of lloydscope bench --json: it has no results");
  const ReportObject report(document.object(), "");
  SavedReport saved;
  Races races(report);
  bool haveRanks = false;
  for (const ReportObject& object : objectsOf(report, "results")) {
    const std::string id = object.text("variant");
    const std::string stageName = object.text("stage");
    const Variant* variant = Registry::instance().find(id);
    const std::optional<Stage> stage = stageOf(stageName);
    if (!variant || !stage || !variant->has(*stage)) {
      const std::string unknown = variant ? id + " (" + stageName + ')' : id;
      if (std::find(saved.unknown.begin(), saved.unknown.end(), unknown) == saved.unknown.end())
        saved.unknown.push_back(unknown);
      continue;
    }
    haveRanks = haveRanks || !object.value("rank").isUndefined();
    Measurement row = savedMeasurement(object, *variant, *stage);
    RaceResult& race = races.of(row.problem);
    if (std::any_of(race.rows.begin(), race.rows.end(),
                    [&](const Measurement& other) { return sameCandidate(other.candidate, row.candidate); }))
      throw ReportError(object.place() + " repeats " + id + " on the same problem with the same parameters");
    race.rows.push_back(std::move(row));
  }
  saved.races = races.take(haveRanks);
  return saved;
}

/// "line 3, column 14" of what cannot be read, both counted from 1, columns in characters. Qt's offset is
/// behind that character, but for what follows a whole document.
std::string placeOf(const QByteArray& bytes, const QJsonParseError& error) {
  const qsizetype offset = error.offset - (error.error == QJsonParseError::GarbageAtEnd ? 0 : 1);
  const QByteArray before = bytes.left(std::clamp<qsizetype>(offset, 0, bytes.size()));
  const qsizetype lineStart = before.lastIndexOf('\n') + 1;
  const qsizetype column = QString::fromUtf8(before.mid(lineStart)).size() + 1;
  return "line " + std::to_string(before.count('\n') + 1) + ", column " + std::to_string(column);
}

} // namespace

tl::expected<SavedReport, std::string> readBenchReport(const std::string& path) {
  const auto failure = [&](const std::string& why) { return tl::unexpected(path + ": " + why); };
  const QFileInfo info(QString::fromStdString(path));
  if (info.isDir()) return failure("this is a directory");
  QFile file(info.filePath());
  if (!info.exists()) return failure("there is no such file");
  if (!file.open(QIODevice::ReadOnly))
    return failure("it cannot be read: " + file.errorString().toStdString());
  // Read with a limit, since a pipe or a growing file has no size that could be asked for.
  const QByteArray bytes = file.read(static_cast<qint64>(mostReportBytes) + 1);
  if (bytes.size() > static_cast<qsizetype>(mostReportBytes))
    return failure("it is larger than " + byteText(static_cast<double>(mostReportBytes)) +
                   ", which no report of bench is");
  if (bytes.trimmed().isEmpty()) return failure("it is empty");
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
  if (error.error != QJsonParseError::NoError)
    return failure(placeOf(bytes, error) + ": this is not JSON: " + error.errorString().toStdString());
  try {
    return reportOf(document);
  } catch (const ReportError& wrong) {
    return failure(wrong.what());
  }
}

} // namespace lloyd
