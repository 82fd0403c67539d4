// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lloyd {

struct PointSet;

enum class ColumnType : std::uint8_t {
  number,
  text,
  empty ///< no row has a value
};
[[nodiscard]] std::string_view name(ColumnType type);

/// What a column is there for.
enum class ColumnRole : std::uint8_t {
  feature, ///< clustered: a column of the points
  classes, ///< what clusters are held against
  name,    ///< what a row is called
  ignored  ///< kept, shown and exported, and nothing else
};
[[nodiscard]] std::string_view name(ColumnRole role);

/// The cells of a column by input row, as narrow as they fit. Codes are 0 for a missing value and c + 1 for
/// word c. A feature whose numbers the points hold to their last digit has none of its own.
struct RowNumbers {
  double first = 0; ///< then one more in each row
};
using Cells = std::variant<std::monostate, RowNumbers, std::vector<float>, std::vector<double>,
                           std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>>;

struct TableColumn {
  std::string name;
  ColumnType type = ColumnType::empty;
  ColumnRole role = ColumnRole::ignored;
  std::uint64_t missing = 0;          ///< input rows that have no value here
  double low = 0, high = 0;           ///< of the numbers
  int decimals = 0;                   ///< the most digits behind the decimal point of a number in the file
  std::optional<std::size_t> feature; ///< which column of the points it is
  /// Its different values by code, in the order of their first rows: of texts, and of a class of numbers.
  std::vector<std::string> words;
  std::vector<double> wordNumbers; ///< of a class of numbers: by code
  /// More different texts than are kept: the column has no cells then.
  bool tooManyWords = false;
  Cells cells;
};

/// How the file lays out its rows, for whoever writes them again.
struct TableLayout {
  char delimiter = ',';
  bool comments = false;     ///< lines that begin with # are none of its rows
  bool header = false;       ///< the first row has the names
  bool decimalComma = false; ///< numbers have a comma where others have a point
  std::uint64_t bytes = 0;   ///< of the file
  std::int64_t changed = 0;  ///< when it was, in nanoseconds of the system's clock
};

/// A delimited text table, whole: every column with its type, its role and its cells. Immutable and shared.
class Table {
public:
  std::vector<TableColumn> columns;
  std::uint64_t rows = 0; ///< input rows, dropped ones included
  /// Input rows with another number of fields than the others, which were asked to be dropped; ascending.
  std::vector<std::uint64_t> ragged;
  TableLayout layout;

  /// The first column with this role.
  [[nodiscard]] std::optional<std::size_t> columnWith(ColumnRole role) const;
  /// The code of a cell of a column that has words: -1 for a missing value.
  [[nodiscard]] std::int32_t codeAt(std::size_t column, std::uint64_t row) const;
  /// Bytes that the cells and words take.
  [[nodiscard]] std::size_t bytes() const;
};

// Of the points that were made of a table. A point's cells are those of its input row.

/// The number in a column of the table, as the file has it, in double precision; none for text and for a
/// missing value.
[[nodiscard]] std::optional<double> numberAt(const PointSet& points, std::size_t column, std::size_t point);
/// The cell as it is shown: a number with the digits that the column has behind the point, a text as it is;
/// empty for a missing value, and for a text that is not kept.
[[nodiscard]] std::string cellAt(const PointSet& points, std::size_t column, std::size_t point);

/// Whether a column of the table is the class.
[[nodiscard]] bool hasClass(const PointSet& points);
/// The names of the classes by code; none without a class.
[[nodiscard]] const std::vector<std::string>& classNames(const PointSet& points);
/// The code of the point's class: -1 where it is missing, or there is no class.
[[nodiscard]] std::int32_t classOf(const PointSet& points, std::size_t point);
/// All of them, [n]; empty without a class.
[[nodiscard]] std::vector<std::int32_t> classCodes(const PointSet& points);

/// A number as a file writes it, with so many digits behind the point; powers of ten from 1e15 on.
[[nodiscard]] std::string fixedText(double value, int decimals);

} // namespace lloyd
