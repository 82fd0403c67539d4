// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/npy.hpp"

#include "app/data/input/reader_steps.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/read_control.hpp"

#include <algorithm>
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
        byColumn_(header.byColumn()), chosen_(chosen), points_(points) {}

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
  ConvertItems convert_;
  std::size_t itemBytes_;
  std::size_t columns_;
  bool byColumn_;
  const std::vector<std::size_t>& chosen_;
  PointSet& points_;
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

  const Pieces pieces(file, header, chosen, points);
  parallelRanges(
      points.n, control, [&](std::size_t first, std::size_t end) { pieces.read(first, end - first); },
      pieces.rows());
  throwIfCancelled(control);
  keepFiniteRows(points);
  return points;
}

} // namespace lloyd
