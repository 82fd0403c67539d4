// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/csv.hpp"

#include <QJsonObject>
#include <QJsonValue>
#include <QLocale>
#include <QRegularExpression>

#include <array>
#include <charconv>
#include <cmath>

namespace lloyd {

namespace {

QString csvField(const QString& text) {
  static const QRegularExpression special(QStringLiteral("[,\"\n\r]"));
  if (!text.contains(special)) return text;
  return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString fieldOf(const QJsonValue& value) {
  if (value.isBool()) return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
  return value.isDouble() ? exactText(value.toDouble()) : value.toString();
}

} // namespace

QString exactText(double value) {
  return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : QString();
}

QString exactText(float value) {
  if (!std::isfinite(value)) return {};
  std::array<char, 32> room{};
  const auto end = std::to_chars(room.data(), room.data() + room.size(), value).ptr;
  return QString::fromLatin1(room.data(), end - room.data());
}

QString csvLine(const QStringList& fields, const char* end) {
  QStringList quoted;
  for (const QString& field : fields)
    quoted << csvField(field);
  return quoted.join(QLatin1Char(',')) + QString::fromLatin1(end);
}

QByteArray csvOf(const QStringList& keys, const QJsonArray& rows) {
  QString text = csvLine(keys);
  for (const auto& row : rows) {
    QStringList fields;
    for (const QString& key : keys)
      fields << fieldOf(row.toObject().value(key));
    text += csvLine(fields);
  }
  return text.toUtf8();
}

} // namespace lloyd
