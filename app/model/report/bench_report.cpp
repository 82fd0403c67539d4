// SPDX-License-Identifier: GPL-3.0-or-later
// A benchmark's report for people: a terminal's text and Markdown.
#include "app/model/report/bench_report.hpp"

#include "app/model/measure/baseline.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/whole_iteration.hpp"
#include "app/model/report/step_report.hpp"
#include "app/model/report/text_table.hpp"
#include "app/model/session/command_line_text.hpp"
#include "app/text/csv.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/stats/comparison.hpp"
#include "gpu/cpu/cpu_device.hpp"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QJsonValue>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace lloyd {
namespace {

/// Its time over the best's, from the ratios of samples that the verdicts are of.
double timesTheBest(const Measurement& row, const Measurement& best, const RaceResult& race) {
  if (&row == &best) return 1;
  double ratio = std::numeric_limits<double>::quiet_NaN();
  if (best.againstFirst && firstOfFamily(best, race) == &row)
    ratio = 1 / best.againstFirst->ratio;
  else if (row.againstFirst && firstOfFamily(row, race) == &best)
    ratio = row.againstFirst->ratio;
  else
    ratio = compareRows(row, best, race.conditions).ratio;
  return std::isfinite(ratio) ? ratio : row.times.median / best.times.median;
}

/// Whether a reader who divides two medians of the table finds another ratio than the table's.
bool ratioIsItsOwn(const Measurement& row, const RaceResult& race) {
  if (!row.againstFirst) return false;
  const double divided = row.times.median / firstOfFamily(row, race)->times.median;
  return std::abs(row.againstFirst->ratio / divided - 1) > race.conditions.rules.sameWithin;
}

bool pinned(const Baseline& baseline) { return baseline.kind > Baseline::Kind::first; }

TextTable rankingTable(const RaceResult& race, const Baseline& baseline) {
  TextTable table({"stage",
                   ">rank",
                   "variant",
                   ">block",
                   ">items",
                   ">vector",
                   ">unroll",
                   "arithmetic",
                   ">streams",
                   ">late",
                   ".median us",
                   "95 % interval us",
                   ".p95 us",
                   ".min us",
                   ".noise %",
                   ".times the best",
                   "against the family's first",
                   ".GB/s",
                   ".limit us",
                   ".of limit %",
                   ">registers",
                   ">shared B",
                   ">local B",
                   ".occupancy %",
                   ".the paper's us",
                   "verified",
                   "against the baseline"});
  std::map<Stage, const Measurement*> best;
  for (const Measurement* m : rankedRows(race)) {
    const Candidate& c = m->candidate;
    const bool ranked = m->rank > 0;
    if (ranked) best.emplace(c.stage, m);
    const auto resource = [&](auto text) { return m->resources ? text(*m->resources) : QString(); };
    const std::optional<double>& published = c.variant->info.publishedUs;
    table.addRow(
        {qtext(name(c.stage)),
         rankText(*m),
         qtext(c.variant->id()),
         parameterCell(c, "block"),
         parameterCell(c, "items"),
         parameterCell(c, "vector"),
         parameterCell(c, "unroll"),
         parameterCell(c, "arithmetic"),
         parameterCell(c, "streams"),
         parameterCell(c, "late"),
         microsecondsText(m->times.median),
         intervalText(*m, race.conditions),
         microsecondsText(m->times.p95),
         microsecondsText(m->times.min),
         noiseText(*m),
         ranked && !m->alone ? significantText(timesTheBest(*m, *best[c.stage], race)) : unknownText(),
         standingText(*m, race.conditions.rules.sameWithin),
         significantText(m->gigabytesPerSecond()),
         microsecondsText(m->limit()),
         percentText(m->ofLimit()),
         resource([](const auto& r) { return countText(static_cast<std::uint64_t>(r.registers)); }),
         resource([](const auto& r) { return countText(r.sharedBytes); }),
         resource([](const auto& r) { return countText(r.localBytes); }),
         resource([](const auto& r) { return percentText(r.occupancy); }),
         published ? microsecondsText(published) : QString(),
         verifiedText(*m),
         pinned(baseline) ? againstBaselineText(*m, race, baseline) : QString()});
  }
  return table;
}

/// Whole iterations, ranked; no rows where the race has but one way to compute one.
TextTable iterationTable(const RaceResult& race) {
  TextTable table({">rank", "whole iteration", ".us", "against the fastest"});
  const std::vector<WholeIteration> ways = wholeIterations(race);
  for (const WholeIteration& way : ways)
    table.addRow(
        {QString::number(way.rank), way.text(), microsecondsText(way.us),
         &way == &ways.front() ? QString() : verdictText(way.againstBest, race.conditions.rules.sameWithin)});
  return table;
}

/// How one form of the report writes its parts.
struct Form {
  QString heading; ///< before a heading
  QString item;    ///< before one of several lines
  QString (TextTable::*table)() const;
};

QString racePart(const RaceResult& race, bool withSource, const Baseline& baseline, const Form& form) {
  if (race.rows.empty()) return {};
  QString text = QStringLiteral("\n%1%2\n\n").arg(form.heading, raceText(race, withSource));
  const std::vector<const Measurement*> rows = rankedRows(race);
  if (rows.empty()) return text + ReportStrings::tr("nothing could be run") + u'\n';
  text += (rankingTable(race, baseline).*form.table)();
  if (!wholeIterations(race).empty()) text += u'\n' + (iterationTable(race).*form.table)();
  const std::vector<ReportedStep> steps = stepsOf(race);
  if (!steps.empty()) text += u'\n' + (stepTable(steps).*form.table)();
  QStringList items{ReportStrings::tr("measured: %1").arg(conditionsText(race))};
  items += warningsOf(race);
  if (std::ranges::any_of(rows, [&](const Measurement* row) { return ratioIsItsOwn(*row, race); }))
    items << ReportStrings::tr(
        "Ratios are medians of the rounds' own ratios, which others on the machine disturb "
        "less than the medians: they are not those of two medians here.");
  items += remarksOf(race);
  if (!steps.empty()) items += stepRemarks(steps);
  text += u'\n';
  for (const QString& item : items)
    text += form.item + item + u'\n';
  return text;
}

QString listPart(const QString& title, const QStringList& lines, const Form& form) {
  if (lines.isEmpty()) return {};
  QString text = QStringLiteral("\n%1%2\n\n").arg(form.heading, title);
  for (const QString& line : lines)
    text += QStringLiteral("- %1\n").arg(line);
  return text;
}

QString comparisonPart(const ReportComparison& comparison, const Form& form) {
  QString text =
      QStringLiteral("\n%1%2\n\n").arg(form.heading, ReportStrings::tr("Against %1").arg(comparison.before));
  text += comparison.verdict() + u'\n';
  if (!comparison.differences.isEmpty()) text += u'\n';
  for (const QString& difference : comparison.differences)
    text += QStringLiteral("- %1\n").arg(difference);
  if (!comparison.rows.empty())
    text += u'\n' + (comparisonTable(comparison).*form.table)() + u'\n' + ReportComparison::differenceText() +
            u'\n';
  text += listPart(ReportStrings::tr("Only in this report"), comparison.onlyNow, form);
  text += listPart(ReportStrings::tr("Only in the older report"), comparison.onlyBefore, form);
  text += listPart(ReportStrings::tr("Variants of the older report that this program does not have"),
                   comparison.unknown, form);
  return text;
}

QString parts(const BenchReport& report, const Form& form) {
  QString text;
  for (const RaceResultPtr& race : report.races)
    text += racePart(*race, sourcesTellApart(report.races), report.baseline, form);
  text += listPart(ReportStrings::tr("Not run"), reasonsNotRun(report.races), form);
  if (report.comparison) text += comparisonPart(*report.comparison, form);
  if (report.interrupted)
    text += u'\n' +
            ReportStrings::tr("Cancelled: problems that were asked for are missing or not finished.") + u'\n';
  return text;
}

/// "5" or "5 to 7": a number of each race, where it is known; empty where it is of none.
template <typename Number, typename Text>
QString spanOf(const BenchReport& report, const Number& number, const Text& text) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const RaceResultPtr& race : report.races) {
    const double value = number(*race);
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  if (least > most) return {};
  const QString low = text(least);
  const QString high = text(most);
  return low == high ? high : ReportStrings::tr("%1 to %2").arg(low, high);
}

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

QString clockText(const BenchReport& report) {
  const QString clock = spanOf(
      report,
      [](const RaceResult& race) {
        return race.conditions.clockMhz > 0 ? race.conditions.clockMhz : unknown;
      },
      [](double mhz) { return significantText(mhz, 4); });
  return clock.isEmpty() ? QString() : ReportStrings::tr("%1 MHz, median while it was measured").arg(clock);
}

QString machineLoadText(const BenchReport& report) {
  int processors = 0;
  for (const RaceResultPtr& race : report.races)
    processors = std::max(processors, race->conditions.load.processors);
  const QString others = spanOf(
      report,
      [](const RaceResult& race) {
        const MachineLoad& load = race.conditions.load;
        return load.processors > 0 ? load.byOthers + load.stolen : unknown;
      },
      [](double used) { return QString::number(used, 'f', 2); });
  if (others.isEmpty()) return {};
  return ReportStrings::tr("others used %1 of %2 processors").arg(others).arg(processors);
}

QString placesText(const BenchReport& report) {
  const QString places = spanOf(
      report,
      [](const RaceResult& race) {
        const auto& all = race.conditions.places;
        return all.empty() ? unknown : 1.0 + all.back() - all.front();
      },
      [](double count) { return countText(static_cast<std::uint64_t>(count)); });
  if (places.isEmpty()) return {};
  return places == QStringLiteral("1") ? ReportStrings::tr("memory lay in one place")
                                       : ReportStrings::tr("memory lay in %1 places in turn").arg(places);
}

/// The points; of several the first and how many there are, since each race says its own.
QString dataText(const BenchReport& report) {
  std::set<std::string> sources;
  for (const RaceResultPtr& race : report.races)
    sources.insert(race->source);
  if (sources.size() < 2 || !sourcesTellApart(report.races)) return qtext(report.source);
  return ReportStrings::tr("%1 and %2 more").arg(qtext(report.source), countText(sources.size() - 1));
}

QString scopeText(const BenchReport& report) {
  if (report.races.size() != 1) return ReportStrings::tr("%1 problems").arg(countText(report.races.size()));
  const RaceResult& race = *report.races.front();
  return race.rows.empty() ? QString() : problemText(race.rows.front().problem);
}

/// The JSON's keys in the order in which a table shows them.
constexpr const char* csvKeys =
    "variant,stage,n,d,k,block,items,vector,unroll,arithmetic,samples,median_us,median_low_us,median_high_us,"
    "p95_us,min_us,iqr_us,noise,"
    "bytes,gb_per_s,limit_us,of_limit,registers,shared_bytes,local_bytes,occupancy,rechecked,verified,"
    "skipped,"
    "difference,rank,against_first.verdict,against_first.ratio,against_first.low,against_first.high,"
    "published_us,launches,source,finished";

/// Null for what is no number: JSON has no word for it.
QJsonValue numberJson(double value) { return std::isfinite(value) ? QJsonValue(value) : QJsonValue(); }

QJsonValue numberOrNull(std::optional<double> value) { return value ? numberJson(*value) : QJsonValue(); }

QJsonArray samplesJson(const std::vector<double>& us) {
  QJsonArray samples;
  for (const double value : us)
    samples.append(numberJson(value));
  return samples;
}

QJsonValue againstFirstJson(const Measurement& m) {
  if (!m.againstFirst) return {};
  return QJsonObject{{QStringLiteral("verdict"), qtext(name(m.againstFirst->verdict))},
                     {QStringLiteral("ratio"), numberJson(m.againstFirst->ratio)},
                     {QStringLiteral("low"), numberJson(m.againstFirst->low)},
                     {QStringLiteral("high"), numberJson(m.againstFirst->high)}};
}

QJsonObject resultJson(const Measurement& m, const RaceResult& race) {
  const auto measured = [&](double value) { return m.ran() ? numberJson(value) : QJsonValue(); };
  // One sample has no spread.
  const auto spread = [&](double value) { return m.times.samples > 1 ? measured(value) : QJsonValue(); };
  const auto resource = [&](auto value) { return m.resources ? value(*m.resources) : QJsonValue(); };
  const VariantInfo& info = m.candidate.variant->info;
  const auto interval = m.ran() ? medianInterval(m.us, race.conditions.places) : std::nullopt;
  QJsonObject json{
      {QStringLiteral("samples"), countJson(m.times.samples)},
      {QStringLiteral("median_us"), measured(m.times.median)},
      {QStringLiteral("median_low_us"), interval ? numberJson(interval->first) : QJsonValue()},
      {QStringLiteral("median_high_us"), interval ? numberJson(interval->second) : QJsonValue()},
      {QStringLiteral("p95_us"), measured(m.times.p95)},
      {QStringLiteral("min_us"), measured(m.times.min)},
      {QStringLiteral("iqr_us"), spread(m.times.iqr)},
      {QStringLiteral("noise"), spread(m.times.noise)},
      {QStringLiteral("bytes"), countJson(m.bytes)},
      {QStringLiteral("gb_per_s"), measured(m.gigabytesPerSecond())},
      {QStringLiteral("limit_us"), numberOrNull(m.limit())},
      {QStringLiteral("of_limit"), numberOrNull(m.ofLimit())},
      {QStringLiteral("registers"), resource([](const auto& r) { return QJsonValue(r.registers); })},
      {QStringLiteral("shared_bytes"), resource([](const auto& r) { return countJson(r.sharedBytes); })},
      {QStringLiteral("local_bytes"), resource([](const auto& r) { return countJson(r.localBytes); })},
      {QStringLiteral("occupancy"), resource([](const auto& r) { return numberJson(r.occupancy); })},
      {QStringLiteral("verified"), m.verified},
      {QStringLiteral("difference"), textOrNull(m.difference)},
      {QStringLiteral("skipped"), textOrNull(m.skipped)},
      {QStringLiteral("note"), textOrNull(m.note)},
      {QStringLiteral("rechecked"), numberOrNull(m.rechecked)},
      {QStringLiteral("rank"), m.rank > 0 ? QJsonValue(m.rank) : QJsonValue()},
      {QStringLiteral("against_first"), againstFirstJson(m)},
      {QStringLiteral("published_us"), info.publishedUs ? numberJson(*info.publishedUs) : QJsonValue()},
      {QStringLiteral("launches"), m.ran() ? countJson(m.launches) : QJsonValue()},
      {QStringLiteral("samples_us"), samplesJson(m.us)},
      {QStringLiteral("source"), textOrNull(race.source)},
      {QStringLiteral("finished"), race.finished}};
  insertCandidate(json, m.candidate, m.problem);
  return json;
}

QJsonArray resultsJson(const BenchReport& report) {
  QJsonArray results;
  for (const RaceResultPtr& race : report.races)
    for (const Measurement& m : race->rows)
      results.append(resultJson(m, *race));
  return results;
}

QJsonValue momentJson(std::chrono::system_clock::time_point when) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(when.time_since_epoch()).count();
  if (seconds == 0) return {};
  return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(Qt::ISODate);
}

/// How many rounds each placement of memory had, in their order.
QJsonArray placesJson(const std::vector<std::uint32_t>& places) {
  QJsonArray lengths;
  for (std::size_t from = 0; from < places.size();) {
    const auto end = std::find_if(places.begin() + static_cast<std::ptrdiff_t>(from), places.end(),
                                  [&](std::uint32_t place) { return place != places[from]; });
    const auto to = static_cast<std::size_t>(end - places.begin());
    lengths.append(countJson(to - from));
    from = to;
  }
  return lengths;
}

QJsonValue loadJson(const MachineLoad& load) {
  if (load.processors == 0) return {};
  return QJsonObject{{QStringLiteral("processors"), load.processors},
                     {QStringLiteral("by_others"), numberJson(load.byOthers)},
                     {QStringLiteral("stolen"), numberJson(load.stolen)},
                     {QStringLiteral("switched_away_per_s"), numberJson(load.switchedAway)},
                     {QStringLiteral("busy"), load.busy()}};
}

QJsonValue cardJson(const CardLoad& card) {
  if (!card.known) return {};
  return QJsonObject{{QStringLiteral("other_processes"), card.otherProcesses},
                     {QStringLiteral("power_limited"), card.powerLimited},
                     {QStringLiteral("heat_limited"), card.heatLimited}};
}

QJsonArray iterationsJson(const RaceResult& race) {
  QJsonArray ways;
  for (const WholeIteration& way : wholeIterations(race))
    ways.append(QJsonObject{{QStringLiteral("variants"), way.text()},
                            {QStringLiteral("rank"), way.rank},
                            {QStringLiteral("median_us"), numberJson(way.us)},
                            {QStringLiteral("ratio"), numberJson(way.againstBest.ratio)}});
  return ways;
}

QJsonObject raceJson(const RaceResult& race) {
  const RaceConditions& c = race.conditions;
  const Problem problem = race.rows.empty() ? Problem{} : race.rows.front().problem;
  return {{QStringLiteral("n"), countJson(problem.n)},
          {QStringLiteral("d"), problem.d},
          {QStringLiteral("k"), problem.k},
          {QStringLiteral("source"), textOrNull(race.source)},
          {QStringLiteral("date"), momentJson(race.when)},
          {QStringLiteral("finished"), race.finished},
          {QStringLiteral("cache"), qtext(name(c.cache))},
          {QStringLiteral("seed"), countJson(c.seed)},
          {QStringLiteral("rounds"), countJson(c.rounds)},
          {QStringLiteral("ramp_up"), countJson(c.rampUp)},
          {QStringLiteral("throttled"), countJson(c.throttled)},
          {QStringLiteral("clock_mhz"), c.clockMhz > 0 ? numberJson(c.clockMhz) : QJsonValue()},
          {QStringLiteral("clock_stable"), c.clockStable},
          {QStringLiteral("warm_up_seconds"), numberJson(c.warmUpSeconds)},
          {QStringLiteral("seconds"), numberJson(c.seconds)},
          {QStringLiteral("undecided"), countJson(c.undecided)},
          {QStringLiteral("places"), placesJson(c.places)},
          {QStringLiteral("copy_gb_per_s"), c.copyRate > 0 ? numberJson(c.copyRate * 1e-3) : QJsonValue()},
          {QStringLiteral("load"), loadJson(c.load)},
          {QStringLiteral("card"), cardJson(c.card)},
          {QStringLiteral("slower_than"), numberJson(c.rules.slowerThan)},
          {QStringLiteral("same_within"), numberJson(c.rules.sameWithin)},
          {QStringLiteral("error"), numberJson(c.rules.error)},
          {QStringLiteral("comparisons"), countJson(c.rules.comparisons)},
          {QStringLiteral("analyses"), countJson(c.rules.analyses)},
          {QStringLiteral("iterations"), iterationsJson(race)},
          {QStringLiteral("steps"), stepsJson(stepsOf(race))},
          {QStringLiteral("program_version"), programJson().value(QStringLiteral("version"))},
          {QStringLiteral("driver"), textOrNull(race.device.driver)},
          {QStringLiteral("runtime"), textOrNull(race.device.runtime)}};
}

/// The race's own variants by id, each once.
QString variantsOf(const RaceResult& race) {
  QStringList ids;
  for (const Measurement& row : race.rows)
    if (row.ran()) ids << qtext(row.candidate.variant->id());
  ids.removeDuplicates();
  return ids.join(QLatin1Char(','));
}

/// The window's words without those that only a run understands.
QString commandOf(const RaceResult& race, const DataRequest& request, const Settings& settings) {
  Settings kept = settings;
  kept.interop = InteropRequest::automatic;
  kept.iterations = Settings{}.iterations;
  kept.tolerance = Settings{}.tolerance;
  kept.selection = {};
  kept.selection.tuning = settings.selection.tuning;
  QString text = commandText(request, kept);
  text.insert(QStringLiteral("lloydscope").size(), QStringLiteral(" bench"));
  text += QStringLiteral(" --variants ") + shellQuoted(variantsOf(race));
  if (race.conditions.cache == CacheState::cold) text += QStringLiteral(" --cache cold");
  return text;
}

} // namespace

bool BenchReport::allVerified() const {
  return std::all_of(races.begin(), races.end(), [](const RaceResultPtr& race) {
    return std::all_of(race->rows.begin(), race->rows.end(),
                       [](const Measurement& m) { return m.verified || !m.skipped.empty(); });
  });
}

QByteArray benchMarkdown(const BenchReport& report) {
  QString text =
      QStringLiteral("# %1\n\n").arg(ReportStrings::tr("Variants on %1").arg(qtext(report.device.name)));
  for (const auto& [fact, value, command] : factsOf(report))
    text += (command ? QStringLiteral("- %1: `%2`\n") : QStringLiteral("- %1: %2\n"))
                .arg(fact, command ? value : markdownText(value));
  return (text + parts(report, {QStringLiteral("## "), QStringLiteral("- "), &TextTable::markdown})).toUtf8();
}

QByteArray benchText(const BenchReport& report) {
  const std::vector<ReportFact> facts = factsOf(report);
  qsizetype widest = 13;
  for (const ReportFact& fact : facts)
    widest = std::max(widest, fact.name.size());
  QString text;
  for (const auto& [fact, value, command] : facts)
    text += fact.leftJustified(widest + 1) + value + u'\n';
  return (text + parts(report, {QString(), QStringLiteral("  "), &TextTable::text})).toUtf8();
}

// A benchmark's report for programs: JSON and CSV, numbers with their full precision.

QByteArray benchJson(const BenchReport& report) {
  QJsonObject device = deviceJson(report.device);
  device.insert(QStringLiteral("peak_flops"),
                report.device.peakFlops > 0 ? numberJson(report.device.peakFlops) : QJsonValue());
  QJsonArray races;
  for (const RaceResultPtr& race : report.races)
    races.append(raceJson(*race));
  QJsonObject json{
      {QStringLiteral("program"), programJson()},
      {QStringLiteral("device"), device},
      {QStringLiteral("processor"), qtext(processorName())},
      {QStringLiteral("why"), textOrNull(report.why)},
      {QStringLiteral("source"), qtext(report.source)},
      {QStringLiteral("seed"), countJson(report.seed)},
      {QStringLiteral("command"), textOrNull(report.command)},
      {QStringLiteral("date"), report.races.empty() ? QJsonValue() : momentJson(report.races.front()->when)},
      {QStringLiteral("finished"), !report.interrupted},
      {QStringLiteral("races"), races},
      {QStringLiteral("results"), resultsJson(report)}};
  if (report.comparison) json.insert(QStringLiteral("comparison"), comparisonJson(*report.comparison));
  return QJsonDocument(json).toJson();
}

QByteArray benchCsv(const BenchReport& report) {
  QJsonArray flat;
  for (const auto& value : resultsJson(report)) {
    QJsonObject row = value.toObject();
    const QJsonObject against = row.value(QStringLiteral("against_first")).toObject();
    for (auto part = against.begin(); part != against.end(); ++part)
      row.insert(QStringLiteral("against_first.") + part.key(), part.value());
    flat.append(row);
  }
  return csvOf(QString::fromLatin1(csvKeys).split(QLatin1Char(',')), flat);
}

std::vector<ReportFact> factsOf(const BenchReport& report) {
  const BuildInfo& build = buildInfo();
  const bool cuda = report.device.backend == Backend::cuda;
  std::vector<ReportFact> facts{
      {ReportStrings::tr("Device"), deviceText(report.device)},
      {ReportStrings::tr("Why this one"), qtext(report.why)},
      // Where the processor is the device, it has been named.
      {ReportStrings::tr("Processor"),
       report.device.backend == Backend::cpu ? QString() : qtext(processorName())},
      {ReportStrings::tr("Driver"), qtext(report.device.driver)},
      {cuda ? ReportStrings::tr("CUDA") : ReportStrings::tr("Instructions"), qtext(report.device.runtime)},
      {ReportStrings::tr("Clock"), clockText(report)},
      {ReportStrings::tr("Load"), machineLoadText(report)},
      {ReportStrings::tr("Memory placements"), placesText(report)},
      {ReportStrings::tr("Program"), QStringLiteral("lloydscope ") + build.version},
      {ReportStrings::tr("Commit"), build.commit},
      {ReportStrings::tr("Compiler"), build.compiler},
      {ReportStrings::tr("Date"), report.races.empty() ? QString() : momentText(report.races.front()->when)},
      {ReportStrings::tr("Data"), dataText(report)},
      {ReportStrings::tr("Problem"), scopeText(report)},
      {ReportStrings::tr("Seed"), QString::number(report.seed)},
      {ReportStrings::tr("Baseline"), pinned(report.baseline) ? report.baseline.title : QString()},
      {ReportStrings::tr("Again"), qtext(report.command), true}};
  std::erase_if(facts, [](const ReportFact& fact) { return fact.value.isEmpty(); });
  return facts;
}

BenchReport raceReport(const RaceResultPtr& race, const DataRequest& request, const Settings& settings,
                       const QString& why, const Baseline& baseline) {
  return {.device = race->device,
          .why = why.toStdString(),
          .source = race->source,
          .seed = settings.seed,
          .races = {race},
          .command = commandOf(*race, request, settings).toStdString(),
          .interrupted = !race->finished,
          .comparison = {},
          .baseline = baseline};
}

QString againstBaselineText(const Measurement& row, const RaceResult& race, const Baseline& baseline) {
  if (baseline.kind == Baseline::Kind::variant && sameCandidate(row.candidate, baseline.candidate))
    return ReportStrings::tr("baseline");
  const std::optional<Delta> delta = deltaOf(row, race, baseline);
  return delta ? delta->text : unknownText();
}

} // namespace lloyd
