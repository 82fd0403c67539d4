// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/point_cloud.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/reader_steps.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/precision/number_summary.hpp"
#include "app/data/read/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace lloyd {
namespace {

std::vector<std::string> namesOf(const CloudTable& table) {
  std::vector<std::string> names;
  for (const CloudColumn& column : table.columns)
    names.push_back(column.name);
  return names;
}

std::vector<std::size_t> chosenOf(const CloudTable& table, const std::vector<std::string>& asked) {
  const std::vector<std::string> names = namesOf(table);
  if (!asked.empty()) return chooseColumns(asked, names);
  const std::vector<std::string> space{"x", "y", "z"};
  for (const std::string& axis : space)
    if (std::ranges::find(names, axis) == names.end())
      refuse("its points have no " + quoted(axis) + "; expected x, y and z, or columns chosen from " +
             listed(names));
  return chooseColumns(space, names);
}

/// A red, green or blue that can be shown as it is: what the value of all of it is, otherwise nothing.
std::optional<float> whiteOf(const CloudColumn& column, std::string_view name) {
  if (column.name != name) return std::nullopt;
  if (column.shift != CloudColumn::whole) return 255.0F;
  if (column.kind != 'u' || column.bytes > 2) return std::nullopt;
  return column.bytes == 1 ? 255.0F : 65535.0F;
}

/// Whether the last three of the chosen columns are colours.
std::optional<float> whiteOf(const CloudTable& table, const std::vector<std::size_t>& chosen) {
  if (chosen.size() < 3) return std::nullopt;
  std::optional<float> white;
  for (std::size_t c = 0; c < 3; ++c) {
    constexpr std::string_view names[] = {"red", "green", "blue"};
    const auto one = whiteOf(table.columns[chosen[chosen.size() - 3 + c]], names[c]);
    if (!one || (white && *white != *one)) return std::nullopt;
    white = one;
  }
  return white;
}

/// The four bytes of a packed colour, as a program wrote them as text: as a whole number, or as the number
/// that those bytes are in floating point, which is far below 1.
std::uint32_t packedColour(double value) {
  if (!(value >= 0) || value > std::numeric_limits<std::uint32_t>::max()) return 0;
  return value >= 1 ? static_cast<std::uint32_t>(value)
                    : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

float channelOf(std::uint32_t colour, int shift) {
  return static_cast<float>(colour >> static_cast<unsigned>(shift) & 0xFFU);
}

/// A number of a line of text; NaN for one that is missing, and an infinity for one beyond single precision.
double numberOf(const LineReader& lines, std::string_view line, std::string_view word,
                const CloudColumn& column) {
  using Double = std::numeric_limits<double>;
  const ParsedField parsed = parseField(word);
  if (parsed.kind == FieldKind::text)
    lines.refuseAt(line, word, "expected a number for " + quoted(column.name) + ", found " + quoted(word));
  if (column.shift != CloudColumn::whole && parsed.kind == FieldKind::number)
    return channelOf(packedColour(parseReal(word).value_or(0)), column.shift);
  if (parsed.kind == FieldKind::tooLarge) return Double::infinity();
  return parsed.kind == FieldKind::number ? parsed.wide : Double::quiet_NaN();
}

constexpr std::size_t pieceBytes = std::size_t{1} << 18; ///< stays in a core's cache while it is converted

} // namespace

PointCloud::PointCloud(const InputFile& file, CloudTable table, const std::vector<std::string>& columns,
                       const ReadControl& control)
    : file_(file), table_(std::move(table)), control_(control), chosen_(chosenOf(table_, columns)) {
  if (table_.rows == 0) refuse("there are no points in it");
  points_.n = table_.rows;
  points_.d = static_cast<int>(chosen_.size());
  points_.source = file.path();
  for (const std::size_t c : chosen_)
    points_.columns.push_back(table_.columns[c].name);
  if (const auto white = whiteOf(table_, chosen_)) {
    points_.colours = true;
    points_.white = *white;
  }
  if (columns.empty() && chosen_.size() < table_.columns.size()) {
    std::vector<std::string> left;
    for (std::size_t c = 0; c < table_.columns.size(); ++c)
      if (std::ranges::find(chosen_, c) == chosen_.end()) left.push_back(table_.columns[c].name);
    points_.remarks.push_back("only x, y and z are used; left out: " + listed(left));
  }
  refuseTooLarge(pointBytes(points_.n, points_.d));
  points_.values.resize(points_.n * chosen_.size());
  points_.scales.resize(chosen_.size());
}

NpyHeader PointCloud::typeOf(const CloudColumn& column) const {
  NpyHeader type;
  type.kind = column.kind;
  type.itemBytes = column.bytes;
  type.bigEndian = table_.bigEndian;
  return type;
}

template <class Fetch>
void PointCloud::findShifts(const Fetch& fetch) {
  for (const double unit : {0.0, 1.0}) {
    std::vector<std::size_t> wide;
    for (std::size_t slot = 0; slot < chosen_.size(); ++slot)
      if (const CloudColumn& column = table_.columns[chosen_[slot]]; column.shift == CloudColumn::whole)
        if (const auto its = unitOf(typeOf(column)); its && *its == unit) wide.push_back(slot);
    if (wide.empty()) continue;
    const std::vector<double> shifts = shiftsOf(
        points_.n, wide.size(), unit, control_, [&](std::size_t first, std::size_t count, double* values) {
          std::vector<char> room;
          const auto [bytes, begin] = fetch(first, count, room);
          for (std::size_t s = 0; s < wide.size(); ++s) {
            const CloudColumn& column = table_.columns[chosen_[wide[s]]];
            widenerOf(typeOf(column))(bytes + column.first + (first - begin) * column.step, column.step,
                                      count, values + s * count);
          }
        });
    for (std::size_t s = 0; s < wide.size(); ++s)
      points_.scales[wide[s]] = {.offset = shifts[s], .factor = 1, .shift = shifts[s]};
  }
}

/// Values [d][n], of which those that are missing or too large are no numbers or infinite.
void PointCloud::keepText(const std::vector<double>& values) {
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
    const std::span column(values.data() + slot * points_.n, points_.n);
    NumberSummary summary;
    const auto finite = std::ranges::find_if(column, [](double value) { return std::isfinite(value); });
    if (finite != column.end()) summary.pivot = *finite;
    for (const double value : column)
      summary.take(value);
    const double shift = shiftFor(summary, std::pow(10.0, -points_.decimals[slot]));
    points_.scales[slot] = {.offset = shift, .factor = 1, .shift = shift};
    float* const to = points_.values.data() + slot * points_.n;
    for (std::size_t i = 0; i < points_.n; ++i)
      to[i] = static_cast<float>(column[i] - shift);
  }
}

void PointCloud::readText(LineReader& lines) {
  refuseTooLarge(2 * pointBytes(points_.n, points_.d));
  std::vector<double> values(points_.values.size());
  points_.decimals.assign(chosen_.size(), 0);
  std::string_view line;
  for (std::size_t i = 0; i < points_.n; ++i) {
    do {
      if (!lines.next(line))
        refuse("the header promises " + counted(points_.n, "point") + ", but the file ends after " +
               counted(i, "point"));
    } while (trimmed(line).empty());
    const std::vector<std::string_view> words = wordsOf(line);
    if (words.size() != table_.words) {
      const std::string expected =
          ", but " + std::to_string(table_.words) + " were expected, as the header says";
      if (words.size() < table_.words)
        lines.refuseLine("this line has " + counted(words.size(), "value") + expected);
      lines.refuseAt(line, words[table_.words], "this line has more values" + expected);
    }
    for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
      const CloudColumn& column = table_.columns[chosen_[slot]];
      const std::string_view word = words[column.word];
      const double value = values[slot * points_.n + i] = numberOf(lines, line, word, column);
      if (column.shift == CloudColumn::whole && std::isfinite(value))
        points_.decimals[slot] = std::max(points_.decimals[slot], decimalsOf(word));
    }
    constexpr std::size_t everyRows = 4096;
    if (i % everyRows != 0) continue;
    throwIfCancelled(control_);
    control_.report(i, static_cast<double>(lines.offset()) / static_cast<double>(file_.size()));
  }
  keepText(values);
}

void PointCloud::convert(const char* bytes, std::size_t firstRow, std::size_t rows) {
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
    const CloudColumn& column = table_.columns[chosen_[slot]];
    float* const values = points_.values.data() + slot * points_.n + firstRow;
    const char* const first = bytes + column.first;
    if (column.shift == CloudColumn::whole) {
      converterOf(typeOf(column))(first, column.step, rows, points_.scales[slot].shift, values);
      continue;
    }
    for (std::size_t i = 0; i < rows; ++i) {
      std::uint32_t colour = 0;
      std::memcpy(&colour, first + i * column.step, sizeof(colour));
      values[i] = channelOf(colour, column.shift);
    }
  }
}

void PointCloud::readBytes(std::uint64_t start) {
  const auto rowBytes = static_cast<std::size_t>(table_.rowBytes);
  const auto fetch = [&](std::size_t first, std::size_t count, std::vector<char>& room) {
    room.resize(count * rowBytes);
    if (file_.readAt(start + first * rowBytes, room) < room.size())
      refuse("the file became shorter while it was read");
    return std::pair<const char*, std::size_t>(room.data(), first);
  };
  findShifts(fetch);
  parallelRanges(
      points_.n, control_,
      [&](std::size_t first, std::size_t end) {
        std::vector<char> bytes;
        convert(fetch(first, end - first, bytes).first, first, end - first);
      },
      std::max<std::size_t>(1, pieceBytes / rowBytes));
  throwIfCancelled(control_);
}

void PointCloud::takeBytes(std::span<const char> bytes) {
  findShifts([&](std::size_t, std::size_t, std::vector<char>&) {
    return std::pair<const char*, std::size_t>(bytes.data(), 0);
  });
  convert(bytes.data(), 0, points_.n);
  throwIfCancelled(control_);
}

PointSet PointCloud::finish() {
  keepFiniteRows(points_);
  control_.report(points_.inputRows, 1);
  return std::move(points_);
}

std::uint64_t headerCount(const LineReader& lines, std::string_view line, std::string_view word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string_view::npos;
  const auto count = digits ? parseCount(word) : std::nullopt;
  if (!count) lines.refuseAt(line, word, "expected a count, found " + quoted(word));
  return *count;
}

void refuseTooFewBytes(const InputFile& file, const LineReader& lines, std::uint64_t rows,
                       std::size_t words) {
  const std::uint64_t present = file.size() - std::min(file.size(), lines.offset());
  // A word is one character, and one more parts it from the next.
  if (rows > (present + 1) / (2 * std::max<std::size_t>(1, words)))
    refuse("the header promises " + counted(rows, "point") + ", but " + counted(present, "byte") +
           " follow it");
}

} // namespace lloyd
