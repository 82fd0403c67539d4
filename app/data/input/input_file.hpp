// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileDevice>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lloyd {

/// An open regular file, closed with the object. Everything else that a path can name (a folder, a pipe, a
/// device, a file without permission) is refused with the reason, and opening never blocks. Throws
/// ReadFailure.
class InputFile {
public:
  explicit InputFile(const std::string& path);
  /// Bytes that were unpacked from the file at path into a regular file without a name, whose descriptor is
  /// taken over. name is what the bytes would be called by themselves.
  /// changed is when the packed file was.
  InputFile(std::string path, std::string name, int descriptor, std::int64_t changed);

  [[nodiscard]] const std::string& path() const { return path_; } ///< as it was asked for
  /// Whose ending tells what the bytes are: "iris.csv" of an unpacked iris.csv.gz, the path of all others.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int descriptor() const { return file_->handle(); }
  [[nodiscard]] std::uint64_t size() const { return size_; } ///< bytes, when it was opened
  /// When its bytes were last changed, as of when it was opened: nanoseconds of the system's clock.
  [[nodiscard]] std::int64_t changed() const { return changed_; }

  /// Fills the buffer from the current position; returns fewer bytes only at the end of the file.
  [[nodiscard]] std::size_t read(std::span<char> buffer) const;
  /// Fills the buffer from this offset on, whatever the position; returns fewer bytes only at the end of the
  /// file. Any thread.
  [[nodiscard]] std::size_t readAt(std::uint64_t offset, std::span<char> buffer) const;
  /// Up to this many bytes from the start of the file, to which the position returns.
  [[nodiscard]] std::string head(std::size_t bytes) const;

private:
  void take(int descriptor);

  std::string path_;
  std::string name_;
  std::unique_ptr<QFileDevice> file_;
  std::uint64_t size_ = 0;
  std::int64_t changed_ = 0;
};

} // namespace lloyd
