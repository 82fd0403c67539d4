// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy.hpp"

#include "app/data/input/reader_steps.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/precision/number_summary.hpp"
#include "app/data/read_control.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t chunkBytes = std::size_t{1} << 18; ///< stays in a core's cache while it is converted

/// Reads pieces of the file into a structure of arrays of the chosen columns. Pieces of different rows may be
/// read at once.
class Pieces {
public:
  Pieces(const InputFile& file, const NpyHeader& header, const std::vector<std::size_t>& chosen,
         PointSet& points)
      : file_(file), dataStart_(header.dataStart), convert_(converterOf(header)),
        itemBytes_(static_cast<std::size_t>(header.itemBytes)), columns_(header.columns()),
        byColumn_(header.byColumn()), chosen_(chosen), points_(points), widen_(widenerOf(header)) {}

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
        convert_(bytes.data(), itemBytes_, rows, points_.scales[slot].shift, values);
      } else {
        convert_(bytes.data() + chosen_[slot] * itemBytes_, columns_ * itemBytes_, rows,
                 points_.scales[slot].shift, values);
      }
    }
  }

  /// A piece in double precision, column after column.
  void readWide(std::size_t firstRow, std::size_t rows, double* values) const {
    std::vector<char> bytes(rows * itemBytes_ * (byColumn_ ? 1 : columns_));
    if (!byColumn_) fetch(firstRow * columns_, bytes);
    for (std::size_t slot = 0; slot < chosen_.size(); ++slot) {
      if (byColumn_) fetch(chosen_[slot] * points_.n + firstRow, bytes);
      widen_(bytes.data() + (byColumn_ ? 0 : chosen_[slot] * itemBytes_),
             byColumn_ ? itemBytes_ : columns_ * itemBytes_, rows, values + slot * rows);
    }
  }

private:
  void fetch(std::uint64_t firstItem, std::span<char> bytes) const {
    if (file_.readAt(dataStart_ + firstItem * itemBytes_, bytes) < bytes.size())
      refuse("the file became shorter while it was read");
  }

  const InputFile& file_;
  std::uint64_t dataStart_;
  ConvertItems convert_;
  std::size_t itemBytes_;
  std::size_t columns_;
  bool byColumn_;
  const std::vector<std::size_t>& chosen_;
  PointSet& points_;
  WidenItems widen_;
};

} // namespace

std::string npyHeaderBytes(std::string_view type, std::span<const std::uint64_t> shape) {
  std::string text = "{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': (";
  for (const std::uint64_t length : shape)
    text.append(std::to_string(length)).append(",");
  if (shape.size() > 1) text.pop_back(); // a tuple of one keeps its comma
  text += "), }";
  constexpr std::size_t fixed = 10;
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  std::string bytes(npyMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(text.size() & 0xFFU);
  bytes += static_cast<char>(text.size() >> 8);
  return bytes + text;
}

std::vector<double>
shiftsOf(std::uint64_t rows, std::size_t columns, double unit, const ReadControl& control,
         const std::function<void(std::size_t first, std::size_t count, double* values)>& read) {
  std::vector<NumberSummary> all(columns);
  std::vector<double> firstRow(columns);
  read(0, 1, firstRow.data());
  for (std::size_t j = 0; j < columns; ++j)
    all[j].pivot = std::isfinite(firstRow[j]) ? firstRow[j] : 0;
  const std::size_t piece = std::clamp<std::size_t>(chunkBytes / columns, 1, std::size_t{1} << 14);
  const auto pieces = static_cast<std::size_t>((rows + piece - 1) / piece);
  // A batch of pieces is summed side by side, then added in order: memory does not grow with the file.
  constexpr std::size_t batch = 64;
  for (std::size_t begin = 0; begin < pieces; begin += batch) {
    const std::size_t count = std::min(batch, pieces - begin);
    std::vector<std::vector<NumberSummary>> parts(count);
    parallelRanges(
        count, {.progress = {}, .cancel = control.cancel},
        [&](std::size_t from, std::size_t to) {
          for (std::size_t p = from; p < to; ++p) {
            const std::size_t first = (begin + p) * piece;
            const std::size_t some = std::min<std::size_t>(piece, rows - first);
            std::vector<double> values(some * columns);
            read(first, some, values.data());
            for (std::size_t j = 0; j < columns; ++j) {
              NumberSummary& part = parts[p].emplace_back();
              part.pivot = all[j].pivot;
              for (std::size_t i = 0; i < some; ++i)
                part.take(values[j * some + i]);
            }
          }
        },
        1);
    throwIfCancelled(control);
    for (const std::vector<NumberSummary>& part : parts)
      for (std::size_t j = 0; j < columns; ++j)
        all[j].take(part[j]);
  }
  std::vector<double> shifts;
  shifts.reserve(columns);
  for (const NumberSummary& column : all)
    shifts.push_back(shiftFor(column, unit));
  return shifts;
}

CsvNumbers readNpyNumbers(const InputFile& file) {
  const NpyHeader header = readNpyHeader(file);
  CsvNumbers numbers{.rows = static_cast<std::size_t>(header.rows()),
                     .columns = static_cast<std::size_t>(header.columns())};
  std::vector<char> bytes(numbers.rows * numbers.columns * static_cast<std::size_t>(header.itemBytes));
  if (file.readAt(header.dataStart, bytes) < bytes.size())
    refuse("the file became shorter while it was read");
  std::vector<double> values(numbers.rows * numbers.columns);
  widenerOf(header)(bytes.data(), static_cast<std::size_t>(header.itemBytes), values.size(), values.data());
  if (!header.byColumn() || numbers.columns == 1) {
    numbers.values = std::move(values);
    return numbers;
  }
  numbers.values.resize(values.size());
  for (std::size_t c = 0; c < numbers.columns; ++c)
    for (std::size_t i = 0; i < numbers.rows; ++i)
      numbers.values[i * numbers.columns + c] = values[c * numbers.rows + i];
  return numbers;
}

PointSet readNpy(const InputFile& file, const std::vector<std::string>& columns, const ReadControl& control) {
  const NpyHeader header = readNpyHeader(file);
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

  points.scales.resize(chosen.size());
  const Pieces pieces(file, header, chosen, points);
  if (const auto unit = unitOf(header)) {
    const std::vector<double> shifts = shiftsOf(
        points.n, chosen.size(), *unit, control,
        [&](std::size_t first, std::size_t count, double* values) { pieces.readWide(first, count, values); });
    for (std::size_t j = 0; j < shifts.size(); ++j)
      points.scales[j] = {.offset = shifts[j], .factor = 1, .shift = shifts[j]};
    if (header.kind != 'f') points.decimals.assign(chosen.size(), 0);
  }
  parallelRanges(
      points.n, control, [&](std::size_t first, std::size_t end) { pieces.read(first, end - first); },
      pieces.rows());
  throwIfCancelled(control);
  keepFiniteRows(points);
  return points;
}

} // namespace lloyd
