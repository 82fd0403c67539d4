// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/html/markup.hpp"

namespace lloyd {

QString escapedMarkup(QStringView text) {
  QString escaped;
  escaped.reserve(text.size());
  for (qsizetype at = 0; at < text.size(); ++at) {
    const QChar c = text[at];
    const bool pair = c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate();
    if (pair) {
      escaped += c;
      escaped += text[++at];
    } else if (c == u'<')
      escaped += QStringLiteral("&lt;");
    else if (c == u'>')
      escaped += QStringLiteral("&gt;");
    else if (c == u'&')
      escaped += QStringLiteral("&amp;");
    else if (c == u'"')
      escaped += QStringLiteral("&quot;");
    else if (c == u'\'')
      escaped += QStringLiteral("&#39;");
    else if (c.isSurrogate() || c.unicode() >= 0xFFFE || c.unicode() == 0x7F ||
             (c.unicode() < 0x20 && c != u'\n' && c != u'\t'))
      escaped += QChar(QChar::ReplacementCharacter);
    else
      escaped += c;
  }
  return escaped;
}

void Markup::begin(const char* element, Attributes attributes) {
  text_ += u'<' + QLatin1String(element);
  for (const Attribute& attribute : attributes)
    text_ +=
        u' ' + QLatin1String(attribute.name) + QStringLiteral("=\"") + escapedMarkup(attribute.value) + u'"';
}

void Markup::open(const char* element, Attributes attributes) {
  begin(element, attributes);
  text_ += u'>';
  open_.push_back(element);
}

void Markup::close() {
  Q_ASSERT(!open_.empty());
  text_ += QStringLiteral("</") + QLatin1String(open_.back()) + QStringLiteral(">\n");
  open_.pop_back();
}

void Markup::element(const char* name, const QString& content, Attributes attributes) {
  begin(name, attributes);
  text_ += u'>' + escapedMarkup(content) + QStringLiteral("</") + QLatin1String(name) + u'>';
}

void Markup::empty(const char* name, Attributes attributes) {
  begin(name, attributes);
  text_ += QStringLiteral("/>\n");
}

} // namespace lloyd
