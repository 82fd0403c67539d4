// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/text_records.hpp"

#include "app/data/input/csv_fields.hpp"

#include <algorithm>
#include <cstring>

namespace lloyd {
namespace {

constexpr std::size_t chunk = std::size_t{128} << 10;
constexpr std::size_t sniffed = std::size_t{64} << 10;

} // namespace

TextRecords::TextRecords(InputFile file, bool comments) : file_(std::move(file)) {
  fill();
  std::string_view start(buffer_.data(), end_);
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF"))
    refuse("the text is UTF-16; save it as UTF-8");
  if (start.starts_with("\xEF\xBB\xBF")) {
    begin_ = 3;
    start.remove_prefix(3);
  }
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
    if (record.ends_with('\r')) record.remove_suffix(1);
    const auto* nul =
        sawNul_ ? static_cast<const char*>(std::memchr(record.data(), 0, record.size())) : nullptr;
    if (nul != nullptr) refuseAt(record, nul, "a NUL character, so the file is not plain text");
    const std::size_t first = record.find_first_not_of(" \t");
    if (first == std::string_view::npos) continue;
    if (dialect_.comments && record[first] == '#') continue;
    return true;
  }
}

ReadError TextRecords::errorAt(std::string_view record, const char* place, std::string message) const {
  ReadError error{.message = std::move(message)};
  const Position position = positionOf(record, place);
  error.line = position.line;
  error.column = position.column;
  return error;
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
