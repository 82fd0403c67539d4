// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace lloyd {

tl::unexpected<std::string> AtomicFile::failure(int code) const {
  return tl::unexpected(path_ + ": it cannot be written: " + std::generic_category().message(code));
}

tl::expected<AtomicFile, std::string> AtomicFile::create(const std::string& path) {
  namespace fs = std::filesystem;
  AtomicFile file;
  file.path_ = path;
  std::error_code ignored;
  const fs::path followed = fs::weakly_canonical(path, ignored);
  file.target_ = followed.empty() ? path : followed.string();
  const fs::file_status status = fs::status(file.target_, ignored);
  if (path.empty()) return tl::unexpected(std::string("a file name is missing"));
  if (fs::is_directory(status)) return tl::unexpected(path + ": it is a folder; name a file in it");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file.descriptor_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file.descriptor_ < 0) return file.failure(errno);
    return file;
  }
  const mode_t mode = fs::exists(status) ? static_cast<mode_t>(status.permissions()) & 0777U : 0666U;
  for (int attempt = 0; file.descriptor_ < 0; ++attempt) {
    std::string name =
        file.target_ + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
    file.descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file.descriptor_ >= 0) file.temporary_ = std::move(name);
    if (file.descriptor_ < 0 && (errno != EEXIST || attempt > 1000)) return file.failure(errno);
  }
  return file;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::swap(AtomicFile& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(target_, other.target_);
  std::swap(temporary_, other.temporary_);
  std::swap(descriptor_, other.descriptor_);
}

tl::expected<void, std::string> AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failure(errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
  return {};
}

tl::expected<void, std::string> AtomicFile::commit() {
  const bool renames = !temporary_.empty();
  if (::close(std::exchange(descriptor_, -1)) != 0) return failure(errno);
  if (renames && ::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  return {};
}

tl::expected<void, std::string> writeWholeFile(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::create(path);
  if (!file) return tl::unexpected(file.error());
  if (auto written = file->write(bytes); !written) return written;
  return file->commit();
}

} // namespace lloyd
