// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/plot_ticks.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

QString tickText(double value) {
  const double size = std::abs(value);
  if (size < 1e7 && (size >= 1e-3 || size == 0)) return withSeparators(QString::number(value, 'g', 8));
  QString text = QString::number(value, 'g', 4);
  return text.replace(QStringLiteral("e+0"), QStringLiteral("e"))
      .replace(QStringLiteral("e+"), QStringLiteral("e"))
      .replace(QStringLiteral("e-0"), QStringLiteral("e-"));
}

double NumberTicker::getTickStep(const QCPRange& range) {
  const double step = QCPAxisTicker::getTickStep(range);
  return values_ == Values::whole ? std::max(1.0, std::round(step)) : step;
}

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return tickText(tick); }

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
  if (!(range.lower > 0)) return {};
  const double decades = std::log10(range.upper / range.lower);
  if (decades < 1) return QCPAxisTicker::createTickVector(tickStep, range);
  const int count = std::max(2, tickCount());
  static const std::vector<double> alone{1};
  static const std::vector<double> few{1, 3};
  static const std::vector<double> more{1, 2, 5};
  const std::vector<double>& within = decades * 3 <= count ? more : decades * 2 <= count ? few : alone;
  const int every = std::max(1, static_cast<int>(std::ceil(decades / count)));
  QVector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(range.lower)));
  const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
  for (int power = first; power <= last; ++power) {
    if (power % every != 0) continue;
    for (const double mantissa : within)
      ticks << mantissa * std::pow(10.0, power);
  }
  return ticks;
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) { return tickText(tick); }

QVector<double> PlaceTicker::createTickVector(double, const QCPRange& range) {
  QVector<double> ticks;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (static_cast<int>(places_.size() - 1 - i) % every_ == 0 && range.contains(places_[i]))
      ticks << places_[i];
  return ticks;
}

QString PlaceTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
  const auto found = std::find(places_.begin(), places_.end(), tick);
  return found == places_.end() ? QString() : words_.value(found - places_.begin());
}

void setScale(QCPAxis* axis, bool logarithmic, int count, NumberTicker::Values values) {
  axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  if (logarithmic) {
    axis->setTicker(QSharedPointer<LogTicker>::create(count));
  } else {
    axis->setTicker(QSharedPointer<NumberTicker>::create(count, values));
  }
}

} // namespace lloyd
