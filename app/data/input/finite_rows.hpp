// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"

namespace lloyd {

/// The last step of every reader. values hold all input rows, and a value that is missing or not finite is
/// NaN or an infinity; afterwards only whole rows are left, the others are listed in dropped and counted in a
/// remark, as are columns that single precision keeps few digits of. Also fills in inputRows and scales.
/// Throws ReadFailure when no row is left, or when there are more than labels can count.
void keepFiniteRows(PointSet& points);

} // namespace lloyd
