// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/saved_report.hpp"

#include "app/data/input/wording.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <stdexcept>

namespace lloyd {
namespace {

/// A report that is not what it says it is; caught within readBenchReport(). what() has no file name yet.
class ReportError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Of what is there.
std::string kindOf(const QJsonValue& value) {
  if (value.isDouble()) return QString::number(value.toDouble(), 'g', 12).toStdString();
  constexpr const char* kinds[] = {"null",   "true or false", "a number", // as QJsonValue::Type has them
                                   "a text", "a list",        "an object"};
  return kinds[value.type()];
}

/// One object of a report and where it stands in it ("results[3]"), so that every complaint can say so. What
/// is not there, null, or of another kind throws ReportError; in those with Or, absent and null mean
/// fallback.
class ReportObject {
public:
  ReportObject(QJsonObject object, std::string place)
      : object_(std::move(object)), place_(std::move(place)) {}

  /// Whether the key is there and not null.
  [[nodiscard]] bool has(const char* key) const { return !value(key).isUndefined() && !value(key).isNull(); }
  [[nodiscard]] std::string text(const char* key) const {
    if (!value(key).isString()) refuse(key, "a text");
    return value(key).toString().toStdString();
  }
  [[nodiscard]] bool boolean(const char* key) const {
    if (!value(key).isBool()) refuse(key, "true or false");
    return value(key).toBool();
  }
  /// Finite and at least 0.
  [[nodiscard]] double number(const char* key) const {
    const double found = value(key).toDouble(-1);
    if (!value(key).isDouble() || !std::isfinite(found) || found < 0) refuse(key, "a number of at least 0");
    return found;
  }
  /// Whole, from low to high.
  [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t low = 0,
                                    std::uint64_t high = mostCount) const {
    const double found = value(key).toDouble(-1);
    const bool whole = value(key).isDouble() && found >= 0 && found < 9.3e18 && found == std::floor(found);
    const auto exact = whole ? static_cast<std::uint64_t>(value(key).toInteger(0)) : 0;
    if (!whole || exact < low || exact > high)
      refuse(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return exact;
  }
  [[nodiscard]] int smallCount(const char* key, std::uint64_t low) const {
    return static_cast<int>(count(key, low, std::numeric_limits<int>::max()));
  }
  [[nodiscard]] ReportObject object(const char* key) const {
    if (!value(key).isObject()) refuse(key, "an object");
    return {value(key).toObject(), placeOf(key)};
  }
  [[nodiscard]] QJsonArray list(const char* key) const {
    if (!value(key).isArray()) refuse(key, "a list");
    return value(key).toArray();
  }

  [[nodiscard]] std::string textOr(const char* key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
  }
  [[nodiscard]] bool booleanOr(const char* key, bool fallback) const {
    return has(key) ? boolean(key) : fallback;
  }
  [[nodiscard]] double numberOr(const char* key, double fallback) const {
    return has(key) ? number(key) : fallback;
  }
  [[nodiscard]] std::uint64_t countOr(const char* key, std::uint64_t fallback) const {
    return has(key) ? count(key) : fallback;
  }
  [[nodiscard]] int smallCountOr(const char* key, int fallback) const {
    return has(key) ? smallCount(key, 0) : fallback;
  }
  [[nodiscard]] QJsonArray listOr(const char* key) const { return has(key) ? list(key) : QJsonArray(); }
  /// The one of values whose name the text is; expected says what they are.
  template <class T>
  [[nodiscard]] T oneOf(const char* key, T fallback, std::initializer_list<T> values,
                        const char* expected) const {
    if (!has(key)) return fallback;
    const std::string wanted = text(key);
    for (const T value : values)
      if (name(value) == wanted) return value;
    refuse(key, expected);
  }

  [[nodiscard]] QJsonValue value(const char* key) const { return object_.value(QLatin1String(key)); }
  [[nodiscard]] const std::string& place() const { return place_; }
  /// "results[3].median_us", for messages.
  [[nodiscard]] std::string placeOf(const char* key) const {
    return place_.empty() ? key : place_ + '.' + key;
  }
  /// Throws: "results[3].median_us is a text, but must be a number".
  [[noreturn]] void refuse(const char* key, const std::string& expected) const {
    if (value(key).isUndefined()) throw ReportError(placeOf(key) + " is missing");
    throw ReportError(placeOf(key) + " is " + kindOf(value(key)) + ", but must be " + expected);
  }

private:
  static constexpr std::uint64_t mostCount = std::uint64_t{1} << 53; ///< what a double holds exactly

  QJsonObject object_;
  std::string place_;
};

constexpr qint64 pieceBytes = qint64{1} << 20;

constexpr std::size_t mostRounds = std::size_t{1} << 24; ///< of one race
constexpr std::uint64_t mostPoints = (std::uint64_t{1} << 32) - 1;

Tuning tuningOf(const ReportObject& object, const Variant& variant) {
  Tuning tuning;
  for (const char* parameterName : {"block", "items", "vector", "unroll", "streams", "late"})
    tuning.set(parameterName, object.smallCountOr(parameterName, 0));
  tuning.arithmetic =
      object.oneOf("arithmetic", Arithmetic::multiply,
                   {Arithmetic::multiply, Arithmetic::pow, Arithmetic::powf}, "multiply, pow or powf");
  // A tuning parameter that the variant did not have yet had what is its own value now.
  return variant.complete(tuning);
}

std::vector<double> samplesOf(const ReportObject& object) {
  std::vector<double> samples;
  const QJsonArray list = object.listOr("samples_us");
  for (const auto& value : list) {
    if (!value.isDouble() && !value.isNull())
      throw ReportError(object.placeOf("samples_us") + " has a value that is neither a number nor null");
    samples.push_back(value.toDouble(std::numeric_limits<double>::quiet_NaN()));
  }
  return samples;
}

std::optional<KernelResources> resourcesOf(const ReportObject& object) {
  if (!object.has("registers")) return std::nullopt;
  return KernelResources{.registers = object.smallCount("registers", 0),
                         .sharedBytes = object.countOr("shared_bytes", 0),
                         .localBytes = object.countOr("local_bytes", 0),
                         .occupancy = object.numberOr("occupancy", 0)};
}

std::optional<Comparison> againstFirstOf(const ReportObject& object) {
  if (!object.has("against_first")) return std::nullopt;
  const ReportObject against = object.object("against_first");
  Comparison comparison;
  if (!against.has("verdict")) against.refuse("verdict", "a text");
  comparison.verdict = against.oneOf("verdict", Verdict::undecided,
                                     {Verdict::undecided, Verdict::faster, Verdict::slower, Verdict::same},
                                     "faster, slower, same or undecided");
  comparison.ratio = against.numberOr("ratio", std::numeric_limits<double>::quiet_NaN());
  comparison.low = against.numberOr("low", 0);
  comparison.high = against.numberOr("high", std::numeric_limits<double>::infinity());
  return comparison;
}

Problem savedProblem(const ReportObject& object) {
  return {
      .n = object.count("n", 1, mostPoints), .d = object.smallCount("d", 1), .k = object.smallCount("k", 1)};
}

/// What is no number was written as null and comes back as NaN, which cannot be held against anything.
Measurement savedMeasurement(const ReportObject& object, const Variant& variant, Stage stage) {
  Measurement row;
  row.candidate = {&variant, stage, tuningOf(object, variant)};
  row.problem = savedProblem(object);
  row.skipped = object.textOr("skipped", "");
  row.difference = object.textOr("difference", "");
  row.verified = object.boolean("verified") && row.skipped.empty();
  if (!row.skipped.empty()) return row;
  row.times.samples = object.count("samples");
  const bool timed = row.times.samples > 0 && !object.value("median_us").isNull();
  if (timed) {
    row.times.median = object.number("median_us");
    // Of one sample no spread is known, and none is written.
    row.times.iqr = row.times.samples > 1 ? object.number("iqr_us") : object.numberOr("iqr_us", 0);
    row.times.p95 = object.numberOr("p95_us", row.times.median);
    row.times.min = object.numberOr("min_us", row.times.median);
    row.times.last = row.times.median;
    row.times.noise = object.numberOr("noise", row.times.median > 0 ? row.times.iqr / row.times.median : 0);
  } else {
    row.times.median = std::numeric_limits<double>::quiet_NaN();
  }
  row.us = samplesOf(object);
  row.launches = object.countOr("launches", 1);
  row.bytes = object.countOr("bytes", 0);
  row.limitUs = object.numberOr("limit_us", 0);
  row.resources = resourcesOf(object);
  if (object.has("rechecked")) row.rechecked = object.number("rechecked");
  row.rank = row.verified ? object.smallCountOr("rank", 0) : 0;
  if (row.rank > 0) row.againstFirst = againstFirstOf(object);
  return row;
}

/// The "date" of an object; the clock's beginning when it has none, or one that the clock cannot tell.
std::chrono::system_clock::time_point savedMoment(const ReportObject& object) {
  using Clock = std::chrono::system_clock;
  constexpr qint64 most = std::chrono::duration_cast<std::chrono::seconds>(Clock::duration::max()).count();
  const QDateTime moment =
      QDateTime::fromString(QString::fromStdString(object.textOr("date", "")), Qt::ISODate);
  const qint64 seconds = moment.isValid() ? moment.toSecsSinceEpoch() : 0;
  return seconds >= -most && seconds <= most ? Clock::from_time_t(seconds) : Clock::time_point{};
}

/// The places by round, of which the report tells how many rounds each had.
std::vector<std::uint32_t> savedPlaces(const ReportObject& object) {
  std::vector<std::uint32_t> places;
  std::uint32_t place = 0;
  const QJsonArray list = object.listOr("places");
  for (const auto& value : list) {
    const double rounds = value.toDouble(-1);
    if (!(rounds >= 1 && rounds <= static_cast<double>(mostRounds - places.size())))
      throw ReportError(object.placeOf("places") + " has a value that is no number of rounds");
    places.insert(places.end(), static_cast<std::size_t>(rounds), place++);
  }
  return places;
}

MachineLoad savedLoad(const ReportObject& object) {
  if (!object.has("load")) return {};
  const ReportObject load = object.object("load");
  return {.processors = load.smallCountOr("processors", 0),
          .byOthers = load.numberOr("by_others", 0),
          .stolen = load.numberOr("stolen", 0),
          .switchedAway = load.numberOr("switched_away_per_s", 0)};
}

CardLoad savedCard(const ReportObject& object) {
  if (!object.has("card")) return {};
  const ReportObject card = object.object("card");
  return {.known = true,
          .otherProcesses = card.smallCountOr("other_processes", 0),
          .powerLimited = card.booleanOr("power_limited", false),
          .heatLimited = card.booleanOr("heat_limited", false)};
}

RaceConditions savedConditions(const ReportObject& object) {
  RaceConditions c;
  c.cache = object.oneOf("cache", CacheState::hot, {CacheState::hot, CacheState::cold}, "hot or cold");
  c.seed = object.countOr("seed", 1);
  c.rounds = object.countOr("rounds", 0);
  c.rampUp = object.countOr("ramp_up", 0);
  c.throttled = object.countOr("throttled", 0);
  c.clockMhz = object.numberOr("clock_mhz", 0);
  c.clockStable = object.booleanOr("clock_stable", true);
  c.warmUpSeconds = object.numberOr("warm_up_seconds", 0);
  c.seconds = object.numberOr("seconds", 0);
  c.undecided = object.countOr("undecided", 0);
  c.copyRate = object.numberOr("copy_gb_per_s", 0) * 1e3;
  c.places = savedPlaces(object);
  c.load = savedLoad(object);
  c.card = savedCard(object);
  c.rules.slowerThan = object.numberOr("slower_than", c.rules.slowerThan);
  c.rules.sameWithin = object.numberOr("same_within", c.rules.sameWithin);
  c.rules.error = object.numberOr("error", c.rules.error);
  if (!(c.rules.error >= 0 && c.rules.error <= 1)) object.refuse("error", "a chance from 0 to 1");
  c.rules.comparisons = object.countOr("comparisons", 1);
  c.rules.analyses = object.countOr("analyses", object.countOr("looks", 1));
  return c;
}

DeviceInfo savedDevice(const ReportObject& object) {
  DeviceInfo device;
  device.name = object.text("name");
  device.backend = object.oneOf("backend", Backend::cpu, {Backend::cpu, Backend::cuda, Backend::simt},
                                "cpu, cuda or simt");
  device.computeCapability = object.textOr("compute_capability", "");
  device.memoryBytes = object.countOr("memory_bytes", 0);
  device.multiprocessors = object.smallCountOr("multiprocessors", 0);
  device.l2Bytes = object.countOr("l2_bytes", 0);
  device.driver = object.textOr("driver", "");
  device.runtime = object.textOr("runtime", "");
  device.usable = object.booleanOr("usable", true);
  device.peakFlops = object.numberOr("peak_flops", 0);
  return device;
}

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
  std::vector<ReportObject> objects;
  const QJsonArray list = report.list(key);
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
    frame_.device = savedDevice(report.object("device"));
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
  // Up to a limit, since a pipe or a growing file has no size that could be asked for; in pieces, since a
  // small report needs no memory for the largest.
  QByteArray bytes;
  for (QByteArray piece = file.read(pieceBytes);
       !piece.isEmpty() && bytes.size() <= static_cast<qsizetype>(mostReportBytes);
       piece = file.read(pieceBytes))
    bytes += piece;
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
