// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/line_reader.hpp"

#include "app/data/input/parse_number.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace lloyd {
namespace {

constexpr std::size_t chunk = std::size_t{128} << 10;

} // namespace

LineReader::LineReader(const InputFile& file) : file_(file) {}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  while (true) {
    const auto* const found =
        static_cast<const char*>(end_ == begin_ + searched ? nullptr
                                                           : std::memchr(buffer_.data() + begin_ + searched,
                                                                         '\n', end_ - begin_ - searched));
    if (found != nullptr || (finished_ && end_ > begin_)) {
      const std::size_t stop = found != nullptr ? static_cast<std::size_t>(found - buffer_.data()) : end_;
      line = {buffer_.data() + begin_, stop - begin_};
      const std::size_t next = std::min(stop + 1, end_);
      offset_ += next - begin_;
      begin_ = next;
      ++line_;
      if (line.ends_with('\r')) line.remove_suffix(1);
      return true;
    }
    if (finished_) return false;
    searched = end_ - begin_;
    if (searched > longestLine)
      throw ReadFailure({.line = line_ + 1, .message = "this line is longer than 1 MiB, so it is no text"});
    if (begin_ > 0) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, searched);
      begin_ = 0;
      end_ = searched;
    }
    if (buffer_.size() - end_ < chunk) buffer_.resize(end_ + chunk);
    const std::span room = std::span(buffer_).subspan(end_, chunk);
    const std::size_t got = file_.readAt(offset_ + searched, room);
    finished_ = got < room.size();
    end_ += got;
  }
}

void LineReader::refuseAt(std::string_view line, std::string_view place, std::string message) const {
  const auto before = line.substr(0, static_cast<std::size_t>(place.data() - line.data()));
  const auto characters =
      std::ranges::count_if(before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  throw ReadFailure(
      {.line = line_, .column = 1 + static_cast<std::uint64_t>(characters), .message = std::move(message)});
}

void LineReader::refuseLine(std::string message) const {
  throw ReadFailure({.line = line_, .message = std::move(message)});
}

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = trimmed(line)).empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

} // namespace lloyd
