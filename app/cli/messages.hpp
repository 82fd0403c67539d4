// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/cli/options.hpp"

#include <QString>

#include <chrono>

namespace lloyd {

/// What the program says while it works, all of it on standard error. One thread.
class Messages {
public:
  enum class Level { error, warning, info, debug };

  /// The level that --quiet and --log-level ask for; throws RequestError.
  explicit Messages(const Arguments& arguments);

  void info(const QString& text) const { say(Level::info, text); }
  void warning(const QString& text) const { say(Level::warning, text); }
  void debug(const QString& text) const { say(Level::debug, text); }
  /// Like info, but at most once a second: a long run shows that it lives, a short one says nothing.
  void progress(const QString& text);

private:
  void say(Level level, const QString& text) const;

  Level level_ = Level::info;
  std::chrono::steady_clock::time_point lastProgress_ = std::chrono::steady_clock::now();
};

/// "40 s", "3 min", "2 h 10 min": as exact as such a guess can be.
[[nodiscard]] QString roughDuration(double seconds);
/// One line on standard error, with the program's name. Printable characters only.
void printError(const QString& sentence);
/// Writes UTF-8 to standard output, whole, printable characters only; throws RequestError when it cannot.
void printOutput(const QByteArray& text);

} // namespace lloyd
