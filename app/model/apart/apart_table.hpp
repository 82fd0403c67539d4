// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/apart/step_apart.hpp"

#include <QByteArray>
#include <QString>

#include <vector>

namespace lloyd {

/// Steps taken apart as RFC 4180 has it, one line a number: what it is, and its interval.
[[nodiscard]] QByteArray apartCsv(const std::vector<StepApart>& steps);
/// What apartCsv() wrote. Steps that are not whole are left out, and so are lines that begin with '#'.
[[nodiscard]] std::vector<StepApart> readApartCsv(const QString& csv);

/// Those that were measured on a card and are in the program (resources/measured/apart.csv); none where it
/// has no such file.
[[nodiscard]] const std::vector<StepApart>& shippedStepsApart();
/// The shipped ones that lead to this version.
[[nodiscard]] std::vector<StepApart> shippedStepsTo(const std::string& to);

} // namespace lloyd
