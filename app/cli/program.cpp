// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.hpp"
#include "app/cli/messages.hpp"
#include "app/model/tuning/user_tuning_table.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/request_error.hpp"

#include <QApplication>
#include <QCoreApplication>

#include <filesystem>
#include <memory>
#include <new>
#include <string>

namespace lloyd {
namespace {

RequestError noDisplay(const QString& problem) {
  return RequestError(problem.toStdString() +
                          ": start the window on a desktop or under xvfb-run, or use 'lloydscope run', "
                          "which needs no display",
                      RequestError::Kind::absent);
}

/// Qt ends the program with a crash where no display answers, so a missing one is found before Qt is started,
/// and behind one that does not answer the offscreen platform is put up, only to be noticed.
std::unique_ptr<QCoreApplication> startWithDisplay(int& argc, char** argv) {
  constexpr const char* platform = "QT_QPA_PLATFORM";
  const bool wayland = !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
  const bool chosen = !qEnvironmentVariableIsEmpty(platform);
  if (!chosen && !wayland) {
    if (qEnvironmentVariableIsEmpty("DISPLAY")) throw noDisplay(QStringLiteral("there is no display"));
    qputenv(platform, "xcb;offscreen");
  }
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  auto application = std::make_unique<QApplication>(argc, argv);
  if (chosen || wayland) return application;
  qunsetenv(platform);
  if (QGuiApplication::platformName() == QStringLiteral("offscreen"))
    throw noDisplay(QStringLiteral("the display %1 does not answer").arg(qEnvironmentVariable("DISPLAY")));
  return application;
}

/// A first word that is neither a subcommand nor a file gets one sentence, with or without a display.
/// The other subcommands hold their options against each other before they open a file.
void requireFile(const Arguments& arguments) {
  if (arguments.subcommand != Subcommand::window) return;
  const std::string path = arguments.text("FILE");
  std::error_code unknown; // is for the reader to tell
  if (path.empty() || std::filesystem::exists(path, unknown) || unknown) return;
  if (path.find_first_of("./") == std::string::npos)
    throw RequestError("there is no subcommand and no file '" + path +
                       "'; lloydscope --help lists the subcommands");
  throw RequestError(path + ": there is no such file");
}

int run(int argc, char** argv) {
  const auto parsed = parseArguments(argc, argv);
  if (const auto* text = std::get_if<std::string>(&parsed)) {
    printOutput(QByteArray::fromStdString(*text));
    return exitDone;
  }
  const auto& arguments = std::get<Arguments>(parsed);
  requireFile(arguments);
  int qtArguments = 1; // the rest of the words are ours, not Qt's
  const std::unique_ptr<QCoreApplication> application =
      needsDisplay(arguments.subcommand) ? startWithDisplay(qtArguments, argv)
                                         : std::make_unique<QCoreApplication>(qtArguments, argv);
  QCoreApplication::setApplicationName(QStringLiteral("lloydscope"));
  QCoreApplication::setApplicationVersion(QStringLiteral(LLOYD_VERSION));
  if (arguments.subcommand != Subcommand::verify &&
      arguments.subcommand != Subcommand::trace) // which choose no defaults
    if (const QString problem = addUserTuning(); !problem.isEmpty()) Messages(arguments).warning(problem);
  return subcommandSpec(arguments.subcommand).run(arguments);
}

int fail(const char* sentence, ExitStatus status) {
  printError(QString::fromUtf8(sentence));
  return status;
}

} // namespace

int programMain(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const RequestError& error) {
    return fail(error.what(), error.kind() == RequestError::Kind::absent ? exitAbsent : exitWrong);
  } catch (const Cancelled&) {
    return fail("cancelled; nothing was written", exitCancelled);
  } catch (const DeviceError& error) {
    const std::string advice = error.severity() == Severity::retrySmaller ? "; use fewer points" : "";
    return fail((error.what() + advice).c_str(),
                error.severity() == Severity::badRequest ? exitWrong : exitAbsent);
  } catch (const std::bad_alloc&) {
    return fail("there is not enough memory for this; use fewer points", exitAbsent);
  } catch (const std::exception& error) {
    return fail(error.what(), exitWrong);
  }
}

} // namespace lloyd
