// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/measure/whole_iteration.hpp"
#include "app/model/race/race_columns.hpp"
#include "app/model/report/html/html_page.hpp"
#include "app/model/report/html/html_plots.hpp"
#include "app/model/report/html/html_steps.hpp"
#include "app/model/report/html/html_timelines.hpp"
#include "app/model/report/html/svg_chart.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

const QString numberClass = QStringLiteral("n");

struct Column {
  QString heading;
  QString definition;
  bool numeric = true;
  std::function<QString(const Measurement&)> cell;
};

std::vector<Column> parameterColumns(const std::vector<const Measurement*>& rows) {
  static const std::pair<std::string_view, const char*> definitions[] = {
      {"block", QT_TRANSLATE_NOOP("lloyd::ReportStrings", "Threads in a block; a count")},
      {"items", QT_TRANSLATE_NOOP("lloyd::ReportStrings", "Points that one thread takes; a count")},
      {"vector", QT_TRANSLATE_NOOP("lloyd::ReportStrings", "Floats that one load fetches; a count")},
      {"unroll",
       QT_TRANSLATE_NOOP("lloyd::ReportStrings", "Clusters that one turn of the loop takes; a count")},
      {"arithmetic", QT_TRANSLATE_NOOP("lloyd::ReportStrings",
                                       "How a difference is squared: multiplied, or by the function pow")},
      {"streams", QT_TRANSLATE_NOOP("lloyd::ReportStrings", "Queues that sets are dealt to; a count")},
      {"late", QT_TRANSLATE_NOOP("lloyd::ReportStrings",
                                 "Iterations given before the flag of one is looked at; a count")}};
  std::vector<Column> columns;
  for (const auto& [parameterName, definition] : definitions) {
    const auto has = [parameterName = parameterName](const Measurement* m) {
      return !parameterCell(m->candidate, parameterName).isEmpty();
    };
    if (std::ranges::any_of(rows, has))
      columns.push_back({qtext(parameterName), ReportStrings::tr(definition), parameterName != "arithmetic",
                         [parameterName = parameterName](const Measurement& m) {
                           return parameterCell(m.candidate, parameterName);
                         }});
  }
  return columns;
}

std::vector<Column> columnsOf(const RaceResult& race, const Baseline& baseline,
                              const std::vector<const Measurement*>& rows) {
  const double within = race.conditions.rules.sameWithin;
  const auto time = [](double Summary::*of) {
    return [of](const Measurement& m) { return microsecondsText(m.times.*of); };
  };
  const auto resource = [](auto text) {
    return [text](const Measurement& m) { return m.resources ? text(*m.resources) : unknownText(); };
  };
  std::vector<Column> columns{
      {ReportStrings::tr("variant"), ReportStrings::tr("A way of writing the stage: family and version"),
       false, [](const Measurement& m) { return qtext(m.candidate.variant->id()); }},
      {ReportStrings::tr("verified"), raceDefinition(RaceColumn::verified), false, verifiedText},
      {ReportStrings::tr("rank"),
       ReportStrings::tr(
           "One more than the number of variants of the stage that are decidedly faster; those that "
           "cannot be told apart share one, and only verified variants have one"),
       true, rankText},
      {ReportStrings::tr("median µs"),
       ReportStrings::tr("Half of the kept samples are below; microseconds a launch"), true,
       time(&Summary::median)},
      {ReportStrings::tr("95 % interval µs"),
       ReportStrings::tr("Holds the median in 19 of 20 cases, by the sign test over placements of memory; "
                         "microseconds a launch"),
       true, [&race](const Measurement& m) { return intervalText(m, race.conditions); }},
      {ReportStrings::tr("against the first"),
       ReportStrings::tr(
           "The verdict against the first of the family at this stage, from the ratios of samples of the "
           "same rounds; per cent of that one's time"),
       false, [within](const Measurement& m) { return standingText(m, within); }},
      {ReportStrings::tr("× first"), raceDefinition(RaceColumn::againstFirst), true,
       [](const Measurement& m) {
         if (m.rank == 0) return unknownText();
         return significantText(m.againstFirst ? 1 / m.againstFirst->ratio : 1) + QChar(0x00d7);
       }},
      {ReportStrings::tr("p95 µs"), raceDefinition(RaceColumn::p95), true, time(&Summary::p95)},
      {ReportStrings::tr("min µs"), raceDefinition(RaceColumn::min), true, time(&Summary::min)},
      {ReportStrings::tr("noise %"), raceDefinition(RaceColumn::noise), true, noiseText}};
  if (baseline.kind > Baseline::Kind::first)
    columns.insert(
        columns.begin() + 5,
        {ReportStrings::tr("against %1").arg(baseline.title), raceDefinition(RaceColumn::verdict), false,
         [&race, &baseline](const Measurement& m) { return againstBaselineText(m, race, baseline); }});
  for (Column& column : parameterColumns(rows))
    columns.push_back(std::move(column));
  const std::vector<Column> rest{
      {ReportStrings::tr("of limit %"), raceDefinition(RaceColumn::ofLimit), true,
       [](const Measurement& m) { return percentText(m.ofLimit()); }},
      {ReportStrings::tr("limit µs"),
       ReportStrings::tr(
           "No faster than this: a copy of as many bytes as the stage must move, measured at that "
           "footprint, or its arithmetic at the device's peak; microseconds"),
       true, [](const Measurement& m) { return microsecondsText(m.limit()); }},
      {ReportStrings::tr("GB/s"), raceDefinition(RaceColumn::bandwidth), true,
       [](const Measurement& m) { return significantText(m.gigabytesPerSecond()); }},
      {ReportStrings::tr("registers"), raceDefinition(RaceColumn::registers), true,
       resource([](const auto& r) { return countText(static_cast<std::uint64_t>(r.registers)); })},
      {ReportStrings::tr("shared B"), raceDefinition(RaceColumn::shared), true,
       resource([](const auto& r) { return countText(r.sharedBytes); })},
      {ReportStrings::tr("local B"), raceDefinition(RaceColumn::local), true,
       resource([](const auto& r) { return countText(r.localBytes); })},
      {ReportStrings::tr("occupancy %"), raceDefinition(RaceColumn::occupancy), true,
       resource([](const auto& r) { return percentText(r.occupancy); })},
      {ReportStrings::tr("rechecked %"), raceDefinition(RaceColumn::rechecked), true,
       [](const Measurement& m) { return percentText(m.rechecked); }},
      {ReportStrings::tr("samples"), raceDefinition(RaceColumn::samples), true,
       [](const Measurement& m) { return countText(m.times.samples); }},
      {ReportStrings::tr("launches"),
       ReportStrings::tr("How often a sample launches the kernel between its two events; a count"), true,
       [](const Measurement& m) { return countText(m.launches); }},
      {ReportStrings::tr("paper µs"),
       ReportStrings::tr(
           "The time that the variant's paper publishes, measured on the paper's own card; microseconds"),
       true, [](const Measurement& m) { return microsecondsText(m.candidate.variant->info.publishedUs); }},
      {ReportStrings::tr("in its name"),
       ReportStrings::tr("What the variant does that the one before does not"), false,
       [](const Measurement& m) { return qtext(m.candidate.variant->info.name); }}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  // A column that no row knows anything for only pushes others out of sight.
  std::erase_if(columns, [&](const Column& column) {
    return std::ranges::all_of(rows, [&](const Measurement* m) { return column.cell(*m) == unknownText(); });
  });
  return columns;
}

/// "n" for numbers, and words for what the style sheet marks.
QString cellClass(const Column& column, const QString& text, const Measurement& m) {
  if (column.numeric) return numberClass;
  QStringList classes{column.heading == ReportStrings::tr("variant") ? QStringLiteral("variant")
                                                                     : QStringLiteral("t")};
  if (text.size() > 40) classes << QStringLiteral("wide");
  if (text == verifiedText(m) && !m.verified) classes << QStringLiteral("worse");
  return classes.join(u' ');
}

void writeMethod(Markup& page, const BenchReport& report) {
  const CompareRules rules = report.races.empty() ? CompareRules{} : report.races.front()->conditions.rules;
  const bool cold = !report.races.empty() && report.races.front()->conditions.cache == CacheState::cold;
  const auto plain = [](double value) { return QString::number(value, 'g', 3); };
  const std::pair<QString, QString> sentences[] = {
      {ReportStrings::tr("Samples"),
       ReportStrings::tr(
           "All variants took turns, one sample each a round in an order that changes from round to round, "
           "between two events on the device after its clock had settled, with %1 caches; short kernels "
           "were launched several times a sample, and samples taken while the clock had fallen were "
           "thrown away and counted.")
           .arg(cold ? ReportStrings::tr("cold") : ReportStrings::tr("hot"))},
      {ReportStrings::tr("Verdicts"),
       ReportStrings::tr(
           "Rounds in one placement of memory are one piece of evidence, their median. A verdict is about "
           "the "
           "ratio of two variants' medians over those places: faster or slower when the whole interval of "
           "the sign test lies on one side of 1, the same when it "
           "lies within %1 %, and otherwise undecided, with a chance of at most %2 that any verdict of a "
           "race is wrong; only variants that agree with double precision are ranked, and those that "
           "cannot be told apart share a rank.")
           .arg(plain(rules.sameWithin * 100), plain(rules.error))},
      {ReportStrings::tr("Limit"),
       ReportStrings::tr(
           "The limit is the time that a copy of as many bytes as the stage must move takes on this "
           "device, measured at that footprint, or that of its arithmetic at the device's peak where "
           "that is longer. There is none where a copy of so few bytes takes as long as its launch.")}};
  page.element("h2", ReportStrings::tr("How it was measured"));
  page.open("dl", {{"class", QStringLiteral("facts method")}});
  for (const auto& [what, sentence] : sentences) {
    page.element("dt", what);
    page.element("dd", sentence);
  }
  page.close();
}

/// "classify: classify.v7, 7.39 µs; reduce: ..."; variants that share the first rank are all named.
QString winnersText(const RaceResult& race) {
  const std::set<std::string_view> parameters = sweptParameters(race.rows);
  std::map<Stage, std::vector<const Measurement*>, ReportOrder> winners;
  for (const Measurement* m : rankedRows(race))
    if (m->rank == 1) winners[m->candidate.stage].push_back(m);
  QStringList stages;
  for (const auto& [stage, first] : winners) {
    QStringList names;
    for (const Measurement* m : first)
      names << candidateText(m->candidate, parameters);
    const QString who =
        names.size() == 1
            ? names.first()
            : ReportStrings::tr("%1 (not to be told apart)").arg(names.join(QStringLiteral(" = ")));
    const double slowest =
        std::ranges::max(first, {}, [](const auto* m) { return m->times.median; })->times.median;
    const QString fastest = microsecondsText(first.front()->times.median);
    const QString slow = microsecondsText(slowest);
    stages << ReportStrings::tr("%1: %2, %3 µs")
                  .arg(qtext(name(stage)), who,
                       slow == fastest ? fastest : ReportStrings::tr("%1 to %2").arg(fastest, slow));
  }
  return stages.isEmpty() ? QString()
                          : ReportStrings::tr("Fastest. ") + stages.join(QStringLiteral("; ")) + u'.';
}

/// The ways to compute a whole iteration, ranked; nothing where the race has but one.
void writeWholeIterations(Markup& page, const RaceResult& race) {
  const std::vector<WholeIteration> ways = wholeIterations(race);
  if (ways.empty()) return;
  page.element("h3", ReportStrings::tr("Whole iterations"));
  const QString textColumn = QStringLiteral("t");
  openTable(
      page,
      {{ReportStrings::tr("rank"), ReportStrings::tr("Those that cannot be told apart share a rank"),
        numberClass},
       {ReportStrings::tr("whole iteration"),
        ReportStrings::tr("Variants that label, sum and update, one after another"), textColumn},
       {ReportStrings::tr("µs"), ReportStrings::tr("The sum of their medians; microseconds"), numberClass},
       {ReportStrings::tr("against the fastest"),
        ReportStrings::tr("The verdict on the sums of the parts' medians in each placement of memory"),
        textColumn}});
  for (const WholeIteration& way : ways) {
    page.open("tr");
    page.element("td", QString::number(way.rank), {{"class", numberClass}});
    page.element("td", way.text());
    page.element("td", microsecondsText(way.us), {{"class", numberClass}});
    page.element("td", &way == &ways.front()
                           ? QString()
                           : verdictText(way.againstBest, race.conditions.rules.sameWithin));
    page.close();
  }
  closeTable(page);
}

QString anchorOf(std::size_t index) { return QStringLiteral("problem-%1").arg(index + 1); }

void writeContents(Markup& page, const BenchReport& report) {
  if (report.races.size() < 2) return;
  page.open("nav", {{"aria-label", ReportStrings::tr("Problems")}});
  page.open("ul", {{"class", QStringLiteral("columns")}});
  for (std::size_t i = 0; i < report.races.size(); ++i) {
    if (report.races[i]->rows.empty()) continue;
    page.open("li");
    page.element("a", raceText(*report.races[i], sourcesTellApart(report.races)),
                 {{"href", u'#' + anchorOf(i)}});
    page.close();
  }
  page.close();
  page.close();
}

void writeRace(Markup& page, const BenchReport& report, std::size_t index) {
  const RaceResult& race = *report.races[index];
  if (race.rows.empty()) return;
  page.open("section", {{"id", anchorOf(index)}});
  page.element("h2", raceText(race, sourcesTellApart(report.races)));
  if (const QString winners = winnersText(race); !winners.isEmpty())
    page.element("p", winners, {{"class", QStringLiteral("winners")}});
  page.element("p", ReportStrings::tr("Measured with %1.").arg(conditionsText(race)),
               {{"class", QStringLiteral("dim")}});
  for (const QString& warning : warningsOf(race))
    page.element("p", warning, {{"class", QStringLiteral("warning")}});
  if (rankedRows(race).empty()) {
    page.element("p", ReportStrings::tr("Nothing could be run."));
  } else {
    writeLadder(page, race);
    writeRaceTable(page, race, report.baseline);
    writeWholeIterations(page, race);
    writeTextSteps(page, race);
    writeTimelines(page, race);
    writeParameterSweeps(page, race);
    writeDistribution(page, race);
    writeRoofline(page, race);
  }
  page.close();
}

void writeBody(Markup& page, const BenchReport& report, const QString& title) {
  page.open("main");
  page.open("header");
  page.element("h1", title);
  if (report.interrupted)
    page.element(
        "p",
        ReportStrings::tr("This benchmark was ended early: problems that were asked for are missing or not "
                          "finished."),
        {{"class", QStringLiteral("warning")}});
  std::vector<PageFact> facts;
  for (const auto& [fact, value, command] : factsOf(report))
    facts.push_back({fact, value, command});
  writeFacts(page, facts);
  writeContents(page, report);
  page.close();
  writeMethod(page, report);
  if (report.comparison) writeComparison(page, *report.comparison);
  writeProblemSweeps(page, report.races);
  for (std::size_t i = 0; i < report.races.size(); ++i)
    writeRace(page, report, i);
  writeList(page, ReportStrings::tr("Not run"), reasonsNotRun(report.races));
  page.element("footer", ReportStrings::tr(
                             "Written by lloydscope %1. Times are microseconds; an en dash stands for what "
                             "is not known. Headers and marks say more under the pointer.")
                             .arg(QStringLiteral(LLOYD_VERSION)));
  page.close();
}

} // namespace

void writeRaceTable(Markup& page, const RaceResult& race, const Baseline& baseline) {
  const std::vector<const Measurement*> rows = rankedRows(race);
  const std::vector<Column> columns = columnsOf(race, baseline, rows);
  std::vector<TableHeading> headings;
  headings.reserve(columns.size());
  for (const Column& column : columns)
    headings.push_back({column.heading, column.definition,
                        column.numeric     ? numberClass
                        : headings.empty() ? QStringLiteral("variant")
                                           : QStringLiteral("t")});
  openTable(page, headings);
  const Measurement* before = nullptr;
  for (const Measurement* m : rows) {
    if (!before || before->candidate.stage != m->candidate.stage) {
      page.open("tr", {{"class", QStringLiteral("stage")}});
      page.element("td", qtext(name(m->candidate.stage)), {{"colspan", QString::number(columns.size())}});
      page.close();
    }
    page.open("tr", {{"class", m->rank == 1 ? QStringLiteral("best") : QStringLiteral("row")}});
    for (const Column& column : columns) {
      const QString text = column.cell(*m);
      page.element("td", text, {{"class", cellClass(column, text, *m)}});
    }
    page.close();
    before = m;
  }
  closeTable(page);
  writeList(page, ReportStrings::tr("Of single rows"), remarksOf(race));
}

void writeComparison(Markup& page, const ReportComparison& comparison) {
  page.element("h2", ReportStrings::tr("Against %1").arg(comparison.before));
  page.element("p", comparison.verdict(),
               {{"class", comparison.worse() > 0 ? QStringLiteral("warning") : QStringLiteral("winners")}});
  writeList(page, ReportStrings::tr("What else differs"), comparison.differences);
  if (!comparison.rows.empty()) {
    const QString textColumn = QStringLiteral("t");
    std::vector<TableHeading> headings{
        {ReportStrings::tr("stage"), ReportStrings::tr("What the time is spent on"), textColumn},
        {ReportStrings::tr("variant"), ReportStrings::tr("The variant and its tuning parameters"),
         textColumn},
        {ReportStrings::tr("verdict"),
         ReportStrings::tr("Faster or slower only where the whole interval of the sign test over places of "
                           "memory lies beyond what two runs differ by anyway"),
         textColumn},
        {ReportStrings::tr("before µs"),
         ReportStrings::tr("The older report's median; microseconds a launch"), numberClass},
        {ReportStrings::tr("now µs"), ReportStrings::tr("This report's median; microseconds a launch"),
         numberClass},
        {ReportStrings::tr("difference µs"), ReportStrings::tr("Now less before; microseconds"), numberClass},
        {ReportStrings::tr("difference %"), ReportStrings::tr("The same in per cent of before"),
         numberClass}};
    // Where there is but one problem, its column would say the same in every row.
    const bool withSource = comparison.sourcesTellApart();
    const bool several = std::ranges::any_of(comparison.rows, [&](const ComparedRow& row) {
      return row.problem != comparison.rows.front().problem;
    });
    if (several)
      headings.push_back({ReportStrings::tr("problem"),
                          ReportStrings::tr("Points, dimensions and clusters; counts"), textColumn});
    if (withSource)
      headings.push_back({ReportStrings::tr("data"),
                          ReportStrings::tr("The file or the generator that the points came from"),
                          textColumn});
    openTable(page, headings);
    for (const ComparedRow& row : comparison.rows) {
      const bool better = row.delta && row.verdict() == Verdict::faster;
      page.open("tr");
      page.element("td", qtext(name(row.candidate.stage)));
      page.element("td", candidateText(row.candidate, shownParameters(row.candidate)));
      page.element("td", comparisonText(row),
                   {{"class", row.worse() ? QStringLiteral("worse")
                              : better    ? QStringLiteral("better")
                                          : QStringLiteral("t")}});
      for (const QString& number :
           {microsecondsText(row.beforeUs), microsecondsText(row.us),
            row.delta ? row.delta->absolute : unknownText(), row.delta ? row.delta->relative : unknownText()})
        page.element("td", number, {{"class", numberClass}});
      if (several) page.element("td", problemText(row.problem));
      if (withSource) page.element("td", qtext(row.source));
      page.close();
    }
    closeTable(page);
  }
  writeList(page, ReportStrings::tr("Only in this report"), comparison.onlyNow);
  writeList(page, ReportStrings::tr("Only in the older report"), comparison.onlyBefore);
  writeList(page, ReportStrings::tr("Variants of the older report that this program does not have"),
            comparison.unknown);
}

QByteArray benchHtml(const BenchReport& report) {
  Markup page;
  const QString title = ReportStrings::tr("K-means variants on %1").arg(qtext(report.device.name));
  openPage(page, title);
  writeBody(page, report, title);
  closePage(page);
  return page.toString().toUtf8();
}

std::optional<QByteArray> reportAs(const QString& fileName, const BenchReport& report) {
  const auto named = [&](const char* ending) {
    return fileName.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
  };
  if (named(".html") || named(".htm")) return benchHtml(report);
  if (named(".json")) return benchJson(report);
  if (named(".csv")) return benchCsv(report);
  if (named(".md")) return benchMarkdown(report);
  return std::nullopt;
}

} // namespace lloyd
