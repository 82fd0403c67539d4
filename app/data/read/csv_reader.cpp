// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/csv_reader.hpp"

#include "app/data/input/column_choice.hpp"
#include "app/data/input/csv_fields.hpp"
#include "app/data/input/finite_rows.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/data/input/row_blocks.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/csv_header.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace lloyd {
namespace {

/// What has been seen so far in one column that is read.
struct Column {
  bool numbers = false;       ///< a number, finite or not
  bool nonFinite = false;     ///< nan, inf or beyond float32
  std::uint64_t textLine = 0; ///< where the first text stands; 0: there is none
  std::uint64_t textColumn = 0;
  std::string text;
};

class CsvReader {
public:
  CsvReader(TextRecords records, const CsvRules& rules, const ReadControl& control)
      : records_(std::move(records)), rules_(rules), control_(control),
        mark_(records_.dialect().mayHaveDecimalComma() ? ',' : '.') {}

  tl::expected<PointSet, ReadError> read();

private:
  using Step = tl::expected<void, ReadError>;
  Step start(std::string_view record);
  Step readRow(std::string_view record);
  Step store(std::string_view record, const Field& field, std::size_t slot, float& value);
  Step meetText(std::string_view record, const Field& field, std::size_t slot);
  Step checkMark(std::string_view record, const Field& field);
  [[nodiscard]] ReadError mixed(const Column& column, std::size_t slot) const;
  tl::expected<std::vector<std::size_t>, ReadError> usedSlots(PointSet& points) const;
  tl::expected<PointSet, ReadError> finish();

  TextRecords records_;
  const CsvRules& rules_;
  const ReadControl& control_;
  char mark_;
  bool sawComma_ = false;
  bool sawPoint_ = false;
  std::vector<std::string> names_;  // of all columns of the file
  std::vector<int> slotOf_;         // [columns of the file], -1 for one that is not read
  std::vector<std::size_t> chosen_; // [slots], the column of the file
  std::vector<Column> columns_;     // [slots]
  std::uint64_t firstLine_ = 0;
  std::optional<RowBlocks> rows_;
};

tl::expected<PointSet, ReadError> CsvReader::read() {
  std::string_view record;
  std::uint64_t reported = 0;
  while (true) {
    const auto more = records_.next(record);
    if (!more) return tl::unexpected(more.error());
    if (!*more) break;
    if (auto step = rows_ ? readRow(record) : start(record); !step) return tl::unexpected(step.error());
    if (records_.bytesRead() == reported) continue;
    reported = records_.bytesRead();
    if (control_.cancelled()) return tl::unexpected(records_.file().cancelledError());
    control_.report(rows_->rows(),
                    static_cast<double>(reported) / static_cast<double>(records_.file().size()));
  }
  return finish();
}

/// The first record settles the names, the number of fields and which columns are read.
CsvReader::Step CsvReader::start(std::string_view record) {
  firstLine_ = records_.line();
  auto first = readFirstRecord(records_, record, rules_, mark_);
  if (!first) return tl::unexpected(first.error());
  names_ = std::move(first->names);
  auto chosen = chooseColumns(rules_.columns, names_);
  if (!chosen) return tl::unexpected(records_.file().error(chosen.error()));
  chosen_ = std::move(*chosen);
  slotOf_.assign(names_.size(), -1);
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot)
    slotOf_[chosen_[slot]] = static_cast<int>(slot);
  columns_.resize(chosen_.size());
  rows_.emplace(chosen_.size());
  return first->header ? Step{} : readRow(record);
}

CsvReader::Step CsvReader::readRow(std::string_view record) {
  float* const row = rows_->append();
  FieldCursor cursor(record, records_.dialect().delimiter);
  Field field;
  std::size_t count = 0;
  const auto ragged = [&](const char* place, const std::string& found) {
    return tl::unexpected(records_.errorAt(record, place,
                                           found + ", but " + std::to_string(names_.size()) +
                                               " were expected, as in line " + std::to_string(firstLine_)));
  };
  while (cursor.next(field)) {
    if (count == names_.size()) return ragged(placeOf(field), "this row has more fields");
    if (const auto broken = brokenField(records_, record, field)) return tl::unexpected(*broken);
    if (const int slot = slotOf_[count++]; slot >= 0) {
      const auto at = static_cast<std::size_t>(slot);
      if (auto step = store(record, field, at, row[at]); !step) return step;
    }
  }
  if (count < names_.size()) {
    return ragged(record.data() + record.size(), "this row has " + counted(count, "field"));
  }
  return {};
}

CsvReader::Step CsvReader::store(std::string_view record, const Field& field, std::size_t slot,
                                 float& value) {
  const ParsedField parsed = parseField(field.text, mark_);
  Column& column = columns_[slot];
  value = parsed.kind == FieldKind::number ? parsed.value : std::numeric_limits<float>::quiet_NaN();
  if (parsed.kind == FieldKind::text) return meetText(record, field, slot);
  if (rules_.numbersOnly && parsed.kind != FieldKind::number) {
    return tl::unexpected(
        records_.errorAt(record, placeOf(field), "expected a finite number, found " + quoted(field.plain())));
  }
  if (mark_ == ',' && parsed.kind != FieldKind::missing) {
    if (auto step = checkMark(record, field); !step) return step;
  }
  if (parsed.kind == FieldKind::number) {
    column.numbers = true;
    if (column.textLine != 0) return tl::unexpected(mixed(column, slot));
  }
  column.nonFinite = column.nonFinite || parsed.kind == FieldKind::notFinite;
  return {};
}

CsvReader::Step CsvReader::meetText(std::string_view record, const Field& field, std::size_t slot) {
  Column& column = columns_[slot];
  if (column.textLine != 0) return {};
  const ReadError place = records_.errorAt(record, placeOf(field), {});
  column.textLine = place.line;
  column.textColumn = place.column;
  column.text = field.plain().substr(0, 60);
  if (column.numbers || rules_.numbersOnly) return tl::unexpected(mixed(column, slot));
  return {};
}

ReadError CsvReader::mixed(const Column& column, std::size_t slot) const {
  ReadError error = records_.file().error("expected a number, found " + quoted(column.text));
  error.line = column.textLine;
  error.column = column.textColumn;
  if (!rules_.numbersOnly) {
    error.message += ", in " + quoted(names_[chosen_[slot]]) +
                     ", which holds numbers in other rows; correct the value, "
                     "or choose other columns";
  }
  return error;
}

/// "1,000" is a thousand to some and one to others: a file may use the comma or the point, not both.
CsvReader::Step CsvReader::checkMark(std::string_view record, const Field& field) {
  const bool comma = field.text.find(',') != std::string_view::npos;
  sawComma_ = sawComma_ || comma;
  sawPoint_ = sawPoint_ || (!comma && field.text.find('.') != std::string_view::npos);
  if (!sawComma_ || !sawPoint_) return {};
  return tl::unexpected(
      records_.errorAt(record, placeOf(field),
                       quoted(field.plain()) + " has a decimal " + (comma ? "comma" : "point") +
                           ", but numbers before it have a decimal " + (comma ? "point" : "comma")));
}

/// The slots that hold numbers, whose names go to points.columns. The others are said in a remark, unless
/// they were asked for by name.
tl::expected<std::vector<std::size_t>, ReadError> CsvReader::usedSlots(PointSet& points) const {
  std::vector<std::size_t> used;
  std::vector<std::string> text;
  for (std::size_t slot = 0; slot < columns_.size(); ++slot) {
    const Column& column = columns_[slot];
    const std::string& name = names_[chosen_[slot]];
    if (column.numbers || (column.nonFinite && column.textLine == 0)) {
      used.push_back(slot);
      points.columns.push_back(name);
      continue;
    }
    text.push_back(quoted(name));
    if (rules_.columns.empty()) continue;
    ReadError error =
        records_.file().error("column " + text.back() + " holds no numbers, so it cannot be clustered");
    error.line = column.textLine;
    error.column = column.textColumn;
    return tl::unexpected(error);
  }
  if (used.empty()) {
    return tl::unexpected(records_.file().error(
        "no column holds numbers; expected a table of numbers, with or without a header"));
  }
  if (text.size() == 1)
    points.remarks.push_back("column " + text.front() + " holds no numbers and is left out");
  if (text.size() > 1)
    points.remarks.push_back("columns " + listed(text) + " hold no numbers and are left out");
  return used;
}

tl::expected<PointSet, ReadError> CsvReader::finish() {
  const InputFile& file = records_.file();
  if (!rows_) return tl::unexpected(file.error("there are no rows in it, only blank lines or comments"));
  if (rows_->rows() == 0)
    return tl::unexpected(file.error("there is a header, but no row of numbers below it"));
  PointSet points;
  const auto used = usedSlots(points);
  if (!used) return tl::unexpected(used.error());
  points.n = rows_->rows();
  points.d = static_cast<int>(used->size());
  points.source = file.path();
  const std::string tooLarge = whyTooLarge(4.0 * static_cast<double>(points.n) * points.d);
  if (!tooLarge.empty()) return tl::unexpected(file.error(tooLarge));
  points.values = rows_->takeColumns(*used);
  if (auto kept = keepFiniteRows(points); !kept) return tl::unexpected(file.error(kept.error()));
  control_.report(points.inputRows, 1);
  return points;
}

} // namespace

tl::expected<PointSet, ReadError> readCsv(InputFile file, const CsvRules& rules, const ReadControl& control) {
  auto records = TextRecords::open(std::move(file), rules.comments);
  if (!records) return tl::unexpected(records.error());
  return CsvReader(std::move(*records), rules, control).read();
}

} // namespace lloyd
