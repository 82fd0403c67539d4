// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/csv_dialect.hpp"
#include "app/data/input/input_file.hpp"
#include "app/data/input/read_error.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

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
  [[nodiscard]] std::uint64_t bytesRead() const { return bytesRead_; }
  /// An error at a place within the last record.
  [[nodiscard]] ReadError errorAt(std::string_view record, const char* place, std::string message) const;
  [[noreturn]] void refuseAt(std::string_view record, const char* place, std::string message) const {
    throw ReadFailure(errorAt(record, place, std::move(message)));
  }

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
  bool finished_ = false;                ///< the file has no more bytes
  bool sawNul_ = false;                  ///< some byte read so far is NUL
  mutable const char* walked_ = nullptr; ///< the last place that was asked for in the last record, or none
  mutable Position walkedTo_;
};

} // namespace lloyd
