// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of the HTML report.
#include "app/model/report/html/html_table.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/race/race_columns.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace lloyd {
namespace {

const QString numberClass = QStringLiteral("n");

struct Column {
  QString heading;
  QString definition;
  bool numeric = true;
  std::function<QString(const Measurement&)> cell;
};

QString resourceCell(const Measurement& m, const std::function<QString(const KernelResources&)>& text) {
  return m.resources ? text(*m.resources) : unknownText();
}

std::vector<Column> parameterColumns(const std::vector<const Measurement*>& rows) {
  static const std::pair<std::string_view, const char*> definitions[] = {
      {"block", QT_TRANSLATE_NOOP("lloyd::ReportWords", "Threads in a block; a count")},
      {"items", QT_TRANSLATE_NOOP("lloyd::ReportWords", "Points that one thread takes; a count")},
      {"vector", QT_TRANSLATE_NOOP("lloyd::ReportWords", "Floats that one load fetches; a count")},
      {"unroll",
       QT_TRANSLATE_NOOP("lloyd::ReportWords", "Clusters that one turn of the loop takes; a count")},
      {"arithmetic", QT_TRANSLATE_NOOP("lloyd::ReportWords",
                                       "How a difference is squared: multiplied, or by the function pow")}};
  std::vector<Column> columns;
  for (const auto& [parameterName, definition] : definitions) {
    const auto has = [parameterName = parameterName](const Measurement* m) {
      return !parameterCell(m->candidate, parameterName).isEmpty();
    };
    if (std::any_of(rows.begin(), rows.end(), has))
      columns.push_back({qtext(parameterName), ReportStrings::tr(definition), parameterName != "arithmetic",
                         [parameterName = parameterName](const Measurement& m) {
                           return parameterCell(m.candidate, parameterName);
                         }});
  }
  return columns;
}

std::vector<Column> columnsOf(const RaceResult& race, const std::vector<const Measurement*>& rows) {
  const double within = race.conditions.rules.sameWithin;
  const auto us = [](double value) { return microsecondsText(value); };
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
       [us](const Measurement& m) { return us(m.times.median); }},
      {ReportStrings::tr("95 % interval µs"),
       ReportStrings::tr("Holds the median in 19 of 20 cases, by the sign test over places of memory; "
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
         return factorText(m.againstFirst ? 1 / m.againstFirst->ratio : 1);
       }},
      {ReportStrings::tr("p95 µs"), raceDefinition(RaceColumn::p95), true,
       [us](const Measurement& m) { return us(m.times.p95); }},
      {ReportStrings::tr("min µs"), raceDefinition(RaceColumn::min), true,
       [us](const Measurement& m) { return us(m.times.min); }},
      {ReportStrings::tr("noise %"), raceDefinition(RaceColumn::noise), true,
       [](const Measurement& m) { return noiseText(m); }}};
  for (Column& column : parameterColumns(rows))
    columns.push_back(std::move(column));
  const std::vector<Column> rest{
      {ReportStrings::tr("of limit %"), raceDefinition(RaceColumn::ofLimit), true,
       [](const Measurement& m) { return m.limitUs > 0 ? percentText(m.ofLimit()) : unknownText(); }},
      {ReportStrings::tr("limit µs"),
       ReportStrings::tr(
           "No faster than this: a copy of as many bytes as the stage must move, measured at that "
           "footprint, or its arithmetic at the device's peak; microseconds"),
       true, [us](const Measurement& m) { return m.limitUs > 0 ? us(m.limitUs) : unknownText(); }},
      {ReportStrings::tr("GB/s"), raceDefinition(RaceColumn::bandwidth), true,
       [](const Measurement& m) { return significantText(m.gigabytesPerSecond()); }},
      {ReportStrings::tr("registers"), raceDefinition(RaceColumn::registers), true,
       [](const Measurement& m) {
         return resourceCell(
             m, [](const auto& r) { return countText(static_cast<std::uint64_t>(r.registers)); });
       }},
      {ReportStrings::tr("shared B"), raceDefinition(RaceColumn::shared), true,
       [](const Measurement& m) {
         return resourceCell(m, [](const auto& r) { return countText(r.sharedBytes); });
       }},
      {ReportStrings::tr("local B"), raceDefinition(RaceColumn::local), true,
       [](const Measurement& m) {
         return resourceCell(m, [](const auto& r) { return countText(r.localBytes); });
       }},
      {ReportStrings::tr("occupancy %"), raceDefinition(RaceColumn::occupancy), true,
       [](const Measurement& m) {
         return resourceCell(m, [](const auto& r) { return percentText(r.occupancy); });
       }},
      {ReportStrings::tr("samples"), raceDefinition(RaceColumn::samples), true,
       [](const Measurement& m) { return countText(m.times.samples); }},
      {ReportStrings::tr("launches"),
       ReportStrings::tr("How often a sample launches the kernel between its two events; a count"), true,
       [](const Measurement& m) { return countText(m.launches); }},
      {ReportStrings::tr("paper µs"),
       ReportStrings::tr(
           "The figure of the text that the variant is from, on that text's own card; microseconds"),
       true,
       [us](const Measurement& m) {
         const std::optional<double>& published = m.candidate.variant->info.publishedUs;
         return published ? us(*published) : unknownText();
       }},
      {ReportStrings::tr("in its name"),
       ReportStrings::tr("What the variant does that the one before does not"), false,
       [](const Measurement& m) { return qtext(m.candidate.variant->info.name); }}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  // A column that no row knows anything for only pushes others out of sight.
  std::erase_if(columns, [&](const Column& column) {
    return std::all_of(rows.begin(), rows.end(),
                       [&](const Measurement* m) { return column.cell(*m) == unknownText(); });
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

void writeHeader(Markup& page, const std::vector<Column>& columns) {
  page.open("thead");
  page.open("tr");
  for (const Column& column : columns)
    page.element("th", column.heading,
                 {{"scope", QStringLiteral("col")},
                  {"title", column.definition},
                  {"class", column.numeric           ? numberClass
                            : &column == &columns[0] ? QStringLiteral("variant")
                                                     : QStringLiteral("t")}});
  page.close();
  page.close();
}

} // namespace

void writeRaceTable(Markup& page, const RaceResult& race) {
  const std::vector<const Measurement*> rows = rankedRows(race);
  const std::vector<Column> columns = columnsOf(race, rows);
  page.open("div", {{"class", QStringLiteral("table")}, {"tabindex", QStringLiteral("0")}});
  page.open("table");
  writeHeader(page, columns);
  page.open("tbody");
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
  page.close();
  page.close();
  page.close();
  writeList(page, ReportStrings::tr("Of single rows"), remarksOf(race));
}

void writeComparison(Markup& page, const ReportComparison& comparison) {
  page.element("h2", ReportStrings::tr("Against %1").arg(comparison.before));
  page.element("p", comparison.verdict(),
               {{"class", comparison.worse() > 0 ? QStringLiteral("warning") : QStringLiteral("winners")}});
  writeList(page, ReportStrings::tr("What else differs"), comparison.differences);
  if (!comparison.rows.empty()) {
    const std::pair<QString, QString> headings[] = {
        {ReportStrings::tr("stage"), ReportStrings::tr("What the time is spent on")},
        {ReportStrings::tr("variant"), ReportStrings::tr("The variant and its tuning parameters")},
        {ReportStrings::tr("verdict"),
         ReportStrings::tr("Faster or slower only where the whole interval of the sign test over places of "
                           "memory lies beyond what two runs differ by anyway")},
        {ReportStrings::tr("before µs"),
         ReportStrings::tr("The older report's median; microseconds a launch")},
        {ReportStrings::tr("now µs"), ReportStrings::tr("This report's median; microseconds a launch")},
        {ReportStrings::tr("difference µs"), ReportStrings::tr("Now less before; microseconds")},
        {ReportStrings::tr("difference %"), ReportStrings::tr("The same in per cent of before")},
        {ReportStrings::tr("problem"), ReportStrings::tr("Points, dimensions and clusters; counts")}};
    // Where there is but one problem, its column would say the same in every row.
    const bool several =
        std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const ComparedRow& row) {
          return !(row.problem == comparison.rows.front().problem);
        });
    page.open("div", {{"class", QStringLiteral("table")}, {"tabindex", QStringLiteral("0")}});
    page.open("table");
    page.open("thead");
    page.open("tr");
    for (std::size_t i = 0; i < std::size(headings) - (several ? 0 : 1); ++i)
      page.element("th", headings[i].first,
                   {{"scope", QStringLiteral("col")},
                    {"title", headings[i].second},
                    {"class", i >= 3 && i <= 6 ? numberClass : QStringLiteral("t")}});
    page.close();
    page.close();
    page.open("tbody");
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
      page.close();
    }
    page.close();
    page.close();
    page.close();
  }
  writeList(page, ReportStrings::tr("Only in this report"), comparison.onlyNow);
  writeList(page, ReportStrings::tr("Only in the older report"), comparison.onlyBefore);
  writeList(page, ReportStrings::tr("Variants of the older report that this program does not have"),
            comparison.unknown);
}

} // namespace lloyd
