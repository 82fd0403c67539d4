// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/core/data/box.hpp"
#include "gpu/core/data/problem.hpp"

#include <tl/expected.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// What the drift generator adds to a static mixture: each component wanders on a smooth closed path around
/// its home.
struct Drift {
  std::vector<std::uint8_t> component; ///< [n], the component of each point
  int components = 0;
  double reach = 0; ///< how far a component strays from its home, in the points' units
  std::uint64_t seed = 0;

  /// [components][d]: where each component stands at time t relative to its home. One unit of t is one
  /// iteration.
  [[nodiscard]] std::vector<float> shifts(double t, int d) const;
};

class Table;

/// How one column of a file is stored: stored = (file - offset) / factor. The identity when single precision
/// holds the file's numbers, and nothing was scaled.
struct ColumnScale {
  double offset = 0;
  double factor = 1;
  double shift = 0; ///< the part of offset that only keeps digits: see shiftFor()
  bool operator==(const ColumnScale&) const = default;

  /// Whether the column was scaled before clustering.
  [[nodiscard]] bool scaled() const { return factor != 1 || offset != shift; }
  [[nodiscard]] double inFile(double stored) const { return stored * factor + offset; }
  [[nodiscard]] double fromFile(double value) const { return (value - offset) / factor; }
};

/// A data set in host memory: structure of arrays, coordinate j of point i at values[j * n + i]. All values
/// are finite. Built once, then shared as immutable.
struct PointSet {
  std::size_t n = 0;
  int d = 0;
  std::vector<float> values;        ///< [d][n]
  std::vector<std::string> columns; ///< [d]
  std::vector<ColumnScale> scales;  ///< [d]
  /// [d], the most digits that a number of the column has behind its decimal point in the file; empty where
  /// that is not known.
  std::vector<int> decimals;
  std::string source;        ///< file name or generator, as it was asked for, also of a part of its points
  std::size_t inputRows = 0; ///< rows in the file, dropped ones included
  std::vector<std::uint64_t>
      dropped; ///< input rows left out because a value was not finite, ascending, 0-based
  /// Of points chosen from a larger set: the input row of each, ascending. Empty: all rows but the dropped.
  std::vector<std::uint64_t> rows;
  bool selected = false; ///< a person singled these rows out, which what asks for points does not say
  /// "50 of 150 rows" of those that were singled out, where the input has 150, dropped ones included; else
  /// empty.
  std::string part;
  /// What the rows that were singled out, and no others of the input, meet; empty where no rule says it.
  std::string rule;
  std::vector<std::string> remarks; ///< what a person should know: text columns left out, rows dropped, ...
  /// The column that decides alone, because it spreads dominates times as widely as any other, and none is
  /// scaled. A distance adds squares, so the column counts 10,000 times as much as the next.
  std::optional<std::size_t> dominant;
  static constexpr double dominates = 100;
  std::optional<Drift> drift; ///< set for points that move
  bool colours = false;       ///< the last three columns are red, green and blue from 0 to white
  float white = 255;          ///< 65,535 for colours of 16 bits
  int imageWidth = 0;         ///< for an image, whose pixels come row by row
  int imageHeight = 0;
  /// All columns of a table of text, features or not; null for any other source.
  std::shared_ptr<const Table> table;

  /// The source, for a person: "iris.csv (50 of 150 rows)".
  [[nodiscard]] std::string title() const { return part.empty() ? source : source + " (" + part + ")"; }
  [[nodiscard]] const float* row(int j) const { return values.data() + static_cast<std::size_t>(j) * n; }
  /// The input row (0-based) that point i came from.
  [[nodiscard]] std::uint64_t inputRow(std::size_t i) const;
  /// How column j is stored.
  [[nodiscard]] ColumnScale scaleOf(std::size_t j) const {
    return j < scales.size() ? scales[j] : ColumnScale{};
  }
  /// Whether single precision does not hold what the file says of some column.
  [[nodiscard]] bool shifted() const;
};

/// What became of the rows of the input: each is a point, was dropped, or was not chosen.
struct RowCounts {
  explicit RowCounts(const PointSet& points)
      : dropped(points.dropped.size()), all(std::max(points.inputRows, points.n + dropped)),
        notChosen(all - dropped - points.n) {}

  std::size_t dropped;
  std::size_t all;
  std::size_t notChosen;
};

/// A box that holds every point at any time.
[[nodiscard]] Box boxOf(const PointSet& points);

using SharedPointSet = std::shared_ptr<const PointSet>;

/// most of the points, one drawn at random from each of most equally long runs: as evenly spread as every
/// n-th point would be, but blind to whatever repeats itself in the order of the data. Always the same ones.
/// In the order of the data, with their input rows; an image becomes plain colours, because pixels are
/// missing from it. 0 < most < points.n. remark is added to the data's own.
[[nodiscard]] SharedPointSet spreadSubset(const PointSet& points, std::size_t most,
                                          const std::string& remark);

/// What is done to each column before clustering, so that a column with large numbers does not decide alone.
enum class Scale {
  none,
  standard, ///< mean 0, standard deviation 1 (of the population: divided by n)
  minmax    ///< 0 to 1
};

[[nodiscard]] std::string_view name(Scale scale);

/// What the window's side panel and the command line call what sets the scaling.
inline constexpr std::string_view scaleInWindow = "Scaling";
inline constexpr std::string_view scaleOption = "--scale";

/// Scales unscaled points in place and records how in points.scales. A constant column is moved but keeps its
/// factor 1. Points that drift are refused: their paths are in the units of the generator. So are, scaled or
/// not, those whose spread is beyond what squares in single precision can hold. The refusals tell how to set
/// control, which is what scales are set by.
[[nodiscard]] tl::expected<void, std::string> applyScale(PointSet& points, Scale scale,
                                                         std::string_view control = scaleOption);

/// Centroids [k][d] as they are stored in the units of the file, and back.
[[nodiscard]] std::vector<double> toFileUnits(std::span<const float> centroids,
                                              std::span<const ColumnScale> scales);
[[nodiscard]] std::vector<float> fromFileUnits(std::span<const double> centroids,
                                               std::span<const ColumnScale> scales);

} // namespace lloyd
