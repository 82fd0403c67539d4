// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <string_view>

namespace lloyd {

/// Title, author and year of a paper that VariantInfo::paper names; empty for one that is not known.
QString citationOf(std::string_view paper);

/// A lesson whose {{from 8 to 78}} is a sentence that cites these lines of paper.
QString withCitation(QString lesson, std::string_view paper);

} // namespace lloyd
