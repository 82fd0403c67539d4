// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/plan.hpp"

namespace lloyd {

/// The selection that uses variant for stage and leaves the rest as it is: fused and classify with reduce
/// exclude each other. Tuning parameters go back to the variants' own values.
[[nodiscard]] Selection withVariant(const Selection& selection, const Plan& plan, Stage stage,
                                    const Variant& variant);

/// What the variant has of the wanted tuning parameters and allows, and its own values for the rest.
[[nodiscard]] Tuning tuningParametersFor(const Variant& variant, const Tuning& tuning);

} // namespace lloyd
