// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/strings.hpp"

#include <QDir>

// Q_INIT_RESOURCE declares a function in the namespace it stands in, so it must stand in none.
static void initLloydTexts() { Q_INIT_RESOURCE(texts); }

namespace lloyd {
namespace {

bool turnsDirection(QChar c) {
  const char16_t code = c.unicode();
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

} // namespace

QString printable(QString text, bool severalLines) {
  for (QChar& c : text) {
    if (c == u'\t' || (c == u'\n' && severalLines)) continue;
    if (c.category() == QChar::Other_Control || turnsDirection(c)) c = u'?';
  }
  return text;
}

QString withShortWords(const QString& text, qsizetype most) {
  QString shortened;
  qsizetype length = 0;
  for (const QChar c : text) {
    length = c.isSpace() ? 0 : length + 1;
    if (length < most || c.isSpace()) shortened += c;
    if (length == most) shortened += QChar(0x2026);
  }
  return shortened;
}

void initTexts() { initLloydTexts(); }

} // namespace lloyd
