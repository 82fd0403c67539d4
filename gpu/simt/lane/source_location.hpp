// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstring>
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
  bool operator==(const Place& other) const {
    return line == other.line && column == other.column &&
           (file == other.file || std::strcmp(file, other.file) == 0);
  }
};

/// Compilers are given whole paths, this file's too, so what stands before our own place is the repository's
/// top.
constexpr std::string_view topOfRepository() {
  constexpr std::string_view own = "gpu/simt/lane/source_location.hpp";
  constexpr std::string_view here = __FILE__;
  return here.ends_with(own) ? here.substr(0, here.size() - own.size()) : std::string_view();
}

/// The file as it is called from the repository's top: "gpu/kernels/reduce/v1_atomics.cu".
[[nodiscard]] inline std::string_view fileOf(const Place& place) {
  std::string_view file = place.file;
  if (file.starts_with(topOfRepository())) file.remove_prefix(topOfRepository().size());
  return file;
}
/// "gpu/kernels/reduce/v1_atomics.cu:41"
[[nodiscard]] inline std::string describe(const Place& place) {
  return std::string(fileOf(place)) + ":" + std::to_string(place.line);
}

} // namespace lloyd::simt
