// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/workshop/kernel_module.hpp"
#include "app/model/workshop/trial_process.hpp"

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace lloyd {

/// A stage of a version that its trial found wrong, for people to look at. The registry never has it.
struct WrongKernel {
  Stage stage = Stage::classify;
  const Variant* variant = nullptr; ///< loadWrong()
};

/// The kernel files of a folder of a person's own. Every one that is saved, or that is new, is tried; what is
/// right takes its place in the registry, and what is not leaves its last good version there. Nothing is
/// compiled before a folder is given, so whoever gives one has asked. GUI thread.
class OwnKernels : public QObject {
  Q_OBJECT
public:
  /// program: the path of lloydscope.
  explicit OwnKernels(QString program, QObject* parent = nullptr);

  [[nodiscard]] QString whyNot() const { return trial_.whyNot(); }
  /// Tries the file now, and from then on it and every *.cu of its folder when they are saved.
  void watch(const QString& file);
  /// Empty before watch().
  [[nodiscard]] const QString& folder() const { return folder_; }
  [[nodiscard]] bool running() const { return trial_.running() || !waiting_.empty(); }
  /// What the last trial of a file came to; null before its first.
  [[nodiscard]] const TrialReport* reportOf(const QString& file) const;
  /// The variants that a file has in the registry now; none before its first right version.
  [[nodiscard]] std::vector<OwnVariant> variantsOf(const QString& file) const;
  /// Whether the last trial found the file right, and what it did not call is being compiled.
  [[nodiscard]] bool isBeingCompleted(const QString& file) const;
  /// Whether the last trial of a file came to its own end and found a kernel wrong: what did not compile,
  /// took its process down or never ended is not run here.
  [[nodiscard]] bool hasWrong(const QString& file) const;
  /// Why hasWrong() is false, a whole sentence; empty where it is true.
  [[nodiscard]] QString whyNoWrong(const QString& file) const;
  /// The first such kernel, loaded; nothing where there is none.
  [[nodiscard]] std::optional<WrongKernel> wrongOf(const QString& file) const;

Q_SIGNALS:
  void gone(const QString& file); ///< it is no longer in the folder; what it left in the registry stays
  void doing(const QString& file, const QString& what);
  void tried(const QString& file);   ///< reportOf() has changed: the verdict is there
  void adopted(const QString& file); ///< variantsOf() has changed, and the registry
  void settled(const QString& file); ///< behind those: variantsOf() and hasWrong() are of the last version

private:
  [[nodiscard]] bool isBeingTried(const QString& file) const;
  void look();
  void lookForGone();
  void next();
  void keepReport();
  void take();

  TrialProcess trial_;
  QFileSystemWatcher watcher_;
  QTimer settle_; ///< editors save in several steps
  QString folder_;
  QString asked_;                     ///< the file of the last watch(): it is tried before its neighbours
  std::map<QString, QDateTime> seen_; ///< when each file was written that was tried or waits
  std::deque<QString> waiting_;
  QString present_;
  bool isSaid_ = false; ///< tried() of the present one
  std::map<QString, TrialReport> reports_;
  std::map<QString, std::vector<OwnVariant>> variants_;
};

} // namespace lloyd
