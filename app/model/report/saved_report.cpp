// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/saved_report.hpp"

#include "app/data/generate/generators.hpp"
#include "app/text/json_object.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace lloyd {
namespace {

using ReportObject = JsonObject;
using ReportError = JsonError; // caught within readBenchReport()

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

/// The races of a report, found by their problems and sources.
class Races {
public:
  explicit Races(const ReportObject& report) {
    frame_.device = savedDevice(report.object("device"));
    frame_.source = report.textOr("source", "");
    frame_.when = savedMoment(report);
    frame_.finished = true;
    if (!report.has("races")) return;
    for (const ReportObject& object : report.objects("races")) {
      RaceResult& race = of(savedProblem(object), object.textOr("source", frame_.source));
      race.conditions = savedConditions(object);
      race.finished = object.booleanOr("finished", true);
      if (object.has("date")) race.when = savedMoment(object);
    }
  }

  /// source: nothing where an older report does not say of which points a row is; it had one race a problem.
  RaceResult& of(const Problem& problem, const std::optional<std::string>& source) {
    for (std::size_t i = 0; i < races_.size(); ++i)
      if (problems_[i] == problem && (!source || races_[i].source == *source)) return races_[i];
    problems_.push_back(problem);
    races_.push_back(frame_);
    if (source) races_.back().source = *source;
    return races_.back();
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
  for (const ReportObject& object : report.objects("results")) {
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
    RaceResult& race =
        races.of(row.problem, object.has("source") ? std::optional(object.text("source")) : std::nullopt);
    if (std::any_of(race.rows.begin(), race.rows.end(),
                    [&](const Measurement& other) { return sameCandidate(other.candidate, row.candidate); }))
      throw ReportError(object.place() + " repeats " + id + " on the same problem with the same parameters");
    race.rows.push_back(std::move(row));
  }
  saved.races = races.take(haveRanks);
  return saved;
}

} // namespace

bool samePoints(const std::string& source, const std::string& other, std::size_t n) {
  if (source == other) return true;
  const GeneratorDefaults defaults{.n = n};
  const auto one = parseGenerator(source, defaults);
  const auto two = parseGenerator(other, defaults);
  return one && two && one->text() == two->text();
}

bool severalSources(std::span<const RaceResultPtr> races, const Problem& problem) {
  const std::string* first = nullptr;
  for (const RaceResultPtr& race : races) {
    if (race->rows.empty() || race->rows.front().problem != problem) continue;
    if (first && !samePoints(*first, race->source, problem.n)) return true;
    first = &race->source;
  }
  return false;
}

RaceResultPtr raceOf(std::span<const RaceResultPtr> races, const Problem& problem,
                     const std::string& source) {
  RaceResultPtr any;
  for (const RaceResultPtr& race : races) {
    if (race->rows.empty() || race->rows.front().problem != problem) continue;
    if (samePoints(race->source, source, problem.n)) return race;
    if (!any) any = race;
  }
  return severalSources(races, problem) ? nullptr : any;
}

tl::expected<SavedReport, std::string> readBenchReport(const std::string& path) {
  try {
    return reportOf(readJson(path, mostReportBytes, "report of bench"));
  } catch (const ReportError& wrong) {
    return tl::unexpected(path + ": " + wrong.what());
  }
}

} // namespace lloyd
