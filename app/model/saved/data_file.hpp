// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <tl/expected.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace lloyd {

/// What tells a file's bytes from others.
struct FileFacts {
  std::uint64_t bytes = 0;
  std::string sha256; ///< in hexadecimal digits; empty where it is not known, which no file matches
  bool operator==(const FileFacts&) const = default;

  [[nodiscard]] bool matches(const FileFacts& other) const { return !sha256.empty() && *this == other; }
};

/// Reads all of the file; of a member of an archive, the archive. The error is a sentence; without a hash
/// where it was cancelled. Any thread.
[[nodiscard]] tl::expected<FileFacts, std::string> factsOf(const std::string& path,
                                                           const std::atomic<bool>* cancel = nullptr);

/// Size and time of a file: while they stay, its bytes do.
struct FileStamp {
  std::int64_t bytes = -1; ///< -1: there is no such file
  std::int64_t modified = 0;
  bool operator==(const FileStamp&) const = default;
};
[[nodiscard]] FileStamp stampOf(const std::string& path);

/// Where the points of a session were found again.
struct FoundData {
  enum class State { same, changed, missing };
  State state = State::missing;
  std::string path; ///< of what was found; where nothing was, the last of the places
};
/// The first of these files that has the facts; else the first that is there.
[[nodiscard]] FoundData findData(const std::vector<std::string>& paths, const FileFacts& facts,
                                 const std::atomic<bool>* cancel = nullptr);

} // namespace lloyd
