// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace lloyd {
namespace {

std::string reasonOf(int code) {
  switch (code) {
  case ENOENT:
    return "there is no such file";
  case EACCES:
  case EPERM:
    return "permission to read it is missing";
  case ENOTDIR:
    return "a part of the path is not a folder";
  case ENXIO:
    return "it is not a file that can be read";
  default:
    return "it cannot be read: " + std::generic_category().message(code);
  }
}

std::string kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a folder; name a file in it";
  if (S_ISFIFO(mode)) return "it is a pipe, which cannot be read twice; save the data to a file first";
  if (S_ISSOCK(mode)) return "it is a socket, not a file";
  return "it is a device, not a file";
}

} // namespace

tl::expected<InputFile, ReadError> InputFile::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    return tl::unexpected(ReadError{.file = path.c_str(), .message = "the name holds a NUL character"});
  }
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return tl::unexpected(ReadError{.file = path, .message = reasonOf(errno)});
  InputFile file(path, descriptor);
  struct stat about {};
  if (::fstat(descriptor, &about) != 0) return tl::unexpected(file.error(reasonOf(errno)));
  if (!S_ISREG(about.st_mode)) return tl::unexpected(file.error(kindOf(about.st_mode)));
  if (about.st_size == 0) return tl::unexpected(file.error("the file is empty"));
  file.size_ = static_cast<std::uint64_t>(about.st_size);
  return file;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

tl::expected<std::size_t, ReadError> InputFile::read(std::span<char> buffer) const {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t got = ::read(descriptor_, buffer.data() + done, buffer.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(error(reasonOf(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

tl::expected<std::string, ReadError> InputFile::head(std::size_t bytes) const {
  std::string text(bytes, '\0');
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = ::pread(descriptor_, text.data() + done, bytes - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return tl::unexpected(error(reasonOf(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

ReadError InputFile::cancelledError() const {
  ReadError cancelled = error("reading was cancelled");
  cancelled.cancelled = true;
  return cancelled;
}

} // namespace lloyd
