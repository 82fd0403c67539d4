// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/numbers.hpp"

#include "app/data/input/parse_number.hpp"
#include "gpu/core/contract/error.hpp"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace lloyd {
namespace {

constexpr std::uint64_t mostCounts = 1000; ///< of one range that adds

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
  return countedText(count, QCoreApplication::translate("Numbers", "%1 point"),
                     QCoreApplication::translate("Numbers", "%1 points"));
}

QString countedText(std::uint64_t count, const QString& one, const QString& several) {
  return (count == 1 ? one : several).arg(countText(count));
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
  if (size >= 1e9 || size < 1e-4) return shortPower(QString::number(value, 'g', digits));
  // The exponent is taken after rounding: 999.6 is 1,000 with three digits, not 1.00e3.
  const QString scientific = QString::number(value, 'e', digits - 1);
  const int exponent = scientific.mid(scientific.indexOf(QLatin1Char('e')) + 1).toInt();
  const int decimals = std::max(0, digits - 1 - exponent);
  return grouped(QString::number(scientific.toDouble(), 'f', decimals));
}

QString wholeDigitsText(double value, int least) {
  constexpr double most = 1e15; // beyond, a double has no digit for each place
  const double size = std::abs(value);
  if (!(size >= std::pow(10, least) && size < most)) return significantText(value, least);
  return grouped(QString::number(value, 'f', 0));
}

bool needsPower(double value) {
  const double size = std::abs(value);
  return size >= 1e7 || (size < 1e-3 && size != 0);
}

QString shortPower(QString number) {
  return number.replace(QStringLiteral("e+0"), QStringLiteral("e"))
      .replace(QStringLiteral("e+"), QStringLiteral("e"))
      .replace(QStringLiteral("e-0"), QStringLiteral("e-"));
}

QString tickText(double value) {
  return needsPower(value) ? shortPower(QString::number(value, 'g', 4))
                           : withSeparators(QString::number(value, 'g', 8));
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

std::vector<std::string> splitList(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t comma = std::min(text.find(',', start), text.size());
    parts.emplace_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return parts;
}

std::vector<std::uint64_t> parseCounts(std::string_view option, std::string_view text, std::uint64_t low,
                                       std::uint64_t high, RangeStep unsaid) {
  std::vector<std::uint64_t> values;
  for (const std::string& part : splitList(text)) {
    const auto refuse = [&](const std::string& why) {
      throw RequestError(std::string(option) + ": '" + part + "' " + why);
    };
    std::vector<std::uint64_t> range; // from, to, step
    for (std::string_view rest = part; range.size() < 4;) {
      const auto colon = rest.find(':');
      const auto number = parseCount(rest.substr(0, colon));
      if (!number) refuse("is no number and no range such as 32:1024 or 2:16:1");
      range.push_back(*number);
      if (colon == std::string_view::npos) break;
      rest.remove_prefix(colon + 1);
    }
    const std::uint64_t from = range.front();
    const std::uint64_t to = range.size() > 1 ? range[1] : from;
    const std::uint64_t step = range.size() > 2 ? range[2] : unsaid == RangeStep::one ? 1 : 0; // 0: doubling
    if (range.size() > 3 || (range.size() == 3 && step == 0))
      refuse("is no range: FROM:TO doubles, FROM:TO:STEP adds");
    if (from > to)
      refuse("runs backwards: the smaller number comes first, as in " + std::to_string(to) + ":" +
             std::to_string(from));
    if (from < low || to > high)
      refuse("is not within " + std::to_string(low) + " to " + std::to_string(high));
    if (step > 0 && (to - from) / step >= mostCounts)
      refuse("has more than " + std::to_string(mostCounts) + " numbers");
    for (std::uint64_t value = from; value <= to; value = step > 0     ? value + step
                                                          : value == 0 ? 1
                                                                       : value * 2)
      if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

QString bytesText(std::size_t bytes) {
  const auto size = static_cast<double>(bytes);
  if (bytes >= 1'000'000'000) return significantText(size / 1e9) + QStringLiteral(" GB");
  if (bytes >= 1'000'000) return significantText(size / 1e6) + QStringLiteral(" MB");
  if (bytes >= 1'000) return significantText(size / 1e3) + QStringLiteral(" kB");
  return countText(bytes) + QStringLiteral(" bytes");
}

} // namespace lloyd
