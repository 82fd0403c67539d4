// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/second_measurement.hpp"

#include "app/cli/bench_plan.hpp"
#include "app/cli/interrupt.hpp"
#include "gpu/core/contract/error.hpp"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>

namespace lloyd {
namespace {

/// Runs this program as "bench" for those candidates alone; its report.
tl::expected<SavedReport, std::string> benchInAnotherProcess(const std::vector<Candidate>& candidates,
                                                             const Arguments& arguments) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("again.json"));
  QStringList words{QStringLiteral("bench"), QStringLiteral("--quiet"), QStringLiteral("--json"), path};
  const std::vector<std::string> same = benchWords(narrowedTo(candidates, arguments));
  for (auto word = same.begin() + 1; word != same.end(); ++word)
    words << QString::fromStdString(*word);
  QProcess process;
  process.setStandardOutputFile(QProcess::nullDevice());
  process.start(QCoreApplication::applicationFilePath(), words);
  while (process.state() != QProcess::NotRunning) {
    process.waitForFinished(50);
    if (!interrupted()) continue;
    process.terminate();
    process.waitForFinished();
    throw Cancelled();
  }
  throwIfInterrupted(); // whoever types Ctrl+C means both
  if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
    return tl::unexpected(process.error() == QProcess::UnknownError
                              ? process.readAllStandardError().trimmed().toStdString()
                              : process.errorString().toStdString());
  return readBenchReport(path.toStdString());
}

} // namespace

void measureAgain(ReportComparison& comparison, std::span<const RaceResultPtr> races,
                  const SavedReport& before, const Arguments& arguments, const Messages& messages) {
  std::vector<Candidate> suspects;
  for (const ComparedRow& row : comparison.rows)
    if (row.seemsDifferent()) suspects.push_back(row.candidate);
  if (suspects.empty()) return;
  messages.info(QStringLiteral("what seems different from before is measured again"));
  const auto again = benchInAnotherProcess(suspects, arguments);
  if (!again) {
    messages.warning(
        QStringLiteral("it could not be measured again: %1").arg(QString::fromStdString(again.error())));
    return;
  }
  for (const RaceResultPtr& race : again->races)
    addSecondMeasurement(comparison, *race, before, races.front()->conditions.rules);
}

} // namespace lloyd
