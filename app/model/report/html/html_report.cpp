// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/html_report.hpp"

#include "app/model/measure/report_strings.hpp"
#include "app/model/report/html/html_parts.hpp"
#include "app/model/report/html/html_plots.hpp"
#include "app/model/report/html/html_sweep.hpp"
#include "app/model/report/html/html_table.hpp"
#include "app/model/report/report_head.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/embedded_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <QFile>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

QString styleSheet() {
  initTexts();
  QFile file(QStringLiteral(":/report/report.css"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

void writeFacts(Markup& page, const BenchReport& report) {
  page.open("dl", {{"class", QStringLiteral("facts")}});
  for (const auto& [fact, value, command] : factsOf(report)) {
    page.element("dt", fact);
    page.open("dd");
    // A file's name may hold marks that turn the direction of writing; they end here.
    page.element(command ? "code" : "bdi", value);
    page.close();
  }
  page.close();
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
           "A verdict is about the ratio of two variants' samples of the same rounds: faster or slower "
           "when the whole interval of the sign test lies on one side of 1, the same when it "
           "lies within %1 %, and otherwise undecided, with a chance of at most %2 that any verdict of a "
           "race is wrong; only variants that agree with double precision are ranked, and those that "
           "cannot be told apart share a rank.")
           .arg(plain(rules.sameWithin * 100), plain(rules.error))},
      {ReportStrings::tr("Limit"),
       ReportStrings::tr(
           "The limit is the time that a copy of as many bytes as the stage must move takes on this "
           "device, measured at that footprint, or that of its arithmetic at the device's peak where "
           "that is longer.")}};
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
    stages << ReportStrings::tr("%1: %2, %3 µs")
                  .arg(qtext(name(stage)), who, microsecondsText(first.front()->times.median));
  }
  return stages.isEmpty() ? QString()
                          : ReportStrings::tr("Fastest. ") + stages.join(QStringLiteral("; ")) + u'.';
}

QString anchorOf(std::size_t index) { return QStringLiteral("problem-%1").arg(index + 1); }

void writeContents(Markup& page, const BenchReport& report) {
  if (report.races.size() < 2) return;
  page.open("nav", {{"aria-label", ReportStrings::tr("Problems")}});
  page.open("ul", {{"class", QStringLiteral("columns")}});
  for (std::size_t i = 0; i < report.races.size(); ++i) {
    if (report.races[i]->rows.empty()) continue;
    page.open("li");
    page.element("a", problemText(report.races[i]->rows.front().problem), {{"href", u'#' + anchorOf(i)}});
    page.close();
  }
  page.close();
  page.close();
}

void writeRace(Markup& page, const RaceResult& race, std::size_t index) {
  if (race.rows.empty()) return;
  page.open("section", {{"id", anchorOf(index)}});
  page.element("h2", problemText(race.rows.front().problem));
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
    writeRaceTable(page, race);
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
  writeFacts(page, report);
  writeContents(page, report);
  page.close();
  writeMethod(page, report);
  if (report.comparison) writeComparison(page, *report.comparison);
  writeProblemSweeps(page, report.races);
  for (std::size_t i = 0; i < report.races.size(); ++i)
    writeRace(page, *report.races[i], i);
  writeList(page, ReportStrings::tr("Not run"), reasonsNotRun(report.races));
  page.element("footer", ReportStrings::tr(
                             "Written by lloydscope %1. Times are microseconds; an en dash stands for what "
                             "is not known. Headers and marks say more under the pointer.")
                             .arg(QStringLiteral(LLOYD_VERSION)));
  page.close();
}

} // namespace

QByteArray benchHtml(const BenchReport& report) {
  Markup page;
  const QString title = ReportStrings::tr("K-means variants on %1").arg(qtext(report.device.name));
  page.raw(QStringLiteral("<!DOCTYPE html>\n"));
  page.open("html", {{"lang", QStringLiteral("en")}});
  page.open("head");
  page.empty("meta", {{"charset", QStringLiteral("utf-8")}});
  // The page forbids itself every request, whatever a name in it might try.
  page.empty("meta",
             {{"http-equiv", QStringLiteral("Content-Security-Policy")},
              {"content", QStringLiteral("default-src 'none'; style-src 'unsafe-inline'; img-src data:")}});
  page.empty("meta", {{"name", QStringLiteral("viewport")},
                      {"content", QStringLiteral("width=device-width, initial-scale=1")}});
  page.empty("meta", {{"name", QStringLiteral("color-scheme")}, {"content", QStringLiteral("light dark")}});
  page.empty("meta", {{"name", QStringLiteral("generator")},
                      {"content", QStringLiteral("lloydscope " LLOYD_VERSION)}});
  // Without an icon of its own a browser would ask the server for one.
  page.empty("link", {{"rel", QStringLiteral("icon")}, {"href", QStringLiteral("data:,")}});
  page.element("title", title);
  page.open("style");
  page.raw(styleSheet());
  page.close();
  page.close();
  page.open("body");
  writeBody(page, report, title);
  page.close();
  page.close();
  return page.toString().toUtf8();
}

} // namespace lloyd
