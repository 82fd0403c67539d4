// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/reference/cases.hpp"
#include "gpu/simt/trace/trace.hpp"

#include <QByteArray>

#include <string_view>
#include <vector>

namespace lloyd::test {

/// What is traced: every variant of the family at every one of these, with its own parameters.
[[nodiscard]] const std::vector<Problem>& goldenProblems(std::string_view family);

/// One stage of a variant, on points that are the same bits on every machine.
[[nodiscard]] simt::Trace traceCase(const Variant& variant, Stage stage, const Problem& problem,
                                    const simt::Schedule& schedule = {}, const Tuning& tuning = {});

/// The stages that a variant has on the simulator, in their order.
[[nodiscard]] std::vector<Stage> stagesOf(const Variant& variant);

/// The counters of a family's variants as a table for people, a line a variant and problem.
[[nodiscard]] QByteArray countersText(std::string_view family);

} // namespace lloyd::test
