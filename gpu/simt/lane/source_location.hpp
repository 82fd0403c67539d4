// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <version>

#if defined(__cpp_lib_source_location)
#include <source_location>
#endif

namespace lloyd::simt {

#if defined(__cpp_lib_source_location)
using SourceLocation = std::source_location;
#else
/// clang 14 does not know std::source_location, but it can fill in one of our own.
class SourceLocation {
public:
  static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                          unsigned line = __builtin_LINE(),
                                          unsigned column = __builtin_COLUMN()) {
    return {file, line, column};
  }
  [[nodiscard]] constexpr const char* file_name() const { return file_; }
  [[nodiscard]] constexpr unsigned line() const { return line_; }
  [[nodiscard]] constexpr unsigned column() const { return column_; }

private:
  constexpr SourceLocation(const char* file, unsigned line, unsigned column)
      : file_(file), line_(line), column_(column) {}

  const char* file_;
  unsigned line_;
  unsigned column_;
};
#endif

/// A place in a kernel's source. What tells two accesses, barriers or collectives apart is this and not a
/// return address: compilers copy and merge calls, and the same source must give the same counts whatever
/// they do.
struct Place {
  const char* file = "";
  unsigned line = 0;
  unsigned column = 0;

  Place() = default;
  explicit Place(const SourceLocation& here)
      : file(here.file_name()), line(here.line()), column(here.column()) {}
  bool operator==(const Place& other) const;
};

/// The file as it is called from the repository's top: "gpu/kernels/reduce/v1_atomics.cu".
[[nodiscard]] std::string_view fileOf(const Place& place);
/// "gpu/kernels/reduce/v1_atomics.cu:41"
[[nodiscard]] std::string describe(const Place& place);

} // namespace lloyd::simt
