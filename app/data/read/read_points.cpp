// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_points.hpp"

#include "app/data/input/input_file.hpp"
#include "app/data/read/csv_reader.hpp"
#include "app/data/read/file_kind.hpp"
#include "app/data/read/image_reader.hpp"
#include "app/data/read/npy_reader.hpp"

namespace lloyd {
namespace {

PointSet readUnscaled(const std::string& path, const ReadOptions& options, const ReadControl& control) {
  InputFile file(path);
  const FileKind kind = fileKind(path, file.head(fileKindBytes));
  switch (kind.family) {
  case FileKind::Family::npy:
    return readNpy(file, options.columns, control);
  case FileKind::Family::image:
    return readImage(file, kind.imageFormat, options.columns, control);
  case FileKind::Family::foreign:
    refuse(kind.why);
  case FileKind::Family::text:
    break;
  }
  return readCsv(std::move(file), {.columns = options.columns, .comments = kind.comments}, control);
}

PointSet readTable(const std::string& path) {
  InputFile file(path);
  const FileKind kind = fileKind(path, file.head(fileKindBytes));
  if (kind.family == FileKind::Family::npy) return readNpy(file, {}, {});
  if (kind.family == FileKind::Family::foreign) refuse(kind.why);
  if (kind.family == FileKind::Family::image) refuse("it is an image; expected a CSV file or an NPY array");
  return readCsv(std::move(file), {.numbersOnly = true, .comments = kind.comments}, {});
}

} // namespace

tl::expected<PointSet, ReadError> readPoints(const std::string& path, const ReadOptions& options,
                                             const ReadControl& control) {
  return orReadError(path, "there is not enough memory to read it", [&] {
    PointSet points = readUnscaled(path, options, control);
    if (const auto scaled = applyScale(points, options.scale); !scaled) refuse(scaled.error());
    return points;
  });
}

tl::expected<Matrix, ReadError> readMatrix(const std::string& path) {
  return orReadError(path, "there is not enough memory to read it", [&] {
    const PointSet table = readTable(path);
    if (!table.dropped.empty())
      refuse("row " + std::to_string(table.dropped.front()) +
             " (counted from 0) holds a value that is not a finite number");
    Matrix matrix{.rows = table.n, .columns = static_cast<std::size_t>(table.d)};
    matrix.values.resize(table.values.size());
    for (std::size_t i = 0; i < matrix.rows; ++i)
      for (std::size_t j = 0; j < matrix.columns; ++j)
        matrix.values[i * matrix.columns + j] = table.values[j * matrix.rows + i];
    return matrix;
  });
}

} // namespace lloyd
