// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/input_file.hpp"
#include "app/data/read_control.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// A file, and in a ZIP archive the member that is meant: "points.npz:x" names the member x of points.npz.
struct MemberPath {
  std::string file;
  std::string member = {}; ///< empty: the only one
};
/// A path that exists as it stands has no member, whatever colons it holds.
[[nodiscard]] MemberPath memberPath(const std::string& path);

/// What packed bytes may become. A file that was made to fill memory unpacks to a thousand times its size and
/// more; tables and arrays seldom to fifty times.
struct UnpackLimits {
  std::uint64_t freely = std::uint64_t{64} << 20; ///< bytes that every file may unpack to
  double ratio = 200;                             ///< beyond: times the packed file's own bytes
  double memoryShare = 0.5;                       ///< and never more than this share of what is free
};

/// The file as the readers take it, and how the caller follows what is left of the work.
struct OpenedInput {
  InputFile file;
  ReadControl control;
};

/// Opens a file. What is packed by gzip, bzip2, xz or Zstandard, and the only member of a ZIP archive or the
/// one that the path names, is unpacked into memory, which lasts as long as the file is open; the first bytes
/// tell, not the name. What was unpacked must not be packed again. Throws ReadFailure, also when it was
/// cancelled.
[[nodiscard]] OpenedInput openInput(const std::string& path, const ReadControl& control,
                                    const UnpackLimits& limits = {});

/// The files in a ZIP archive, by name; of any other file nothing. Throws ReadFailure.
[[nodiscard]] std::vector<std::string> packedMembers(const std::string& path);

/// Endings of the files that openInput() unpacks, separated by blanks, as Format::extensions has them.
inline constexpr std::string_view packedExtensions = "gz bz2 xz zst zip";

} // namespace lloyd
