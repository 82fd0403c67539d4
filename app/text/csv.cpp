// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/csv.hpp"

#include <QJsonObject>
#include <QJsonValue>
#include <QLocale>

#include <algorithm>

namespace lloyd {

namespace {

QString fieldOf(const QJsonValue& value) {
  if (value.isBool()) return value.toBool() ? QStringLiteral("true") : QStringLiteral("false");
  if (value.isDouble()) return QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
  return csvField(value.toString());
}

} // namespace

QString csvField(const QString& text) {
  const bool plain = std::none_of(text.begin(), text.end(), [](QChar c) {
    return c == QLatin1Char(',') || c == QLatin1Char('"') || c == QLatin1Char('\n') || c == QLatin1Char('\r');
  });
  if (plain) return text;
  return QLatin1Char('"') + QString(text).replace(QLatin1Char('"'), QStringLiteral("\"\"")) +
         QLatin1Char('"');
}

QByteArray csvOf(const QStringList& keys, const QJsonArray& rows) {
  QStringList heading;
  for (const QString& key : keys)
    heading << csvField(key);
  QString text = heading.join(QLatin1Char(',')) + QLatin1Char('\n');
  for (const auto& row : rows) {
    QStringList fields;
    for (const QString& key : keys)
      fields << fieldOf(row.toObject().value(key));
    text += fields.join(QLatin1Char(',')) + QLatin1Char('\n');
  }
  return text.toUtf8();
}

} // namespace lloyd
