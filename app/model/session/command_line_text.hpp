// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"

#include <QString>

#include <string>

namespace lloyd {

/// The command that starts the window in the given state. where: the rule that the clustered rows meet; empty
/// for all rows. Words that a shell would take apart are quoted. Options at their default are left out,
/// except k and the seed, which are always said.
[[nodiscard]] QString commandText(const DataRequest& request, const Settings& settings,
                                  const std::string& where = {});

/// The command that clusters the same again, without a window.
[[nodiscard]] QString repeatText(const DataRequest& request, const Settings& settings,
                                 const std::string& where = {});

/// One word as a POSIX shell must be given it.
[[nodiscard]] QString shellQuoted(const QString& word);

} // namespace lloyd
