// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/messages.hpp"

#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace lloyd {
namespace {

void printLine(const QString& text) {
  const QByteArray line =
      (QStringLiteral("lloydscope: ") + printable(text, false) + QLatin1Char('\n')).toUtf8();
  std::fwrite(line.constData(), 1, static_cast<std::size_t>(line.size()), stderr);
}

} // namespace

Messages::Messages(const Arguments& arguments) {
  constexpr std::string_view levels[] = {"error", "warning", "info", "debug"}; // as Level has them
  const auto* const found = std::ranges::find(levels, arguments.text("--log-level", "info"));
  if (found == std::end(levels)) arguments.refuse("--log-level", "error, warning, info or debug");
  level_ = static_cast<Level>(found - std::begin(levels));
  if (arguments.given("--quiet")) level_ = Level::error;
}

void Messages::say(Level level, const QString& text) const {
  if (level <= level_) printLine(text);
}

void Messages::progress(const QString& text) {
  const auto now = std::chrono::steady_clock::now();
  if (now - lastProgress_ < std::chrono::seconds(1)) return;
  lastProgress_ = now;
  info(text);
}

QString roughDuration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 100) return QStringLiteral("%1 s").arg(whole);
  const long long minutes = (whole + 59) / 60;
  if (minutes < 100) return QStringLiteral("%1 min").arg(minutes);
  return QStringLiteral("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

void printError(const QString& sentence) { printLine(sentence); }

void printOutput(const QByteArray& text) {
  const QByteArray bytes = printable(QString::fromUtf8(text), true).toUtf8();
  const auto size = static_cast<std::size_t>(bytes.size());
  if (std::fwrite(bytes.constData(), 1, size, stdout) != size || std::fflush(stdout) != 0)
    throw RequestError("standard output cannot be written");
}

} // namespace lloyd
