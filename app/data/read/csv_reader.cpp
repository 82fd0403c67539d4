// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/csv_reader.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/reader_steps.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/input/wording.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace lloyd {
namespace {

constexpr std::size_t mostColumns = std::size_t{1} << 20;

/// Names asked for that stand in the first row make it a header even where other names look like numbers.
bool holdsAName(const std::vector<std::string>& names, const std::vector<std::string>& asked) {
  return std::any_of(asked.begin(), asked.end(), [&](const std::string& one) {
    return one.find_first_not_of("0123456789") != std::string::npos &&
           std::find(names.begin(), names.end(), one) != names.end();
  });
}

/// What the first record of a table says about all of it.
struct CsvFirstRecord {
  std::vector<std::string> names = {}; ///< of every column; its index stands for one that has none
  bool header = false;                 ///< the record is a header, not a point
};

/// Where a field's own characters begin, for messages.
const char* placeOf(const Field& field) {
  if (field.quoted) return field.text.data() - 1;
  const std::size_t first = field.text.find_first_not_of(" \t");
  return field.text.data() + (first == std::string_view::npos ? 0 : first);
}

/// Throws ReadFailure for a field with quotes that cannot be read.
void refuseBroken(const TextRecords& records, std::string_view record, const Field& field) {
  if (!field.broken) return;
  const bool open = field.text.data() + field.text.size() == record.data() + record.size();
  records.refuseAt(record, placeOf(field),
                   open ? "the quote that opens here is never closed"
                        : "expected a " + records.dialect().delimiterName() + " after the closing quote of " +
                              quoted(field.plain()));
}

CsvFirstRecord readFirstRecord(const TextRecords& records, std::string_view record, const CsvRules& rules,
                               char decimalMark) {
  CsvFirstRecord first;
  FieldCursor cursor(record, records.dialect().delimiter);
  Field field;
  bool text = false;
  bool number = false;
  while (cursor.next(field)) {
    refuseBroken(records, record, field);
    if (first.names.size() == mostColumns)
      records.refuseAt(record, placeOf(field), "more than 1,048,576 columns in one row");
    const FieldKind kind = parseField(field.text, decimalMark).kind;
    text = text || kind == FieldKind::text;
    number = number || kind == FieldKind::number;
    first.names.push_back(field.plain());
  }
  first.header = text && (!number || holdsAName(first.names, rules.columns));
  for (std::size_t c = 0; c < first.names.size(); ++c) {
    if (!first.header || first.names[c].empty()) first.names[c] = unnamedColumn(c);
  }
  return first;
}

/// Rows of floats whose number is not known beforehand, kept in blocks so that growing neither copies nor
/// doubles.
class RowBlocks {
public:
  explicit RowBlocks(std::size_t width)
      : width_(width), rowsPerBlock_(std::max<std::size_t>(1, blockValues / width)) {}

  /// Room for one more row, to be written by the caller.
  float* append() {
    if (rows_ % rowsPerBlock_ == 0) blocks_.emplace_back().resize(rowsPerBlock_ * width_);
    return blocks_.back().data() + (rows_++ % rowsPerBlock_) * width_;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// The given columns as a structure of arrays. The blocks are given back one by one on the way.
  [[nodiscard]] std::vector<float> takeColumns(std::span<const std::size_t> columns) {
    std::vector<float> values(columns.size() * rows_);
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const std::size_t first = b * rowsPerBlock_;
      const std::size_t count = std::min(rowsPerBlock_, rows_ - first);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const float* from = blocks_[b].data() + columns[j];
        float* const to = values.data() + j * rows_ + first;
        for (std::size_t i = 0; i < count; ++i, from += width_)
          to[i] = *from;
      }
      blocks_[b] = {};
    }
    blocks_.clear();
    rows_ = 0;
    return values;
  }

private:
  static constexpr std::size_t blockValues = std::size_t{1} << 16;
  std::size_t width_;
  std::size_t rowsPerBlock_;
  std::size_t rows_ = 0;
  std::vector<std::vector<float>> blocks_;
};

/// What has been seen so far in one column that is read.
struct Column {
  bool numbers = false;       ///< a number, finite or not
  bool nonFinite = false;     ///< nan, inf, or beyond float32
  std::uint64_t textLine = 0; ///< where the first text stands; 0: there is none
  std::uint64_t textColumn = 0;
  std::string text;
};

class CsvReader {
public:
  CsvReader(TextRecords records, const CsvRules& rules, const ReadControl& control)
      : records_(std::move(records)), rules_(rules), control_(control),
        mark_(records_.dialect().mayHaveDecimalComma() ? ',' : '.') {}

  PointSet read();

private:
  void start(std::string_view record);
  void checkMemory();
  void readRow(std::string_view record);
  float store(std::string_view record, const Field& field, std::size_t slot);
  void meetText(std::string_view record, const Field& field, std::size_t slot);
  void checkMark(std::string_view record, const Field& field);
  [[noreturn]] void refuseMixed(const Column& column, std::size_t slot) const;
  std::vector<std::size_t> usedSlots(PointSet& points) const;
  PointSet finish();

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
  std::uint64_t checkedAt_ = 0; ///< bytes read when free memory was last looked at
  std::optional<RowBlocks> rows_;
};

PointSet CsvReader::read() {
  std::string_view record;
  std::uint64_t reported = 0;
  while (records_.next(record)) {
    rows_ ? readRow(record) : start(record);
    if (records_.bytesRead() == reported) continue;
    reported = records_.bytesRead();
    throwIfCancelled(control_);
    checkMemory();
    control_.report(rows_->rows(),
                    static_cast<double>(reported) / static_cast<double>(records_.file().size()));
  }
  return finish();
}

/// How many rows a table has is known at its end only, so what is still to come is taken to be like what was.
void CsvReader::checkMemory() {
  constexpr std::uint64_t everyBytes = std::uint64_t{16} << 20;
  if (records_.bytesRead() < checkedAt_ + everyBytes) return;
  checkedAt_ = records_.bytesRead();
  const double whole =
      static_cast<double>(records_.file().size()) / static_cast<double>(records_.bytesRead());
  const double held = 4.0 * static_cast<double>(rows_->rows()) * static_cast<double>(chosen_.size());
  refuseTooLarge(held * (whole - 1));
}

/// The first record settles the names, the number of fields and which columns are read.
void CsvReader::start(std::string_view record) {
  firstLine_ = records_.line();
  CsvFirstRecord first = readFirstRecord(records_, record, rules_, mark_);
  names_ = std::move(first.names);
  chosen_ = chooseColumns(rules_.columns, names_);
  slotOf_.assign(names_.size(), -1);
  for (std::size_t slot = 0; slot < chosen_.size(); ++slot)
    slotOf_[chosen_[slot]] = static_cast<int>(slot);
  columns_.resize(chosen_.size());
  rows_.emplace(chosen_.size());
  if (!first.header) readRow(record);
}

void CsvReader::readRow(std::string_view record) {
  float* const row = rows_->append();
  FieldCursor cursor(record, records_.dialect().delimiter);
  Field field;
  std::size_t count = 0;
  const auto refuseRagged = [&](const char* place, const std::string& found) {
    records_.refuseAt(record, place,
                      found + ", but " + std::to_string(names_.size()) +
                          (names_.size() == 1 ? " was" : " were") + " expected, as in line " +
                          std::to_string(firstLine_));
  };
  while (cursor.next(field)) {
    if (count == names_.size()) refuseRagged(placeOf(field), "this row has more fields");
    refuseBroken(records_, record, field);
    if (const int slot = slotOf_[count++]; slot >= 0)
      row[slot] = store(record, field, static_cast<std::size_t>(slot));
  }
  if (count < names_.size())
    refuseRagged(record.data() + record.size(), "this row has " + counted(count, "field"));
}

/// The field's value; NaN for what is no finite number, and an infinity for one beyond single precision.
float CsvReader::store(std::string_view record, const Field& field, std::size_t slot) {
  const ParsedField parsed = parseField(field.text, mark_);
  const bool number = parsed.kind == FieldKind::number;
  const bool tooLarge = parsed.kind == FieldKind::tooLarge;
  Column& column = columns_[slot];
  if (parsed.kind == FieldKind::text) {
    meetText(record, field, slot);
  } else {
    if (rules_.numbersOnly && !number)
      records_.refuseAt(record, placeOf(field),
                        (tooLarge ? "expected a number within " + std::string(floatRange)
                                  : std::string("expected a finite number")) +
                            ", found " + quoted(field.plain()));
    if (mark_ == ',' && parsed.kind != FieldKind::missing) checkMark(record, field);
  }
  if (number && column.textLine != 0) refuseMixed(column, slot);
  column.numbers = column.numbers || number;
  column.nonFinite = column.nonFinite || tooLarge || parsed.kind == FieldKind::notFinite;
  using Float = std::numeric_limits<float>;
  return number ? parsed.value : tooLarge ? Float::infinity() : Float::quiet_NaN();
}

void CsvReader::meetText(std::string_view record, const Field& field, std::size_t slot) {
  Column& column = columns_[slot];
  if (column.textLine != 0) return;
  const TextRecords::Position place = records_.positionOf(record, placeOf(field));
  column.textLine = place.line;
  column.textColumn = place.column;
  column.text = field.plain().substr(0, 60);
  if (column.numbers || rules_.numbersOnly) refuseMixed(column, slot);
}

void CsvReader::refuseMixed(const Column& column, std::size_t slot) const {
  ReadError error{.line = column.textLine,
                  .column = column.textColumn,
                  .message = "expected a number, found " + quoted(column.text)};
  if (!rules_.numbersOnly) {
    error.message += ", in " + quoted(names_[chosen_[slot]]) +
                     ", which holds numbers in other rows; correct the value, "
                     "or choose other columns";
  }
  throw ReadFailure(error);
}

/// "1,000" is a thousand to some and one to others: a file may use the comma or the point, not both.
void CsvReader::checkMark(std::string_view record, const Field& field) {
  const bool comma = field.text.find(',') != std::string_view::npos;
  sawComma_ = sawComma_ || comma;
  sawPoint_ = sawPoint_ || (!comma && field.text.find('.') != std::string_view::npos);
  if (!sawComma_ || !sawPoint_) return;
  records_.refuseAt(record, placeOf(field),
                    quoted(field.plain()) + " has a decimal " + (comma ? "comma" : "point") +
                        ", but numbers before it have a decimal " + (comma ? "point" : "comma"));
}

/// The slots that hold numbers, whose names go to points.columns. The others are said in a remark, unless
/// they were asked for by name.
std::vector<std::size_t> CsvReader::usedSlots(PointSet& points) const {
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
    throw ReadFailure({.line = column.textLine,
                       .column = column.textColumn,
                       .message = "column " + text.back() + " holds no numbers, so it cannot be clustered"});
  }
  if (used.empty()) refuse("no column holds numbers; expected a table of numbers, with or without a header");
  if (text.size() == 1)
    points.remarks.push_back("column " + text.front() + " holds no numbers and is left out");
  if (text.size() > 1)
    points.remarks.push_back("columns " + listed(text) + " hold no numbers and are left out");
  return used;
}

PointSet CsvReader::finish() {
  const InputFile& file = records_.file();
  if (records_.bytesRead() < file.size())
    refuse("it became shorter while it was read: " + counted(records_.bytesRead(), "byte") + " of " +
           std::to_string(file.size()) + " were left");
  if (!rows_) refuse("there are no rows in it, only blank lines or comments");
  if (rows_->rows() == 0) refuse("there is a header, but no row of numbers below it");
  PointSet points;
  const std::vector<std::size_t> used = usedSlots(points);
  points.n = rows_->rows();
  points.d = static_cast<int>(used.size());
  points.source = records_.file().path();
  refuseTooLarge(pointBytes(points.n, points.d));
  points.values = rows_->takeColumns(used);
  keepFiniteRows(points);
  control_.report(points.inputRows, 1);
  return points;
}

} // namespace

PointSet readCsv(InputFile file, const CsvRules& rules, const ReadControl& control) {
  return CsvReader(TextRecords(std::move(file), rules.comments), rules, control).read();
}

} // namespace lloyd
