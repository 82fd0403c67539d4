// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "gpu/engine/defaults/tuning_table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace lloyd {

/// Measured choices as text: comma-separated values under a line of names, one problem of one device a line.
/// Times are microseconds; "iteration" says which of the two is the faster, fused or apart; "tiled" is empty
/// where it is not faster still, and a table may lack it and its time. A variant is followed by its tuning
/// parameters, as in "classify.v7 block=512 items=4"; what starts with # is a remark. A variant that this
/// build does not have is no mistake. Throws RequestError, one sentence with name, line and what was
/// expected; nothing of a damaged table is used.
[[nodiscard]] std::vector<TuningEntry> readTuning(std::string_view text, std::string_view name);

/// The same text back, by device, d, n and k.
[[nodiscard]] std::string writeTuning(std::vector<TuningEntry> choices);

/// kept, with newer added and put in place of what is known of the same problem on the same device.
[[nodiscard]] std::vector<TuningEntry> mergedTuning(std::vector<TuningEntry> kept,
                                                    const std::vector<TuningEntry>& newer);

/// "classify.v7 block=512 items=4"; of no variant an empty text.
[[nodiscard]] std::string describe(const MeasuredVariant& variant);

} // namespace lloyd
