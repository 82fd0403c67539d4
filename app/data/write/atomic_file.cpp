// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/atomic_file.hpp"

#include <QFileInfo>
#include <QSaveFile>

#include <fcntl.h>

#include <cerrno>

namespace lloyd {

tl::unexpected<std::string> AtomicFile::failure() const {
  return tl::unexpected(path_ + ": it cannot be written: " + file_->errorString().toStdString());
}

tl::expected<AtomicFile, std::string> AtomicFile::create(const std::string& path) {
  const QString name = QFile::decodeName(path.c_str());
  const QFileInfo about(name);
  if (path.empty()) return tl::unexpected(std::string("a file name is missing"));
  if (QFile::encodeName(name).toStdString() != path)
    return tl::unexpected(path + ": it cannot be written: the name is not text in UTF-8");
  if (about.isDir()) return tl::unexpected(path + ": it is a folder; name a file in it");
  AtomicFile file;
  file.path_ = path;
  // A device must not be replaced by a file, which is what QSaveFile would try.
  if (about.exists() && !about.isFile()) {
    // Opening a pipe waits for its reader, without an end to it.
    const int pipe = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe < 0 && errno == ENXIO) return tl::unexpected(path + ": no program reads from this pipe");
    auto device = std::make_unique<QFile>(name);
    if (pipe >= 0) ::fcntl(pipe, F_SETFL, ::fcntl(pipe, F_GETFL) & ~O_NONBLOCK);
    const auto mode = QIODevice::WriteOnly | QIODevice::Unbuffered;
    const bool opened =
        pipe >= 0 ? device->open(pipe, mode, QFileDevice::AutoCloseHandle) : device->open(mode);
    file.file_ = std::move(device);
    if (!opened) return file.failure();
    return file;
  }
  file.file_ = std::make_unique<QSaveFile>(name);
  // Unbuffered, so that each write says whether it succeeded.
  if (!file.file_->open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return file.failure();
  return file;
}

tl::expected<void, std::string> AtomicFile::write(std::string_view bytes) {
  // Where there is room for a part, that part is taken without an error; why it ends there is said to the
  // next call.
  while (!bytes.empty()) {
    const qint64 taken = file_->write(bytes.data(), static_cast<qint64>(bytes.size()));
    if (taken <= 0) return failure();
    bytes.remove_prefix(static_cast<std::size_t>(taken));
  }
  return {};
}

tl::expected<void, std::string> AtomicFile::commit() {
  auto* const replacing = qobject_cast<QSaveFile*>(file_.get());
  if (replacing && !replacing->commit()) return failure();
  return {};
}

tl::expected<AtomicFile, std::string> writtenFile(const std::string& path, std::string_view bytes) {
  auto file = AtomicFile::create(path);
  if (!file) return file;
  if (auto written = file->write(bytes); !written) return tl::unexpected(written.error());
  return file;
}

tl::expected<void, std::string> writeWholeFile(const std::string& path, std::string_view bytes) {
  auto file = writtenFile(path, bytes);
  if (!file) return tl::unexpected(file.error());
  return file->commit();
}

} // namespace lloyd
