// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/moment.hpp"

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>

namespace lloyd {

/// Brings a session and the axes of its drawing back to a moment: loads the points where they are others, and
/// goes on from the state of the run without making a first one. Another moment may be wanted before one is
/// reached. Where this machine lacks what computed, the default computes, which is said. GUI thread.
class MomentRestorer : public QObject {
  Q_OBJECT
public:
  MomentRestorer(Session& session, AxesFinder& axes, QObject* parent = nullptr);

  void restore(const Moment& moment);
  /// What is on its way; null when nothing is.
  [[nodiscard]] const Moment* pending() const { return phase_ == Phase::none ? nullptr : &*target_; }
  /// Whether its points are on their way.
  [[nodiscard]] bool loading() const { return phase_ == Phase::loading; }
  /// Whether it is being brought about: changes that the session tells of are nobody's choice.
  [[nodiscard]] bool applying() const { return applying_; }

Q_SIGNALS:
  void pointsThere(); ///< settings and state are given to the session next
  /// whole: the state of the run is the moment's. Otherwise the points are others than they were, and a run
  /// of them has begun.
  void restored(bool whole);
  void dropped(); ///< the points could not be had, or somebody wanted something else meanwhile

private:
  enum class Phase : std::uint8_t { none, loading, adopting };

  void apply();
  void settingsChanged();
  void loadEnded();
  void drop();
  void finish(bool whole);
  [[nodiscard]] bool fits(const RunState& run) const;

  Session& session_;
  AxesFinder& axes_;
  std::optional<Moment> target_;
  Phase phase_ = Phase::none;
  bool applying_ = false;
  bool refused_ = false; ///< the session has just said that something cannot be met
  int resultsBefore_ = 0;
  bool eased_ = false; ///< the target computes with the default by now
};

} // namespace lloyd
