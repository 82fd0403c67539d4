// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/run_controller.hpp"

#include <QTest>

#include <functional>

using namespace lloyd;

namespace {

using Run = RunController;
using Step = std::function<void(Run&)>;

/// The action with nothing outside in the way.
Action free(Run& run) { return run.next(true, true); }

RunSnapshot shown(bool converged, bool canStepBack, bool halfway = false) {
  IterationResult result;
  result.iteration = 1;
  result.halfway = halfway;
  return {std::make_shared<const IterationResult>(result), {}, converged, canStepBack, 0};
}

void ready(Run& run, bool shared = false) {
  run.pointsArrived();
  run.begin(Work::prepare);
  run.end();
  run.pointsFitted();
  run.begin(Work::attach);
  run.end();
  run.attached(shared);
  run.startRun();
  run.begin(Work::preview);
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
    ready(run, true);
    more(run);
  };
}

/// A work ends and its result is shown.
void finish(Run& run, Work work, const RunSnapshot& result) {
  run.begin(work);
  run.end();
  run.publish(result);
}

struct Row {
  const char* name;
  Step state;
  Step event;
  Action action;
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
const Step labels = [](Run& run) { run.wantLabels(); };
const Step adopt = [](Run& run) { run.adopt(std::make_shared<const RunState>()); };
const Step move = [](Run& run) { run.moveCentroid(); };
const Step surface = [](Run& run) { run.surfaceChanged(); };
const Step lost = [](Run& run) { run.deviceLost(); };
const Step refused = [](Run& run) { run.sharingRefused(); };
const Step stopped = [](Run& run) { run.stopped(); };
const Step frame = [](Run& run) { run.frameGiven(); };
const Step seen = [](Run& run) { run.frameShown(); };
const Step arrive = [](Run& run) { run.pointsArrived(); };
const Step cancelledHere = [](Run& run) { run.cancelled(true); };
const Step cancelledThere = [](Run& run) { run.cancelled(false); };
const Step converge = [](Run& run) { run.publish(shown(true, true)); };
const Step iterated = [](Run& run) { run.publish(shown(false, true)); };
const Step halfDone = [](Run& run) { finish(run, Work::half, shown(false, true, true)); };
const Step iterating = [](Run& run) { run.begin(Work::iteration); };
const Step ended = [](Run& run) { run.end(); };
const Step fitted = [](Run& run) { run.pointsFitted(); };

Step all(std::initializer_list<Step> steps) {
  return [list = std::vector<Step>(steps)](Run& run) {
    for (const Step& one : list)
      one(run);
  };
}

Step change(const Run::Change& what) {
  return [what](Run& run) { run.change(what); };
}

Step begun(Work work) {
  return [work](Run& run) { run.begin(work); };
}

Step badRequest(bool otherSettings, bool hasDevice, std::optional<Work> work) {
  return [=](Run& run) {
    run.end();
    run.requestRefused(otherSettings, hasDevice, work);
  };
}

const Row table[] = {
    {"no data", nothing, nothing, Idle::nothing},
    {"play without data", nothing, play, Idle::nothing},
    {"points arrive", nothing, arrive, Work::prepare},
    {"device chosen", arrive, all({begun(Work::prepare), ended}), Work::attach},
    {"choice of a device cancelled", all({arrive, begun(Work::prepare), ended}), cancelledThere,
     Work::prepare},
    {"attaching cancelled", all({arrive, begun(Work::prepare), ended, begun(Work::attach), ended}),
     cancelledHere, Work::attach},
    {"attaching failed", all({arrive, begun(Work::prepare), ended, begun(Work::attach), ended}), stopped,
     Idle::nothing},
    {"other settings after attaching failed",
     all({arrive, begun(Work::prepare), ended, begun(Work::attach), ended, stopped}), change({}),
     Work::attach},
    {"new surface while attaching", all({arrive, begun(Work::prepare), ended, begun(Work::attach), surface}),
     all({ended, [](Run& run) { run.attached(false); }}), Work::attach},
    {"attached", arrive,
     all({begun(Work::prepare), ended, begun(Work::attach), ended, [](Run& run) { run.attached(false); }}),
     Work::preview},
    {"at rest", onCopies(), nothing, Idle::nothing},
    {"play", onCopies(), play, Work::iteration},
    {"pause", onCopies(play), pause, Idle::nothing},
    {"step", onCopies(), step, Work::iteration},
    {"step once", onCopies(step), all({iterating, ended}), Idle::nothing},
    {"pause leaves a step", onCopies(step), pause, Work::iteration},
    {"play, then step", onCopies(play), step, Work::iteration},
    {"step ends playing", onCopies(all({play, step})), all({iterating, ended}), Idle::nothing},
    {"step, then play", onCopies(step), all({play, iterating, ended}), Work::iteration},
    {"step while an iteration is in flight", onCopies(all({play, iterating})), step, Idle::busy},
    {"step after the iteration in flight", onCopies(all({play, iterating})), all({step, ended}),
     Work::iteration},
    {"half", onCopies(), half, Work::half},
    {"half once", onCopies(half), all({begun(Work::half), ended}), Idle::nothing},
    {"half ends playing", onCopies(all({play, half})), all({begun(Work::half), ended}), Idle::nothing},
    {"step after half", onCopies(halfDone), step, Work::iteration},
    {"back with nothing to take back", onCopies(), back, Idle::nothing},
    {"back after an iteration", onCopies(iterated), back, Work::back},
    {"back after half", onCopies(halfDone), back, Work::back},
    {"back once", onCopies(all({halfDone, back})), all({begun(Work::back), ended}), Idle::nothing},
    {"back ends playing", onCopies(all({iterated, play, back})), all({begun(Work::back), ended}),
     Idle::nothing},
    {"back does not wait for the barrier", onCopies(iterated), back, Work::back, false},
    {"restart", onCopies(iterated), restart, Work::preview},
    {"restart while playing", onCopies(all({iterated, play})), restart, Work::iteration},
    {"restart while an iteration is in flight", onCopies(all({play, iterating})), restart, Idle::busy},
    {"restart after the cancelled iteration", onCopies(all({play, iterating})),
     all({restart, ended, cancelledHere}), Work::iteration},
    {"restart drops a step", onCopies(step), all({restart, begun(Work::preview), ended}), Idle::nothing},
    {"restart before a step back", onCopies(all({iterated, restart})), back, Work::preview},
    {"converged", onCopies(all({play, converge})), nothing, Idle::nothing},
    {"play after convergence", onCopies(converge), play, Work::preview},
    {"step after convergence", onCopies(converge), step, Work::iteration},
    {"centroid moved", onCopies(), move, Work::preview},
    {"centroid moved while playing", onCopies(play), move, Work::iteration},
    {"centroid moved after convergence", onCopies(all({play, converge})), move, Work::iteration},
    {"labels", onCopies(), labels, Work::labels},
    {"labels while playing", onCopies(play), labels, Work::labels},
    {"labels handed over", onCopies(labels), [](Run& run) { run.labelsHandedOver(); }, Idle::nothing},
    {"labels before a result", onCopies([](Run& run) { run.startRun(); }), labels, Work::preview},
    {"labels of a new run", onCopies(restart), labels, Work::preview},
    {"adopt", onCopies(), adopt, Work::adopt},
    {"adopt before labels", onCopies(labels), adopt, Work::adopt},
    {"adopt with the barrier closed", onCopies(), adopt, Work::adopt, false},
    {"adopt drops a half", onCopies(half),
     all({adopt, begun(Work::adopt), ended, [](Run& run) { run.adopted(run.adoption()); }}), Idle::nothing},
    {"a newer state is adopted too", onCopies(adopt), [](Run& run) { run.adopted(nullptr); }, Work::adopt},
    {"barrier closed: play", onCopies(), play, Idle::forBarrier, false},
    {"barrier closed: step", onCopies(), step, Idle::forBarrier, false},
    {"barrier closed: half", onCopies(), half, Idle::forBarrier, false},
    {"barrier closed: preview", onCopies(play), change({.seeds = true}), Work::preview, false},
    {"barrier closed, then opened", onCopies(all({step, [](Run& run) { (void)run.next(false, true); }})),
     nothing, Work::iteration},
    {"pace: play", onCopies(), play, Idle::forPace, true, false},
    {"pace: step", onCopies(), step, Work::iteration, true, false},
    {"frame not shown: copies run ahead", onCopies(all({play, frame})), nothing, Work::iteration},
    {"one result waits", onCopies(all({play, frame})), [](Run& run) { run.holdResult(); }, Idle::forFrame},
    {"the result is released", onCopies(all({play, frame, [](Run& run) { run.holdResult(); }})),
     all({seen, [](Run& run) { run.resultReleased(); }}), Work::iteration},
    {"shared: frame not shown", onShared(play), frame, Idle::forFrame},
    {"shared: frame shown", onShared(all({play, frame})), seen, Work::iteration},
    {"shared: step waits for the frame", onShared(step), frame, Idle::forFrame},
    {"shared: labels wait for the frame", onShared(labels), frame, Idle::forFrame},
    {"shared: nothing wanted", onShared(frame), nothing, Idle::nothing},
    {"sharing refused", onShared(play), refused, Work::attach},
    {"device lost", onCopies(all({play, iterating})), all({ended, lost}), Work::prepare},
    {"new surface", onCopies(play), surface, Work::attach},
    {"other backend", onCopies(play), change({.backend = true}), Work::prepare},
    {"other sharing", onCopies(play), change({.sharing = true}), Work::attach},
    {"other selection at rest", onCopies(), change({.selection = true}), Work::preview},
    {"other selection while playing", onCopies(play), change({.selection = true}), Work::iteration},
    {"other points", onCopies(play), fitted, Work::attach},
    {"wrong request with nothing to go back to", onCopies(all({play, iterating})),
     badRequest(false, true, Work::iteration), Idle::nothing},
    {"wrong request while playing", onCopies(all({play, iterating})), badRequest(true, true, Work::iteration),
     Work::iteration},
    {"wrong request at rest", onCopies(all({labels, begun(Work::labels)})),
     badRequest(true, true, Work::labels), Work::preview},
    {"wrong backend", all({arrive, begun(Work::prepare)}), badRequest(true, false, Work::prepare),
     Work::prepare},
    {"computing failed", onCopies(all({play, iterating})), all({ended, stopped}), Idle::nothing},
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
    QVERIFY(run.next(it.barrier, it.pace) == it.action);
  }

  void onlyAnUnseenIterationIsInterruptedByAStepBack() {
    for (const Work work : {Work::preview, Work::labels, Work::iteration, Work::half, Work::back}) {
      Run run;
      ready(run);
      run.begin(work);
      QCOMPARE(run.stepBack(), work == Work::iteration || work == Work::half);
    }
  }

  void memoryIsReturnedOnce() {
    Run run;
    ready(run, true);
    QVERIFY(!run.returnMemory());
    run.begin(Work::iteration, true);
    QVERIFY(run.returnMemory());
    QVERIFY(!run.returnMemory());
    QVERIFY(run.inFlight());
  }

  void aRestartIsBegunOnce() {
    Run run;
    ready(run);
    run.play();
    run.restart();
    QVERIFY(run.begin(Work::iteration));
    run.end();
    QVERIFY(!run.begin(Work::iteration));
  }

  void aResultWaitsWhilePlayingOnCopies() {
    Run run;
    ready(run);
    run.frameGiven();
    QVERIFY(!run.resultWaits(true));
    run.play();
    QVERIFY(run.resultWaits(true));
    QVERIFY(!run.resultWaits(false));
    run.holdResult();
    QVERIFY(!run.resultWaits(true));
  }

  void refusedSharingIsTriedAgainAfterAChange() {
    Run run;
    ready(run, true);
    run.sharingRefused();
    QVERIFY(run.refusesSharing());
    run.change({.sharing = true});
    QVERIFY(!run.refusesSharing());
    QVERIFY(free(run) == Action(Work::attach));
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
