// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/csv_dialect.hpp"

#include "app/data/input/csv_fields.hpp"

#include <array>
#include <cstddef>

namespace lloyd {
namespace {

constexpr std::size_t sampleLines = 24;
constexpr std::array delimiters{'\t', ';', ',', ' '};

/// The first records of the sample, blank lines and comments left out. The last line of a sample that was cut
/// short is not whole, so it counts only when there is no other.
std::vector<std::string_view> sampleRecords(std::string_view sample, const CsvDialect& dialect,
                                            bool cutShort) {
  std::vector<std::string_view> records;
  std::size_t start = 0;
  while (start < sample.size() && records.size() < sampleLines) {
    QuoteState quotes(dialect.delimiter);
    std::size_t end = sample.find(dialect.lineEnd, start);
    std::size_t seen = start;
    while (end != std::string_view::npos) {
      quotes.feed(sample.substr(seen, end + 1 - seen));
      if (!quotes.inside()) break;
      seen = end + 1;
      end = sample.find(dialect.lineEnd, seen);
    }
    const bool last = end == std::string_view::npos;
    std::string_view record = sample.substr(start, last ? end : end - start);
    start = last ? sample.size() : end + 1;
    if (last && cutShort && !records.empty()) break;
    if (record.ends_with('\r')) record.remove_suffix(1);
    const std::size_t first = record.find_first_not_of(" \t");
    const bool blank = first == std::string_view::npos;
    if (!blank && !(dialect.comments && record[first] == '#')) records.push_back(record);
  }
  return records;
}

std::size_t countFields(std::string_view record, char delimiter) {
  FieldCursor cursor(record, delimiter);
  Field field;
  std::size_t count = 0;
  while (cursor.next(field))
    ++count;
  return count;
}

} // namespace

std::string CsvDialect::delimiterName() const {
  switch (delimiter) {
  case '\t':
    return "tab";
  case ' ':
    return "blank";
  case ';':
    return "semicolon";
  default:
    return "comma";
  }
}

CsvDialect sniffDialect(std::string_view sample, bool cutShort, bool comments) {
  CsvDialect dialect{.comments = comments};
  if (sample.find('\n') == std::string_view::npos && sample.find('\r') != std::string_view::npos) {
    dialect.lineEnd = '\r';
  }
  std::size_t most = 0;
  char best = ',';
  for (const char delimiter : delimiters) {
    dialect.delimiter = delimiter;
    const auto records = sampleRecords(sample, dialect, cutShort);
    if (records.empty()) continue;
    const std::size_t first = countFields(records.front(), delimiter);
    std::size_t cut = 0;
    std::size_t alike = 0;
    for (const std::string_view record : records) {
      const std::size_t fields = countFields(record, delimiter);
      cut += fields > 1 ? 1U : 0U;
      alike += fields == first ? 1U : 0U;
    }
    if (first > 1 && alike == records.size()) return dialect;
    // A title of several words above a single column is no table of blanks.
    if (delimiter == ' ' && 2 * cut <= records.size()) continue;
    if (cut > most) {
      most = cut;
      best = delimiter;
    }
  }
  dialect.delimiter = best;
  return dialect;
}

} // namespace lloyd
