// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/data/read/image_columns.hpp"
#include "app/data/read_control.hpp"

#include <tl/expected.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// The name's ending after its last dot, in lower case, without the dot.
[[nodiscard]] std::string extensionOf(const std::string& path);

/// One kind of file, as "list formats" and the file dialog show it.
struct Format {
  std::string_view name;
  std::string_view extensions; ///< separated by blanks, without dots
  std::string_view reads;      ///< what is read from it; empty: nothing
  std::string_view writes;     ///< what is written to it; empty: nothing
};

[[nodiscard]] std::span<const Format> formats();

struct ReadOptions {
  std::vector<std::string> columns = {};       ///< the features by name or 0-based index; empty: see CsvRules
  std::optional<std::string> classColumn = {}; ///< of a table of text: as CsvRules have it
  std::optional<std::string> nameColumn = {};
  bool dropRagged = false;
  Scale scale = Scale::none;
  std::string scaleControl{scaleOption}; ///< what a refusal calls what sets the scaling
  ImageColumns image = ImageColumns::rgb;
};

/// Reads points from a file of any known format: NumPy arrays, point clouds and images are known by their
/// first bytes, anything else must be a table of text. What is packed is unpacked first, and path may name a
/// file in an archive: memberPath(). Runs on the calling thread; memory stays within a small multiple of the
/// size of the file, or of what it unpacks to.
[[nodiscard]] tl::expected<PointSet, ReadError>
readPoints(const std::string& path, const ReadOptions& options = {}, const ReadControl& control = {});

/// A small table of numbers, such as initial centroids: row by row.
struct Matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> values = {}; ///< [rows][columns], all finite
};

/// What a table of centroids may have beside their coordinates, by names that none of these columns has.
struct CentroidColumns {
  explicit CentroidColumns(std::span<const std::string> columns);
  std::string cluster, size, name;
};

/// Reads a CSV file, with a header of names or without, or an NPY array. Every value must be a finite number.
/// features: what the numbers are of, so that the CentroidColumns beside them are left out; empty: all are.
[[nodiscard]] tl::expected<Matrix, ReadError> readMatrix(const std::string& path,
                                                         std::span<const std::string> features = {});

} // namespace lloyd
