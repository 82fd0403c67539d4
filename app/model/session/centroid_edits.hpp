// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"

#include <QObject>
#include <QString>

#include <vector>

namespace lloyd {

/// Centroids that a person adds to a session's run or takes out of it. k is one more or less, all others stay
/// where they are, and the run goes on from there, played or paused. First centroids of a file set another k:
/// a restart seeds as a new session does. Both must outlive it. GUI thread.
class CentroidEdits : public QObject {
  Q_OBJECT
public:
  CentroidEdits(Session& session, const DeviceLease& lease, QObject* parent = nullptr);

  /// The new one, [d], gets the highest number, and points at once where the run rests.
  void add(const std::vector<float>& position);
  /// Those after it are one number lower. -1: none is meant.
  void remove(int cluster);
  /// Why there is no other centroid, or none less, a whole sentence; empty where there can be.
  [[nodiscard]] QString whyNotAdd() const;
  [[nodiscard]] QString whyNotRemove() const;

Q_SIGNALS:
  /// Said before the session knows of it: which cluster of before each of those to come is; -1: the new one.
  void renumbering(const std::vector<int>& before, const lloyd::Settings& settings);
  /// It is on its way: what the step is called, and a sentence.
  void edited(const QString& step, const QString& said);
  void refused(const QString& sentence);

private:
  [[nodiscard]] QString whyNot() const;
  [[nodiscard]] Settings settingsFor(int k) const;
  void give(const RunState& state, const std::vector<int>& before, const QString& step, QString said);

  Session& session_;
  const DeviceLease& lease_;
};

} // namespace lloyd
