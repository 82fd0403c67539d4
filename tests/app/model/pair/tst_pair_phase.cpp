// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/pair/paired_run.hpp"

#include <QTest>

#include <array>

using namespace lloyd;

namespace {

using enum PairPhase;

constexpr std::array phases{off, failed, due, seeding, adopting, stepping, resting};

struct Row {
  const char* name;
  PairEvent event;
  std::array<PairPhase, phases.size()> to; ///< from each of the phases, in their order
};

constexpr Row table[] = {
    {"wanted", PairEvent::wanted, {due, due, due, due, due, due, due}},
    {"dropped", PairEvent::dropped, {off, off, off, off, off, off, off}},
    {"failed", PairEvent::failed, {off, failed, failed, failed, failed, failed, failed}},
    {"outdated", PairEvent::outdated, {off, failed, due, due, due, due, due}},
    {"interrupted", PairEvent::interrupted, {off, failed, due, seeding, adopting, resting, resting}},
    {"seedAsked", PairEvent::seedAsked, {off, failed, seeding, seeding, seeding, seeding, seeding}},
    {"stateGiven", PairEvent::stateGiven, {off, failed, adopting, adopting, adopting, adopting, adopting}},
    {"restartOfA", PairEvent::restartOfA, {off, failed, resting, resting, resting, resting, resting}},
    {"stepAsked", PairEvent::stepAsked, {off, failed, due, seeding, adopting, stepping, stepping}},
    {"moved", PairEvent::moved, {off, failed, due, seeding, adopting, stepping, stepping}},
    {"seededByB", PairEvent::seededByB, {off, failed, due, stepping, adopting, due, due}},
    {"joinedByB", PairEvent::joinedByB, {off, failed, due, seeding, stepping, stepping, resting}},
    {"resultOfB", PairEvent::resultOfB, {off, failed, due, seeding, adopting, resting, resting}},
};

PairPhase afterAll(PairPhase phase, std::initializer_list<PairEvent> events) {
  for (const PairEvent event : events)
    phase = after(phase, event);
  return phase;
}

} // namespace

/// The way of side B to what side A shows, without sessions.
class TestPairPhase : public QObject {
  Q_OBJECT

private slots:
  void everyEventInEveryPhase_data() {
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(table)); ++i)
      QTest::newRow(table[i].name) << i;
    QCOMPARE(std::size(table), static_cast<std::size_t>(PairEvent::resultOfB) + 1);
  }
  void everyEventInEveryPhase() {
    QFETCH(int, row);
    for (std::size_t i = 0; i < phases.size(); ++i)
      QCOMPARE(after(phases[i], table[row].event), table[row].to[i]);
  }

  void onlyWhatIsWantedAndHasNotFailedFollows() {
    for (const PairPhase phase : phases)
      QCOMPARE(follows(phase), phase != off && phase != failed);
  }

  void aStateThatIsGivenIsThereWithItsResult() {
    QCOMPARE(afterAll(off, {PairEvent::wanted, PairEvent::stateGiven, PairEvent::seededByB,
                            PairEvent::joinedByB, PairEvent::resultOfB}),
             resting);
    // A result from before the state came says nothing.
    QCOMPARE(afterAll(off, {PairEvent::wanted, PairEvent::stateGiven, PairEvent::resultOfB}), adopting);
  }

  void aRunOfItsOwnSeedIsThereWithItsFirstResult() {
    QCOMPARE(afterAll(due, {PairEvent::seedAsked, PairEvent::resultOfB}), seeding);
    QCOMPARE(afterAll(due, {PairEvent::seedAsked, PairEvent::seededByB}), stepping);
    QCOMPARE(afterAll(due, {PairEvent::seedAsked, PairEvent::seededByB, PairEvent::resultOfB}), resting);
  }

  void whatIsOutdatedOnItsWayIsGivenAgain() {
    for (const PairEvent late : {PairEvent::seededByB, PairEvent::joinedByB, PairEvent::resultOfB})
      QCOMPARE(afterAll(adopting, {PairEvent::outdated, late}), due);
  }

  void afterAFailureOnlyAnotherTryCounts() {
    QCOMPARE(afterAll(stepping, {PairEvent::failed, PairEvent::resultOfB, PairEvent::outdated}), failed);
    QCOMPARE(afterAll(stepping, {PairEvent::failed, PairEvent::wanted}), due);
  }

  void moves_data() {
    QTest::addColumn<int>("here");
    QTest::addColumn<int>("there");
    QTest::addColumn<bool>("canStepBack");
    QTest::addColumn<PairMove>("move");
    QTest::newRow("there") << 4 << 4 << true << PairMove::none;
    QTest::newRow("there, halfway") << 3 << 3 << false << PairMove::none;
    QTest::newRow("an iteration ahead") << 4 << 6 << true << PairMove::step;
    QTest::newRow("the first half ahead") << 4 << 5 << true << PairMove::halfStep;
    QTest::newRow("the second half ahead") << 5 << 6 << true << PairMove::step;
    QTest::newRow("a half and an iteration ahead") << 4 << 7 << true << PairMove::step;
    QTest::newRow("behind") << 6 << 5 << true << PairMove::stepBack;
    QTest::newRow("behind, forgotten") << 6 << 5 << false << PairMove::adopt;
    QTest::newRow("far behind, forgotten") << 6 << 0 << false << PairMove::adopt;
  }
  void moves() {
    QFETCH(int, here);
    QFETCH(int, there);
    QFETCH(bool, canStepBack);
    QFETCH(PairMove, move);
    QCOMPARE(moveTowards(here, there, canStepBack), move);
  }

  void positionsCountHalves() {
    IterationResult state;
    QCOMPARE(positionOf(state), 0);
    state.iteration = 3;
    QCOMPARE(positionOf(state), 6);
    state.halfway = true; // through the third
    QCOMPARE(positionOf(state), 5);
  }
};

QTEST_GUILESS_MAIN(TestPairPhase)
#include "tst_pair_phase.moc"
