// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/kmeans_runner.hpp"
#include "app/model/session/run_controller.hpp"

#include <QTest>

#include <functional>

using namespace lloyd;

namespace {

/// A controller, and what lies outside of it.
struct Run : RunController {
  RunConditions outside;

  RunAction act() { return next(outside); }
};
using Step = std::function<void(Run&)>;

/// The action with nothing outside in the way.
RunAction free(Run& run) { return run.next({}); }

RunSnapshot shown(bool converged, bool canStepBack, bool halfway = false) {
  IterationResult result;
  result.iteration = 1;
  result.halfway = halfway;
  return {std::make_shared<const IterationResult>(result), {}, converged, canStepBack, 0, {}};
}

void ready(Run& run, Sharing sharing = Sharing::none) {
  run.pointsArrived();
  run.begin(RunWork::prepare);
  run.end();
  run.pointsFitted();
  run.begin(RunWork::attach);
  run.end();
  run.attached(sharing);
  run.startRun();
  run.begin(RunWork::preview);
  run.end();
  run.publish(shown(false, false));
}

Step onCopies(const Step& more = [](Run&) {}) {
  return [more](Run& run) {
    ready(run);
    more(run);
  };
}

Step onShared(const Step& more) {
  return [more](Run& run) {
    ready(run, Sharing::shared);
    more(run);
  };
}

/// A work ends and its result is shown.
void finish(Run& run, RunWork work, const RunSnapshot& result) {
  run.begin(work);
  run.end();
  run.publish(result);
}

struct Row {
  const char* name;
  Step state;
  Step event;
  RunAction action;
  bool barrier = true;
  bool pace = true;
};

const Step nothing = [](Run&) {};
const Step play = [](Run& run) { run.play(); };
const Step pause = [](Run& run) { run.pause(); };
const Step step = [](Run& run) { run.step(); };
const Step half = [](Run& run) { run.halfStep(); };
const Step back = [](Run& run) { (void)run.stepBack(); };
const Step restart = [](Run& run) { run.restart(); };
const Step labels = [](Run& run) { run.outside.labelsWanted = true; };
const Step adopt = [](Run& run) { run.adopt(std::make_shared<const RunState>()); };
const Step move = [](Run& run) { run.moveCentroid(); };
const Step surface = [](Run& run) { run.surfaceChanged(); };
const Step lost = [](Run& run) { run.deviceLost(); };
const Step refused = [](Run& run) { run.sharingRefused(); };
const Step stopped = [](Run& run) {
  run.outside.labelsWanted = false; // whoever wanted them was answered
  run.stopped(true);
};
const Step frame = [](Run& run) { run.frameGiven(); };
const Step seen = [](Run& run) { run.frameShown(); };
const Step arrive = [](Run& run) { run.pointsArrived(); };
const Step cancelledHere = [](Run& run) { run.cancelled(true); };
const Step cancelledThere = [](Run& run) { run.cancelled(false); };
const Step converge = [](Run& run) { run.publish(shown(true, true)); };
const Step iterated = [](Run& run) { run.publish(shown(false, true)); };
const Step halfDone = [](Run& run) { finish(run, RunWork::half, shown(false, true, true)); };
const Step iterating = [](Run& run) { run.begin(RunWork::iteration); };
const Step ended = [](Run& run) { run.end(); };
const Step fitted = [](Run& run) { run.pointsFitted(); };

Step all(std::initializer_list<Step> steps) {
  return [list = std::vector<Step>(steps)](Run& run) {
    for (const Step& one : list)
      one(run);
  };
}

Step change(const RunController::Change& what) {
  return [what](Run& run) { run.change(what); };
}

Step begun(RunWork work) {
  return [work](Run& run) { run.begin(work); };
}

Step badRequest(bool otherSettings, bool hasDevice, std::optional<RunWork> work) {
  return [=](Run& run) {
    run.end();
    run.outside.labelsWanted = false;
    run.requestRefused(otherSettings, hasDevice, work);
  };
}

const Row table[] = {
    {"no data", nothing, nothing, NothingToDo::nothing},
    {"play without data", nothing, play, NothingToDo::nothing},
    {"points arrive", nothing, arrive, RunWork::prepare},
    {"device chosen", arrive, all({begun(RunWork::prepare), ended}), RunWork::attach},
    {"choice of a device cancelled", all({arrive, begun(RunWork::prepare), ended}), cancelledThere,
     RunWork::prepare},
    {"attaching cancelled", all({arrive, begun(RunWork::prepare), ended, begun(RunWork::attach), ended}),
     cancelledHere, RunWork::attach},
    {"attaching failed", all({arrive, begun(RunWork::prepare), ended, begun(RunWork::attach), ended}),
     stopped, NothingToDo::nothing},
    {"other settings after attaching failed",
     all({arrive, begun(RunWork::prepare), ended, begun(RunWork::attach), ended, stopped}), change({}),
     RunWork::attach},
    {"new surface while attaching",
     all({arrive, begun(RunWork::prepare), ended, begun(RunWork::attach), surface}),
     all({ended, [](Run& run) { run.attached(Sharing::none); }}), RunWork::attach},
    {"attached", arrive,
     all({begun(RunWork::prepare), ended, begun(RunWork::attach), ended,
          [](Run& run) { run.attached(Sharing::none); }}),
     RunWork::preview},
    {"at rest", onCopies(), nothing, NothingToDo::nothing},
    {"play", onCopies(), play, RunWork::iteration},
    {"pause", onCopies(play), pause, NothingToDo::nothing},
    {"step", onCopies(), step, RunWork::iteration},
    {"step once", onCopies(step), all({iterating, ended}), NothingToDo::nothing},
    {"pause leaves a step", onCopies(step), pause, RunWork::iteration},
    {"play, then step", onCopies(play), step, RunWork::iteration},
    {"step ends playing", onCopies(all({play, step})), all({iterating, ended}), NothingToDo::nothing},
    {"step, then play", onCopies(step), all({play, iterating, ended}), RunWork::iteration},
    {"step while an iteration is in flight", onCopies(all({play, iterating})), step, NothingToDo::busy},
    {"step after the iteration in flight", onCopies(all({play, iterating})), all({step, ended}),
     RunWork::iteration},
    {"half", onCopies(), half, RunWork::half},
    {"half once", onCopies(half), all({begun(RunWork::half), ended}), NothingToDo::nothing},
    {"half ends playing", onCopies(all({play, half})), all({begun(RunWork::half), ended}),
     NothingToDo::nothing},
    {"step after half", onCopies(halfDone), step, RunWork::iteration},
    {"back with nothing to take back", onCopies(), back, NothingToDo::nothing},
    {"back after an iteration", onCopies(iterated), back, RunWork::back},
    {"back after half", onCopies(halfDone), back, RunWork::back},
    {"back once", onCopies(all({halfDone, back})), all({begun(RunWork::back), ended}), NothingToDo::nothing},
    {"back ends playing", onCopies(all({iterated, play, back})), all({begun(RunWork::back), ended}),
     NothingToDo::nothing},
    {"back does not wait for the barrier", onCopies(iterated), back, RunWork::back, false},
    {"restart", onCopies(iterated), restart, RunWork::preview},
    {"restart while playing", onCopies(all({iterated, play})), restart, RunWork::iteration},
    {"restart while an iteration is in flight", onCopies(all({play, iterating})), restart, NothingToDo::busy},
    {"restart after the cancelled iteration", onCopies(all({play, iterating})),
     all({restart, ended, cancelledHere}), RunWork::iteration},
    {"restart drops a step", onCopies(step), all({restart, begun(RunWork::preview), ended}),
     NothingToDo::nothing},
    {"restart before a step back", onCopies(all({iterated, restart})), back, RunWork::preview},
    {"converged", onCopies(all({play, converge})), nothing, NothingToDo::nothing},
    {"play after convergence", onCopies(converge), play, RunWork::preview},
    {"step after convergence", onCopies(converge), step, RunWork::iteration},
    {"centroid moved", onCopies(), move, RunWork::preview},
    {"centroid moved while playing", onCopies(play), move, RunWork::iteration},
    {"centroid moved after convergence", onCopies(all({play, converge})), move, RunWork::iteration},
    {"labels", onCopies(), labels, RunWork::labels},
    {"labels while playing", onCopies(play), labels, RunWork::labels},
    {"labels handed over", onCopies(labels), [](Run& run) { run.outside.labelsWanted = false; },
     NothingToDo::nothing},
    {"labels before a result", onCopies([](Run& run) { run.startRun(); }), labels, RunWork::preview},
    {"labels of a new run", onCopies(restart), labels, RunWork::preview},
    {"play and pause after convergence, while busy", onCopies(all({converge, begun(RunWork::labels)})),
     all({play, pause, ended}), NothingToDo::nothing},
    {"play and step after convergence, while busy", onCopies(all({converge, begun(RunWork::labels)})),
     all({play, step, ended}), RunWork::iteration},
    {"play after convergence, then restart and pause", onCopies(all({converge, play})), all({restart, pause}),
     RunWork::preview},
    {"adopt", onCopies(), adopt, RunWork::adopt},
    {"restart after adopt", onCopies(adopt), restart, RunWork::preview},
    {"adopt after restart", onCopies(restart), adopt, RunWork::adopt},
    {"adopt before labels", onCopies(labels), adopt, RunWork::adopt},
    {"adopt with the barrier closed", onCopies(), adopt, RunWork::adopt, false},
    {"adopt drops a half", onCopies(half),
     all({adopt, begun(RunWork::adopt), ended, [](Run& run) { run.adopted(run.adoption()); }}),
     NothingToDo::nothing},
    {"a newer state is adopted too", onCopies(adopt), [](Run& run) { run.adopted(nullptr); }, RunWork::adopt},
    {"barrier closed: play", onCopies(), play, NothingToDo::forBarrier, false},
    {"barrier closed: step", onCopies(), step, NothingToDo::forBarrier, false},
    {"barrier closed: half", onCopies(), half, NothingToDo::forBarrier, false},
    {"barrier closed: preview", onCopies(play), change({.seeds = true}), RunWork::preview, false},
    {"barrier closed, then opened",
     onCopies(all({step, [](Run& run) { (void)run.next({.barrierOpen = false}); }})), nothing,
     RunWork::iteration},
    {"pace: play", onCopies(), play, NothingToDo::forPace, true, false},
    {"pace: step", onCopies(), step, RunWork::iteration, true, false},
    {"frame not shown: copies run ahead", onCopies(all({play, frame})), nothing, RunWork::iteration},
    {"one result waits", onCopies(all({play, frame})), [](Run& run) { run.outside.resultHeld = true; },
     NothingToDo::forFrame},
    {"the result is released", onCopies(all({play, frame, [](Run& run) { run.outside.resultHeld = true; }})),
     all({seen, [](Run& run) { run.outside.resultHeld = false; }}), RunWork::iteration},
    {"shared: frame not shown", onShared(play), frame, NothingToDo::forFrame},
    {"shared: frame shown", onShared(all({play, frame})), seen, RunWork::iteration},
    {"shared: step waits for the frame", onShared(step), frame, NothingToDo::forFrame},
    {"shared: labels wait for the frame", onShared(labels), frame, NothingToDo::forFrame},
    {"shared: nothing wanted", onShared(frame), nothing, NothingToDo::nothing},
    {"sharing refused", onShared(play), refused, RunWork::attach},
    {"device lost", onCopies(all({play, iterating})), all({ended, lost}), RunWork::prepare},
    {"new surface", onCopies(play), surface, RunWork::attach},
    {"other backend", onCopies(play), change({.backend = true}), RunWork::prepare},
    {"other sharing", onCopies(play), change({.sharing = true}), RunWork::attach},
    {"other selection at rest", onCopies(), change({.selection = true}), RunWork::preview},
    {"other selection while playing", onCopies(play), change({.selection = true}), RunWork::iteration},
    {"other points", onCopies(play), fitted, RunWork::attach},
    {"wrong request with nothing to go back to", onCopies(all({play, iterating})),
     badRequest(false, true, RunWork::iteration), NothingToDo::nothing},
    {"wrong request while playing", onCopies(all({play, iterating})),
     badRequest(true, true, RunWork::iteration), RunWork::iteration},
    {"wrong request at rest", onCopies(all({labels, begun(RunWork::labels)})),
     badRequest(true, true, RunWork::labels), RunWork::preview},
    {"wrong backend", all({arrive, begun(RunWork::prepare)}), badRequest(true, false, RunWork::prepare),
     RunWork::prepare},
    {"computing failed", onCopies(all({play, iterating})), all({ended, stopped}), NothingToDo::nothing},
};

} // namespace

/// What a session does next, without threads, clocks and devices.
class TestRunController : public QObject {
  Q_OBJECT

private slots:
  void nextAction_data() {
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(table)); ++i)
      QTest::newRow(table[i].name) << i;
  }
  void nextAction() {
    QFETCH(int, row);
    const Row& it = table[row];
    Run run;
    it.state(run);
    it.event(run);
    run.outside.barrierOpen = it.barrier;
    run.outside.paceOpen = it.pace;
    QVERIFY(run.act() == it.action);
  }

  void onlyAnUnseenIterationIsInterruptedByAStepBack() {
    for (const RunWork work :
         {RunWork::preview, RunWork::labels, RunWork::iteration, RunWork::half, RunWork::back}) {
      Run run;
      ready(run);
      run.begin(work);
      QCOMPARE(run.stepBack(), work == RunWork::iteration || work == RunWork::half);
    }
  }

  void memoryIsReturnedOnce() {
    Run run;
    ready(run, Sharing::shared);
    QVERIFY(!run.returnMemory());
    run.begin(RunWork::iteration, true);
    QVERIFY(run.returnMemory());
    QVERIFY(!run.returnMemory());
    QVERIFY(run.inFlight());
  }

  void aRestartIsBegunOnce() {
    Run run;
    ready(run);
    run.play();
    run.restart();
    QVERIFY(run.begin(RunWork::iteration));
    run.end();
    QVERIFY(!run.begin(RunWork::iteration));
  }

  void theLatestOfAStartAndAStateCounts() {
    Run run;
    ready(run);
    restart(run);
    adopt(run);
    QVERIFY(!run.begin(RunWork::adopt)); // not seeded first
    run.end();
    adopt(run);
    restart(run);
    QVERIFY(!run.adoption());
    QVERIFY(run.begin(RunWork::preview));
  }

  void playingAgainIsGivenUpByAPause() {
    Run run;
    ready(run);
    converge(run);
    play(run);
    QVERIFY(run.playing());
    run.pause();
    step(run);
    QVERIFY(!run.begin(RunWork::iteration)); // goes on from where it converged
    run.end();
    converge(run);
    play(run);
    QVERIFY(run.begin(RunWork::preview));
    run.end();
    QVERIFY(run.request() == RunRequest::play);
  }

  void itPreparesUntilTheDeviceHasThePoints() {
    Run run;
    QVERIFY(!run.preparing());
    arrive(run);
    QVERIFY(run.preparing());
    run.begin(RunWork::prepare);
    run.end();
    QVERIFY(run.preparing());
    run.begin(RunWork::attach);
    QVERIFY(run.preparing());
    run.end();
    run.attached(Sharing::none);
    QVERIFY(!run.preparing());
    stopped(run);
    QVERIFY(!run.preparing());
  }

  void aResultWaitsWhilePlayingOnCopies() {
    Run run;
    ready(run);
    run.frameGiven();
    QVERIFY(!run.resultWaits());
    run.play();
    QVERIFY(run.resultWaits());
    run.frameShown();
    QVERIFY(!run.resultWaits());
    Run shared;
    ready(shared, Sharing::shared);
    shared.frameGiven();
    shared.play();
    QVERIFY(!shared.resultWaits());
  }

  void anotherDeviceSharesNothingYet() {
    Run run;
    ready(run, Sharing::shared);
    QVERIFY(run.sharing() == Sharing::shared);
    run.change({.backend = true});
    run.begin(RunWork::prepare);
    QVERIFY(run.sharing() == Sharing::none);
  }

  void refusedSharingIsTriedAgainAfterAChange() {
    Run run;
    ready(run, Sharing::shared);
    run.sharingRefused();
    QVERIFY(run.refusesSharing());
    run.change({.sharing = true});
    QVERIFY(!run.refusesSharing());
    QVERIFY(free(run) == RunAction(RunWork::attach));
  }

  void aRunThatStartsHasNoResult() {
    Run run;
    ready(run);
    run.publish(shown(true, true, true));
    run.startRun();
    QVERIFY(!run.shown().last && !run.shown().converged && !run.shown().canStepBack);
    QVERIFY(!run.shown().halfway());
  }
};

QTEST_APPLESS_MAIN(TestRunController)
#include "tst_run_controller.moc"
