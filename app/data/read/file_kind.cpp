// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/file_kind.hpp"

#include "app/data/read/image_reader.hpp"
#include "app/data/read/npy_header.hpp"

#include <algorithm>
#include <array>

namespace lloyd {
namespace {

struct Signature {
  std::string_view bytes;
  std::string_view meaning;
};

constexpr std::string_view advice =
    "; expected a table of text, an NPY array, or a PNG, JPEG, BMP or PPM image";

constexpr std::array signatures{
    Signature{"PK\x03\x04", "it is a ZIP archive (a spreadsheet or .npz, perhaps; save it as CSV or NPY)"},
    Signature{"\x1f\x8b", "it is compressed with gzip; unpack it first"},
    Signature{"BZh", "it is compressed with bzip2; unpack it first"},
    Signature{"\xfd"
              "7zXZ",
              "it is compressed with xz; unpack it first"},
    Signature{"\x28\xb5\x2f\xfd", "it is compressed with Zstandard; unpack it first"},
    Signature{"%PDF", "it is a PDF document"},
    Signature{"\x7f"
              "ELF",
              "it is a program"},
    Signature{"\x89HDF", "it is an HDF5 file"},
    Signature{"PAR1", "it is a Parquet file"},
    Signature{"SQLite format 3", "it is an SQLite database"},
    Signature{"GIF8", "it is a GIF image; save it as PNG"},
    Signature{"RIFF", "it is a WebP image or a sound; save an image as PNG"},
    Signature{{"II*\0", 4}, "it is a TIFF image; save it as PNG"},
    Signature{{"MM\0*", 4}, "it is a TIFF image; save it as PNG"},
    Signature{"ply\n", "it is a PLY point cloud, which is not among the formats read here; save it as XYZ"},
    Signature{"ply\r\n", "it is a PLY point cloud, which is not among the formats read here; save it as XYZ"},
    Signature{"# .PCD", "it is a PCD point cloud, which is not among the formats read here; save it as XYZ"},
    Signature{"{\\rtf", "it is a rich text document; save it as plain CSV"},
    Signature{"<!DOCTYPE", "it is a web page; save its table as CSV"},
    Signature{"<html", "it is a web page; save its table as CSV"},
    Signature{"<?xml", "it is an XML document"},
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
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

FileKind fileKind(const std::string& path, std::string_view head) {
  using Family = FileKind::Family;
  const std::string extension = extensionOf(path);
  if (head.starts_with(npyMagic) || extension == "npy") return {.family = Family::npy};
  const bool namedText = isOneOf(extension, {"csv", "tsv", "xyz", "txt", "dat"});
  const std::string_view format = imageFormat(head);
  // BMP and PPM begin with letters that a table could begin with too; the other signatures cannot be text.
  if (!format.empty() && (!namedText || format == "png" || format == "jpeg")) {
    return {.family = Family::image, .imageFormat = format};
  }
  if (isOneOf(extension, {"png", "jpg", "jpeg", "bmp", "ppm", "pgm", "pbm"})) {
    return {.family = Family::foreign, .why = "it is no " + extension + " image, though it is called one"};
  }
  for (const Signature& signature : signatures) {
    if (head.starts_with(signature.bytes)) {
      return {.family = Family::foreign, .why = std::string(signature.meaning) + std::string(advice)};
    }
  }
  return {.comments = !isOneOf(extension, {"csv", "tsv"})};
}

} // namespace lloyd
