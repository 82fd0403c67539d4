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
  for (qsizetype from = 0; from < text.size();) {
    qsizetype end = from;
    while (end < text.size() && text[end].isSpace() == text[from].isSpace())
      ++end;
    if (end - from <= most || text[from].isSpace()) {
      shortened += QStringView(text).mid(from, end - from);
    } else {
      const bool half = most > 1 && text[from + most - 2].isHighSurrogate();
      shortened += QStringView(text).mid(from, most - (half ? 2 : 1));
      shortened += QChar(0x2026);
      // A comma or a closing quote belongs to the sentence.
      if (text[end - 1].isPunct()) shortened += text[end - 1];
    }
    from = end;
  }
  return shortened;
}

void initTexts() { initLloydTexts(); }

} // namespace lloyd
