// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/block/block_replay.hpp"

#include <QString>

#include <string_view>

namespace lloyd {

/// "v2_shared_tree.cu:42", or "line 42" of the file that a person looks at.
[[nodiscard]] QString placeText(const BlockReplay& replay, std::string_view file, int line);
[[nodiscard]] inline QString placeText(const BlockReplay& replay, const simt::WarpStep& step) {
  return placeText(replay, step.file, step.line);
}
/// What a step is: "Warp 1, 32 lanes: a store of 4 bytes to shared slotSum at line 42."
[[nodiscard]] QString stepText(const BlockReplay& replay, std::size_t number);
/// How the record ends; empty before its last step.
[[nodiscard]] QString endText(const BlockReplay& replay, std::size_t number);
/// What stands behind the number of a step: "of 10,432; 1.2 MB kept"
[[nodiscard]] QString sizeText(const BlockReplay& replay);
/// "runs, 32 lanes at line 42", "waits at the barrier of line 40", "done"
[[nodiscard]] QString warpText(const BlockReplay& replay, const BlockReplay::WarpState& state);
/// The same where there is little room: "line 42: waits". Lanes and kind of the end are left out.
[[nodiscard]] QString briefWarpText(const BlockReplay& replay, const BlockReplay::WarpState& state);
/// What a word of shared memory holds, as the kernel's type has it: "1.25"; bits where nobody knows the type.
[[nodiscard]] QString valueText(const BlockReplay& replay, std::size_t number, std::size_t word);
/// "word 37 of slotSum, bank 5: 1.25, stored by warp 1, lane 5 at line 42, step 120"
[[nodiscard]] QString wordText(const BlockReplay& replay, std::size_t number, std::size_t word);
/// Both accesses of a race, in a whole sentence.
[[nodiscard]] QString raceText(const BlockReplay& replay, const BlockReplay::Race& race);

} // namespace lloyd
