// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/model/workshop/kernel_compiler.hpp"
#include "app/model/workshop/trial_process.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/called_choices.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/cuda/nvrtc/own_kernels.hpp"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QTimer>

#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

/// One line of JSON for the process that waits for it.
void say(const QJsonObject& line) {
  const QByteArray text = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
  std::fwrite(text.constData(), 1, static_cast<std::size_t>(text.size()), stdout);
  std::fflush(stdout);
}

QJsonObject hear() {
  std::string line;
  std::getline(std::cin, line);
  return QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
}

/// In the process that may be lost: what TrialProcess reads. A card begins before there is a module to try,
/// and what the last trial launched there, which comes in a line of JSON, is compiled for it. The module's
/// path comes in another when it was compiled, and that of the original compiled alike when it is asked for.
int tryModule(const QString& file) {
  BeginningCard card(kernelNamesFrom(hear()));
  const QJsonObject order = hear();
  if (order.isEmpty()) return exitWrong; // it did not compile
  std::optional<const Variant*> loaded;
  const AlikeOriginal alike = [&] {
    if (loaded) return *loaded;
    say({{QStringLiteral("needs"), QStringLiteral("original")}});
    const QString original = hear()[u"original"].toString();
    loaded = original.isEmpty() ? nullptr : loadAlike(original);
    return *loaded;
  };
  bool right = true;
  const CalledChoices called;
  for (const OwnVariant& own : loadKernelModule(order[u"module"].toString(), file)) {
    QString doing;
    const auto progress = [&](const QString& what) {
      doing = what;
      say({{QStringLiteral("doing"), what}});
    };
    const auto trials = [&] {
      try {
        return tryKernel(own, alike, card, &cancelOnInterrupt(), progress);
      } catch (const RequestError&) {
        throw; // a sentence
      } catch (const Cancelled&) {
        throw;
      } catch (const std::exception& error) {
        throw RequestError(own.variant->id() + " threw an exception (" + doing.toStdString() +
                           "): " + error.what());
      }
    }();
    for (const KernelTrial& trial : trials) {
      say(trialJson(trial));
      right = right && trial.right;
    }
  }
  say({{QStringLiteral("launched"), kernelNamesJson(cuda::launchedOwnKernels())},
       {QStringLiteral("called"), QString::fromStdString(called.text())},
       {QStringLiteral("called_other"), called.refused()}});
  return right ? exitDone : exitCheckFailed;
}

/// Until the loop ends, or the person does it.
void runInterruptible(QEventLoop& loop) {
  static_cast<void>(cancelOnInterrupt());
  QTimer interrupt;
  QObject::connect(&interrupt, &QTimer::timeout, &loop, [&] {
    if (interrupted()) loop.quit();
  });
  interrupt.start(50);
  loop.exec();
  throwIfInterrupted();
}

/// With the headers of the person's own behind it. Nothing while the file is not there: editors write a new
/// one and give it the name.
QByteArray textOf(const QString& path) {
  QByteArray text;
  for (const QString& one : ownSources(path)) {
    QFile file(one);
    if (file.open(QIODevice::ReadOnly)) text += file.readAll();
    if (text.isEmpty()) break;
  }
  return text;
}

/// Looks at the text and not at the time: a file may be saved twice within what a clock tells apart.
class Watch {
public:
  explicit Watch(QString file) : file_(std::move(file)), seen_(textOf(file_)) {}

  /// Ends the loop whenever the file has another text than when the watch began.
  void ends(QEventLoop& loop) {
    QObject::connect(&look_, &QTimer::timeout, &loop, [this, &loop] {
      if (isAnother()) loop.quit();
    });
    look_.start(lookMs);
  }
  [[nodiscard]] bool isAnother() const {
    const QByteArray now = textOf(file_);
    return !now.isEmpty() && now != seen_;
  }
  /// Says once that there is nothing to try. Editors take a file away for a moment while they save it.
  void missesAfter(QEventLoop& loop, Messages& messages) {
    QObject::connect(&look_, &QTimer::timeout, &loop, [this, &messages] {
      missing_ = textOf(file_).isEmpty() ? missing_ + lookMs : 0;
      if (missing_ != patienceMs) return;
      messages.info((QFileInfo::exists(file_) ? QStringLiteral("%1 is empty") : QStringLiteral("%1 is gone"))
                        .arg(file_) +
                    QStringLiteral("; its verdict is that of what was there before"));
    });
  }

private:
  static constexpr int lookMs = 50;
  static constexpr int patienceMs = 1000;
  QString file_;
  QByteArray seen_;
  QTimer look_;
  int missing_ = 0; ///< milliseconds
};

/// The exit status that its verdict means; nothing where the watch saw another text before.
std::optional<int> tryFile(TrialProcess& trial, const QString& file, double limitSeconds, Messages& messages,
                           Watch* watch) {
  QEventLoop loop;
  bool hasEnded = false;
  QObject::connect(&trial, &TrialProcess::ended, &loop, [&] {
    hasEnded = true;
    loop.quit();
  });
  QObject::connect(&trial, &TrialProcess::doing, &loop,
                   [&](const QString& what) { messages.progress(what); });
  trial.start(file, limitSeconds);
  if (watch) watch->ends(loop);
  if (!hasEnded) runInterruptible(loop);
  if (!hasEnded) return std::nullopt;
  printOutput(trial.report().text().toUtf8());
  if (!trial.report().errors.empty() || trial.report().trials.empty()) return exitWrong;
  messages.info(QStringLiteral("from file to verdict in %1 s%2")
                    .arg(trial.report().seconds, 0, 'f', 1)
                    .arg(trial.completing() && trial.report().right()
                             ? QStringLiteral("; what its trial does not call is being compiled")
                             : QString()));
  return trial.report().right() ? exitDone : exitCheckFailed;
}

/// What is wrong with a module that was compiled behind its verdict; empty where it is whole.
QString whyNotWhole(const TrialReport& report) {
  if (!report.errors.empty()) return report.text();
  try {
    static_cast<void>(loadKernelModule(report.module, report.file));
    return {};
  } catch (const RequestError& error) {
    return QString::fromUtf8(error.what()) + QLatin1Char('\n');
  }
}

} // namespace

int tryCommand(const Arguments& arguments) {
  Messages messages(arguments);
  const bool watches = arguments.given("--watch");
  const QString file = QString::fromStdString(arguments.text(watches ? "--watch" : "FILE"));
  if (file.isEmpty()) throw RequestError("try needs a kernel file, as in lloydscope try mine.cu");
  if (arguments.given("--waiting")) return tryModule(file);
  if (!QFileInfo(file).isReadable() || QFileInfo(file).isDir())
    throw RequestError(file.toStdString() + " cannot be read");

  TrialProcess trial(QCoreApplication::applicationFilePath());
  if (const QString why = trial.whyNot(); !why.isEmpty())
    throw RequestError(why.toStdString(), RequestError::Kind::absent);
  const double limit = arguments.number("--limit", TrialProcess::usualLimit);
  bool isRestLeft = false; // the verdict is printed before what it did not need is compiled
  bool isWithdrawn = false;
  QObject::connect(&trial, &TrialProcess::complete, &trial, [&] {
    const QString why = isRestLeft ? whyNotWhole(trial.report()) : QString();
    isRestLeft = false;
    if (why.isEmpty()) return;
    isWithdrawn = true;
    printOutput(why.toUtf8());
    messages.info(QStringLiteral("the verdict is withdrawn: what its trial did not call is wrong"));
  });
  if (!watches) {
    const int status = *tryFile(trial, file, limit, messages, nullptr);
    isRestLeft = trial.completing() && trial.report().right();
    QEventLoop loop;
    QObject::connect(&trial, &TrialProcess::complete, &loop, &QEventLoop::quit);
    if (isRestLeft) runInterruptible(loop);
    return isWithdrawn ? exitWrong : status;
  }
  for (;;) {
    Watch watch(file);
    isRestLeft = false;
    if (!tryFile(trial, file, limit, messages, &watch)) {
      messages.info(QStringLiteral("%1 was saved before its verdict: tried anew").arg(file));
      continue;
    }
    isRestLeft = trial.completing() && trial.report().right();
    messages.info(QStringLiteral("waiting for %1 to be saved; Ctrl+C ends").arg(file));
    QEventLoop loop;
    watch.ends(loop);
    watch.missesAfter(loop, messages);
    runInterruptible(loop);
  }
}

} // namespace lloyd
