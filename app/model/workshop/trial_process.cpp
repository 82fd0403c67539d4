// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/trial_process.hpp"

#include "app/model/workshop/trial_problem.hpp"
#include "app/text/strings.hpp"

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>

#include <algorithm>
#include <csignal>
#include <thread>
#include <utility>

namespace lloyd {

bool TrialReport::right() const {
  return errors.empty() && failure.isEmpty() && !trials.empty() &&
         std::ranges::all_of(trials, [](const KernelTrial& trial) { return trial.right; });
}

QString TrialReport::text() const {
  QString text;
  for (const CompilerError& error : errors) {
    if (error.line > 0) text += QStringLiteral("%1:%2:%3: ").arg(file).arg(error.line).arg(error.column);
    text += error.text + QLatin1Char('\n');
  }
  for (const KernelTrial& trial : trials)
    text += trial.text();
  if (!failure.isEmpty()) text += failure + QLatin1Char('\n');
  return text;
}

namespace {

QByteArray textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// Of a file that the program carries.
QByteArray carriedSource(const QString& path) {
  initTexts();
  return textOf(QStringLiteral(":/") + path.mid(QStringLiteral("gpu/").size()));
}

int processors() { return static_cast<int>(std::thread::hardware_concurrency()); }

/// Without the program's name, which stands before every error for those who read several programs'.
QString saidError(const QByteArray& printed) {
  QString said = QString::fromUtf8(printed).trimmed();
  if (const QString mark = QStringLiteral("lloydscope: "); said.startsWith(mark)) said.remove(0, mark.size());
  return said;
}

/// where: what it was doing. printed: by the process, of which the C++ library says why it ends it, and by
/// what exception: a fault of a kernel is one, and a launch function may not let it out.
QString downText(const QByteArray& printed, const QString& where, int signal) {
  if (signal == SIGFPE)
    return TrialProcess::tr("It brought its process down%1: it divides an integer by zero").arg(where);
  if (!printed.contains("terminate called"))
    return TrialProcess::tr("It brought its process down%1: does it use memory that is not its own?")
        .arg(where);
  const QString what = QString::fromUtf8(printed).section(QStringLiteral("what():"), 1).trimmed();
  return TrialProcess::tr("It ended its process%1 by an exception that nothing catches").arg(where) +
         (what.isEmpty() ? QString() : QStringLiteral(": ") + what);
}

} // namespace

TrialProcess::TrialProcess(QString program, QObject* parent) : QObject(parent), program_(std::move(program)) {
  limit_.setSingleShot(true);
  connect(&compiler_, &KernelCompiler::ended, this, &TrialProcess::compiled);
  connect(&alike_, &KernelCompiler::ended, this, &TrialProcess::takeOriginal);
  connect(&limit_, &QTimer::timeout, this, [this] {
    late_ = true;
    process_->kill();
  });
}

/// What was stopped and has not ended yet is a child. A QProcess that is destroyed before its process ends
/// warns, and waits all the same.
TrialProcess::~TrialProcess() {
  stop();
  for (QProcess* leaving : findChildren<QProcess*>(Qt::FindDirectChildrenOnly)) {
    leaving->disconnect();
    leaving->waitForFinished();
  }
}

void TrialProcess::startProcess() {
  process_ = new QProcess(this);
  connect(process_, &QProcess::readyReadStandardOutput, this, &TrialProcess::read);
  connect(process_, &QProcess::finished, this, &TrialProcess::finish);
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    report_.failure = tr("%1 did not start: %2").arg(program_, process_->errorString());
    compiler_.stop();
    alike_.stop();
    end();
  });
  process_->start(program_, {QStringLiteral("try"), report_.file, QStringLiteral("--waiting")});
}

void TrialProcess::start(const QString& file, double limitSeconds) {
  stop();
  report_ = TrialReport();
  report_.file = file;
  limitSeconds_ = limitSeconds;
  late_ = false;
  ended_ = false;
  ++trial_;
  unread_.clear();
  doing_.clear();
  clock_.start();
  Q_EMIT doing(tr("compile"));
  findOriginal();
  const QString called = choicesToCompile();
  isOriginalGiven_ = false;
  if (original_ && !isUnchanged_ && !alikeModules_.contains(originalPath()))
    startOriginal(called.isEmpty() ? called : raceChoices(*original_));
  startCompiler(called);
}

/// With all kernels: what was tried, or the original in its race, called one that was not compiled.
void TrialProcess::startOver() {
  limit_.stop();
  stopTrial();
  report_.trials.clear();
  unread_.clear();
  if (std::exchange(isOriginalGiven_, false) && alikeParts_.contains(originalPath())) startOriginal({});
  startCompiler({});
}

/// Known before the first trial: a person's file begins as a copy of the original.
QString TrialProcess::choicesToCompile() const {
  const auto whole = wholeMs_.find(report_.file);
  const auto called = called_.find(report_.file);
  if (called == called_.end()) return {};
  const bool takesLong =
      whole == wholeMs_.end() ? called->second.size() >= manyChoices : whole->second > patienceMs_;
  return takesLong ? called->second.join(QStringLiteral(", ")) : QString();
}

void TrialProcess::keepCalled(const QString& called) {
  QStringList& known = called_[report_.file];
  for (QString choice : called.split(QStringLiteral(">, "), Qt::SkipEmptyParts)) {
    if (!choice.endsWith(QLatin1Char('>'))) choice += QLatin1Char('>');
    if (!known.contains(choice)) known << choice;
  }
}

void TrialProcess::startCompiler(const QString& called) {
  allSaid_ = false;
  startProcess();
  say(launched_[report_.file]);
  compiling_.start();
  compiler_.setProcessors(alike_.running() ? processors() / 2 : processors());
  compiler_.start(report_.file, called);
  partial_ = compiler_.isPartial();
}

QString TrialProcess::originalPath() const { return original_ ? qtext(original_->info.source) : QString(); }

void TrialProcess::findOriginal() {
  const QByteArray text = textOf(report_.file);
  report_.source = QString::fromUtf8(text);
  original_ = originalOf(report_.source);
  isUnchanged_ = original_ && text == carriedSource(originalPath());
  if (original_ && isCopy(report_.source) && !called_.contains(report_.file))
    keepCalled(trialChoices(*original_));
}

/// Before the file itself, for which it leaves half of the processors.
void TrialProcess::startOriginal(const QString& called) {
  alike_.setProcessors(processors() / 2);
  alike_.startCarried(originalPath(), called);
  if (called.isEmpty())
    alikeParts_.erase(originalPath());
  else
    alikeParts_.insert(originalPath());
}

void TrialProcess::takeOriginal(const QString& module) {
  alikeModules_[originalPath()] = module;
  if (std::exchange(waitsForOriginal_, false)) {
    limit_.start(leftMs_);
    giveOriginal();
  } else if (ended_ && !lacksRest_) {
    Q_EMIT complete();
  }
}

/// The trial waits for it, which is its compiler's time.
void TrialProcess::findAlike() {
  if (original_ && !alike_.running() && !alikeModules_.contains(originalPath())) {
    // A copy of a module that is loaded is another module. It is the original's if nobody has saved since.
    const QString copy = report_.module + QStringLiteral(".original");
    if (isUnchanged_ && textOf(report_.file) == carriedSource(originalPath()) &&
        QFile::copy(report_.module, copy)) {
      alikeModules_[originalPath()] = copy;
      if (partial_) alikeParts_.insert(originalPath());
    } else {
      startOriginal({});
    }
  }
  if (!alike_.running()) return giveOriginal();
  waitsForOriginal_ = true;
  leftMs_ = limit_.remainingTime();
  limit_.stop();
}

void TrialProcess::giveOriginal() {
  isOriginalGiven_ = true;
  const auto alike = alikeModules_.find(originalPath());
  say({{QStringLiteral("original"), alike == alikeModules_.end() ? QString() : alike->second}});
}

void TrialProcess::stop() {
  limit_.stop();
  compiler_.stop();
  alike_.stop();
  stopTrial();
  lacksRest_ = false;
  waitsForOriginal_ = false;
}

/// Nobody waits for its end: one that has a card takes a while to give it back.
void TrialProcess::stopTrial() {
  QProcess* const process = std::exchange(process_, nullptr);
  if (!process) return;
  process->disconnect(this);
  if (process->state() == QProcess::NotRunning) return process->deleteLater();
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  process->kill();
}

void TrialProcess::compiled(const QString& module, const std::vector<CompilerError>& errors) {
  report_.module = module;
  report_.errors = errors;
  if (!partial_ || lacksRest_) wholeMs_[report_.file] = compiling_.elapsed();
  if (std::exchange(lacksRest_, false)) {
    report_.withdrawn = !errors.empty();
    if (report_.withdrawn) report_.trials.clear(); // as if all had been compiled at once
    compiler_.precompileHeaders();
    if (!alike_.running()) Q_EMIT complete();
    return;
  }
  if (!errors.empty() || module.isEmpty()) {
    stopTrial();
    end();
    return;
  }
  tryOut();
}

void TrialProcess::tryOut() {
  limit_.start(static_cast<int>(limitSeconds_ * 1000));
  say({{QStringLiteral("module"), report_.module}});
}

void TrialProcess::say(const QJsonObject& line) {
  process_->write(QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n');
}

void TrialProcess::read() {
  unread_ += process_->readAllStandardOutput();
  for (qsizetype end = unread_.indexOf('\n'); end >= 0; end = unread_.indexOf('\n')) {
    const QJsonObject line = QJsonDocument::fromJson(unread_.first(end)).object();
    unread_.remove(0, end + 1);
    if (const auto trial = trialFrom(line)) {
      report_.trials.push_back(*trial);
    } else if (line.contains(QStringLiteral("launched"))) {
      allSaid_ = true;
      launched_[report_.file] = line[u"launched"].toObject();
      keepCalled(line[u"called"].toString());
      if (isPartly() && line[u"called_other"].toBool()) return startOver();
      // All is said, and a process that has a card takes a while to give it back.
      QMetaObject::invokeMethod(
          this,
          [this, trial = trial_] {
            if (trial == trial_) this->end();
          },
          Qt::QueuedConnection);
    } else if (line.contains(QStringLiteral("needs"))) {
      findAlike();
    } else if (line.contains(QStringLiteral("doing"))) {
      doing_ = line[u"doing"].toString();
      Q_EMIT doing(doing_);
    }
  }
}

void TrialProcess::finish(int status, QProcess::ExitStatus how) {
  if (ended_) return;
  compiler_.stop();
  waitsForOriginal_ = false;
  const QProcess* const gone = process_;
  read();
  if (process_ != gone) return; // started over
  // It may have called what was not compiled, and not have borne the refusal.
  if (isPartly() && !allSaid_ && !late_) return startOver();
  const QString where = doing_.isEmpty() ? QString() : tr(" (%1)").arg(doing_);
  if (late_)
    report_.failure = tr("It did not end within %1 s%2 and was stopped: is there a loop that never ends?")
                          .arg(limitSeconds_)
                          .arg(where);
  else if (how == QProcess::CrashExit)
    report_.failure = downText(process_->readAllStandardError(), where, status);
  else if (report_.trials.empty()) {
    const QString said = saidError(process_->readAllStandardError());
    report_.failure = status == 0 || said.isEmpty()
                          ? tr("It ended its process itself%1, with exit status %2: does it call exit()?")
                                .arg(where)
                                .arg(status)
                          : said;
  }
  end();
}

void TrialProcess::end() {
  if (std::exchange(ended_, true)) return;
  limit_.stop();
  report_.seconds = static_cast<double>(clock_.elapsed()) / 1000;
  lacksRest_ = partial_ && report_.errors.empty() && report_.failure.isEmpty();
  if (lacksRest_) {
    compiling_.start();
    compiler_.start(report_.file);
  } else {
    compiler_.precompileHeaders();
  }
  const int trial = trial_;
  Q_EMIT ended();
  if (trial == trial_ && !completing()) Q_EMIT complete();
}

} // namespace lloyd
