// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_matrix.hpp"

#include "app/data/read/csv_reader.hpp"
#include "app/data/read/file_kind.hpp"
#include "app/data/read/npy_reader.hpp"

#include <new>

namespace lloyd {
namespace {

tl::expected<PointSet, ReadError> readTable(const std::string& path) {
  auto file = InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const auto head = file->head(fileKindBytes);
  if (!head) return tl::unexpected(head.error());
  const FileKind kind = fileKind(path, *head);
  if (kind.family == FileKind::Family::npy) return readNpy(std::move(*file), {}, {});
  if (kind.family == FileKind::Family::foreign) return tl::unexpected(file->error(kind.why));
  if (kind.family == FileKind::Family::image) {
    return tl::unexpected(
        file->error("it is an image; expected a CSV file without a header, or an NPY array"));
  }
  return readCsv(std::move(*file), {.header = false, .numbersOnly = true, .comments = kind.comments}, {});
}

} // namespace

tl::expected<Matrix, ReadError> readMatrix(const std::string& path) {
  try {
    const auto table = readTable(path);
    if (!table) return tl::unexpected(table.error());
    if (!table->dropped.empty()) {
      return tl::unexpected(
          ReadError{.file = path,
                    .message = "row " + std::to_string(table->dropped.front()) +
                               " (counted from 0) holds a value that is not a finite number"});
    }
    Matrix matrix{.rows = table->n, .columns = static_cast<std::size_t>(table->d)};
    matrix.values.resize(table->values.size());
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t j = 0; j < matrix.columns; ++j) {
        matrix.values[i * matrix.columns + j] = table->values[j * matrix.rows + i];
      }
    }
    return matrix;
  } catch (const std::bad_alloc&) {
    return tl::unexpected(ReadError{.file = path, .message = "there is not enough memory to read it"});
  }
}

} // namespace lloyd
