// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/simt/lane/source_location.hpp"

#include <cstring>

namespace lloyd::simt {
namespace {

/// Compilers are given whole paths, this file's too, so what stands before our own place is the repository's
/// top.
constexpr std::string_view topOfRepository() {
  constexpr std::string_view own = "gpu/simt/lane/source_location.cpp";
  constexpr std::string_view here = __FILE__;
  return here.ends_with(own) ? here.substr(0, here.size() - own.size()) : std::string_view();
}

} // namespace

bool Place::operator==(const Place& other) const {
  return line == other.line && column == other.column &&
         (file == other.file || std::strcmp(file, other.file) == 0);
}

std::string_view fileOf(const Place& place) {
  std::string_view file = place.file;
  if (file.starts_with(topOfRepository())) file.remove_prefix(topOfRepository().size());
  return file;
}

std::string describe(const Place& place) {
  return std::string(fileOf(place)) + ":" + std::to_string(place.line);
}

} // namespace lloyd::simt
