// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/selection/selection_summary.hpp"

#include "app/data/parallel_ranges.hpp"
#include "app/data/precision/figures.hpp"
#include "app/data/table/table.hpp"
#include "app/data/write/atomic_file.hpp"
#include "app/text/csv.hpp"
#include "app/text/strings.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr std::size_t pieceRows = std::size_t{1} << 14;
constexpr std::size_t bufferBytes = std::size_t{1} << 16;

} // namespace

SelectionSummary summaryOf(const PointSet& points, std::span<const std::uint8_t> marks) {
  SelectionSummary summary{.points = points.n, .means = {}, .first = {}};
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

tl::expected<void, std::string> writeMarkedRows(const std::string& path, const PointSet& points,
                                                std::span<const std::uint8_t> marks,
                                                std::span<const Label> labels) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
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
