// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/data_file.hpp"

#include "app/data/input/unpack.hpp"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>

namespace lloyd {
namespace {

constexpr qint64 pieceBytes = qint64{1} << 22;

} // namespace

tl::expected<FileFacts, std::string> factsOf(const std::string& path, const std::atomic<bool>* cancel) {
  QFile file(QString::fromStdString(memberPath(path).file));
  // Nobody knows when a pipe ends, and what it says is said once.
  if (!QFileInfo(file.fileName()).isFile()) return tl::unexpected(path + ": it is no file");
  if (!file.open(QIODevice::ReadOnly))
    return tl::unexpected(path + ": it cannot be read: " + file.errorString().toStdString());
  QCryptographicHash hash(QCryptographicHash::Sha256);
  FileFacts facts;
  for (QByteArray piece = file.read(pieceBytes); !piece.isEmpty(); piece = file.read(pieceBytes)) {
    if (cancel && *cancel) return FileFacts{};
    hash.addData(piece);
    facts.bytes += static_cast<std::uint64_t>(piece.size());
  }
  if (file.error() != QFileDevice::NoError)
    return tl::unexpected(path + ": it cannot be read: " + file.errorString().toStdString());
  facts.sha256 = hash.result().toHex().toStdString();
  return facts;
}

FileStamp stampOf(const std::string& path) {
  const QFileInfo info(QString::fromStdString(memberPath(path).file));
  if (!info.isFile()) return {};
  return {info.size(), info.lastModified().toMSecsSinceEpoch()};
}

FoundData findData(const std::vector<std::string>& paths, const FileFacts& facts,
                   const std::atomic<bool>* cancel) {
  FoundData found;
  for (const std::string& path : paths) {
    const FileStamp stamp = stampOf(path);
    if (stamp.bytes < 0) {
      if (found.state == FoundData::State::missing) found.path = path;
      continue;
    }
    // Of another size it need not be read.
    if (static_cast<std::uint64_t>(stamp.bytes) == facts.bytes)
      if (const auto its = factsOf(path, cancel); its && its->matches(facts))
        return {FoundData::State::same, path};
    if (found.state == FoundData::State::missing) found = {FoundData::State::changed, path};
  }
  return found;
}

} // namespace lloyd
