// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"

#include "app/cli/messages.hpp"
#include "app/cli/own_kernels.hpp"
#include "app/cli/requests.hpp"
#include "app/model/tuning/user_tuning_table.hpp"
#include "gpu/core/contract/error.hpp"

#include <QApplication>
#include <QCoreApplication>

#include <csignal>
#include <cstdio>
#include <memory>
#include <new>
#include <string>

namespace lloyd {
namespace {

std::atomic<bool> flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

/// Whoever asks again, in whichever way, means it: what never asks for the flag ends, too.
extern "C" void onInterrupt(int) {
  flag.store(true, std::memory_order_relaxed);
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, SIG_DFL);
}

RequestError noDisplay(const QString& problem) {
  return RequestError(problem.toStdString() +
                          ": start the window on a desktop or under xvfb-run, or use 'lloydscope run', "
                          "which needs no display",
                      RequestError::Kind::absent);
}

/// What Qt says of platforms that do not start is in the one sentence that follows, or of no interest.
void dropMessage(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
  if (type == QtFatalMsg) std::fprintf(stderr, "%s\n", qPrintable(text));
}

/// Qt ends the program with a crash where no display answers, or where a platform's plugin is missing. So
/// behind those that are wanted the offscreen platform is put up, only to be noticed.
std::unique_ptr<QCoreApplication> startWithDisplay(int& argc, char** argv) {
  constexpr const char* platform = "QT_QPA_PLATFORM";
  constexpr const char* last = "offscreen";
  const QByteArray chosen = qgetenv(platform);
  const bool wayland = !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  if (chosen.isEmpty() && !wayland && qEnvironmentVariableIsEmpty("DISPLAY"))
    throw noDisplay(QStringLiteral("there is no display"));
  const QByteArray wanted = !chosen.isEmpty() ? chosen : QByteArray(wayland ? "wayland;xcb" : "xcb");
  qputenv(platform, wanted + ';' + last);
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  const QtMessageHandler before = qInstallMessageHandler(dropMessage);
  auto application = std::make_unique<QApplication>(argc, argv);
  qInstallMessageHandler(before);
  chosen.isEmpty() ? qunsetenv(platform) : qputenv(platform, chosen);
  if (wanted.contains(last) || QGuiApplication::platformName() != QLatin1String(last)) return application;
  throw noDisplay(!chosen.isEmpty()
                      ? QStringLiteral("the platform of QT_QPA_PLATFORM, %1, does not start")
                            .arg(QString::fromLocal8Bit(chosen))
                      : QStringLiteral("the display %1 does not answer")
                            .arg(qEnvironmentVariable(wayland ? "WAYLAND_DISPLAY" : "DISPLAY")));
}

int run(int argc, char** argv) {
  const auto parsed = parseArguments(argc, argv);
  if (const auto* text = std::get_if<std::string>(&parsed)) {
    printOutput(QByteArray::fromStdString(*text));
    return exitDone;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  requireFile(arguments);
  refuseWrongValues(arguments);
  int qtArguments = 1; // the rest of the words are ours, not Qt's
  const std::unique_ptr<QCoreApplication> application =
      needsDisplay(arguments.subcommand) ? startWithDisplay(qtArguments, argv)
                                         : std::make_unique<QCoreApplication>(qtArguments, argv);
  QCoreApplication::setApplicationName(QStringLiteral("lloydscope"));
  QCoreApplication::setApplicationVersion(QStringLiteral(LLOYD_VERSION));
  if (arguments.subcommand != Subcommand::verify &&
      arguments.subcommand != Subcommand::trace) // which choose no defaults
    if (const QString problem = addUserTuning(); !problem.isEmpty()) Messages(arguments).warning(problem);
  addOwnKernels(arguments, Messages(arguments));
  return subcommandSpec(arguments.subcommand).run(arguments);
}

int fail(const char* sentence, ExitStatus status) {
  printError(QString::fromUtf8(sentence));
  return status;
}

} // namespace

const std::atomic<bool>& cancelOnInterrupt() {
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  // A terminal that goes away leaves no file half written; under nohup it does not matter.
  if (std::signal(SIGHUP, onInterrupt) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN); // a write beyond the limit then fails, and that is said
  return flag;
}

bool interrupted() { return flag.load(std::memory_order_relaxed); }

void throwIfInterrupted() {
  if (interrupted()) throw Cancelled();
}

int programMain(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const RequestError& error) {
    return fail(error.what(), error.kind() == RequestError::Kind::absent ? exitAbsent : exitWrong);
  } catch (const Cancelled&) {
    return fail("cancelled; nothing was written", exitCancelled);
  } catch (const DeviceError& error) {
    // Where memory is short is no fault whose place in the program somebody would look for.
    const std::string text = error.severity() == Severity::retrySmaller
                                 ? std::string(error.meaning()) + "; use fewer points"
                                 : error.what();
    return fail(text.c_str(), error.severity() == Severity::badRequest ? exitWrong : exitAbsent);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this; use fewer points", exitAbsent);
  } catch (const std::exception& error) {
    return fail(error.what(), exitWrong);
  }
}

} // namespace lloyd
