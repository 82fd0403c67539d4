// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <vector>

namespace lloyd {

/// A word that lessons use, as the lesson "words" explains it.
struct GlossaryWord {
  QStringList forms; ///< "sorted", "shuffled": any of them; each may have an s more. Code has its backticks
  QString meaning;   ///< a sentence or more, in plain text
};

/// In the order of the page, on which a word is explained by those before it. Read once, then immutable.
[[nodiscard]] const std::vector<GlossaryWord>& glossary();

/// A lesson in which the first use of each such word leads to the page and tells its meaning as the link's
/// title, unless that use is *slanted*, as where the lesson explains it itself. Headings, tables, code and
/// links stay as they are.
[[nodiscard]] QString withGlossary(const QString& lesson);

} // namespace lloyd
