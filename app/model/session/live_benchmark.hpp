// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/device_lease.hpp"
#include "app/model/session/session.hpp"

#include <QObject>
#include <QTimer>

#include <vector>

namespace lloyd {

/// Times every variant that can run, one after the other on the data in the window, and then goes back to the
/// choice made before. What it changes is the selection alone. Ends early when a person changes settings or
/// data, and when another measurement takes the machine; the choice made before comes back then too, unless
/// the person has made another. Leaves a variant that is too slow for it to the next. GUI thread.
class LiveBenchmark : public QObject {
  Q_OBJECT
public:
  LiveBenchmark(Session& session, DeviceLease& lease, QObject* parent = nullptr);

  /// Nothing happens while another measurement has the machine.
  void start();
  /// Goes back to the choice before.
  void stop() {
    if (running_) finish(true, false);
  }
  [[nodiscard]] bool running() const { return running_; }
  /// What is being changed of the session at this moment is changed by it.
  [[nodiscard]] bool changing() const { return changing_; }

Q_SIGNALS:
  void progressed(int number, int total, const QString& variant);
  /// complete: every variant was timed.
  void ended(bool complete);

private:
  struct Stop {
    Stage stage;
    const Variant* variant;
  };
  void plan();
  void next();
  void iterated();
  void settingsChanged();
  void finish(bool goBack, bool complete);

  Session& session_;
  DeviceLease& lease_;
  DeviceLease::Hold hold_; ///< while it is running
  QTimer patience_;
  std::vector<Stop> stops_;
  std::size_t at_ = 0;
  int seen_ = 0;
  bool running_ = false;
  bool changing_ = false; ///< the change of settings is this object's own
  bool wasPlaying_ = false;
  Selection before_;
  Selection tried_; ///< its own last choice
};

} // namespace lloyd
