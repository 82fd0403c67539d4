// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"
#include "app/model/report/text_table.hpp"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace lloyd {

/// One row a combination, the fastest last: which switches are on, its time in microseconds, the interval,
/// and what it saves of the earlier version's time.
[[nodiscard]] TextTable combinationsTable(const StepApart& apart);
/// What there is to say of the shares: whether they add up to the whole gain within its interval, whether the
/// versions themselves gain as much, and which changes help only, or less, with others. Whole sentences.
[[nodiscard]] QStringList apartSentences(const StepApart& apart);

/// "classify.v3 to classify.v4 on NVIDIA H200: 1,048,576 points, 2 dimensions, k = 16, uniform:"
[[nodiscard]] QString apartHeading(const StepApart& apart);

/// For a terminal: of each step its shares, what there is to say of them, and all combinations.
[[nodiscard]] QByteArray apartText(const std::vector<StepApart>& steps);
[[nodiscard]] QByteArray apartMarkdown(const std::vector<StepApart>& steps);
[[nodiscard]] QByteArray apartJson(const std::vector<StepApart>& steps);

} // namespace lloyd
