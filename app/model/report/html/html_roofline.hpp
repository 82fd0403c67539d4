// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/report/html/markup.hpp"

namespace lloyd {

/// Every variant on the device's roofline; nothing where no stage computes.
void writeRoofline(Markup& page, const RaceResult& race);

} // namespace lloyd
