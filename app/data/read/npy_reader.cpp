// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy_reader.hpp"

#include "app/data/input/column_choice.hpp"
#include "app/data/input/finite_rows.hpp"
#include "app/data/input/read_error.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/npy_header.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lloyd {
namespace {

constexpr std::size_t chunkItems = std::size_t{1} << 15;
constexpr std::uint64_t mostColumns = std::uint64_t{1} << 20;

using Convert = void (*)(const char* bytes, std::size_t count, float* values);

template <typename T, bool swap>
void convert(const char* bytes, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(T)> item{};
    std::memcpy(item.data(), bytes + i * sizeof(T), sizeof(T));
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

/// The header, with the file's position left at the first value, or why these values cannot be in this file.
NpyHeader readHeader(const InputFile& file) {
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
  return header;
}

/// Puts values that arrive in the file's order into a structure of arrays of the chosen columns.
class Scatter {
public:
  Scatter(const NpyHeader& header, const std::vector<std::size_t>& chosen, PointSet& points)
      : rows_(header.rows()), columns_(header.columns()), byColumn_(header.fortranOrder || columns_ == 1),
        target_(columns_, nullptr) {
    for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
      target_[chosen[slot]] = points.values.data() + slot * points.n;
    }
  }
  void operator()(std::span<const float> values) {
    const std::size_t fast = byColumn_ ? rows_ : columns_;
    for (const float value : values) {
      float* const target = target_[byColumn_ ? slow_ : fast_];
      if (target != nullptr) target[byColumn_ ? fast_ : slow_] = value;
      if (++fast_ == fast) {
        fast_ = 0;
        ++slow_;
      }
    }
  }

private:
  std::size_t rows_;
  std::size_t columns_;
  bool byColumn_;
  std::vector<float*> target_;
  std::size_t fast_ = 0;
  std::size_t slow_ = 0;
};

} // namespace

PointSet readNpy(const InputFile& file, const std::vector<std::string>& columns, const ReadControl& control) {
  const NpyHeader header = readHeader(file);
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

  const Convert toFloats = converter(header);
  const auto itemBytes = static_cast<std::size_t>(header.itemBytes);
  const std::size_t total = header.rows() * header.columns();
  std::vector<char> bytes(std::min(chunkItems, total) * itemBytes);
  std::vector<float> values(std::min(chunkItems, total));
  Scatter scatter(header, chosen, points);
  for (std::size_t done = 0; done < total;) {
    throwIfCancelled(control);
    const std::size_t count = std::min(chunkItems, total - done);
    if (file.read(std::span(bytes).first(count * itemBytes)) < count * itemBytes)
      refuse("the file became shorter while it was read");
    toFloats(bytes.data(), count, values.data());
    scatter(std::span(values).first(count));
    done += count;
    control.report(done / header.columns(), static_cast<double>(done) / static_cast<double>(total));
  }
  keepFiniteRows(points);
  return points;
}

} // namespace lloyd
