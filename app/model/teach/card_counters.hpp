// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/problem.hpp"

#include <QString>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace lloyd {

/// What a card did when it ran one variant, as a profiler counted it.
struct CardCounters {
  QString card; ///< "NVIDIA H200"
  QString variant;
  Problem problem;
  int block = 0;                           ///< 0 where the variant has no such tuning parameter
  std::map<QString, std::uint64_t> values; ///< by the counter's name in reports: "global_load_sectors"
};

/// Rows of a file "variant,n,d,k,block,counter,...", whose name is the card's: "nvidia-h200.csv". Rows that
/// do not fit the header, or whose numbers are none, are left out.
[[nodiscard]] std::vector<CardCounters> readCardCounters(const QString& fileName, const QString& text);
/// The first card of those in the program that was measured with the variant.
[[nodiscard]] std::optional<CardCounters> cardCountersOf(const QString& variant);

} // namespace lloyd
