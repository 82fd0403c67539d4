// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/write_table.hpp"

#include "app/data/input/input_file.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/input/unpack.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/precision/figures.hpp"
#include "app/data/read/read_points.hpp"
#include "app/data/read/table_rows.hpp"
#include "app/data/read_control.hpp"
#include "app/data/table/free_name.hpp"
#include "app/data/table/table.hpp"
#include "app/data/write/write_results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t bufferBytes = std::size_t{1} << 16;

/// Clusters and distances of points, in the order of the input rows that they come from; and the names of
/// clusters, where they have some.
class Results {
public:
  Results(const PointSet& points, std::span<const Label> labels, std::span<const float> centroids,
          std::span<const std::string> names)
      : points_(points), labels_(labels), centroids_(centroids) {
    if (std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); })) names_ = names;
  }

  /// What its columns are called, so that none has the name of another.
  [[nodiscard]] std::vector<std::string> columns(std::vector<std::string> taken) const {
    std::vector<std::string> columns{"cluster", "distance"};
    if (!names_.empty()) columns.emplace_back("cluster_name");
    for (std::string& column : columns)
      taken.push_back(column = freeName(column, taken));
    return columns;
  }
  /// The next row's fields; rows must be asked for in their order.
  void append(std::string& line, std::uint64_t row, char delimiter, bool comma) {
    if (point_ >= points_.n || points_.inputRow(point_) != row) {
      line.append("-1").append(names_.empty() ? 1 : 2, delimiter);
      return;
    }
    const auto cluster = static_cast<std::size_t>(labels_[point_]);
    line.append(std::to_string(cluster)).append(1, delimiter);
    const std::size_t from = line.size();
    appendNumber(line, distance());
    if (comma) std::replace(line.begin() + static_cast<std::ptrdiff_t>(from), line.end(), '.', ',');
    if (!names_.empty()) line.append(1, delimiter);
    if (cluster < names_.size()) line += csvField(names_[cluster], delimiter);
    ++point_;
  }
  /// The point that the next row may be.
  [[nodiscard]] std::size_t point() const { return point_; }

private:
  [[nodiscard]] double distance() const {
    const auto d = static_cast<std::size_t>(points_.d);
    const auto cluster = static_cast<std::size_t>(labels_[point_]);
    double square = 0;
    for (std::size_t j = 0; j < d; ++j) {
      const double off = static_cast<double>(points_.row(static_cast<int>(j))[point_]) -
                         static_cast<double>(centroids_[cluster * d + j]);
      square += off * off;
    }
    return std::sqrt(square);
  }
  static void appendNumber(std::string& line, double value) {
    constexpr int digits = 9; // as many as float32 has at most
    std::array<char, 32> room{};
    const auto end =
        std::to_chars(room.data(), room.data() + room.size(), value, std::chars_format::general, digits);
    line.append(room.data(), end.ptr);
  }

  const PointSet& points_;
  std::span<const Label> labels_;
  std::span<const float> centroids_;
  std::span<const std::string> names_;
  std::size_t point_ = 0;
};

/// Gathers text and hands it over in large pieces; throws ReadFailure where it cannot be written.
class Writer {
public:
  explicit Writer(AtomicFile& file) : file_(file) {}
  std::string& text() { return text_; }
  void flush(std::size_t above = 0) {
    if (text_.size() <= above) return;
    if (const auto written = file_.write(text_); !written)
      throw ReadFailure({.file = {}, .message = written.error()});
    text_.clear();
  }

private:
  AtomicFile& file_;
  std::string text_;
};

/// The file's own records, each with its fields behind it.
void extend(AtomicFile& out, const PointSet& points, Results results) {
  const Table& table = *points.table;
  const char delimiter = table.layout.delimiter;
  Writer writer(out);
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (openInput(points.source, {}).file.head(mark.size()) == mark) writer.text() += mark;
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns)
    names.push_back(column.name);
  std::size_t ragged = 0;
  eachTableRow(points, [&](const TableRow& row) {
    std::string& text = writer.text();
    text += row.record;
    const std::string_view end = row.endedWithReturn ? "\r\n" : "\n";
    if (row.header) {
      for (const std::string& name : results.columns(names))
        text.append(1, delimiter).append(name);
      text += end;
      return true;
    }
    if (ragged < table.ragged.size() && table.ragged[ragged] == row.row) {
      ++ragged; // what it lacks is filled, so that its cluster stands below the others
      for (std::size_t have = countFields(row.record, delimiter); have < table.columns.size(); ++have)
        text += delimiter;
    }
    text += delimiter;
    results.append(text, row.row, delimiter, table.layout.decimalComma);
    text += end;
    writer.flush(bufferBytes);
    return true;
  });
  writer.flush();
}

/// The points themselves.
void write(AtomicFile& out, const PointSet& points, Results results) {
  Writer writer(out);
  std::vector<std::string> names = points.columns;
  for (std::string& name : results.columns(names))
    names.push_back(std::move(name));
  writer.text() = csvHeader(names);
  const auto d = static_cast<std::size_t>(points.d);
  for (std::uint64_t row = 0; row < points.inputRows; ++row) {
    const std::size_t i = results.point();
    const bool there = i < points.n && points.inputRow(i) == row;
    std::string& text = writer.text();
    for (std::size_t j = 0; j < d; ++j) {
      if (there) text += figureText(points, j, points.row(static_cast<int>(j))[i]);
      text += ',';
    }
    results.append(text, row, ',', false);
    text += '\n';
    writer.flush(bufferBytes);
  }
  writer.flush();
}

} // namespace

tl::expected<AtomicFile, std::string> clusteredTable(const std::string& path, const PointSet& points,
                                                     std::span<const Label> labels,
                                                     std::span<const float> centroids,
                                                     std::span<const std::string> names) {
  if (std::string why = whyNoTable(path); !why.empty()) return tl::unexpected(std::move(why));
  if (points.drift)
    return tl::unexpected(path + ": points that drift have other places in every iteration, so there is no "
                                 "table of them; write their labels");
  if (points.n > 0 && points.values.empty())
    return tl::unexpected(path + ": the points are read from their file piece by piece, so there is no table "
                                 "of them; write their labels");
  auto file = AtomicFile::create(path);
  if (!file) return file;
  const auto done = orReadError(points.source, "there is not enough memory to write its table", [&] {
    const Results results(points, labels, centroids, names);
    points.table ? extend(*file, points, results) : write(*file, points, results);
    return true;
  });
  if (!done) return tl::unexpected(done.error().sentence());
  return file;
}

tl::expected<void, std::string> writeClusteredTable(const std::string& path, const PointSet& points,
                                                    std::span<const Label> labels,
                                                    std::span<const float> centroids,
                                                    std::span<const std::string> names) {
  auto file = clusteredTable(path, points, labels, centroids, names);
  if (!file) return tl::unexpected(file.error());
  return file->commit();
}

std::string whyNoTable(const std::string& path) {
  constexpr std::array<std::string_view, 4> text{"csv", "tsv", "txt", "dat"};
  if (std::ranges::find(text, extensionOf(path)) != text.end()) return {};
  return path + ": a table is text, so its name must end in .csv, .tsv, .txt or .dat";
}

} // namespace lloyd
