// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/own_kernels.hpp"

#include "app/model/measure/measurement.hpp"
#include "app/model/measure/own_race.hpp"
#include "app/model/workshop/kernel_compiler.hpp"
#include "app/text/compiled_sources.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lloyd {
namespace {

std::optional<Stage> stageOf(const KernelTrial& trial) {
  for (const Stage stage : measuredStages)
    if (trial.stage == qtext(name(stage))) return stage;
  return std::nullopt; // a schedule, which is the host's code
}

/// Null where there is none that this process could run.
const KernelTrial* wrongTrial(const TrialReport* report) {
  if (!report || !report->errors.empty() || !report->failure.isEmpty()) return nullptr;
  const auto wrong = std::ranges::find_if(
      report->trials, [](const KernelTrial& trial) { return !trial.right && stageOf(trial); });
  return wrong == report->trials.end() ? nullptr : &*wrong;
}

/// What the program shows of a version whose trial found it right.
void keep(const Variant& variant, const TrialReport& report) {
  keepCompiledSource(variant, report.source);
  for (const KernelTrial& trial : report.trials)
    for (const Stage stage : listedStages)
      if (trial.variant == qtext(variant.id()) && trial.stage == qtext(name(stage)))
        keepOwnRace(variant, stage, trial.race);
}

QDateTime writtenLast(const QStringList& files) {
  QDateTime last;
  for (const QString& one : files)
    last = std::max(last, QFileInfo(one).lastModified());
  return last;
}

} // namespace

using namespace std::chrono_literals;

OwnKernels::OwnKernels(QString program, QObject* parent) : QObject(parent), trial_(std::move(program)) {
  settle_.setSingleShot(true);
  settle_.setInterval(60ms);
  connect(&settle_, &QTimer::timeout, this, &OwnKernels::look);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&trial_, &TrialProcess::doing, this, [this](const QString& what) { Q_EMIT doing(present_, what); });
  connect(&trial_, &TrialProcess::ended, this, &OwnKernels::keepReport);
  connect(&trial_, &TrialProcess::complete, this, &OwnKernels::take);
}

const TrialReport* OwnKernels::reportOf(const QString& file) const {
  const auto found = reports_.find(QFileInfo(file).absoluteFilePath());
  return found == reports_.end() ? nullptr : &found->second;
}

std::vector<OwnVariant> OwnKernels::variantsOf(const QString& file) const {
  const auto found = variants_.find(QFileInfo(file).absoluteFilePath());
  return found == variants_.end() ? std::vector<OwnVariant>() : found->second;
}

bool OwnKernels::hasWrong(const QString& file) const {
  return wrongTrial(reportOf(file)) && !isBeingTried(QFileInfo(file).absoluteFilePath());
}

QString OwnKernels::whyNoWrong(const QString& file) const {
  const TrialReport* report = reportOf(file);
  if (!report || isBeingTried(QFileInfo(file).absoluteFilePath()))
    return tr("Nothing to show yet: the trial has not come to its end");
  if (!report->errors.empty()) return tr("Nothing to show: the file does not compile");
  if (!report->failure.isEmpty())
    return tr("Nothing to show: what did not come to the end of its trial is not run in the window");
  if (report->right()) return tr("Nothing to show: Block is for what is wrong, and this is right");
  return wrongTrial(report) ? QString()
                            : tr("Nothing to show: Block goes through kernels, and a schedule is host code");
}

bool OwnKernels::isBeingCompleted(const QString& file) const {
  return present_ == QFileInfo(file).absoluteFilePath() && trial_.completing() && trial_.report().right();
}

bool OwnKernels::isBeingTried(const QString& file) const {
  return (present_ == file && trial_.running()) || std::ranges::find(waiting_, file) != waiting_.end();
}

std::optional<WrongKernel> OwnKernels::wrongOf(const QString& file) const {
  const TrialReport* report = reportOf(file);
  const KernelTrial* wrong = wrongTrial(report);
  if (!wrong) return std::nullopt;
  const Variant* variant = loadWrong(report->module, report->file, wrong->variant);
  if (!variant) return std::nullopt;
  return WrongKernel{*stageOf(*wrong), variant};
}

void OwnKernels::watch(const QString& file) {
  const QFileInfo info(file);
  asked_ = info.absoluteFilePath();
  if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
  folder_ = info.absolutePath();
  watcher_.addPath(folder_);
  seen_.erase(info.absoluteFilePath());
  waiting_.clear();
  // The file that was asked for comes before its neighbours.
  waiting_.push_back(info.absoluteFilePath());
  seen_[info.absoluteFilePath()] = writtenLast(ownSources(file));
  look();
}

void OwnKernels::lookForGone() {
  QStringList gone;
  for (const auto& [file, written] : seen_)
    if (!QFileInfo::exists(file)) gone << file;
  for (const QString& file : gone) {
    seen_.erase(file); // one of that name is a new file
    std::erase(waiting_, file);
    Q_EMIT this->gone(file);
  }
}

void OwnKernels::look() {
  lookForGone();
  for (const QFileInfo& info : QDir(folder_).entryInfoList(QDir::Files)) {
    // A schedule that was opened may be called *.cpp.
    if (info.suffix() != QLatin1String("cu") && !seen_.contains(info.absoluteFilePath())) continue;
    const QString path = info.absoluteFilePath();
    // An editor that writes another file in this one's place ends the watch of it.
    const QStringList sources = ownSources(path);
    for (const QString& one : sources)
      if (!watcher_.files().contains(one)) watcher_.addPath(one);
    const QDateTime written = writtenLast(sources);
    if (const auto seen = seen_.find(path); seen != seen_.end() && seen->second == written) continue;
    seen_[path] = written;
    if (std::ranges::find(waiting_, path) == waiting_.end())
      path == asked_ ? waiting_.push_front(path) : waiting_.push_back(path);
    if (path == present_ && trial_.running()) trial_.stop(); // what it tries is out of date
  }
  // Somebody waits for the file that is open, and nobody for its neighbours.
  if (trial_.running() && present_ != asked_ && !waiting_.empty() && waiting_.front() == asked_) {
    if (std::ranges::find(waiting_, present_) == waiting_.end()) waiting_.push_back(present_);
    trial_.stop();
  }
  next();
}

void OwnKernels::next() {
  if (trial_.running() || waiting_.empty()) return;
  present_ = waiting_.front();
  waiting_.pop_front();
  isSaid_ = false;
  trial_.start(present_);
}

void OwnKernels::keepReport() {
  if (!trial_.completing()) return; // take() follows at once
  reports_[present_] = trial_.report();
  isSaid_ = true;
  Q_EMIT tried(present_);
}

void OwnKernels::take() {
  TrialReport report = trial_.report();
  bool taken = false;
  if (report.right()) {
    try {
      variants_[present_] = loadKernelModule(report.module, present_);
      for (const OwnVariant& own : variants_[present_])
        keep(*own.variant, report);
      taken = true;
    } catch (const RequestError& error) {
      report.failure = QString::fromUtf8(error.what());
      report.withdrawn = isSaid_;
      report.trials.clear();
    }
  }
  const QString file = present_;
  const bool isOther = !report.errors.empty() || !report.failure.isEmpty();
  reports_[file] = std::move(report);
  if (!isSaid_ || isOther) Q_EMIT tried(file);
  if (taken) Q_EMIT adopted(file);
  Q_EMIT settled(file);
  next();
}

} // namespace lloyd
