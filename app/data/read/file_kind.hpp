// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lloyd {

/// Which reader a file needs.
struct FileKind {
  enum class Family { text, npy, image, foreign };
  Family family = Family::text;
  std::string_view imageFormat = {}; ///< for an image: what Qt calls its format
  bool comments = false;             ///< for text: lines that begin with # are comments
  std::string why = {};              ///< for a foreign file: what it is, and what to do
};

inline constexpr std::size_t fileKindBytes = 512;

/// Judges by the first bytes; the name only settles what they leave open.
[[nodiscard]] FileKind fileKind(const std::string& path, std::string_view head);

/// The name's ending after its last dot, in lower case, without the dot.
[[nodiscard]] std::string extensionOf(const std::string& path);

} // namespace lloyd
