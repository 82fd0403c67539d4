// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/compute/settings.hpp"

#include <QString>

#include <vector>

namespace lloyd {

/// Points that the program brings: a generator, or a sample file where its folder is beside the program.
struct Sample {
  QString name;
  QString idea; ///< what it shows, in a line
  DataRequest request;
};
[[nodiscard]] std::vector<Sample> samples();

} // namespace lloyd
