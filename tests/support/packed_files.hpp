// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Packed files, made by the library that unpacks them, and damaged afterwards by the tests.
#include "app/data/read/npy.hpp"

#include <QByteArray>

#include <archive.h>
#include <archive_entry.h>

#include <utility>
#include <vector>

namespace lloyd::test {

using Members = std::vector<std::pair<QByteArray, QByteArray>>; ///< names and contents

/// An archive of these, of the kind that setUp() makes of it.
template <class SetUp>
QByteArray archiveOf(const Members& members, const SetUp& setUp) {
  QByteArray bytes;
  archive* const handle = archive_write_new();
  setUp(handle);
  archive_write_set_bytes_in_last_block(handle, 1);
  archive_write_open(
      handle, &bytes, nullptr,
      [](archive*, void* to, const void* from, size_t size) -> la_ssize_t {
        static_cast<QByteArray*>(to)->append(static_cast<const char*>(from), static_cast<qsizetype>(size));
        return static_cast<la_ssize_t>(size);
      },
      nullptr);
  for (const auto& [name, contents] : members) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname_utf8(entry, name.constData());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, contents.size());
    archive_write_header(handle, entry);
    archive_write_data(handle, contents.constData(), static_cast<size_t>(contents.size()));
    archive_entry_free(entry);
  }
  archive_write_close(handle);
  archive_write_free(handle);
  return bytes;
}

inline QByteArray packedBy(int (*filter)(archive*), const QByteArray& contents) {
  return archiveOf({{"data", contents}}, [&](archive* handle) {
    archive_write_set_format_raw(handle);
    filter(handle);
  });
}

inline QByteArray gzipOf(const QByteArray& contents) {
  return packedBy(archive_write_add_filter_gzip, contents);
}

inline QByteArray zipOf(const Members& members, const char* options = "zip:compression=deflate") {
  return archiveOf(members, [&](archive* handle) {
    archive_write_set_format_zip(handle);
    archive_write_set_options(handle, options);
    if (QByteArray(options).contains("encryption")) archive_write_set_passphrase(handle, "secret");
  });
}

/// An NPY file of these values, [rows][columns].
inline QByteArray npyOf(std::uint64_t rows, std::uint64_t columns, const std::vector<float>& values) {
  const std::vector<std::uint64_t> shape{rows, columns};
  const std::string head = npyHeaderBytes("<f4", shape);
  QByteArray bytes(head.data(), static_cast<qsizetype>(head.size()));
  return bytes.append(reinterpret_cast<const char*>(values.data()),
                      static_cast<qsizetype>(values.size() * sizeof(float)));
}

} // namespace lloyd::test
