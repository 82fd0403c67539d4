// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

/// What a warp may be doing instead of issuing, in the order of the shipped tables.
inline constexpr std::size_t waitReasons = 19;

/// What a profiled launch was of.
struct ProfiledLaunch {
  std::uint64_t n = 0, d = 0, k = 0, block = 0;
  [[nodiscard]] QString text() const; ///< "N = 1,048,576, D = 1, K = 16, block 128"
  /// Times of launches of the same work can be compared, whatever their blocks are.
  [[nodiscard]] bool sameWork(const ProfiledLaunch& other) const {
    return n == other.n && d == other.d && k == other.k;
  }
  bool operator==(const ProfiledLaunch&) const = default;
};

/// Why the warps of a variant's longest kernel waited on a card, as scripts/warp-waits.py had the profiler
/// count it.
struct WarpWaits {
  QString kernel; ///< "classify_v3<1; 0>"
  ProfiledLaunch launch;
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
/// There is a table of that very card.
[[nodiscard]] bool isProfiled(std::string_view card);

/// What two rows beside each other are of: one launch, or each one's own by its name. before may be null.
[[nodiscard]] QString launchesText(const WarpWaits* before, const WarpWaits& now, const QString& beforeName,
                                   const QString& nowName);
/// Lines below a column's name that tell its launch from the other's: "N 16,777,216" and "block 640"; none
/// where both are the same. other may be null.
[[nodiscard]] QStringList launchDifferences(const WarpWaits& of, const WarpWaits* other);
/// A sentence on what two launches that differ allow to be compared; empty where they are the same.
[[nodiscard]] QString launchCaution(const WarpWaits* before, const WarpWaits& now);

/// "long_scoreboard", "long scoreboard", and what it means in a sentence.
[[nodiscard]] QStringList waitReasonKeys();
[[nodiscard]] QString waitReasonName(std::size_t reason);
[[nodiscard]] QString waitReasonMeaning(std::size_t reason);

/// What the text of a variant says of its waiting, with its line; empty where it says nothing.
[[nodiscard]] QString textsDiagnosis(std::string_view variant);
/// The reason that the text names, or else the longest wait: who issues, or could have, does not wait.
[[nodiscard]] std::size_t diagnosedReason(std::string_view variant, const WarpWaits& now);
/// What the two rows show of diagnosedReason(), before and now, in cycles and per cent. before may be null.
[[nodiscard]] QString measuredDiagnosis(std::string_view variant, const WarpWaits* before,
                                        const WarpWaits& now, const QString& beforeName,
                                        const QString& nowName);

} // namespace lloyd
