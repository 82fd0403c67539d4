// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/quality/class_agreement.hpp"
#include "app/model/report/text_table.hpp"

#include <QJsonObject>

namespace lloyd {

/// A row a cluster, a column a class; of more classes than most the largest, and the others together.
[[nodiscard]] TextTable confusionTable(const ClassAgreement& agreement, int most);
[[nodiscard]] QJsonObject classJson(const ClassAgreement& agreement);

} // namespace lloyd
