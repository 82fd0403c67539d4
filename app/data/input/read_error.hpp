// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <tl/expected.hpp>

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace lloyd {

struct ReadControl;

/// Why points could not be had. The message is one clause that says what was found, what was expected and,
/// where that helps, what to do; it carries no file name, because sentence() puts that in front.
struct ReadError {
  std::string file = {};    ///< file name or generator, as it was asked for
  std::uint64_t line = 0;   ///< 1-based; 0 when the error belongs to no line
  std::uint64_t column = 0; ///< 1-based character within the line; 0 when there is none
  std::string message = {};
  bool cancelled = false; ///< the person asked for the end: nothing is wrong with the file

  /// "FILE:LINE:COLUMN: message", without the parts that are not known.
  [[nodiscard]] std::string sentence() const;
};

/// What the readers throw. It ends in orReadError(), which names the file.
class ReadFailure : public std::exception {
public:
  explicit ReadFailure(ReadError why) : error(std::move(why)) {}
  [[nodiscard]] const char* what() const noexcept override { return error.message.c_str(); }

  ReadError error;
};

/// Throws ReadFailure with a message that belongs to no line.
[[noreturn]] void refuse(std::string message);
/// Throws ReadFailure when the person asked for the end.
void throwIfCancelled(const ReadControl& control);

/// What read returns, or what it throws as a value: a failure names source, and a lack of memory has a
/// sentence.
template <class Read>
[[nodiscard]] tl::expected<std::invoke_result_t<Read>, ReadError>
orReadError(const std::string& source, const char* noMemory, const Read& read) {
  try {
    return read();
  } catch (ReadFailure& failure) {
    if (failure.error.file.empty()) failure.error.file = source;
    return tl::unexpected(failure.error);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(ReadError{.file = source, .message = noMemory});
  }
}

} // namespace lloyd
