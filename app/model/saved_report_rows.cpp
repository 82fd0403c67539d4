// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a saved report: its rows, conditions and device.
#include "app/model/saved_report_json.hpp"

#include <QDateTime>
#include <QJsonArray>

#include <limits>
#include <optional>

namespace lloyd {
namespace {

constexpr std::uint64_t mostPoints = (std::uint64_t{1} << 32) - 1;
constexpr std::uint64_t mostInt = std::numeric_limits<int>::max();
constexpr std::uint64_t mostCount = std::uint64_t{1} << 53; ///< what a double holds exactly

Tuning tuningOf(const ReportObject& object, const Variant& variant) {
  Tuning tuning;
  for (const char* knob : {"block", "items", "vector", "unroll"})
    tuning.set(knob, static_cast<int>(object.countOr(knob, 0, mostInt)));
  const std::string arithmetic = object.textOr("arithmetic", "multiply");
  if (arithmetic != "multiply" && arithmetic != "pow") object.refuse("arithmetic", "multiply or pow");
  tuning.arithmetic = arithmetic == "pow" ? Arithmetic::pow : Arithmetic::multiply;
  // A knob that the variant did not have yet had what is its own value now.
  return variant.complete(tuning);
}

std::vector<double> samplesOf(const ReportObject& object) {
  std::vector<double> samples;
  if (!object.has("samples_us")) return samples;
  if (!object.value("samples_us").isArray()) object.refuse("samples_us", "a list");
  for (const auto& value : object.value("samples_us").toArray()) {
    if (!value.isDouble() && !value.isNull())
      throw ReportError(object.placeOf("samples_us") + " has a value that is neither a number nor null");
    samples.push_back(value.toDouble(std::numeric_limits<double>::quiet_NaN()));
  }
  return samples;
}

std::optional<KernelResources> resourcesOf(const ReportObject& object) {
  if (!object.has("registers")) return std::nullopt;
  return KernelResources{.registers = static_cast<int>(object.count("registers", 0, mostInt)),
                         .sharedBytes =
                             static_cast<std::size_t>(object.countOr("shared_bytes", 0, mostCount)),
                         .localBytes = static_cast<std::size_t>(object.countOr("local_bytes", 0, mostCount)),
                         .occupancy = object.numberOr("occupancy", 0)};
}

std::optional<Comparison> againstFirstOf(const ReportObject& object) {
  if (!object.has("against_first")) return std::nullopt;
  if (!object.value("against_first").isObject()) object.refuse("against_first", "an object");
  const ReportObject against(object.value("against_first").toObject(), object.placeOf("against_first"));
  Comparison comparison;
  const std::string verdict = against.text("verdict");
  bool known = false;
  for (const Verdict one : {Verdict::undecided, Verdict::faster, Verdict::slower, Verdict::same})
    if (name(one) == verdict) {
      comparison.verdict = one;
      known = true;
    }
  if (!known) against.refuse("verdict", "faster, slower, same or undecided");
  comparison.ratio = against.numberOr("ratio", std::numeric_limits<double>::quiet_NaN());
  comparison.low = against.numberOr("low", 0);
  comparison.high = against.numberOr("high", std::numeric_limits<double>::infinity());
  return comparison;
}

} // namespace

Problem savedProblem(const ReportObject& object) {
  return {.n = static_cast<std::size_t>(object.count("n", 1, mostPoints)),
          .d = static_cast<int>(object.count("d", 1, mostInt)),
          .k = static_cast<int>(object.count("k", 1, mostInt))};
}

Measurement savedMeasurement(const ReportObject& object, const Variant& variant, Stage stage) {
  Measurement row;
  row.candidate = {&variant, stage, tuningOf(object, variant)};
  row.problem = savedProblem(object);
  row.skipped = object.textOr("skipped", "");
  row.difference = object.textOr("difference", "");
  row.verified = object.boolean("verified") && row.skipped.empty();
  if (!row.skipped.empty()) return row;
  row.times.samples = static_cast<std::size_t>(object.count("samples", 0, mostCount));
  // What is no number was written as null, and cannot be held against anything.
  const bool timed = row.times.samples > 0 && !object.value("median_us").isNull();
  if (timed) {
    row.times.median = object.number("median_us");
    row.times.iqr = object.number("iqr_us");
    row.times.p95 = object.numberOr("p95_us", row.times.median);
    row.times.min = object.numberOr("min_us", row.times.median);
    row.times.last = row.times.median;
    row.times.noise = object.numberOr("noise", row.times.median > 0 ? row.times.iqr / row.times.median : 0);
  } else {
    row.times.median = std::numeric_limits<double>::quiet_NaN();
  }
  row.us = samplesOf(object);
  row.launches = static_cast<std::size_t>(object.countOr("launches", 1, mostCount));
  row.bytes = static_cast<std::size_t>(object.countOr("bytes", 0, mostCount));
  row.limitUs = object.numberOr("limit_us", 0);
  row.resources = resourcesOf(object);
  row.rank = row.verified ? static_cast<int>(object.countOr("rank", 0, mostInt)) : 0;
  if (row.rank > 0) row.againstFirst = againstFirstOf(object);
  return row;
}

std::chrono::system_clock::time_point savedMoment(const ReportObject& object) {
  const QDateTime moment =
      QDateTime::fromString(QString::fromStdString(object.textOr("date", "")), Qt::ISODate);
  return moment.isValid() ? std::chrono::system_clock::from_time_t(moment.toSecsSinceEpoch())
                          : std::chrono::system_clock::time_point{};
}

RaceConditions savedConditions(const ReportObject& object) {
  RaceConditions c;
  const std::string cache = object.textOr("cache", "hot");
  if (cache != name(CacheState::hot) && cache != name(CacheState::cold))
    object.refuse("cache", "hot or cold");
  c.cache = cache == name(CacheState::cold) ? CacheState::cold : CacheState::hot;
  c.seed = object.countOr("seed", 1, mostCount);
  c.rounds = static_cast<std::size_t>(object.countOr("rounds", 0, mostCount));
  c.rampUp = static_cast<std::size_t>(object.countOr("ramp_up", 0, mostCount));
  c.throttled = static_cast<std::size_t>(object.countOr("throttled", 0, mostCount));
  c.clockMhz = object.numberOr("clock_mhz", 0);
  c.clockStable = object.booleanOr("clock_stable", true);
  c.warmUpSeconds = object.numberOr("warm_up_seconds", 0);
  c.seconds = object.numberOr("seconds", 0);
  c.undecided = static_cast<std::size_t>(object.countOr("undecided", 0, mostCount));
  c.rules.sameWithin = object.numberOr("same_within", c.rules.sameWithin);
  c.rules.error = object.numberOr("error", c.rules.error);
  c.rules.comparisons = static_cast<std::size_t>(object.countOr("comparisons", 1, mostCount));
  c.rules.looks = static_cast<std::size_t>(object.countOr("looks", 1, mostCount));
  return c;
}

DeviceInfo savedDevice(const ReportObject& object) {
  DeviceInfo device;
  device.name = object.text("name");
  const std::string backend = object.textOr("backend", "cpu");
  bool known = false;
  for (const Backend one : {Backend::cpu, Backend::cuda, Backend::simt})
    if (name(one) == backend) {
      device.backend = one;
      known = true;
    }
  if (!known) object.refuse("backend", "cpu, cuda or simt");
  device.computeCapability = object.textOr("compute_capability", "");
  device.memoryBytes = static_cast<std::size_t>(object.countOr("memory_bytes", 0, mostCount));
  device.multiprocessors = static_cast<int>(object.countOr("multiprocessors", 0, mostInt));
  device.l2Bytes = static_cast<std::size_t>(object.countOr("l2_bytes", 0, mostCount));
  device.driver = object.textOr("driver", "");
  device.runtime = object.textOr("runtime", "");
  device.usable = object.booleanOr("usable", true);
  device.peakFlops = object.numberOr("peak_flops", 0);
  return device;
}

} // namespace lloyd
