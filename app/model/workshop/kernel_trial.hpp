// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/own_race.hpp"
#include "app/model/workshop/kernel_module.hpp"
#include "gpu/core/contract/device.hpp"
#include "gpu/core/contract/stage.hpp"

#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lloyd {

/// What the trial of one stage of a person's own variant came to.
struct KernelTrial {
  QString variant; ///< its id
  QString stage;
  bool right = false; ///< matches double precision on every case, and no race or fault was found
  QString verdict;    ///< one sentence: right or wrong, and how its time stands
  QStringList parts;  ///< what was verified, traced and raced, in this order, a line each
  std::optional<OwnRace> race;
  bool operator==(const KernelTrial&) const = default;

  [[nodiscard]] QString text() const; ///< all of it, for a terminal
};

[[nodiscard]] QJsonObject trialJson(const KernelTrial& trial);
/// What trialJson() gave; nothing where it is something else.
[[nodiscard]] std::optional<KernelTrial> trialFrom(const QJsonObject& json);

/// Kernels of files, as expressions of C++ by the files' paths: those that a trial launched on a card.
using KernelNames = std::map<std::string, std::set<std::string>>;
[[nodiscard]] QJsonObject kernelNamesJson(const KernelNames& names);
/// What kernelNamesJson() gave.
[[nodiscard]] KernelNames kernelNamesFrom(const QJsonObject& json);

/// The original, compiled as a person's variant is, for a race between kernels and not between compilers;
/// null where it could not be. Its compiler may still be busy with it, and then this waits.
using AlikeOriginal = std::function<const Variant*()>;

/// The device that all of it happens on says, in words, what it is about to do.
using TrialProgress = std::function<void(const QString&)>;

/// A card, and the compiler for its kernels, which take a while to begin and do so while something else is
/// done.
class BeginningCard {
public:
  /// expected: will probably be launched, and are compiled as soon as there is a card.
  explicit BeginningCard(KernelNames expected = {});
  /// Waits for it; null where there is none. Always the same one.
  [[nodiscard]] Device* get();

private:
  std::future<std::unique_ptr<Device>> begun_;
  std::unique_ptr<Device> device_;
};

/// Tries every stage that the variant has on the simulator, always in this order: held against double
/// precision, traced beside the original at one launch shape, raced against it. What one part finds wrong
/// ends the trial: a wrong kernel is not counted, and one with a race is never timed. Where there is a card
/// that the variant is made for, it is then verified and raced there. A time on the simulator is that of a
/// processor that plays a card: it says nothing of a card's time, and the verdict says so. A schedule of sets
/// is tried by trySchedule().
/// Kernels run in this process: one that never ends never comes back, so whoever cannot lose the process
/// tries in another (TrialProcess). Throws Cancelled.
[[nodiscard]] std::vector<KernelTrial> tryKernel(const OwnVariant& own, const AlikeOriginal& alike,
                                                 BeginningCard& card, const std::atomic<bool>* cancel,
                                                 const TrialProgress& progress);

} // namespace lloyd
