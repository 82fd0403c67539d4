// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure.hpp"

#include <QByteArray>

#include <string>
#include <vector>

namespace lloyd {

/// What a benchmark found on one device: results of one or more problems, those of one problem together.
struct BenchReport {
  DeviceInfo device;
  std::string why;    ///< why a better device is not in use
  std::string source; ///< file or generator
  std::uint64_t seed = 1;
  std::vector<Measurement> results;
};

[[nodiscard]] QByteArray benchJson(const BenchReport& report);
/// One line a result, with the keys of the JSON.
[[nodiscard]] QByteArray benchCsv(const BenchReport& report);
[[nodiscard]] QByteArray benchMarkdown(const BenchReport& report);
/// For a terminal: a table for each problem, the fastest of each stage first; then what was not run, and why.
[[nodiscard]] QByteArray benchText(const BenchReport& report);

} // namespace lloyd
