// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

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

} // namespace lloyd
