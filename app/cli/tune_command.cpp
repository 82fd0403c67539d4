// SPDX-License-Identifier: GPL-3.0-or-later
// bench --tune: the table of defaults, measured on this device.
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/requests.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/model/report/text_table.hpp"
#include "app/model/tuning/tuner.hpp"
#include "app/model/tuning/user_tuning_table.hpp"
#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"
#include "gpu/engine/device_choice.hpp"
#include "gpu/reference/verify.hpp"

#include <QDate>
#include <QDir>
#include <QFileInfo>

#include <exception>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace lloyd {
namespace {

/// What says nothing to a table that is made for all data and kept in a form of its own.
constexpr std::string_view meaningless[] = {
    "FILE",    "--points",   "--columns", "--scale",      "--k",     "--init",   "--block",
    "--items", "--vector",   "--unroll",  "--arithmetic", "--cache", "--json",   "--csv",
    "--html",  "--markdown", "--compare", "--timeline",   "--order", "--spread", "--skew"};

std::vector<int> smallCounts(const Arguments& arguments, const char* option, const std::vector<int>& fallback,
                             std::uint64_t most) {
  if (!arguments.given(option)) return fallback;
  const auto counts = parseCounts(option, arguments.text(option), 1, most);
  return {counts.begin(), counts.end()};
}

TuneOptions tuneOptions(const Arguments& arguments, const DeviceInfo& device) {
  TuneOptions options;
  if (arguments.given("--n"))
    options.n = parseCounts("--n", arguments.text("--n"), 1, std::numeric_limits<std::uint32_t>::max());
  options.d = smallCounts(arguments, "--d", options.d, 1U << 16);
  options.k = smallCounts(arguments, "--ks", options.k, 1U << 24);
  options.budgetSeconds = arguments.number("--budget", options.budgetSeconds);
  options.seed = arguments.seed(options.seed);
  options.date = QDate::currentDate().toString(Qt::ISODate).toStdString();
  options.wanted = [patterns = variantPatterns(arguments, device)](const Variant& variant) {
    return matchesPattern(patterns, variant.id());
  };
  return options;
}

QString entriesTable(const std::vector<TuningEntry>& entries) {
  TextTable table({">points", ">d", ">k", "iteration", "fused", ".us", "tiled", ".us", "classify", ".us",
                   "reduce", ".us", "update", ".us"});
  for (const TuningEntry& entry : entries) {
    QStringList cells{countText(entry.problem.n), QString::number(entry.problem.d),
                      QString::number(entry.problem.k),
                      entry.fuses ? QStringLiteral("fused") : QStringLiteral("apart")};
    for (const MeasuredVariant* one :
         {&entry.fused, &entry.tiled, &entry.classify, &entry.reduce, &entry.update})
      cells << qtext(describe(*one)) << (one->id.empty() ? QString() : microsecondsText(one->us));
    table.addRow(cells);
  }
  return table.text();
}

void sayRemarks(const TuneResult& result, Messages& messages) {
  for (const TuneResult::Remark& remark : result.wrong)
    messages.warning(ReportStrings::tr("%1: not chosen, because it is wrong: %2")
                         .arg(problemText(remark.problem), qtext(remark.text)));
  std::map<std::string, std::vector<const Problem*>> leftOut; // each reason once
  for (const TuneResult::Remark& remark : result.leftOut)
    leftOut[remark.text].push_back(&remark.problem);
  for (const auto& [text, problems] : leftOut)
    messages.info(
        problems.size() == 1
            ? ReportStrings::tr("left out, because %1: %2").arg(qtext(text), problemText(*problems[0]))
            : ReportStrings::tr("left out, because %1: %2 problems, the first of them %3")
                  .arg(qtext(text), countText(problems.size()), problemText(*problems[0])));
}

} // namespace

int tuneCommand(const Arguments& arguments) {
  Messages messages(arguments);
  for (const std::string_view option : meaningless)
    if (arguments.given(option))
      throw RequestError("--tune measures points, sizes and tuning parameters of its own and writes a table "
                         "of its own: leave " +
                         std::string(option) + " out");
  const bool elsewhere = arguments.given("--tune-out");
  const QString path = elsewhere ? qtext(arguments.text("--tune-out")) : userTuningPath();
  Outputs outputs(arguments); // only to hear at once that a file cannot be written
  if (!elsewhere) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    outputs.promise(path.toStdString());
  }

  const ChosenDevice chosen = chooseDevice(backendFrom(arguments));
  chosen.device->setCancel(&cancelOnInterrupt());
  if (!chosen.why.empty()) messages.info(qtext(chosen.why));
  const TuneOptions options = tuneOptions(arguments, chosen.device->info());
  TuneResult result;
  std::exception_ptr failure;
  bool cancelled = false;
  try {
    tune(*chosen.device, options, &cancelOnInterrupt(), result, [&](const TuneProgress& progress) {
      messages.progress(ReportStrings::tr("problem %1 of %2: %3; about %4 left")
                            .arg(countText(progress.done + 1), countText(progress.problems),
                                 problemText(progress.problem), roughDuration(progress.secondsLeft)));
    });
  } catch (const Cancelled&) {
    cancelled = true;
  } catch (...) {
    failure = std::current_exception();
  }
  if (result.entries.empty()) {
    if (failure) std::rethrow_exception(failure);
    if (cancelled) throw Cancelled();
  }
  sayRemarks(result, messages);
  if (result.entries.empty()) throw RequestError("nothing was measured, and no table was written");
  const auto saved = saveTuning(path, result.entries);
  if (!saved) throw RequestError(saved.error());
  if (!saved->isEmpty()) messages.warning(*saved);
  printOutput(
      (entriesTable(result.entries) + QStringLiteral("\n%1 of %2 problems on %3\nwritten to %4\n")
                                          .arg(countText(result.entries.size()), countText(result.problems),
                                               deviceText(chosen.device->info()), path))
          .toUtf8());
  if (failure) std::rethrow_exception(failure);
  if (cancelled) {
    printError(ReportStrings::tr("cancelled; what had been measured was written"));
    return exitCancelled;
  }
  return result.wrong.empty() ? exitDone : exitCheckFailed;
}

} // namespace lloyd
