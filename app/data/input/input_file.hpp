// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/input/read_error.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace lloyd {

/// An open regular file, closed with the object. Everything else that a path can name (a folder, a pipe, a
/// device, a file without permission) is refused with the reason, and opening never blocks.
class InputFile {
public:
  [[nodiscard]] static tl::expected<InputFile, ReadError> open(const std::string& path);
  InputFile(InputFile&& other) noexcept
      : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {
  }
  InputFile& operator=(InputFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    std::swap(size_, other.size_);
    return *this;
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const { return size_; } ///< bytes, when it was opened

  /// Fills the buffer from the current position; returns fewer bytes only at the end of the file.
  [[nodiscard]] tl::expected<std::size_t, ReadError> read(std::span<char> buffer) const;
  /// Up to this many bytes from the start of the file; the position does not move.
  [[nodiscard]] tl::expected<std::string, ReadError> head(std::size_t bytes) const;
  [[nodiscard]] ReadError error(std::string message) const {
    return {.file = path_, .message = std::move(message)};
  }
  [[nodiscard]] ReadError cancelledError() const;

private:
  InputFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

} // namespace lloyd
