// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/read_control.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// A field within its record. A quoted field's text lies between its quotes, with "" still doubled.
struct Field {
  std::string_view text;
  bool quoted = false;
  bool broken = false; ///< text follows the closing quote, or there is no closing quote

  /// The text as a person reads it: "" made ", blanks around an unquoted field removed.
  [[nodiscard]] std::string plain() const;
};

/// Walks over the fields of one record (a line without its end).
class FieldCursor {
public:
  FieldCursor(std::string_view record, char delimiter);
  /// Whether there was another field; an empty record has none, "a," has two.
  bool next(Field& field);

private:
  void nextQuoted(Field& field);
  void skipBlanks();
  const char* at_;
  const char* end_;
  char delimiter_;
  bool more_;
};

/// Follows a record byte by byte, piece by piece, to tell whether a line end belongs to a quoted field. It
/// agrees with FieldCursor on where quotes open.
class QuoteState {
public:
  explicit QuoteState(char delimiter) : delimiter_(delimiter) {}
  void feed(std::string_view piece);
  [[nodiscard]] bool inside() const { return place_ == Place::inside; }

private:
  enum class Place { start, plain, inside, afterQuote, closed };
  [[nodiscard]] Place after(char c, Place place) const;
  char delimiter_;
  Place place_ = Place::start;
};

/// How a table of text separates its fields.
struct CsvDialect {
  char delimiter = ',';  ///< ',', ';', a tab, or ' ', which stands for any run of blanks
  char lineEnd = '\n';   ///< '\r' only for files that hold no '\n' at all
  bool comments = false; ///< lines that begin with # are left out

  /// Only these two leave the comma free to be a decimal mark.
  [[nodiscard]] bool mayHaveDecimalComma() const { return delimiter == ';' || delimiter == '\t'; }
  [[nodiscard]] std::string delimiterName() const;
};

[[nodiscard]] std::size_t countFields(std::string_view record, char delimiter);

/// Guesses the dialect from the first lines of a file. A delimiter that cuts every line into the same number
/// of fields wins, the rarer one first: tab, semicolon, comma, blanks. cutShort says that the sample ends
/// before the file does.
[[nodiscard]] CsvDialect sniffDialect(std::string_view sample, bool cutShort, bool comments);

/// The records of a text table, one at a time, read in chunks: memory is bounded by the longest record, and
/// that by longestRecord. A record is a line, or several where a quoted field holds line ends. Blank lines
/// and comments are passed over. A UTF-8 byte order mark is dropped; UTF-16, a NUL character and a quote that
/// never closes are errors. Throws ReadFailure.
class TextRecords {
public:
  static constexpr std::size_t longestRecord = std::size_t{64} << 20;

  /// Reads the first chunk and guesses the dialect.
  TextRecords(InputFile file, bool comments);

  /// Whether there was another record. The view is valid until the next call.
  [[nodiscard]] bool next(std::string_view& record);

  [[nodiscard]] const CsvDialect& dialect() const { return dialect_; }
  [[nodiscard]] const InputFile& file() const { return file_; }
  [[nodiscard]] std::uint64_t line() const {
    return recordLine_;
  } ///< 1-based line on which the last record began
  /// Whether the last record's line ended in a carriage return and a line feed.
  [[nodiscard]] bool endedWithReturn() const { return endedWithReturn_; }
  [[nodiscard]] std::uint64_t bytesRead() const { return bytesRead_; }
  /// Throws ReadFailure with a place within the last record.
  [[noreturn]] void refuseAt(std::string_view record, const char* place, std::string message) const;

  /// Where a place within the last record is, 1-based; the column counts characters. Places that are asked
  /// for from left to right take one walk over the record together.
  struct Position {
    std::uint64_t line = 0;
    std::uint64_t column = 0;
  };
  [[nodiscard]] Position positionOf(std::string_view record, const char* place) const;

private:
  void fill();
  [[nodiscard]] std::size_t findEnd();

  InputFile file_;
  CsvDialect dialect_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0; ///< of the bytes not yet handed out
  std::size_t end_ = 0;   ///< of the bytes read
  std::uint64_t bytesRead_ = 0;
  std::uint64_t line_ = 1; ///< of begin_
  std::uint64_t recordLine_ = 0;
  bool endedWithReturn_ = false;
  bool finished_ = false;                ///< the file has no more bytes
  bool sawNul_ = false;                  ///< some byte read so far is NUL
  mutable const char* walked_ = nullptr; ///< the last place that was asked for in the last record, or none
  mutable Position walkedTo_;
};

} // namespace lloyd
