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

} // namespace

tl::expected<PointSet, ReadError> readPoints(const std::string& path, const ReadOptions& options,
                                             const ReadControl& control) {
  return orReadError(path, "there is not enough memory to read it", [&] {
    PointSet points = readUnscaled(path, options, control);
    if (const auto scaled = applyScale(points, options.scale); !scaled) refuse(scaled.error());
    return points;
  });
}

} // namespace lloyd
