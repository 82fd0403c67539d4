// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>
#include <QStringView>

#include <initializer_list>
#include <vector>

namespace lloyd {

/// The text as HTML and SVG may hold it, in content and in attributes: < > & " ' escaped, and what no
/// document may hold (control characters, halves of surrogates) replaced by U+FFFD.
[[nodiscard]] QString escapedMarkup(QStringView text);

/// Writes HTML with SVG in it, element by element. Everything that is not an element's or an attribute's name
/// is escaped here, so that no caller can forget to.
class Markup {
public:
  struct Attribute {
    const char* name;
    QString value;
  };
  using Attributes = std::initializer_list<Attribute>;

  void open(const char* element, Attributes attributes = {});
  /// Ends the element opened last.
  void close();
  /// An element that holds nothing but text.
  void element(const char* name, const QString& content, Attributes attributes = {});
  /// An element that holds nothing: meta, link, and those of SVG.
  void empty(const char* name, Attributes attributes = {});
  void text(const QString& content) { text_ += escapedMarkup(content); }
  /// Markup that is known to be right: a style sheet, a picture made with this class.
  void raw(const QString& markup) { text_ += markup; }

  /// All that was written; every element must have been closed.
  [[nodiscard]] const QString& toString() const { return text_; }

private:
  void begin(const char* element, Attributes attributes);

  QString text_;
  std::vector<const char*> open_;
};

/// A picture with its title and a caption that says how to read it.
void writeFigure(Markup& page, const QString& title, const QString& caption, const QStringList& pictures);
/// A heading with a list below; nothing for an empty list.
void writeList(Markup& page, const QString& heading, const QStringList& items);

} // namespace lloyd
