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

void writeFigure(Markup& page, const QString& title, const QString& caption, const QStringList& pictures) {
  page.open("figure");
  page.open("figcaption");
  page.element("b", title);
  page.text(caption);
  page.close();
  for (const QString& picture : pictures) {
    page.open("div", {{"class", QStringLiteral("plot")}});
    page.raw(picture);
    page.close();
  }
  page.close();
}

void writeList(Markup& page, const QString& heading, const QStringList& items) {
  if (items.isEmpty()) return;
  page.element("h3", heading);
  page.open("ul", {{"class", items.size() > 6 ? QStringLiteral("columns") : QStringLiteral("short")}});
  for (const QString& item : items)
    page.element("li", item);
  page.close();
}

} // namespace lloyd
