// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/selection_summary.hpp"

#include "app/data/input/text_records.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/parallel_ranges.hpp"
#include "app/data/precision/figures.hpp"
#include "app/data/read/table_rows.hpp"
#include "app/data/table/free_name.hpp"
#include "app/data/table/table.hpp"
#include "app/data/write/atomic_file.hpp"
#include "app/data/write/write_results.hpp"
#include "app/text/csv.hpp"
#include "app/text/strings.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t pieceRows = std::size_t{1} << 14;
constexpr std::size_t bufferBytes = std::size_t{1} << 16;
constexpr std::uint64_t quicklyRead = std::uint64_t{64} << 20; ///< bytes of a file

/// Throws ReadFailure.
void writeRecords(AtomicFile& file, const PointSet& points, std::span<const std::uint8_t> marks,
                  std::span<const Label> labels) {
  const Table& table = *points.table;
  const char delimiter = table.layout.delimiter;
  std::string text;
  const auto flush = [&](std::size_t above) {
    if (text.size() <= above) return;
    if (const auto written = file.write(text); !written)
      throw ReadFailure({.file = {}, .message = written.error()});
    text.clear();
  };
  std::vector<std::string> names;
  for (const TableColumn& column : table.columns)
    names.push_back(column.name);
  const std::string added = freeName("cluster", names);
  if (!table.layout.header) {
    for (const std::string& name : names)
      text += csvField(name, delimiter) + delimiter;
    text += added + '\n';
  }
  std::size_t point = 0;
  eachTableRow(points, [&](const TableRow& row) {
    if (row.header) {
      text.append(row.record).append(1, delimiter).append(added).append(1, '\n');
      return true;
    }
    if (point >= points.n || points.inputRow(point) != row.row) return true;
    const std::size_t at = point++;
    if (marks[at] == 0) return true;
    text.append(row.record).append(1, delimiter);
    text.append(std::to_string(at < labels.size() ? labels[at] : -1)).append(1, '\n');
    flush(bufferBytes);
    return true;
  });
  flush(0);
}

} // namespace

SelectionSummary summaryOf(const PointSet& points, std::span<const std::uint8_t> marks) {
  SelectionSummary summary{.points = points.n, .means = {}, .first = {}, .cells = {}};
  const auto d = static_cast<std::size_t>(points.d);
  const std::size_t pieces = (points.n + pieceRows - 1) / pieceRows;
  std::vector<std::size_t> counts(pieces);
  std::vector<double> sums(pieces * d);
  parallelRanges(
      pieces, {},
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
          const std::size_t last = std::min(points.n, (p + 1) * pieceRows);
          for (std::size_t i = p * pieceRows; i < last; ++i)
            counts[p] += marks[i] != 0 ? 1 : 0;
          for (std::size_t j = 0; j < d; ++j) {
            const float* row = points.row(static_cast<int>(j));
            double sum = 0;
            for (std::size_t i = p * pieceRows; i < last; ++i)
              sum += marks[i] != 0 ? static_cast<double>(row[i]) : 0;
            sums[p * d + j] = sum;
          }
        }
      },
      1);
  for (const std::size_t count : counts)
    summary.count += count;
  for (std::size_t j = 0; j < d && summary.count > 0; ++j) {
    double sum = 0;
    for (std::size_t p = 0; p < pieces; ++p)
      sum += sums[p * d + j];
    summary.means.push_back(points.scaleOf(j).inFile(sum / static_cast<double>(summary.count)));
  }
  for (std::size_t i = 0; i < points.n && summary.first.size() < SelectionSummary::mostFirst; ++i)
    if (marks[i] != 0) summary.first.push_back(i);
  return summary;
}

std::size_t rowColumns(const PointSet& points) {
  return points.table ? points.table->columns.size() : static_cast<std::size_t>(points.d);
}

std::string rowColumnName(const PointSet& points, std::size_t column) {
  if (points.table) return points.table->columns[column].name;
  return column < points.columns.size() ? points.columns[column] : std::to_string(column);
}

std::string rowCell(const PointSet& points, std::size_t column, std::size_t point) {
  if (points.table) return cellAt(points, column, point);
  return figureText(points, column, points.row(static_cast<int>(column))[point]);
}

void readCells(const PointSet& points, SelectionSummary& summary) {
  if (!points.table || points.table->layout.bytes > quicklyRead || summary.first.empty()) return;
  const char delimiter = points.table->layout.delimiter;
  const auto read = orReadError(points.source, "there is not enough memory", [&] {
    std::vector<std::vector<std::string>> cells;
    eachTableRow(points, [&](const TableRow& row) {
      if (row.header || row.row != points.inputRow(summary.first[cells.size()])) return true;
      std::vector<std::string>& fields = cells.emplace_back();
      FieldCursor cursor(row.record, delimiter);
      for (Field field; cursor.next(field);)
        fields.push_back(field.plain());
      return cells.size() < summary.first.size();
    });
    return cells;
  });
  if (read) summary.cells = *read;
}

tl::expected<void, std::string> writeMarkedRows(const std::string& path, const PointSet& points,
                                                std::span<const std::uint8_t> marks,
                                                std::span<const Label> labels) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (points.table) {
    const auto done = orReadError(points.source, "there is not enough memory to write its rows", [&] {
      writeRecords(*file, points, marks, labels);
      return true;
    });
    return done ? file->commit() : tl::unexpected(done.error().sentence());
  }
  const std::size_t columns = rowColumns(points);
  QStringList fields;
  for (std::size_t column = 0; column < columns; ++column)
    fields << qtext(rowColumnName(points, column));
  fields << QStringLiteral("cluster");
  std::string text = csvLine(fields).toStdString();
  for (std::size_t i = 0; i < points.n; ++i) {
    if (marks[i] == 0) continue;
    fields.clear();
    for (std::size_t column = 0; column < columns; ++column)
      fields << qtext(rowCell(points, column, i));
    fields << QString::number(i < labels.size() ? labels[i] : -1);
    text += csvLine(fields).toStdString();
    if (text.size() < bufferBytes) continue;
    if (auto written = file->write(text); !written) return written;
    text.clear();
  }
  if (auto written = file->write(text); !written) return written;
  return file->commit();
}

} // namespace lloyd
