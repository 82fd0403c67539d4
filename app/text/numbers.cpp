// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/numbers.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lloyd {

namespace {

/// Commas between groups of three in the whole part of a plain decimal number.
QString grouped(QString number) {
  const qsizetype point = number.indexOf(QLatin1Char('.'));
  const qsizetype start = number.startsWith(QLatin1Char('-')) ? 1 : 0;
  for (qsizetype at = (point < 0 ? number.size() : point) - 3; at > start; at -= 3) {
    number.insert(at, QLatin1Char(','));
  }
  return number;
}

} // namespace

QString withSeparators(const QString& number) {
  static const QRegularExpression plain(QStringLiteral("^-?[0-9]+([.][0-9]*)?$"));
  return plain.match(number).hasMatch() ? grouped(number) : number;
}

QString unknownText() { return QString(QChar(0x2013)); }

QString countText(std::uint64_t count) { return grouped(QString::number(count)); }

QString pointsText(std::uint64_t count) {
  return (count == 1 ? QCoreApplication::translate("Numbers", "%1 point")
                     : QCoreApplication::translate("Numbers", "%1 points"))
      .arg(countText(count));
}

QString shortCountText(std::uint64_t count) {
  if (count < 10000) return countText(count);
  // The unit is taken after rounding: 999,999 is 1.00 M, not 1,000 k.
  const double rounded = significantText(static_cast<double>(count)).remove(QLatin1Char(',')).toDouble();
  const auto in = [&](double unit, char name) {
    return significantText(rounded / unit) + QLatin1Char(' ') + QLatin1Char(name);
  };
  return rounded >= 1e9 ? in(1e9, 'G') : rounded >= 1e6 ? in(1e6, 'M') : in(1e3, 'k');
}

QString significantText(double value, int digits) {
  if (!std::isfinite(value)) return unknownText();
  if (value == 0) return QStringLiteral("0");
  const double size = std::abs(value);
  if (size >= 1e9 || size < 1e-4) return QString::number(value, 'g', digits);
  // The exponent is taken after rounding: 999.6 is 1,000 with three digits, not 1.00e3.
  const QString scientific = QString::number(value, 'e', digits - 1);
  const int exponent = scientific.mid(scientific.indexOf(QLatin1Char('e')) + 1).toInt();
  const int decimals = std::max(0, digits - 1 - exponent);
  return grouped(QString::number(scientific.toDouble(), 'f', decimals));
}

QString tickText(double value) {
  const double size = std::abs(value);
  if (size < 1e7 && (size >= 1e-3 || size == 0)) return withSeparators(QString::number(value, 'g', 8));
  QString text = QString::number(value, 'g', 4);
  return text.replace(QStringLiteral("e+0"), QStringLiteral("e"))
      .replace(QStringLiteral("e+"), QStringLiteral("e"))
      .replace(QStringLiteral("e-0"), QStringLiteral("e-"));
}

QString microsecondsText(std::optional<double> us) { return us ? significantText(*us) : unknownText(); }

QString percentText(std::optional<double> fraction) {
  if (!fraction || !std::isfinite(*fraction)) return unknownText();
  const double percent = *fraction * 100;
  if (percent > 0 && percent < 0.01) return QStringLiteral("<0.01");
  return significantText(percent, percent < 1 ? 2 : 3);
}

QString factorText(double ratio) {
  return std::isfinite(ratio) ? significantText(ratio, ratio < 100 ? 2 : 3) + QChar(0x00d7) : unknownText();
}

} // namespace lloyd
