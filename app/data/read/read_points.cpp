// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_points.hpp"

#include "app/data/input/input_file.hpp"
#include "app/data/read/csv_reader.hpp"
#include "app/data/read/file_kind.hpp"
#include "app/data/read/image_reader.hpp"
#include "app/data/read/npy_reader.hpp"

#include <new>

namespace lloyd {
namespace {

tl::expected<PointSet, ReadError> readUnscaled(const std::string& path, const ReadOptions& options,
                                               const ReadControl& control) {
  auto file = InputFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const auto head = file->head(fileKindBytes);
  if (!head) return tl::unexpected(head.error());
  const FileKind kind = fileKind(path, *head);
  switch (kind.family) {
  case FileKind::Family::npy:
    return readNpy(std::move(*file), options.columns, control);
  case FileKind::Family::image:
    return readImage(std::move(*file), kind.imageFormat, options.columns, control);
  case FileKind::Family::foreign:
    return tl::unexpected(file->error(kind.why));
  case FileKind::Family::text:
    break;
  }
  return readCsv(std::move(*file), {.columns = options.columns, .comments = kind.comments}, control);
}

} // namespace

tl::expected<PointSet, ReadError> readPoints(const std::string& path, const ReadOptions& options,
                                             const ReadControl& control) {
  try {
    auto points = readUnscaled(path, options, control);
    if (!points) return points;
    if (auto scaled = applyScale(*points, options.scale); !scaled) {
      return tl::unexpected(ReadError{.file = path, .message = scaled.error()});
    }
    return points;
  } catch (const std::bad_alloc&) {
    return tl::unexpected(ReadError{.file = path, .message = "there is not enough memory to read it"});
  }
}

} // namespace lloyd
