// SPDX-License-Identifier: GPL-3.0-or-later
// One block, step by step: states, races, ends.
#include "app/model/teach/block/block_service.hpp"
#include "app/model/teach/block/block_texts.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/reference/cases.hpp"
#include "gpu/simt/record/recorder.hpp"
#include "tests/app/model/teach/block/block_kernels.hpp"

#include <QSignalSpy>
#include <QTest>

#include <bit>
#include <cstring>
#include <map>

using namespace lloyd;
using namespace lloyd::test;
using simt::Asked;
using Doing = BlockReplay::WarpState::Doing;

namespace {

CountInput inputOf(const char* id, Stage stage, const Problem& problem, int block = 0) {
  const Variant* variant = Registry::instance().find(id);
  const CaseInputs made = build({.problem = problem});
  CountInput input{{stage, variant, nullptr, {}}, problem, made.points, made.centroids, {}};
  input.subject.tuning.block = block;
  return input;
}

std::shared_ptr<const BlockRequests> blockOf(const char* id, Stage stage, const Problem& problem,
                                             int block = 0) {
  return std::make_shared<const BlockRequests>(blockRequests(inputOf(id, stage, problem, block), 0, nullptr));
}

float floatOf(std::uint32_t bits) { return std::bit_cast<float>(bits); }

/// The words of shared memory as they are after each step, by going through the steps one after the other.
class Naive {
public:
  explicit Naive(const BlockReplay& replay) : replay_(replay) {}
  /// Steps must be asked for in their order, from 1 on.
  void take(std::size_t number) {
    if (replay_.launchOf(number) != launch_) words_.clear();
    launch_ = replay_.launchOf(number);
    const simt::WarpStep& step = replay_.step(number);
    if (step.asked != Asked::sharedStore && step.asked != Asked::sharedAtomic) return;
    const std::size_t perLane = (step.bytes + 3) / 4;
    std::size_t value = step.stored;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((step.lanes >> lane & 1) == 0) continue;
      for (std::size_t i = 0; i < perLane; ++i)
        words_[step.at[lane] / 4 + i] = {number, lane,
                                         replay_.block()->record.stored[*replay_.warpOf(number)][value++]};
    }
  }
  [[nodiscard]] BlockReplay::Word word(std::size_t at) const {
    const auto known = words_.find(at);
    return known == words_.end() ? BlockReplay::Word() : known->second;
  }

private:
  const BlockReplay& replay_;
  std::uint32_t launch_ = 0;
  std::map<std::size_t, BlockReplay::Word> words_;
};

struct Seen {
  std::vector<BlockReplay::WarpState> warps;
  std::vector<BlockReplay::Word> words;
  bool operator==(const Seen&) const = default;
};
Seen look(const BlockReplay& replay, std::size_t number, std::size_t words) {
  Seen seen{replay.warpsAfter(number), {}};
  for (std::size_t word = 0; word < words; ++word)
    seen.words.push_back(replay.wordAfter(number, word));
  return seen;
}

} // namespace

class TestBlockReplay : public QObject {
  Q_OBJECT
private Q_SLOTS:
  /// The kernel "fold", by hand: who does what in which step, and what is in shared memory at each barrier.
  void aSmallKernelByHand() {
    const BlockReplay replay(record("fold").block);
    const Lines lines = linesOf("fold");
    QCOMPARE(replay.warps(), std::size_t{2});
    // Both store (1, 2), barrier (3); warp 0 loads two words and stores, warp 1 stores the count between (4
    // to 7), barrier (8); two atomics (9, 10), barrier (11); a load and a store to global memory (12, 13).
    QCOMPARE(replay.barriers(), (std::vector<std::uint32_t>{3, 8, 11}));
    QCOMPARE(replay.size(), std::size_t{13});
    QCOMPARE(replay.step(1).line, lines.store);
    QCOMPARE(replay.warpOf(2), std::optional<std::size_t>(1));
    QCOMPARE(replay.step(3).line, lines.barrier);
    QVERIFY(!replay.warpOf(3));
    QCOMPARE(replay.wordAfter(0, 5).step, std::size_t{0});
    QCOMPARE(replay.wordAfter(1, 40).step, std::size_t{0}); // warp 1 has not had its turn
    const BlockReplay::Word stored = replay.wordAfter(3, 40);
    QCOMPARE(stored.step, std::size_t{2});
    QCOMPARE(stored.lane, 8u);
    QCOMPARE(floatOf(stored.bits), 40.0F);
    for (std::size_t t = 0; t < 64; ++t)
      QCOMPARE(floatOf(replay.wordAfter(8, t).bits), t < 32 ? static_cast<float>(2 * t + 32) : float(t));
    QCOMPARE(replay.wordAfter(8, 64).bits, 7u);
    QCOMPARE(replay.wordAfter(11, 64).bits, 10u); // 7 + 1 + 2
    QCOMPARE(replay.step(replay.wordAfter(11, 64).step).asked, Asked::sharedAtomic);

    QCOMPARE(replay.warpsAfter(1)[0].doing, Doing::waiting); // its only step is done
    QCOMPARE(replay.warpsAfter(1)[1].doing, Doing::running);
    QCOMPARE(replay.warpsAfter(1)[0].step->line, lines.barrier);
    QCOMPARE(replay.warpsAfter(3)[1].doing, Doing::waiting);
    QCOMPARE(replay.warpsAfter(4)[0].doing, Doing::running);
    QCOMPARE(replay.warpsAfter(4)[0].lanes, 0xffffffffu);
    QCOMPARE(replay.warpsAfter(4)[0].step->line, lines.fold);
    QCOMPARE(replay.step(5).lanes, 0x80000000u); // thread 63
    QCOMPARE(replay.warpsAfter(8)[0].lanes, 0xffffffffu);
    QCOMPARE(replay.warpsAfter(12)[1].doing, Doing::done);
    QCOMPARE(replay.warpsAfter(13)[0].doing, Doing::done);
    QVERIFY(replay.races().empty());
    QCOMPARE(endText(replay, 13), QString("The block is done."));
    QCOMPARE(wordText(replay, 3, 40), QString("word 40 of cell, bank 8: 40, stored by warp 1, lane 8 at "
                                              "block_kernels.cpp:%1, step 2")
                                          .arg(lines.store));
    QVERIFY(
        wordText(replay, 11, 64).contains(": 10 at the next barrier, last changed by an atomic of warp 0"));
    QVERIFY(wordText(replay, 0, 3).contains("nothing is stored there yet"));
    QVERIFY(stepText(replay, 3).contains("all 2 warps are here"));
    QVERIFY(stepText(replay, 2).startsWith("Warp 1, 32 lanes: a store of 4 bytes to shared cell at"));
  }

  void jumpsAreSteps_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("stage");
    QTest::newRow("reduce.v2") << "reduce.v2" << int(Stage::reduce);
    QTest::newRow("reduce.v7") << "reduce.v7" << int(Stage::reduce);
    QTest::newRow("reduce.general") << "reduce.general" << int(Stage::reduce);
    QTest::newRow("fused.v1") << "fused.v1" << int(Stage::fused);
    QTest::newRow("classify.v3") << "classify.v3" << int(Stage::classify);
    QTest::newRow("update.v1") << "update.v1" << int(Stage::update);
  }
  /// After any step the states are those of going there one step after the other, whatever was looked at
  /// before; and what warps are said to do is what they do.
  void jumpsAreSteps() {
    QFETCH(QString, id);
    QFETCH(int, stage);
    const auto block = blockOf(qPrintable(id), static_cast<Stage>(stage), {.n = 300, .d = 2, .k = 5},
                               stage == int(Stage::update) ? 0 : 128);
    QVERIFY2(block->why.isEmpty(), qPrintable(block->why));
    const BlockReplay replay(block);
    QVERIFY(replay.size() > 0);
    std::size_t words = 0;
    for (const auto& array : block->sharedArrays)
      words = std::max(words, (array.offset + array.bytes) / 4);
    Naive naive(replay);
    std::vector<Seen> forward{look(replay, 0, words)};
    for (std::size_t number = 1; number <= replay.size(); ++number) {
      naive.take(number);
      forward.push_back(look(replay, number, words));
      for (std::size_t word = 0; word < words; ++word)
        QCOMPARE(forward.back().words[word], naive.word(word));
    }
    for (std::size_t number = replay.size() + 1; number-- > 0;)
      QVERIFY(look(replay, number, words) == forward[number]);
    for (std::size_t number = 1; number < replay.size(); ++number) {
      const auto next = std::ranges::upper_bound(replay.barriers(), number - 1);
      const bool atBarrier = next != replay.barriers().end() && *next == number;
      for (std::size_t warp = 0; warp < replay.warps(); ++warp) {
        const BlockReplay::WarpState& state = forward[number].warps[warp];
        bool goesOn = false;
        for (std::size_t later = number + 1; !atBarrier && later <= replay.size(); ++later) {
          if (!replay.warpOf(later)) break;
          goesOn = goesOn || replay.warpOf(later) == warp;
        }
        QCOMPARE(state.doing == Doing::running, goesOn);
        if (replay.warpOf(number) == warp && goesOn) QCOMPARE(state.step, &replay.step(number));
      }
    }
  }

  /// Nothing is lost or made up on the way into one order.
  void theStepsAreTheRequests() {
    for (const auto& [id, stage] :
         {std::pair("reduce.v2", Stage::reduce), std::pair("fused.v1", Stage::fused),
          std::pair("reduce.v7", Stage::reduce)}) {
      const CountInput input = inputOf(id, stage, {.n = 500, .d = 2, .k = 5}, 128);
      const StageCount whole = countStage(input, labelsBefore(input), input.subject.variant, nullptr);
      QVERIFY2(whole.trace, qPrintable(whole.why));
      simt::Counters sum;
      for (std::uint32_t at = 0; at < whole.trace->blocks; ++at) {
        const BlockReplay replay(std::make_shared<const BlockRequests>(blockRequests(input, at, nullptr)));
        sum.barriers += replay.barriers().size();
        for (std::size_t number = 1; number <= replay.size(); ++number) {
          if (!replay.warpOf(number)) continue;
          const simt::WarpStep& step = replay.step(number);
          if (step.asked < Asked::barrier) ++sum.requests;
          if (step.asked < Asked::barrier) sum.lanes += static_cast<unsigned>(std::popcount(step.lanes));
          if (step.asked == Asked::sharedAtomic) ++sum.sharedAtomics;
          if (step.asked == Asked::sharedLoad || step.asked == Asked::sharedStore) ++sum.sharedRequests;
        }
      }
      const simt::Counters& counted = whole.trace->counters;
      QCOMPARE(sum.barriers, counted.barriers);
      QCOMPARE(sum.requests, counted.requests);
      QCOMPARE(sum.lanes, counted.lanes);
      QCOMPARE(sum.sharedAtomics, counted.sharedAtomics);
      QCOMPARE(sum.sharedRequests, counted.sharedRequests);
    }
  }

  void aRaceHasBothSteps() {
    const Recorded recorded = record("raced");
    const BlockReplay replay(recorded.block);
    const Lines lines = linesOf("raced");
    QCOMPARE(recorded.trace.races, std::uint64_t{1});
    QCOMPARE(replay.races().size(), std::size_t{1});
    const BlockReplay::Race& race = replay.races().front();
    QCOMPARE(race.word, 32u);
    QCOMPARE(race.words, std::size_t{1});
    QVERIFY(!race.sameValue);
    QCOMPARE(replay.step(race.first).line, lines.store);
    QCOMPARE(replay.step(race.second).line, lines.load);
    QCOMPARE(replay.warpOf(race.first), std::optional<std::size_t>(1));
    // Each warp stores nought and meets the other (1 to 3). The lanes ran the load first; here it is behind.
    QCOMPARE(race.first, std::size_t{5});
    QCOMPARE(race.second, std::size_t{6});
    QCOMPARE(
        raceText(replay, race),
        QString("A race on word 32 of cell: warp 1, lane 0 stores to it at block_kernels.cpp:%1 (step 5) "
                "and warp 0, lane 0 loads it at block_kernels.cpp:%2 (step 6), and nothing orders the two.")
            .arg(lines.store)
            .arg(lines.load));
  }

  /// In the second launch too, where the same thread does the same to the same word.
  void aRaceWithAnotherBlockHasItsStep() {
    const Recorded recorded = record("between blocks", 2);
    const BlockReplay replay(recorded.block);
    const Lines lines = linesOf("between blocks");
    QCOMPARE(recorded.trace.races, std::uint64_t{2});
    QCOMPARE(replay.size(), std::size_t{4});
    QCOMPARE(replay.races().size(), std::size_t{2});
    QCOMPARE(replay.namedRace(), &replay.races().front());
    for (const BlockReplay::Race& race : replay.races()) {
      QVERIFY(race.other && race.first == 0 && !race.sameValue);
      QCOMPARE(race.other->there.block, 0u);
      QCOMPARE(replay.step(race.second).line, lines.load);
      QCOMPARE(raceText(replay, race),
               QString("A race with block 0 on a word of global memory: warp 1, lane 1 loads it at "
                       "block_kernels.cpp:%1 (step %2) and thread 33 there stores to it at "
                       "block_kernels.cpp:%3, and nothing orders the two.")
                   .arg(lines.load)
                   .arg(race.second)
                   .arg(lines.store));
    }
    QCOMPARE(replay.races()[0].second, std::size_t{1});
    QCOMPARE(replay.races()[1].second, std::size_t{3});
  }

  void aFaultEndsTheRecord() {
    const Recorded past = record("past the end");
    const BlockReplay replay(past.block);
    // What went well: the first warp's stores, of the second that of thread 32, which then went past the end.
    QCOMPARE(replay.size(), std::size_t{3});
    QCOMPARE(replay.step(2).lanes, 1u);
    QCOMPARE(replay.end(), BlockReplay::End::fault);
    QCOMPARE(replay.warpsAfter(2)[1].doing, Doing::running); // nobody knows yet
    QCOMPARE(replay.warpsAfter(3)[1].doing, Doing::stopped);
    QVERIFY2(endText(replay, 3).contains("uses index 64"), qPrintable(endText(replay, 3)));
    QVERIFY(endText(replay, 2).isEmpty());
    // What is shown is what is counted.
    QCOMPARE(past.trace.counters.sharedRequests, std::uint64_t{2});
    QCOMPARE(past.trace.counters.globalStoreRequests, std::uint64_t{1});
    QCOMPARE(past.trace.counters.warpLines, std::uint64_t{3});

    const BlockReplay stuck(record("divergent").block);
    QCOMPARE(stuck.size(), std::size_t{2});
    QCOMPARE(stuck.end(), BlockReplay::End::fault);
    QVERIFY(stuck.barriers().empty());
    QVERIFY(endText(stuck, 2).contains("wait at different barriers"));
    const std::vector<BlockReplay::WarpState> waiting = stuck.warpsAfter(2);
    QCOMPARE(waiting[0].doing, Doing::stopped);
    QCOMPARE(waiting[0].lanes, 0x00ffffffu);                // the others of the warp wait elsewhere
    QVERIFY(waiting[0].step->line < waiting[1].step->line); // the barriers' own lines
    QVERIFY2(warpText(stuck, waiting[1]).endsWith(": 32 lanes wait at the barrier"),
             qPrintable(warpText(stuck, waiting[1])));
    QCOMPARE(stuck.warpsAfter(1)[1].doing, Doing::running); // nobody knows yet
  }

  /// Of a long block as much is kept as the bound says, and no warp goes on where another is not known.
  void aLongBlockIsCut() {
    const Recorded recorded = record("long");
    const BlockReplay replay(recorded.block);
    constexpr std::size_t share = simt::Recorder::mostSteps / 2;
    QVERIFY(recorded.trace.stepsCut);
    QCOMPARE(replay.size(), share + 10);
    QCOMPARE(replay.end(), BlockReplay::End::cut);
    QVERIFY(endText(replay, replay.size()).contains("262,144 steps"));
    QCOMPARE(replay.wordAfter(replay.size(), 3).bits, std::uint32_t{share - 1});
    QCOMPARE(replay.wordAfter(20, 3).bits, 9u);
    QCOMPARE(replay.wordAfter(20, 35).bits, 9u);
    QCOMPARE(replay.warpsAfter(replay.size())[0].doing, Doing::running);
    // A step, what its lanes store, and twice that for the words' histories; vectors may be half empty.
    constexpr std::size_t ofStep =
        sizeof(simt::WarpStep) + 32 * sizeof(std::uint32_t) + 32 * sizeof(std::uint64_t) + 16;
    QVERIFY(replay.bytes() < 2 * simt::Recorder::mostSteps * ofStep);
    QVERIFY(replay.bytes() > share * sizeof(simt::WarpStep));
    std::atomic<bool> cancelled = true;
    QVERIFY_THROWS_EXCEPTION(Cancelled, BlockReplay(recorded.block, &cancelled));
  }

  void launchesBeginAnew() {
    const BlockReplay replay(record("fold", 2).block);
    QCOMPARE(replay.size(), std::size_t{26});
    QCOMPARE(replay.launches(), 2u);
    QCOMPARE(replay.launchOf(13), 0u);
    QCOMPARE(replay.launchOf(14), 1u);
    QVERIFY(replay.wordAfter(13, 40).step != 0);
    QCOMPARE(replay.wordAfter(14, 40).step, std::size_t{0});
    QCOMPARE(replay.wordAfter(15, 40).step, std::size_t{15});
    QCOMPARE(replay.warpsAfter(13)[0].doing, Doing::done);
    QCOMPARE(replay.warpsAfter(14)[1].doing, Doing::running);
  }

  void smallElementsShareAWord() {
    const BlockReplay replay(record("halves").block);
    QCOMPARE(valueText(replay, 3, 2), QString("4, 5"));
    QVERIFY(wordText(replay, 3, 2).startsWith("word 2 of cell, bank 2: 4, 5, stored by warp 0, lane 5"));
  }

  /// Who races is found once; a measurement is waited for.
  void theServiceLooksOnDemand() {
    DeviceLease lease;
    MemoryService requests(lease);
    BlockService service(requests, lease);
    const auto input = std::make_shared<const CountInput>(
        inputOf("reduce.v2", Stage::reduce, {.n = 500, .d = 2, .k = 4}, 128));
    QSignalSpy looked(&service, &BlockService::looked);
    service.look(input, 1);
    QVERIFY(QTest::qWaitFor([&] { return service.complete(); }, 20000));
    QCOMPARE(looked.count(), 1);
    QCOMPARE(service.found()->block()->block, 1u);
    QCOMPARE(service.found()->block(), requests.found()); // kept once
    const auto first = service.found();
    service.look(input, 1);
    QCOMPARE(looked.count(), 2);
    QCOMPARE(service.found(), first);
    {
      const DeviceLease::Hold hold = lease.take("a race");
      service.look(input, 2);
      QTest::qWait(100);
      QVERIFY(!service.complete());
      QCOMPARE(service.found(), first);
    }
    QVERIFY(QTest::qWaitFor([&] { return service.complete(); }, 20000));
    QCOMPARE(service.found()->block()->block, 2u);
    service.forget();
    QVERIFY(!service.found() && service.complete());
    // Who looks at memory alone needs no replay.
    requests.look(input, 0);
    QVERIFY(QTest::qWaitFor([&] { return requests.complete(); }, 20000));
    QVERIFY(!service.found());
  }
};

QTEST_GUILESS_MAIN(TestBlockReplay)
#include "tst_block_replay.moc"
