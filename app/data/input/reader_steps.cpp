// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/reader_steps.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read_control.hpp"
#include "gpu/core/data/box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace lloyd {
namespace {

std::size_t findColumn(const std::string& asked, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), asked);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), asked) != names.end())
      refuse("several columns are called " + quoted(asked) + "; name the one to use by its index");
    return static_cast<std::size_t>(found - names.begin());
  }
  const auto index =
      asked.find_first_not_of("0123456789") == std::string::npos ? parseCount(asked) : std::nullopt;
  if (!index) refuse("there is no column " + quoted(asked) + "; there is " + listed(names));
  if (*index >= names.size())
    refuse("there is no column " + asked + "; there are " + counted(names.size(), "column") +
           ", counted from 0");
  return static_cast<std::size_t>(*index);
}

/// Moves the values of the kept rows together, column by column. A value never moves up, so this works in
/// place.
void compact(PointSet& points) {
  std::size_t to = 0;
  for (int j = 0; j < points.d; ++j) {
    const float* const column = points.row(j);
    std::size_t from = 0;
    for (std::size_t next = 0; next <= points.dropped.size(); ++next) {
      const std::size_t stop = next < points.dropped.size() ? points.dropped[next] : points.n;
      std::copy(column + from, column + stop, points.values.data() + to);
      to += stop - from;
      from = stop + 1;
    }
  }
  points.n -= points.dropped.size();
  points.values.resize(to);
}

/// Values far from 0 lie on the coarse steps that single precision has there. Where few steps are left
/// between the least and the greatest, clusters may be the steps'.
void remarkOnSteps(PointSet& points) {
  constexpr double enough = 65536;
  for (int j = 0; j < points.d; ++j) {
    const ValueRange range = valueRange({points.row(j), points.n});
    const float far = std::max(std::abs(range.low), std::abs(range.high));
    const double step =
        static_cast<double>(std::nextafter(far, std::numeric_limits<float>::infinity())) - far;
    const double spread = static_cast<double>(range.high) - range.low;
    if (!std::isfinite(step) || spread >= enough * step || (spread == 0 && step < 1)) continue;
    // Whole numbers are exact while a step is at most 1. At a step of 1 a rounded fraction looks like one.
    const auto whole = [](float value) { return value == std::floor(value); };
    if (step < 1 && std::all_of(points.row(j), points.row(j) + points.n, whole)) continue;
    std::array<char, 200> text{};
    std::array<char, 48> over{};
    std::snprintf(over.data(), over.size(), "spread over %.3g", spread);
    std::snprintf(
        text.data(), text.size(),
        " lie around %.3g, where single precision has steps of %.3g, and %s: subtract what they have "
        "in common to keep their digits",
        static_cast<double>(far), step, spread > 0 ? over.data() : "all fall on one of them");
    points.remarks.push_back("the values of column " + quoted(points.columns[static_cast<std::size_t>(j)]) +
                             text.data());
  }
}

/// Numbers with decimals or whole ones are the file's own digits, which double precision has sixteen of.
void remarkOnDigits(PointSet& points) {
  constexpr double most = 9'007'199'254'740'992; // 2^53
  std::vector<std::string> names;
  for (std::size_t j = 0; j < points.columns.size() && j < points.decimals.size(); ++j)
    if (std::abs(points.scaleOf(j).shift) > most) names.push_back(quoted(points.columns[j]));
  if (names.empty()) return;
  points.remarks.push_back(
      std::string(names.size() == 1 ? "column " : "columns ") + listed(names) +
      (names.size() == 1 ? " lies" : " lie") +
      " beyond 9,007,199,254,740,992, where sixteen digits of a number are kept and the rest is lost");
}

} // namespace

void shortenName(std::string& name) {
  constexpr std::size_t most = 200;
  if (name.size() <= most) return;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U)
    --end; // not within a character of UTF-8
  name.resize(end);
  name += "…";
}

std::string unnamedColumn(std::size_t index) { return "column " + std::to_string(index); }

std::vector<std::size_t> chooseColumns(const std::vector<std::string>& asked,
                                       const std::vector<std::string>& names) {
  std::vector<std::size_t> chosen;
  if (asked.empty()) {
    chosen.resize(names.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  for (const std::string& one : asked) {
    const std::size_t column = findColumn(std::string(trimmed(one)), names);
    if (std::find(chosen.begin(), chosen.end(), column) != chosen.end())
      refuse("column " + quoted(names[column]) + " is asked for twice");
    chosen.push_back(column);
  }
  return chosen;
}

void keepFiniteRows(PointSet& points, std::span<const std::uint64_t> ragged) {
  points.inputRows = points.n;
  for (std::string& name : points.columns)
    shortenName(name);
  points.scales.resize(static_cast<std::size_t>(points.d));
  if (points.n > std::numeric_limits<std::uint32_t>::max())
    refuse(counted(points.n, "row") + " are more than the 4,294,967,295 that labels can count");
  remarkOnDigits(points);
  if (valueRange(points.values).finite) return remarkOnSteps(points);
  bool missing = false;
  bool tooLarge = false;
  for (std::size_t i = 0; i < points.n; ++i) {
    if (std::ranges::binary_search(ragged, i)) {
      points.dropped.push_back(i);
      continue;
    }
    bool finite = true;
    for (int j = 0; j < points.d; ++j) {
      const float value = points.row(j)[i];
      finite = finite && std::isfinite(value);
      missing = missing || std::isnan(value);
      tooLarge = tooLarge || std::isinf(value);
    }
    if (!finite) points.dropped.push_back(i);
  }
  std::string why = missing ? "a value is missing or not a finite number" : "a value";
  if (tooLarge)
    why += std::string(missing ? ", or" : " is") + " outside the range of " + std::string(floatRange);
  if (points.dropped.size() == points.n) refuse("no points are left: in every row " + why);
  if (const std::size_t count = points.dropped.size() - ragged.size(); count > 0)
    points.remarks.push_back(std::to_string(count) + " of " + counted(points.n, "row") + " left out: " + why);
  compact(points);
  remarkOnSteps(points);
}

} // namespace lloyd
