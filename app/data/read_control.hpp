// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace lloyd {

/// How a caller follows a long read and ends it early. Both parts are optional. The callback runs on the
/// thread that reads, every millisecond or so; whoever draws it thins it out.
struct ReadControl {
  std::function<void(std::uint64_t rows, double fraction)> progress; ///< rows so far, and 0 to 1 of the work
  const std::atomic<bool>* cancel = nullptr; ///< set to true by any thread; never written here

  [[nodiscard]] bool cancelled() const {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  }
  void report(std::uint64_t rows, double fraction) const {
    if (progress) progress(rows, fraction);
  }
};

/// What would let a person have points that were refused.
enum class Remedy {
  none,       ///< nothing that the program can do
  dropRagged, ///< a row has more or fewer fields than others, and such rows may be left out
  scale,      ///< another scaling of the columns
};

/// Why points could not be had. The message is one clause that says what was found, what was expected and,
/// where that helps, what to do; it carries no file name, because sentence() puts that in front.
struct ReadError {
  std::string file = {};    ///< file name or generator, as it was asked for
  std::uint64_t line = 0;   ///< 1-based; 0 when the error belongs to no line
  std::uint64_t column = 0; ///< 1-based character within the line; 0 when there is none
  std::string message = {};
  Remedy remedy = Remedy::none;
  bool cancelled = false; ///< the person asked for the end: nothing is wrong with the file

  /// "FILE:LINE:COLUMN: message", without the parts that are not known.
  [[nodiscard]] std::string sentence() const {
    std::string text = file;
    if (line != 0) text.append(":").append(std::to_string(line));
    if (line != 0 && column != 0) text.append(":").append(std::to_string(column));
    return text.empty() ? message : text + ": " + message;
  }
};

/// What the readers throw. It ends in orReadError(), which names the file.
class ReadFailure : public std::exception {
public:
  explicit ReadFailure(ReadError why) : error(std::move(why)) {}
  [[nodiscard]] const char* what() const noexcept override { return error.message.c_str(); }

  ReadError error;
};

/// Throws ReadFailure with a message that belongs to no line.
[[noreturn]] inline void refuse(std::string message) { throw ReadFailure({.message = std::move(message)}); }
/// Throws ReadFailure when the person asked for the end.
inline void throwIfCancelled(const ReadControl& control) {
  if (control.cancelled()) throw ReadFailure({.message = "reading was cancelled", .cancelled = true});
}

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
