// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/text_records.hpp"

#include "app/data/input/parse_number.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

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

constexpr std::size_t chunk = std::size_t{128} << 10;
constexpr std::size_t sniffed = std::size_t{64} << 10;

/// NUL has a refusal of its own.
bool isInNoText(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0 && byte < 32 && std::string_view("\t\n\v\f\r\x1a").find(c) == std::string_view::npos;
}

/// One byte in fifty that no text holds is no slip of an editor. Throws ReadFailure with the first one's
/// place.
void requireText(std::string_view sample) {
  const auto odd = static_cast<std::size_t>(std::ranges::count_if(sample, isInNoText));
  if (50 * odd <= sample.size()) return;
  const auto first = static_cast<std::size_t>(std::ranges::find_if(sample, isInNoText) - sample.begin());
  const std::string_view before = sample.substr(0, first);
  const std::string_view sameLine = before.substr(before.rfind('\n') + 1); // of none before: all
  // Of a character of UTF-8 the first byte counts, and each byte that belongs to none.
  std::uint64_t characters = 0;
  unsigned following = 0;
  for (const char c : sameLine) {
    const auto byte = static_cast<unsigned char>(c);
    if (following > 0 && (byte & 0xC0U) == 0x80U) {
      --following;
      continue;
    }
    ++characters;
    following = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : byte >= 0xC0U ? 1 : 0;
  }
  throw ReadFailure(
      {.line = 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n')),
       .column = 1 + characters,
       .message = "it holds bytes that are no text, the first of them here, so there is no data to read"});
}

} // namespace

std::size_t countFields(std::string_view record, char delimiter) {
  FieldCursor cursor(record, delimiter);
  Field field;
  std::size_t count = 0;
  while (cursor.next(field))
    ++count;
  return count;
}

std::string Field::plain() const {
  if (!quoted) return std::string(trimmed(text));
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') ++i;
  }
  return result;
}

FieldCursor::FieldCursor(std::string_view record, char delimiter)
    : at_(record.data()), end_(record.data() + record.size()), delimiter_(delimiter), more_(!record.empty()) {
  if (delimiter_ == ' ') {
    skipBlanks();
    while (end_ > at_ && isBlank(end_[-1]))
      --end_;
    more_ = at_ < end_;
  }
}

void FieldCursor::skipBlanks() {
  while (at_ < end_ && isBlank(*at_))
    ++at_;
}

bool FieldCursor::next(Field& field) {
  if (!more_) return false;
  field.quoted = false;
  field.broken = false;
  const char* start = at_;
  // A quote opens a field only where the field begins; blanks before it do not count.
  while (start < end_ && *start == ' ')
    ++start;
  if (start < end_ && *start == '"') {
    at_ = start;
    nextQuoted(field);
    return true;
  }
  start = at_;
  while (at_ < end_ && (delimiter_ == ' ' ? !isBlank(*at_) : *at_ != delimiter_))
    ++at_;
  field.text = {start, static_cast<std::size_t>(at_ - start)};
  more_ = at_ < end_;
  if (delimiter_ == ' ') {
    skipBlanks();
  } else if (more_) {
    ++at_;
  }
  return true;
}

void FieldCursor::nextQuoted(Field& field) {
  const char* const start = ++at_;
  const char* close = nullptr;
  while (at_ < end_) {
    if (*at_ != '"') {
      ++at_;
    } else if (at_ + 1 < end_ && at_[1] == '"') {
      at_ += 2;
    } else {
      close = at_++;
      break;
    }
  }
  field.quoted = true;
  field.text = {start, static_cast<std::size_t>((close != nullptr ? close : end_) - start)};
  field.broken = close == nullptr;
  while (at_ < end_ && isBlank(*at_) && *at_ != delimiter_)
    ++at_;
  if (delimiter_ == ' ') {
    const bool apart = at_ == end_ || isBlank(*at_) || isBlank(at_[-1]);
    field.broken |= !apart;
    skipBlanks();
    more_ = at_ < end_;
    return;
  }
  while (at_ < end_ && *at_ != delimiter_) {
    field.broken = true;
    ++at_;
  }
  more_ = at_ < end_;
  if (more_) ++at_;
}

QuoteState::Place QuoteState::after(char c, Place place) const {
  const bool separates = c == delimiter_ || (delimiter_ == ' ' && c == '\t');
  switch (place) {
  case Place::inside:
    return c == '"' ? Place::afterQuote : Place::inside;
  case Place::afterQuote:
    if (c == '"') return Place::inside;
    [[fallthrough]];
  case Place::closed:
    if (separates) return Place::start;
    return delimiter_ == ' ' ? after(c, Place::start) : Place::closed;
  case Place::start:
    if (separates || c == ' ') return Place::start;
    return c == '"' ? Place::inside : Place::plain;
  case Place::plain:
    break;
  }
  return separates ? Place::start : Place::plain;
}

void QuoteState::feed(std::string_view piece) {
  const bool quotes = std::memchr(piece.data(), '"', piece.size()) != nullptr;
  if (!quotes && place_ == Place::inside) return;
  for (const char c : piece)
    place_ = after(c, place_);
}

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

TextRecords::TextRecords(InputFile file, bool comments) : file_(std::move(file)) {
  fill();
  std::string_view start(buffer_.data(), end_);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    refuse("the text is UTF-16; save it as UTF-8");
  if (start.starts_with("\xEF\xBB\xBF")) {
    begin_ = 3;
    start.remove_prefix(3);
  }
  requireText(start.substr(0, sniffed));
  const bool cutShort = !finished_ || start.size() > sniffed;
  dialect_ = sniffDialect(start.substr(0, sniffed), cutShort, comments);
}

void TextRecords::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // The buffer holds a part of a record that no line end was found for. Doubling keeps long records linear.
  if (buffer_.size() - end_ < chunk) buffer_.resize(std::max(buffer_.size() * 2, chunk));
  const std::size_t got = file_.read(std::span(buffer_).subspan(end_));
  finished_ = got < buffer_.size() - end_;
  sawNul_ = sawNul_ || std::memchr(buffer_.data() + end_, 0, got) != nullptr;
  end_ += got;
  bytesRead_ += got;
}

/// The index in the buffer of the line end of the record that starts at begin_, or end_ for a last line
/// without one.
std::size_t TextRecords::findEnd() {
  QuoteState quotes(dialect_.delimiter);
  bool quoted = false;
  std::size_t searched = 0; // bytes of the record that hold no end of it
  while (true) {
    const std::string_view rest(buffer_.data() + begin_ + searched, end_ - begin_ - searched);
    const std::size_t found = rest.find(dialect_.lineEnd);
    const bool lineEnds = found != std::string_view::npos;
    const std::string_view piece = rest.substr(0, lineEnds ? found + 1 : found);
    // Most records have no quote at all and need no walk over their bytes.
    if (!quoted && piece.find('"') != std::string_view::npos) {
      quotes.feed({buffer_.data() + begin_, searched});
      quoted = true;
    }
    if (quoted) quotes.feed(piece);
    searched += piece.size();
    if (lineEnds && !quotes.inside()) return begin_ + searched - 1;
    if (searched >= longestRecord)
      throw ReadFailure({.line = line_,
                         .message = quotes.inside()
                                        ? "a quote that opens here is never closed"
                                        : "this line is longer than 64 MiB, so the file is no table"});
    if (lineEnds) continue;
    if (finished_) return end_;
    fill();
  }
}

bool TextRecords::next(std::string_view& record) {
  while (true) {
    if (begin_ == end_ && !finished_) fill();
    if (begin_ == end_) return false;
    const std::size_t recordEnd = findEnd();
    record = {buffer_.data() + begin_, recordEnd - begin_};
    recordLine_ = line_;
    walked_ = nullptr;
    begin_ = std::min(recordEnd + 1, end_);
    const bool quoted = std::memchr(record.data(), '"', record.size()) != nullptr;
    line_ +=
        1 +
        (quoted ? static_cast<std::uint64_t>(std::count(record.begin(), record.end(), dialect_.lineEnd)) : 0);
    endedWithReturn_ = record.ends_with('\r');
    if (endedWithReturn_) record.remove_suffix(1);
    const auto* nul =
        sawNul_ ? static_cast<const char*>(std::memchr(record.data(), 0, record.size())) : nullptr;
    if (nul != nullptr) refuseAt(record, nul, "a NUL character, so the file is not plain text");
    const std::size_t first = record.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if (dialect_.comments && record[first] == '#') continue;
    return true;
  }
}

void TextRecords::refuseAt(std::string_view record, const char* place, std::string message) const {
  const Position position = positionOf(record, place);
  throw ReadFailure({.line = position.line, .column = position.column, .message = std::move(message)});
}

TextRecords::Position TextRecords::positionOf(std::string_view record, const char* place) const {
  if (walked_ == nullptr || place < walked_) {
    walked_ = record.data();
    walkedTo_ = {recordLine_, 1};
  }
  for (; walked_ < place; ++walked_) {
    if (*walked_ == dialect_.lineEnd)
      walkedTo_ = {walkedTo_.line + 1, 1};
    else if ((static_cast<unsigned char>(*walked_) & 0xC0U) != 0x80U) // others continue a UTF-8 character
      ++walkedTo_.column;
  }
  return walkedTo_;
}

} // namespace lloyd
