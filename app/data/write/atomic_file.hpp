// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <tl/expected.hpp>

#include <string>
#include <string_view>

namespace lloyd {

/// A file that appears whole or not at all: written under a temporary name in the same folder and renamed by
/// commit(). Without commit() nothing is left behind. A path that names a device is written to directly.
/// Errors are whole sentences with the file's name.
class AtomicFile {
public:
  [[nodiscard]] static tl::expected<AtomicFile, std::string> create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept { swap(other); }
  AtomicFile& operator=(AtomicFile&& other) noexcept {
    swap(other);
    return *this;
  }
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  [[nodiscard]] tl::expected<void, std::string> write(std::string_view bytes);
  [[nodiscard]] tl::expected<void, std::string> commit();

private:
  AtomicFile() = default;
  void swap(AtomicFile& other) noexcept;
  [[nodiscard]] tl::unexpected<std::string> failure(int code) const;

  std::string path_;      ///< as it was asked for
  std::string target_;    ///< with symbolic links followed
  std::string temporary_; ///< empty once renamed, and for a device
  int descriptor_ = -1;
};

/// All bytes at once.
[[nodiscard]] tl::expected<void, std::string> writeWholeFile(const std::string& path, std::string_view bytes);

} // namespace lloyd
