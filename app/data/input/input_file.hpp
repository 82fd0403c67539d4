// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/read_error.hpp"

#include <QFileDevice>

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace lloyd {

/// An open regular file, closed with the object. Everything else that a path can name (a folder, a pipe, a
/// device, a file without permission) is refused with the reason, and opening never blocks.
class InputFile {
public:
  [[nodiscard]] static tl::expected<InputFile, ReadError> open(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return file_->handle(); }
  [[nodiscard]] std::uint64_t size() const { return size_; } ///< bytes, when it was opened

  /// Fills the buffer from the current position; returns fewer bytes only at the end of the file.
  [[nodiscard]] tl::expected<std::size_t, ReadError> read(std::span<char> buffer) const;
  /// Up to this many bytes from the start of the file, to which the position returns.
  [[nodiscard]] tl::expected<std::string, ReadError> head(std::size_t bytes) const;
  [[nodiscard]] ReadError error(std::string message) const {
    return {.file = path_, .message = std::move(message)};
  }
  [[nodiscard]] ReadError cancelledError() const;

private:
  InputFile(std::string path, std::unique_ptr<QFileDevice> file)
      : path_(std::move(path)), file_(std::move(file)) {}
  std::string path_;
  std::unique_ptr<QFileDevice> file_;
  std::uint64_t size_ = 0;
};

} // namespace lloyd
