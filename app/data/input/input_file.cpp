// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/input_file.hpp"

#include "app/data/read_control.hpp"

#include <QFile>

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

InputFile::InputFile(const std::string& path) : path_(path), name_(path) {
  if (path.find('\0') != std::string::npos)
    throw ReadFailure({.file = path.c_str(), .message = "the name holds a NUL character"});
  // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) refuse(reasonOf(errno));
  take(descriptor);
}

InputFile::InputFile(std::string path, std::string name, int descriptor, std::int64_t changed)
    : path_(std::move(path)), name_(std::move(name)) {
  take(descriptor);
  changed_ = changed;
}

void InputFile::take(int descriptor) {
  auto file = std::make_unique<QFile>();
  const bool opened =
      file->open(descriptor, QIODevice::ReadOnly | QIODevice::Unbuffered, QFile::AutoCloseHandle);
  file_ = std::move(file);
  struct stat about {};
  if (!opened || ::fstat(descriptor, &about) != 0) refuse(reasonOf(errno));
  if (!S_ISREG(about.st_mode)) refuse(kindOf(about.st_mode));
  if (about.st_size == 0) refuse("the file is empty");
  size_ = static_cast<std::uint64_t>(about.st_size);
  changed_ = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec;
}

std::size_t InputFile::read(std::span<char> buffer) const {
  const qint64 got = file_->read(buffer.data(), static_cast<qint64>(buffer.size()));
  if (got < 0) refuse("it cannot be read: " + file_->errorString().toStdString());
  return static_cast<std::size_t>(got);
}

std::size_t InputFile::readAt(std::uint64_t offset, std::span<char> buffer) const {
  std::size_t done = 0;
  while (done < buffer.size()) {
    const ssize_t got =
        ::pread(descriptor(), buffer.data() + done, buffer.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(reasonOf(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string InputFile::head(std::size_t bytes) const {
  std::string text(bytes, '\0');
  file_->seek(0);
  text.resize(read(text));
  file_->seek(0);
  return text;
}

} // namespace lloyd
