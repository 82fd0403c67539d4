// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QSignalSpy>
#include <QTest>

#include <functional>
#include <vector>

namespace lloyd {

/// All that a published state consists of but its times, so that two can be compared bit for bit.
struct State {
  IterationResult result;
  std::vector<Label> labels;
  std::vector<float> positions; ///< of moving points
  std::size_t history = 0;
  bool converged = false;
  Half next = Half::classify;

  bool operator==(const State& other) const {
    const IterationResult& a = result;
    const IterationResult& b = other.result;
    return a.iteration == b.iteration && a.halfway == b.halfway && a.changed == b.changed &&
           a.anyChanged == b.anyChanged && a.shift == b.shift && a.inertia == b.inertia &&
           a.emptyClusters == b.emptyClusters && a.usedCentroids == b.usedCentroids &&
           a.centroids == b.centroids && a.sizes == b.sizes && labels == other.labels &&
           positions == other.positions && history == other.history && converged == other.converged &&
           next == other.next;
  }
};

inline State stateOf(const Session& session) {
  State state;
  state.result = *session.last();
  state.history = session.history().size();
  state.converged = session.converged();
  state.next = session.nextHalf();
  state.labels.assign(session.frame().labels->begin(), session.frame().labels->end());
  if (session.frame().positions)
    state.positions.assign(session.frame().positions->begin(), session.frame().positions->end());
  return state;
}

/// Asks for something and waits until its result is published; false when nothing comes.
inline bool published(Session& session, const std::function<void()>& ask, int patienceMs = 30000) {
  QSignalSpy shown(&session, &Session::iterated);
  ask();
  return shown.count() > 0 || shown.wait(patienceMs);
}
inline bool halfStep(Session& session) {
  return published(session, [&] { session.halfStep(); });
}
inline bool stepBack(Session& session) {
  return published(session, [&] { session.stepBack(); });
}
inline bool step(Session& session) {
  return published(session, [&] { session.step(); });
}

/// Pauses and waits until what was under way is published: labels are found after it.
inline bool rests(Session& session) {
  session.pause();
  bool answered = false;
  session.fetchLabels([&](const std::vector<Label>&, const IterationPtr&) { answered = true; });
  return QTest::qWaitFor([&] { return answered; }, 30000);
}

/// A paused session that shows the labels of its first centroids.
inline void begin(Session& session, const Settings& settings, const DataRequest& data) {
  session.setSettings(settings);
  QVERIFY(published(session, [&] { session.open(data); }));
  QCOMPARE(session.last()->iteration, 0);
}

inline Settings apart(int k) {
  Settings settings = cpuSettings(k);
  settings.selection.classify = "cpu.v2";
  settings.selection.reduce = "cpu.v1";
  return settings;
}

} // namespace lloyd
