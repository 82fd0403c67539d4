// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/model/workshop/trial_process.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFileInfo>
#include <QJsonDocument>

#include <cstdio>
#include <iostream>
#include <memory>

namespace lloyd {
namespace {

/// One line of JSON for the process that waits for it.
void say(const QJsonObject& line) {
  const QByteArray text = QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
  std::fwrite(text.constData(), 1, static_cast<std::size_t>(text.size()), stdout);
  std::fflush(stdout);
}

/// In the process that may be lost: what TrialProcess reads. A card begins before there is a module to try:
/// its path, and that of the original compiled alike, come in a line of JSON when they were compiled.
int tryModule(const QString& file) {
  BeginningCard card;
  std::string line;
  if (!std::getline(std::cin, line)) return exitWrong; // it did not compile
  const QJsonObject order = QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
  const QString original = order[u"original"].toString();
  const Variant* alike = original.isEmpty() ? nullptr : loadAlike(original);
  bool right = true;
  for (const OwnVariant& own : loadKernelModule(order[u"module"].toString(), file)) {
    const auto trials = tryKernel(own, alike, card, &cancelOnInterrupt(), [](const QString& what) {
      say({{QStringLiteral("doing"), what}});
    });
    for (const KernelTrial& trial : trials) {
      say(trialJson(trial));
      right = right && trial.right;
    }
  }
  return right ? exitDone : exitCheckFailed;
}

} // namespace

int tryCommand(const Arguments& arguments) {
  Messages messages(arguments);
  const QString file = QString::fromStdString(arguments.text("FILE"));
  if (file.isEmpty()) throw RequestError("try needs a kernel file, as in lloydscope try mine.cu");
  if (arguments.given("--waiting")) return tryModule(file);
  if (!QFileInfo(file).isReadable() || QFileInfo(file).isDir())
    throw RequestError(file.toStdString() + " cannot be read");

  TrialProcess trial(QCoreApplication::applicationFilePath());
  if (const QString why = trial.whyNot(); !why.isEmpty())
    throw RequestError(why.toStdString(), RequestError::Kind::absent);
  QEventLoop loop;
  QObject::connect(&trial, &TrialProcess::ended, &loop, &QEventLoop::quit);
  QObject::connect(&trial, &TrialProcess::doing, &loop,
                   [&](const QString& what) { messages.progress(what); });
  trial.start(file, arguments.number("--limit", TrialProcess::usualLimit));
  static_cast<void>(cancelOnInterrupt());
  QTimer interrupt;
  QObject::connect(&interrupt, &QTimer::timeout, &loop, [&] {
    if (interrupted()) loop.quit();
  });
  interrupt.start(50);
  if (trial.running()) loop.exec();
  throwIfInterrupted();
  printOutput(trial.report().text().toUtf8());
  if (!trial.report().errors.empty() || trial.report().trials.empty()) return exitWrong;
  messages.info(QStringLiteral("from file to verdict in %1 s").arg(trial.report().seconds, 0, 'f', 1));
  return trial.report().right() ? exitDone : exitCheckFailed;
}

} // namespace lloyd
