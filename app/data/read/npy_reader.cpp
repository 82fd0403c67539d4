// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy_reader.hpp"

#include "app/data/input/column_choice.hpp"
#include "app/data/input/finite_rows.hpp"
#include "app/data/input/read_error.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/read/npy_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t chunkBytes = std::size_t{1} << 18; ///< stays in a core's cache while it is converted
constexpr std::uint64_t mostColumns = std::uint64_t{1} << 20;

/// Items that lie `step` bytes apart, as floats.
using Convert = void (*)(const char* bytes, std::size_t step, std::size_t count, float* values);

template <typename T, bool swap>
void convert(const char* bytes, std::size_t step, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> item{};
    std::memcpy(item.data(), bytes + i * step, sizeof(T));
    if constexpr (swap) std::reverse(item.begin(), item.end());
    values[i] = static_cast<float>(std::bit_cast<T>(item));
  }
}

template <typename T>
Convert convertOf(bool bigEndian) {
  const bool swap = bigEndian != (std::endian::native == std::endian::big);
  return swap ? &convert<T, true> : &convert<T, false>;
}

Convert converter(const NpyHeader& header) {
  const bool big = header.bigEndian;
  if (header.kind == 'f') return header.itemBytes == 4 ? convertOf<float>(big) : convertOf<double>(big);
  const bool isSigned = header.kind == 'i';
  switch (header.itemBytes) {
  case 1:
    return isSigned ? convertOf<std::int8_t>(big) : convertOf<std::uint8_t>(big);
  case 2:
    return isSigned ? convertOf<std::int16_t>(big) : convertOf<std::uint16_t>(big);
  case 4:
    return isSigned ? convertOf<std::int32_t>(big) : convertOf<std::uint32_t>(big);
  default:
    return isSigned ? convertOf<std::int64_t>(big) : convertOf<std::uint64_t>(big);
  }
}

/// The header and where the first value lies, or why these values cannot be in this file.
std::pair<NpyHeader, std::uint64_t> readHeader(const InputFile& file) {
  const NpyDictionary place = npyDictionary(file.head(npyPrefix));
  const std::uint64_t dataStart = place.offset + place.length;
  if (dataStart > file.size())
    refuse("the NPY header is said to end at byte " + std::to_string(dataStart) + ", but the file has " +
           std::to_string(file.size()));
  if (place.length > (1U << 20)) refuse("an NPY header of more than 1 MiB is damaged");
  std::string bytes(dataStart, '\0');
  const std::size_t got = file.read(bytes);
  NpyHeader header =
      parseNpyHeader(std::string_view(bytes).substr(place.offset, got - std::min(got, place.offset)));

  std::uint64_t expected = 0;
  const bool overflow =
      __builtin_mul_overflow(header.rows(), header.columns(), &expected) ||
      __builtin_mul_overflow(expected, static_cast<std::uint64_t>(header.itemBytes), &expected);
  const std::uint64_t present = file.size() - dataStart;
  if (overflow || expected != present)
    refuse("the NPY header promises " + std::to_string(header.rows()) + " x " +
           std::to_string(header.columns()) + " values of " +
           counted(static_cast<std::uint64_t>(header.itemBytes), "byte") + ", but " +
           counted(present, "byte") + " follow it");
  if (header.columns() > mostColumns) refuse("more than 1,048,576 columns");
  if (expected == 0) refuse("the array has no values in it");
  return {std::move(header), dataStart};
}

/// Reads pieces of the file into a structure of arrays of the chosen columns. Pieces of different rows may be
/// read at once.
class Pieces {
public:
  Pieces(const InputFile& file, const NpyHeader& header, std::uint64_t dataStart,
         const std::vector<std::size_t>& chosen, PointSet& points)
      : file_(file), dataStart_(dataStart), convert_(converter(header)),
        itemBytes_(static_cast<std::size_t>(header.itemBytes)), columns_(header.columns()),
        byColumn_(header.fortranOrder || columns_ == 1), chosen_(chosen), points_(points) {}

  /// How many rows a piece may have for its bytes to stay in a cache.
  [[nodiscard]] std::size_t rows() const {
    return std::max<std::size_t>(1, chunkBytes / (itemBytes_ * (byColumn_ ? 1 : columns_)));
  }

  void read(std::size_t firstRow, std::size_t rows) const {
    std::vector<char> bytes(rows * itemBytes_ * (byColumn_ ? 1 : columns_));
    if (!byColumn_) fetch(firstRow * columns_, bytes);
    for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
      float* const values = points_.values.data() + slot * points_.n + firstRow;
      if (byColumn_) {
        fetch(chosen_[slot] * points_.n + firstRow, bytes);
        convert_(bytes.data(), itemBytes_, rows, values);
      } else {
        convert_(bytes.data() + chosen_[slot] * itemBytes_, columns_ * itemBytes_, rows, values);
      }
    }
  }

private:
  void fetch(std::uint64_t firstItem, std::span<char> bytes) const {
    if (file_.readAt(dataStart_ + firstItem * itemBytes_, bytes) < bytes.size())
      refuse("the file became shorter while it was read");
  }

  const InputFile& file_;
  std::uint64_t dataStart_;
  Convert convert_;
  std::size_t itemBytes_;
  std::size_t columns_;
  bool byColumn_; ///< a column's values lie side by side
  const std::vector<std::size_t>& chosen_;
  PointSet& points_;
};

} // namespace

PointSet readNpy(const InputFile& file, const std::vector<std::string>& columns, const ReadControl& control) {
  const auto [header, dataStart] = readHeader(file);
  std::vector<std::string> names(header.columns());
  for (std::size_t c = 0; c < names.size(); ++c)
    names[c] = unnamedColumn(c);
  const std::vector<std::size_t> chosen = chooseColumns(columns, names);

  PointSet points;
  points.n = header.rows();
  points.d = static_cast<int>(chosen.size());
  points.source = file.path();
  for (const std::size_t c : chosen)
    points.columns.push_back(names[c]);
  refuseTooLarge(pointBytes(points.n, points.d));
  points.values.resize(points.n * chosen.size());

  const Pieces pieces(file, header, dataStart, chosen, points);
  parallelRanges(
      points.n, control, [&](std::size_t first, std::size_t end) { pieces.read(first, end - first); },
      pieces.rows());
  throwIfCancelled(control);
  keepFiniteRows(points);
  return points;
}

} // namespace lloyd
