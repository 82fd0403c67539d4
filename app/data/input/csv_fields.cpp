// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/csv_fields.hpp"

#include <cstring>

namespace lloyd {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

} // namespace

std::string Field::plain() const {
  std::string_view trimmed = text;
  if (!quoted) {
    while (!trimmed.empty() && isBlank(trimmed.front()))
      trimmed.remove_prefix(1);
    while (!trimmed.empty() && isBlank(trimmed.back()))
      trimmed.remove_suffix(1);
    return std::string(trimmed);
  }
  std::string result;
  for (std::size_t i = 0; i < trimmed.size(); ++i) {
    result += trimmed[i];
    if (trimmed[i] == '"' && i + 1 < trimmed.size() && trimmed[i + 1] == '"') ++i;
  }
  return result;
}

FieldCursor::FieldCursor(std::string_view record, char delimiter)
    : at_(record.data()), end_(record.data() + record.size()), delimiter_(delimiter), more_(!record.empty()) {
  if (delimiter_ == ' ') {
    while (at_ < end_ && isBlank(*at_))
      ++at_;
    while (end_ > at_ && isBlank(end_[-1]))
      --end_;
    more_ = at_ < end_;
  }
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
  if (delimiter_ == ' ') {
    while (at_ < end_ && !isBlank(*at_))
      ++at_;
  } else {
    while (at_ < end_ && *at_ != delimiter_)
      ++at_;
  }
  field.text = {start, static_cast<std::size_t>(at_ - start)};
  more_ = at_ < end_;
  if (delimiter_ == ' ') {
    while (at_ < end_ && isBlank(*at_))
      ++at_;
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
    while (at_ < end_ && isBlank(*at_))
      ++at_;
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

} // namespace lloyd
