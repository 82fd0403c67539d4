// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/csv_reader.hpp"

#include "app/data/input/parse_number.hpp"
#include "app/data/input/reader_steps.hpp"
#include "app/data/input/text_records.hpp"
#include "app/data/input/wording.hpp"
#include "app/data/read/csv_columns.hpp"

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

/// found: what is wrong with the number of the row's fields.
ReadError raggedError(const TextRecords& records, std::string_view record, const char* place,
                      const std::string& found, std::size_t expected, std::uint64_t likeLine) {
  const TextRecords::Position at = records.positionOf(record, place);
  return {.line = at.line,
          .column = at.column,
          .message = found + ", but " + std::to_string(expected) + (expected == 1 ? " was" : " were") +
                     " expected, as in line " + std::to_string(likeLine),
          .remedy = Remedy::dropRagged};
}

/// known: names that only a header has.
CsvFirstRecord readFirstRecord(const TextRecords& records, std::string_view record, const CsvRules& rules,
                               std::span<const std::string> known, char decimalMark) {
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
  std::vector<std::string> asked = rules.columns;
  for (const auto& one : {rules.classColumn, rules.nameColumn})
    if (one) asked.push_back(*one);
  asked.insert(asked.end(), known.begin(), known.end());
  first.header = text && (!number || holdsAName(first.names, asked));
  for (std::size_t c = 0; c < first.names.size(); ++c) {
    if (!first.header || first.names[c].empty()) first.names[c] = unnamedColumn(c);
  }
  return first;
}

/// The texts of all columns together may take so much; a column that would take more is not kept.
constexpr std::size_t mostWordBytes = std::size_t{256} << 20;

class CsvReader {
public:
  /// numbersOnly: any field that is no finite number is an error.
  CsvReader(TextRecords records, const CsvRules& rules, bool numbersOnly, const ReadControl& control)
      : records_(std::move(records)), rules_(rules), numbersOnly_(numbersOnly), control_(control),
        mark_(records_.dialect().mayHaveDecimalComma() ? ',' : '.') {}

  PointSet readPoints();
  CsvNumbers readNumbers(const std::vector<std::string>& leftOut);

private:
  void readAll();
  void start(std::string_view record);
  [[nodiscard]] RoleWish wishFor(const std::optional<std::string>& asked) const;
  void requireApart() const;
  void checkMemory();
  void readRow(std::string_view record);
  [[nodiscard]] bool isRagged(std::string_view record) const;
  void dropRow();
  void store(std::string_view record, const Field& field, std::size_t column);
  void storeText(std::string_view record, const Field& field, std::size_t column, bool number);
  void keepWord(const std::string& word, CsvColumn& column);
  void checkMark(std::string_view record, const Field& field);
  [[noreturn]] void refuseMixed(std::size_t column) const;

  TextRecords records_;
  const CsvRules& rules_;
  bool numbersOnly_;
  std::span<const std::string> leftOut_; ///< names of columns that hold no numbers of interest
  const ReadControl& control_;
  char mark_;
  bool sawComma_ = false;
  bool sawPoint_ = false;
  bool begun_ = false;
  std::vector<std::string> names_;
  std::vector<CsvColumn> columns_;
  RoleWishes wishes_;
  Table table_;
  std::uint64_t firstLine_ = 0;
  std::uint64_t firstRaggedLine_ = 0;
  std::uint64_t checkedAt_ = 0; ///< bytes read when free memory was last looked at
  std::size_t wordBytes_ = 0;
};

void CsvReader::readAll() {
  std::string_view record;
  std::uint64_t reported = 0;
  while (records_.next(record)) {
    begun_ ? readRow(record) : start(record);
    if (records_.bytesRead() == reported) continue;
    reported = records_.bytesRead();
    throwIfCancelled(control_);
    checkMemory();
    control_.report(table_.rows, static_cast<double>(reported) / static_cast<double>(records_.file().size()));
  }
  const InputFile& file = records_.file();
  if (records_.bytesRead() < file.size())
    refuse("it became shorter while it was read: " + counted(records_.bytesRead(), "byte") + " of " +
           std::to_string(file.size()) + " were left");
  if (!begun_) refuse("there are no rows in it, only blank lines or comments");
  if (table_.rows == 0) refuse("there is a header, but no row of numbers below it");
}

/// How many rows a table has is known at its end only, so what is still to come is taken to be like what was.
void CsvReader::checkMemory() {
  constexpr std::uint64_t everyBytes = std::uint64_t{16} << 20;
  if (records_.bytesRead() < checkedAt_ + everyBytes) return;
  checkedAt_ = records_.bytesRead();
  const double whole =
      static_cast<double>(records_.file().size()) / static_cast<double>(records_.bytesRead());
  double held = 0;
  for (const CsvColumn& column : columns_)
    held += static_cast<double>(column.cells.bytes());
  refuseTooLarge(held * (whole - 1));
}

RoleWish CsvReader::wishFor(const std::optional<std::string>& asked) const {
  if (!asked) return {};
  if (asked->empty()) return {.guessed = false, .column = std::nullopt};
  return {.guessed = false, .column = chooseColumns({*asked}, names_).front()};
}

/// A column has one role.
void CsvReader::requireApart() const {
  const auto& [features, classes, name] = wishes_;
  const auto refuseTwice = [&](std::size_t column, const char* one, const char* other) {
    refuse("column " + quoted(names_[column]) + " is asked for as " + one + " and as " + other +
           "; a column has one of these roles");
  };
  for (const std::size_t column : features) {
    if (classes.column == column) refuseTwice(column, "a feature", "the class");
    if (name.column == column) refuseTwice(column, "a feature", "the name");
  }
  if (classes.column && classes.column == name.column) refuseTwice(*classes.column, "the class", "the name");
}

/// The first record settles the names, the number of fields and which columns have a role.
void CsvReader::start(std::string_view record) {
  begun_ = true;
  firstLine_ = records_.line();
  CsvFirstRecord first = readFirstRecord(records_, record, rules_, leftOut_, mark_);
  names_ = std::move(first.names);
  if (!rules_.columns.empty()) wishes_.features = chooseColumns(rules_.columns, names_);
  wishes_.classes = wishFor(rules_.classColumn);
  wishes_.name = wishFor(rules_.nameColumn);
  requireApart();
  columns_.resize(names_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const bool chosen =
        wishes_.features.empty() || std::ranges::find(wishes_.features, c) != wishes_.features.end();
    // Nothing of it is kept, as of a column of too many texts.
    columns_[c].tooManyWords = first.header && std::ranges::find(leftOut_, names_[c]) != leftOut_.end();
    columns_[c].mayBeFeature = chosen && wishes_.classes.column != c && wishes_.name.column != c;
  }
  table_.layout.delimiter = records_.dialect().delimiter;
  table_.layout.comments = records_.dialect().comments;
  table_.layout.header = first.header;
  if (!first.header) readRow(record);
}

bool CsvReader::isRagged(std::string_view record) const {
  FieldCursor cursor(record, records_.dialect().delimiter);
  Field field;
  std::size_t count = 0;
  while (cursor.next(field))
    ++count;
  return count != names_.size();
}

void CsvReader::dropRow() {
  if (table_.ragged.empty()) firstRaggedLine_ = records_.line();
  table_.ragged.push_back(table_.rows++);
  for (CsvColumn& column : columns_)
    if (!column.tooManyWords) column.cells.append(std::numeric_limits<double>::quiet_NaN());
}

void CsvReader::readRow(std::string_view record) {
  if (rules_.dropRagged && isRagged(record)) return dropRow();
  FieldCursor cursor(record, records_.dialect().delimiter);
  Field field;
  std::size_t count = 0;
  const auto refuseRagged = [&](const char* place, const std::string& found) {
    throw ReadFailure(raggedError(records_, record, place, found, names_.size(), firstLine_));
  };
  while (cursor.next(field)) {
    if (count == names_.size()) refuseRagged(placeOf(field), "this row has more fields");
    refuseBroken(records_, record, field);
    store(record, field, count++);
  }
  if (count < names_.size())
    refuseRagged(record.data() + record.size(), "this row has " + counted(count, "field"));
  ++table_.rows;
}

/// Keeps the field's value: NaN for what is no finite number, and an infinity for one beyond single
/// precision.
void CsvReader::store(std::string_view record, const Field& field, std::size_t at) {
  CsvColumn& column = columns_[at];
  if (column.tooManyWords) return;
  const ParsedField parsed = parseField(field.text, mark_);
  const bool number = parsed.kind == FieldKind::number;
  const bool tooLarge = parsed.kind == FieldKind::tooLarge;
  if (parsed.kind == FieldKind::text || (column.words && (number || tooLarge)))
    return storeText(record, field, at, number);
  if (numbersOnly_ && !number)
    records_.refuseAt(record, placeOf(field),
                      (tooLarge ? "expected a number within " + std::string(floatRange)
                                : std::string("expected a finite number")) +
                          ", found " + quoted(field.plain()));
  if (mark_ == ',' && parsed.kind != FieldKind::missing && column.mayBeFeature) checkMark(record, field);
  column.numbers = column.numbers || number;
  column.nonFinite = column.nonFinite || tooLarge || parsed.kind == FieldKind::notFinite;
  using Double = std::numeric_limits<double>;
  if (number) {
    // Where a decimal comma is allowed a point may be used all the same.
    const char mark = mark_ == ',' && field.text.find(',') == std::string_view::npos ? '.' : mark_;
    column.decimals = std::max(column.decimals, decimalsOf(field.text, mark));
  }
  column.cells.append(number ? parsed.wide : tooLarge ? Double::infinity() : Double::quiet_NaN());
}

/// A column that may be a feature holds numbers or text. Any other one that holds both is text.
void CsvReader::storeText(std::string_view record, const Field& field, std::size_t at, bool number) {
  CsvColumn& column = columns_[at];
  if (column.textLine == 0) {
    const TextRecords::Position place = records_.positionOf(record, placeOf(field));
    column.textLine = place.line;
    column.textColumn = place.column;
    column.text = field.plain().substr(0, 60);
    if (column.mayBeFeature && (column.numbers || numbersOnly_)) refuseMixed(at);
    column.becomeText();
  } else if (column.mayBeFeature && number) {
    refuseMixed(at);
  }
  keepWord(field.plain(), column);
}

void CsvReader::keepWord(const std::string& word, CsvColumn& column) {
  const std::size_t before = column.words->bytes();
  column.cells.append(static_cast<double>(column.words->codeOf(word) + 1));
  wordBytes_ += column.words->bytes() - before;
  if (wordBytes_ <= mostWordBytes) return;
  wordBytes_ -= column.words->bytes();
  column.tooManyWords = true;
  column.words.reset();
  column.cells = {};
}

void CsvReader::refuseMixed(std::size_t at) const {
  const CsvColumn& column = columns_[at];
  ReadError error{.line = column.textLine,
                  .column = column.textColumn,
                  .message = "expected a number, found " + quoted(column.text)};
  if (!numbersOnly_) {
    error.message += ", in " + quoted(names_[at]) +
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

PointSet CsvReader::readPoints() {
  readAll();
  table_.layout.decimalComma = sawComma_;
  table_.layout.bytes = records_.file().size();
  table_.layout.changed = records_.file().changed();
  PointSet points = pointsOf(columns_, names_, wishes_, std::move(table_));
  points.source = records_.file().path();
  if (const std::uint64_t ragged = points.table->ragged.size(); ragged > 0)
    points.remarks.push_back(std::to_string(ragged) + " of " + counted(points.n, "row") +
                             " left out: more or fewer fields than the " + std::to_string(names_.size()) +
                             " of line " + std::to_string(firstLine_) + ", first in line " +
                             std::to_string(firstRaggedLine_));
  keepFiniteRows(points, points.table->ragged);
  control_.report(points.inputRows, 1);
  return points;
}

CsvNumbers CsvReader::readNumbers(const std::vector<std::string>& leftOut) {
  leftOut_ = leftOut;
  readAll();
  std::erase_if(columns_, [](const CsvColumn& column) { return column.tooManyWords; }); // left out
  CsvNumbers numbers{.rows = static_cast<std::size_t>(table_.rows), .columns = columns_.size()};
  numbers.values.resize(numbers.rows * numbers.columns);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    double* to = numbers.values.data() + c;
    columns_[c].cells.drain([&](std::span<const double> chunk) {
      for (const double value : chunk) {
        *to = value;
        to += numbers.columns;
      }
    });
  }
  return numbers;
}

} // namespace

PointSet readCsv(InputFile file, const CsvRules& rules, const ReadControl& control) {
  return CsvReader(TextRecords(std::move(file), rules.comments), rules, false, control).readPoints();
}

CsvNumbers readCsvNumbers(InputFile file, bool comments, const std::vector<std::string>& leftOut) {
  const CsvRules rules;
  const ReadControl control;
  return CsvReader(TextRecords(std::move(file), comments), rules, true, control).readNumbers(leftOut);
}

} // namespace lloyd
