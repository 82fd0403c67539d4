// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/read/image_length.hpp"

#include <QtEndian>

namespace lloyd {
namespace {

unsigned byteAt(const QByteArray& bytes, qsizetype i) { return static_cast<unsigned char>(bytes[i]); }

/// Whether the end marker follows the first scan. Segments before it are skipped by their length, since a
/// preview in one has an end marker of its own.
bool jpegEnds(const QByteArray& bytes) {
  qsizetype i = 2;
  while (i + 4 <= bytes.size()) {
    if (byteAt(bytes, i) != 0xFF) return false;
    if (byteAt(bytes, i + 1) == 0xFF) {
      ++i; // fill bytes may precede a marker
      continue;
    }
    const bool scan = byteAt(bytes, i + 1) == 0xDA;
    i += 2 + static_cast<qsizetype>(byteAt(bytes, i + 2) << 8 | byteAt(bytes, i + 3));
    if (scan) return bytes.indexOf(QByteArrayView("\xFF\xD9"), i) >= 0;
  }
  return false;
}

/// Whether the chunks lead to the closing one. Each has a length, a name and a check sum around its data.
bool pngEnds(const QByteArray& bytes) {
  qsizetype i = 8;
  while (i + 12 <= bytes.size()) {
    const auto length = static_cast<qsizetype>(qFromBigEndian<quint32>(bytes.constData() + i));
    if (bytes.sliced(i + 4).startsWith("IEND")) return true;
    i += 12 + length;
  }
  return false;
}

} // namespace

std::string whyCutShort(const QByteArray& bytes, std::string_view format) {
  if (format == "jpeg" && !jpegEnds(bytes)) return "the JPEG file is cut short: its end marker is missing";
  if (format == "png" && !pngEnds(bytes)) return "the PNG file is cut short: its last chunk is missing";
  if (format == "bmp" && bytes.size() >= 6) {
    const auto promised = qFromLittleEndian<quint32>(bytes.constData() + 2);
    if (promised > static_cast<quint64>(bytes.size())) {
      return "the BMP file is cut short: its header promises " + std::to_string(promised) +
             " bytes, and it has " + std::to_string(bytes.size());
    }
  }
  return {};
}

} // namespace lloyd
