// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/read_points.hpp"

#include "app/data/input/unpack.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/csv_reader.hpp"
#include "app/data/read/image_reader.hpp"
#include "app/data/read/npy.hpp"
#include "app/data/read/pcd_reader.hpp"
#include "app/data/read/ply_reader.hpp"
#include "app/data/table/free_name.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {
namespace {

struct Signature {
  std::string_view bytes;
  std::string_view meaning;
};

constexpr std::string_view advice =
    "; expected a table of text, an NPY array, a PLY or PCD point cloud, or an image";

constexpr std::array signatures{
    Signature{"7z\xbc\xaf\x27\x1c", "it is a 7-Zip archive; unpack it first"},
    Signature{"Rar!\x1a\x07", "it is a RAR archive; unpack it first"},
    Signature{"%PDF", "it is a PDF document"},
    Signature{"\x7f"
              "ELF",
              "it is a program"},
    Signature{"\x89HDF", "it is an HDF5 file"},
    Signature{"PAR1", "it is a Parquet file"},
    Signature{"SQLite format 3", "it is an SQLite database"},
    Signature{"GIF8", "it is a GIF image; save it as PNG"},
    Signature{"RIFF", "it is a sound or a film"},
    Signature{{"II+\0", 4}, "it is a TIFF image of the kind for more than 4 GB; save it as PNG"},
    Signature{{"MM\0+", 4}, "it is a TIFF image of the kind for more than 4 GB; save it as PNG"},
    Signature{"{\\rtf", "it is a rich text document; save it as plain CSV"},
    Signature{"<!DOCTYPE", "it is a web page; save its table as CSV"},
    Signature{"<html", "it is a web page; save its table as CSV"},
    Signature{"<?xml", "it is an XML document"},
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array known{
    Format{"Delimited text", "csv tsv txt dat",
           "one point a row; comma, semicolon, tab or blanks; header or none; decimal comma after semicolon "
           "or tab",
           "the table with clusters; labels and centroids (csv)"},
    Format{"XYZ point cloud", "xyz",
           "one point a row, separated by blanks; lines that begin with # are comments", ""},
    Format{"NumPy array", "npy",
           "float32, float64 and integers, (n) or (n, d), either order of bytes and axes",
           "labels (int32) and centroids (float32)"},
    Format{"NumPy archive", "npz", "one array, as FILE.npz, or one of several by its name, as FILE.npz:NAME",
           ""},
    Format{"Point cloud", "ply pcd",
           "text and binary, PLY of either order of bytes, PCD also packed: x, y and z; colours and other "
           "properties with --columns",
           ""},
    Format{"Image", "png jpg jpeg tif tiff webp bmp ppm pgm pbm",
           "one point a pixel: red, green and blue from 0 to 255, of 16 bits to 65,535; with --image xyrgb "
           "also its place",
           ""},
    Format{
        "Packed file", packedExtensions,
        "any of these, by gzip, bzip2, xz, Zstandard or ZIP; one of several in an archive as FILE.zip:NAME",
        ""},
};

/// Which reader a file needs.
struct FileKind {
  enum class Family { text, npy, ply, pcd, image, foreign };
  Family family = Family::text;
  std::string_view imageFormat = {}; ///< for an image: what Qt calls its format
  bool comments = false;             ///< for text: lines that begin with # are comments
  std::string why = {};              ///< for a foreign file: what it is, and what to do
};

/// Judges by the first bytes; the name only settles what they leave open.
FileKind fileKind(const InputFile& file) {
  constexpr std::size_t headBytes = 512;
  const std::string head = file.head(headBytes);
  using Family = FileKind::Family;
  const std::string extension = extensionOf(file.name());
  if (head.starts_with(npyMagic) || extension == "npy") return {.family = Family::npy};
  const bool namedText = isOneOf(extension, {"csv", "tsv", "xyz", "txt", "dat"});
  const std::string_view format = imageFormat(head);
  // BMP and PPM begin with letters that a table could begin with too; the other signatures cannot be text.
  if (!format.empty() && !(namedText && isOneOf(format, {"bmp", "ppm", "pgm", "pbm"}))) {
    return {.family = Family::image, .imageFormat = format};
  }
  if (head.starts_with("ply\n") || head.starts_with("ply\r\n") || extension == "ply")
    return {.family = Family::ply};
  if (isPcd(head) || extension == "pcd") return {.family = Family::pcd};
  if (isOneOf(extension, {"png", "jpg", "jpeg", "tif", "tiff", "webp", "bmp", "ppm", "pgm", "pbm"})) {
    return {.family = Family::foreign, .why = "it is no " + extension + " image, though it is called one"};
  }
  for (const Signature& signature : signatures) {
    if (head.starts_with(signature.bytes)) {
      return {.family = Family::foreign, .why = std::string(signature.meaning) + std::string(advice)};
    }
  }
  return {.comments = !isOneOf(extension, {"csv", "tsv"})};
}

/// Only a table of text has columns that are no features, and rows of different lengths.
void refuseRoles(const ReadOptions& options) {
  for (const auto& asked : {options.classColumn, options.nameColumn})
    if (asked && !asked->empty())
      refuse("there is no column " + quoted(*asked) +
             " for a class or a name: it is no table of text, and all of its columns are numbers");
}

PointSet readUnscaled(const std::string& path, const ReadOptions& options, const ReadControl& control) {
  auto [file, rest] = openInput(path, control);
  const FileKind kind = fileKind(file);
  if (kind.family != FileKind::Family::text && kind.family != FileKind::Family::foreign) refuseRoles(options);
  switch (kind.family) {
  case FileKind::Family::npy:
    return readNpy(file, options.columns, rest);
  case FileKind::Family::ply:
    return readPly(file, options.columns, rest);
  case FileKind::Family::pcd:
    return readPcd(file, options.columns, rest);
  case FileKind::Family::image:
    return readImage(file, kind.imageFormat, options.image, options.columns, rest);
  case FileKind::Family::foreign:
    refuse(kind.why);
  case FileKind::Family::text:
    break;
  }
  return readCsv(std::move(file),
                 {.columns = options.columns,
                  .classColumn = options.classColumn,
                  .nameColumn = options.nameColumn,
                  .dropRagged = options.dropRagged,
                  .comments = kind.comments},
                 rest);
}

CsvNumbers readNumbers(const std::string& path, const std::vector<std::string>& leftOut) {
  InputFile file = openInput(path, {}).file;
  const FileKind kind = fileKind(file);
  if (kind.family == FileKind::Family::npy) return readNpyNumbers(file);
  if (kind.family == FileKind::Family::ply || kind.family == FileKind::Family::pcd)
    refuse("it is a point cloud; expected a CSV file or an NPY array");
  if (kind.family == FileKind::Family::foreign) refuse(kind.why);
  if (kind.family == FileKind::Family::image) refuse("it is an image; expected a CSV file or an NPY array");
  return readCsvNumbers(std::move(file), kind.comments, leftOut);
}

} // namespace

std::string extensionOf(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t slash = path.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string extension = path.substr(dot + 1);
  for (char& c : extension)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension;
}

std::span<const Format> formats() { return known; }

tl::expected<PointSet, ReadError> readPoints(const std::string& path, const ReadOptions& options,
                                             const ReadControl& control) {
  return orReadError(path, "there is not enough memory to read it", [&] {
    PointSet points = readUnscaled(path, options, control);
    if (const auto scaled = applyScale(points, options.scale, options.scaleControl); !scaled)
      throw ReadFailure({.message = scaled.error(), .remedy = Remedy::scale});
    return points;
  });
}

CentroidColumns::CentroidColumns(std::span<const std::string> columns)
    : cluster(freeName("cluster", columns)), size(freeName("size", columns)),
      name(freeName("name", columns)) {}

tl::expected<Matrix, ReadError> readMatrix(const std::string& path, std::span<const std::string> features) {
  return orReadError(path, "there is not enough memory to read it", [&] {
    std::vector<std::string> leftOut;
    if (!features.empty()) {
      const CentroidColumns more(features);
      leftOut = {more.cluster, more.size, more.name};
    }
    CsvNumbers table = readNumbers(path, leftOut);
    const auto wrong = std::ranges::find_if(
        table.values, [](double value) { return !std::isfinite(static_cast<float>(value)); });
    if (wrong != table.values.end())
      refuse("row " + std::to_string(static_cast<std::size_t>(wrong - table.values.begin()) / table.columns) +
             " (counted from 0) holds a value that is not a finite number of single precision");
    return Matrix{.rows = table.rows, .columns = table.columns, .values = std::move(table.values)};
  });
}

} // namespace lloyd
