// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/centroid_texts.hpp"

#include "app/data/precision/figures.hpp"
#include "app/model/report/run_report.hpp"
#include "app/text/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lloyd {
namespace {

/// One column of the centroids as text: six digits, and more where centroids lie closer together than six
/// digits can say, or the file has more. A ten-thousandth of what lies between the outermost is always told,
/// and so is unit, the last digit of the file.
QStringList textsOf(const std::vector<double>& values, double unit) {
  const auto [low, high] = std::ranges::minmax(values);
  double step = (high - low) / 10'000;
  if (unit > 0 && (step == 0 || unit < step)) step = unit;
  QStringList texts;
  for (const double value : values) {
    constexpr int least = 6;
    constexpr int most = 15; // of a double
    const int wanted =
        step > 0 && value != 0
            ? static_cast<int>(std::floor(std::log10(std::abs(value))) - std::floor(std::log10(step))) + 1
            : least;
    texts << significantText(value, std::clamp(wanted, least, most));
  }
  return texts;
}

} // namespace

QStringList centroidTexts(const RunReport& report, std::size_t column) {
  const auto d = static_cast<std::size_t>(report.data->d);
  std::vector<double> values(report.result.sizes.size());
  double size = 0;
  for (std::size_t cluster = 0; cluster < values.size(); ++cluster) {
    const auto stored = static_cast<double>(report.result.centroids[cluster * d + column]);
    values[cluster] = report.data->scaleOf(column).inFile(stored);
    size = std::max(size, std::abs(stored));
  }
  return values.empty() ? QStringList() : textsOf(values, toldUnit(*report.data, column, size));
}

} // namespace lloyd
