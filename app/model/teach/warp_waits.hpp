// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// What a warp may be doing instead of issuing, in the order of the shipped tables.
inline constexpr std::size_t waitReasons = 19;

/// Why the warps of a variant's longest kernel waited on a card, as scripts/warp-waits.py had the profiler
/// count it.
struct WarpWaits {
  QString kernel;                         ///< "classify_v3<1u; (Arithmetic)0>"
  QString problem;                        ///< "N = 1,048,576, D = 1, K = 16, block 128"
  double us = 0;                          ///< under the profiler
  int registers = 0;                      ///< a thread
  double localBytes = 0, sharedBytes = 0; ///< moved in local memory by the launch; shared, a block
  double occupancy = 0;                   ///< achieved, per cent
  double ipc = 0;                         ///< instructions a cycle of a multiprocessor
  double issue = 0;                       ///< per cent of a scheduler's cycles in which it issues
  double latency = 0;                     ///< cycles of a warp an instruction; counted apart from the reasons
  std::array<double, waitReasons> cycles{}; ///< of those, by reason

  [[nodiscard]] double sum() const;
  /// 0 to 1 of the sum.
  [[nodiscard]] double share(std::size_t reason) const { return cycles[reason] / sum(); }
};

/// A card's table.
struct WaitTable {
  QString card;     ///< "NVIDIA H200"
  QString profiler; ///< "Nsight Compute 2025.3.1.0"
  /// By variant and arithmetic ("multiply" where a variant has none).
  std::map<std::pair<QString, QString>, WarpWaits> rows;

  [[nodiscard]] const WarpWaits* find(const QString& variant, const QString& arithmetic) const;
};

/// Rows whose numbers are none, or whose reasons are more than 2 % off the latency, are left out.
[[nodiscard]] WaitTable readWaits(const QString& text);
/// Those in the program. Read once, then immutable.
[[nodiscard]] const std::vector<WaitTable>& shippedWaits();
/// The one of that card, or else the first.
[[nodiscard]] const WaitTable* waitsOf(std::string_view card);

/// "long_scoreboard", "long scoreboard", and what it means in a sentence.
[[nodiscard]] QStringList waitReasonKeys();
[[nodiscard]] QString waitReasonName(std::size_t reason);
[[nodiscard]] QString waitReasonMeaning(std::size_t reason);

/// What the text of a variant says of its waiting, with its line; empty where it says nothing.
[[nodiscard]] QString textsDiagnosis(std::string_view variant);
/// What the two rows show of that: the reason that the text names, before and now, in cycles and per cent; or
/// the longest ones where it names none. before may be null.
[[nodiscard]] QString measuredDiagnosis(std::string_view variant, const WarpWaits* before,
                                        const WarpWaits& now, const QString& beforeName,
                                        const QString& nowName);

} // namespace lloyd
