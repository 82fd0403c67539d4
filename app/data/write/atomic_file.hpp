// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileDevice>

#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace lloyd {

/// A file that appears whole or not at all: commit() puts it in its place. Without commit() nothing is left
/// behind. A path that names a device is written to directly, and one that names a pipe must have a reader.
/// Errors are whole sentences with the file's name.
class AtomicFile {
public:
  [[nodiscard]] static tl::expected<AtomicFile, std::string> create(const std::string& path);

  [[nodiscard]] tl::expected<void, std::string> write(std::string_view bytes);
  [[nodiscard]] tl::expected<void, std::string> commit();

private:
  AtomicFile() = default;
  [[nodiscard]] tl::unexpected<std::string> failure() const;

  std::string path_; ///< as it was asked for
  std::unique_ptr<QFileDevice> file_;
};

/// A file with those bytes, not in its place yet.
[[nodiscard]] tl::expected<AtomicFile, std::string> writtenFile(const std::string& path,
                                                                std::string_view bytes);
/// All bytes at once, and in its place.
[[nodiscard]] tl::expected<void, std::string> writeWholeFile(const std::string& path, std::string_view bytes);

} // namespace lloyd
