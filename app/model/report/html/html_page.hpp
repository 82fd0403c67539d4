// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/html/markup.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// Begins a page that needs nothing else and forbids itself any request, up to the inside of its body. It
/// follows the reader's colour scheme, prints, and can be read on a phone.
void openPage(Markup& page, const QString& title);
void closePage(Markup& page);

/// The head of a column. definition: under the pointer; marks: classes of the style sheet, "n" for numbers.
struct TableHeading {
  QString text;
  QString definition;
  QString marks;
};
/// A table with its header, up to where its rows begin.
void openTable(Markup& page, const std::vector<TableHeading>& headings);
void closeTable(Markup& page);

/// What is known of the whole, as name and value.
struct PageFact {
  QString fact;
  QString value;
  bool command = false; ///< the value is for a shell
};
void writeFacts(Markup& page, const std::vector<PageFact>& facts);

} // namespace lloyd
