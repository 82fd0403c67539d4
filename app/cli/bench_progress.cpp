// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_progress.hpp"

#include "app/model/measure/report_strings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace lloyd {

namespace {

/// How long the rest will take, in seconds: what is left of the problem at hand, and for each that is to come
/// as much as those that are done took on average, or, before the first is done, as this one takes.
double secondsLeft(std::span<const double> done, double ofThis, double leftOfThis, std::size_t toCome) {
  const double each = done.empty()
                          ? ofThis + leftOfThis
                          : std::accumulate(done.begin(), done.end(), 0.0) / static_cast<double>(done.size());
  return leftOfThis + static_cast<double>(toCome) * each;
}

} // namespace

QString roughDuration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 100) return QStringLiteral("%1 s").arg(whole);
  const long long minutes = (whole + 59) / 60;
  if (minutes < 100) return QStringLiteral("%1 min").arg(minutes);
  return QStringLiteral("%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

QString BenchProgress::where() const {
  return problems_ == 1 ? QString()
                        : QStringLiteral("problem %1 of %2: ").arg(seconds_.size() + 1).arg(problems_);
}

double BenchProgress::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

void BenchProgress::begin(const Problem& problem) {
  messages_.info(where() + QStringLiteral("measuring ") + problemText(problem));
}

void BenchProgress::round(const RaceProgress& progress) {
  const double left = secondsLeft(seconds_, elapsed(), progress.secondsLeft,
                                  problems_ - std::min(problems_, seconds_.size() + 1));
  messages_.progress(where() + QStringLiteral("round %1 of %2, about %3 left")
                                   .arg(QString::number(progress.round), QString::number(progress.rounds),
                                        roughDuration(left)));
}

void BenchProgress::end() {
  seconds_.push_back(elapsed());
  began_ = std::chrono::steady_clock::now();
}

} // namespace lloyd
