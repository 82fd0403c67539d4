// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Numbers as every pane shows them: thousands separated by commas whatever the locale, and an en dash where
/// a value is not known, because 0 would be a claim.
[[nodiscard]] QString unknownText();
/// Commas into the whole part of a plain decimal number; anything else as it is.
[[nodiscard]] QString withSeparators(const QString& number);
/// Exact: "1,048,576".
[[nodiscard]] QString countText(std::uint64_t count);
/// "1 point", "65,536 points".
[[nodiscard]] QString pointsText(std::uint64_t count);
/// The text for one or that for another number of things, with the number for %1.
[[nodiscard]] QString countedText(std::uint64_t count, const QString& one, const QString& several);
/// Where room is short: three significant digits from 10,000 on, in thousands, millions or billions:
/// "9,999", "12.3 k", "3.38 M", "4.29 G".
[[nodiscard]] QString shortCountText(std::uint64_t count);
/// Three significant digits: "12,300", "19.4", "0.00512"; powers of ten outside 1e-4 to 1e9, as in
/// "3.2e12". Not finite: an en dash.
[[nodiscard]] QString significantText(double value, int digits = 3);
/// As many significant digits at least, and no digit before the decimal point rounded away that a double
/// holds: "78.8514", "148,454,968,952".
[[nodiscard]] QString wholeDigitsText(double value, int least);
/// Whether a number on an axis is written with a power of ten: from ten million on and below a thousandth.
[[nodiscard]] bool needsPower(double value);
/// The one way of writing powers of ten: "1e+06" as "1e6", "2e-09" as "2e-9".
[[nodiscard]] QString shortPower(QString number);
/// A number at a tick of an axis, with the digits that it has: "12,300", "0.25"; powers of ten from ten
/// million on and below a thousandth: "1.8e8".
[[nodiscard]] QString tickText(double value);
/// A time in microseconds, without its unit.
[[nodiscard]] QString microsecondsText(std::optional<double> us);
/// 0.0123 -> "1.23"; the unit % stands in the header. Below 0.01 % it reads "<0.01".
[[nodiscard]] QString percentText(std::optional<double> fraction);
/// 9.47 -> "9.5×".
[[nodiscard]] QString factorText(double ratio);

/// The parts between commas. "a,,b" has an empty part.
[[nodiscard]] std::vector<std::string> splitList(std::string_view text);
/// How a range goes on that does not say it.
enum class RangeStep { doubling, one };
/// Numbers and ranges between commas: "1,3,32:256" is 1, 3, 32, 64, 128, 256, and "2:8:3" is 2, 5, 8: a range
/// doubles, or adds its step. Throws RequestError naming option, for anything else, for values below low or
/// above high, and for steps of more than a thousand numbers.
[[nodiscard]] std::vector<std::uint64_t> parseCounts(std::string_view option, std::string_view text,
                                                     std::uint64_t low, std::uint64_t high,
                                                     RangeStep unsaid = RangeStep::doubling);

/// "17.2 GB", in powers of ten.
[[nodiscard]] QString bytesText(std::size_t bytes);

} // namespace lloyd
