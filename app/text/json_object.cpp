// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/json_object.hpp"

#include "app/data/input/wording.hpp"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lloyd {
namespace {

constexpr qint64 pieceBytes = qint64{1} << 20;

/// Of what is there.
std::string kindOf(const QJsonValue& value) {
  if (value.isDouble()) return QString::number(value.toDouble(), 'g', 12).toStdString();
  constexpr const char* kinds[] = {"null",   "true or false", "a number", // as QJsonValue::Type has them
                                   "a text", "a list",        "an object"};
  return kinds[value.type()];
}

/// "line 3, column 14" of what cannot be read, both counted from 1, columns in characters. Qt's offset is
/// behind that character, but for what follows a whole document.
std::string placeOf(const QByteArray& bytes, const QJsonParseError& error) {
  const qsizetype offset = error.offset - (error.error == QJsonParseError::GarbageAtEnd ? 0 : 1);
  const QByteArray before = bytes.left(std::clamp<qsizetype>(offset, 0, bytes.size()));
  const qsizetype lineStart = before.lastIndexOf('\n') + 1;
  const qsizetype column = QString::fromUtf8(before.mid(lineStart)).size() + 1;
  return "line " + std::to_string(before.count('\n') + 1) + ", column " + std::to_string(column);
}

} // namespace

std::string JsonObject::text(const char* key) const {
  if (!value(key).isString()) refuse(key, "a text");
  return value(key).toString().toStdString();
}

bool JsonObject::boolean(const char* key) const {
  if (!value(key).isBool()) refuse(key, "true or false");
  return value(key).toBool();
}

double JsonObject::number(const char* key) const {
  const double found = value(key).toDouble(-1);
  if (!value(key).isDouble() || !std::isfinite(found) || found < 0) refuse(key, "a number of at least 0");
  return found;
}

double JsonObject::real(const char* key) const {
  const double found = value(key).toDouble();
  if (!value(key).isDouble() || !std::isfinite(found)) refuse(key, "a number");
  return found;
}

std::uint64_t JsonObject::count(const char* key, std::uint64_t low, std::uint64_t high) const {
  const double found = value(key).toDouble(-1);
  const bool whole = value(key).isDouble() && found >= 0 && found < 9.3e18 && found == std::floor(found);
  const auto exact = whole ? static_cast<std::uint64_t>(value(key).toInteger(0)) : 0;
  if (!whole || exact < low || exact > high)
    refuse(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return exact;
}

JsonObject JsonObject::object(const char* key) const {
  if (!value(key).isObject()) refuse(key, "an object");
  return {value(key).toObject(), placeOf(key)};
}

QJsonArray JsonObject::list(const char* key) const {
  if (!value(key).isArray()) refuse(key, "a list");
  return value(key).toArray();
}

std::vector<JsonObject> JsonObject::objects(const char* key) const {
  std::vector<JsonObject> objects;
  const QJsonArray all = list(key);
  for (qsizetype i = 0; i < all.size(); ++i) {
    const std::string place = placeOf(key) + '[' + std::to_string(i) + ']';
    if (!all[i].isObject()) throw JsonError(place + " is not an object");
    objects.emplace_back(all[i].toObject(), place);
  }
  return objects;
}

void JsonObject::refuse(const char* key, const std::string& expected) const {
  if (value(key).isUndefined()) throw JsonError(placeOf(key) + " is missing");
  throw JsonError(placeOf(key) + " is " + kindOf(value(key)) + ", but must be " + expected);
}

QJsonDocument readJson(const std::string& path, std::size_t mostBytes, std::string_view what) {
  const QFileInfo info(QString::fromStdString(path));
  if (info.isDir()) throw JsonError("this is a directory");
  QFile file(info.filePath());
  if (!info.exists()) throw JsonError("there is no such file");
  if (!file.open(QIODevice::ReadOnly))
    throw JsonError("it cannot be read: " + file.errorString().toStdString());
  const auto most = static_cast<qsizetype>(mostBytes);
  QByteArray bytes;
  // In pieces, since a small file needs no memory for the largest.
  for (QByteArray piece = file.read(pieceBytes); !piece.isEmpty() && bytes.size() <= most;
       piece = file.read(pieceBytes))
    bytes += piece;
  if (bytes.size() > most)
    throw JsonError("it is larger than " + byteText(static_cast<double>(mostBytes)) + ", which no " +
                    std::string(what) + " is");
  if (bytes.trimmed().isEmpty()) throw JsonError("it is empty");
  QJsonParseError error;
  QJsonDocument document = QJsonDocument::fromJson(bytes, &error);
  if (error.error != QJsonParseError::NoError)
    throw JsonSyntaxError(placeOf(bytes, error) + ": this is not JSON: " + error.errorString().toStdString());
  return document;
}

} // namespace lloyd
