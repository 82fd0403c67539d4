// SPDX-License-Identifier: GPL-3.0-or-later
// The scheduling article's shape in small: a few sets, a queue each, a flag that the host looks at one
// iteration late. Its defects are planted one at a time, and each is reported with both operations, in
// whatever order the queues happen to take turns; without them there is nothing to report.
#include "gpu/core/contract/error.hpp"
#include "tests/gpu/simt/queue/planted.hpp"
#include "tests/gpu/simt/queue/queue_kernels.hpp"

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// As the article prints them; the comment has the line of its text.
enum class Defect {
  none,
  waitsTooEarly,    ///< 2: for an event that another thread may not have recorded yet (381)
  waitsForNothing,  ///< 3: for an event that nobody ever records (773)
  recordsAnothers,  ///< 4: every stream records stream 0's event (425, 622, 806)
  looksWithoutWait, ///< 5: the tail loop polls the flag (417)
  oneFlag,          ///< 6: one word for the flags of all iterations
  neverCleared,     ///< 7: the flag on the card, before the first kernel
  printsAtOnce      ///< 10: the results, right behind their copy (435)
};

constexpr std::size_t n = 96;
constexpr std::size_t sets = 3;
constexpr std::size_t iterations = 4;
constexpr std::size_t late = 1;

/// Where the operations stand that reports name.
struct Spots {
  Spot waits{CallSite{__FILE__, __LINE__}};
  Spot records{CallSite{__FILE__, __LINE__}};
  Spot behindTheWait{CallSite{__FILE__, __LINE__}};
  Spot counts{CallSite{__FILE__, __LINE__}};
  Spot flagMade{CallSite{__FILE__, __LINE__}};
  Spot flagComes{CallSite{__FILE__, __LINE__}};
  Spot looks{CallSite{__FILE__, __LINE__}};
  Spot resultComes{CallSite{__FILE__, __LINE__}};
  Spot prints{CallSite{__FILE__, __LINE__}};
};

/// One set: its points are doubled by each iteration, and counted.
struct Set {
  explicit Set(Device& device, const Spots& spots)
      : source(device, n), result(device, n), flags(device, late + 1), points(device, n), next(device, n),
        changed(device, 1, spots.flagMade), copied(device.createEvent()), queue(device.createQueue()) {
    for (std::size_t i = 0; i < iterations; ++i)
      looked.push_back(device.createEvent());
  }
  HostBuffer<float> source;
  HostBuffer<float> result;
  HostBuffer<std::uint32_t> flags; ///< a ring
  Buffer<float> points;
  Buffer<float> next;
  Buffer<std::uint32_t> changed;
  std::unique_ptr<Event> copied;
  std::vector<std::unique_ptr<Event>> looked;
  std::unique_ptr<Queue> queue;
};

class Run {
public:
  Run(Device& device, Defect defect) : device_(device), defect_(defect) {
    for (std::size_t s = 0; s < sets; ++s)
      sets_.emplace_back(device, spots);
  }

  void operator()() {
    for (std::size_t s = 0; s < sets; ++s)
      std::ranges::fill(sets_[s].source.write(), static_cast<float>(s + 1));
    // A thread that comes first waits for one that comes later.
    if (is(Defect::waitsTooEarly))
      for (std::size_t s = sets; s-- > 0;)
        copyUp(s);
    else
      for (std::size_t s = 0; s < sets; ++s)
        copyUp(s);
    for (std::size_t i = 0; i < iterations; ++i) {
      for (std::size_t s = 0; s < sets; ++s)
        iterate(s, i);
      if (i >= late)
        for (std::size_t s = 0; s < sets; ++s)
          look(s, i - late);
    }
    for (std::size_t s = 0; s < sets; ++s)
      takeResult(s);
  }

  Spots spots;
  bool right = true; ///< all values that the host has seen

private:
  [[nodiscard]] bool is(Defect defect) const { return defect == defect_; }

  /// One after another over all sets, as one bus would have it.
  void copyUp(std::size_t s) {
    Set& set = sets_[s];
    if (s > 0) set.queue->wait(*sets_[s - 1].copied, spots.waits);
    set.queue->upload(set.points.data(), set.source.data(), set.source.bytes(), spots.behindTheWait);
    set.queue->record(*set.copied, spots.records);
    if (is(Defect::waitsForNothing)) {
      const auto never = device_.createEvent();
      set.queue->wait(*never, spots.waits);
    }
    if (!is(Defect::neverCleared))
      set.queue->fill(set.changed.data(), 0, set.changed.bytes(), spots.behindTheWait);
  }

  [[nodiscard]] std::size_t flagOf(std::size_t i) const { return is(Defect::oneFlag) ? 0 : i % (late + 1); }

  void iterate(std::size_t s, std::size_t i) {
    Set& set = sets_[s];
    set.queue->launch(
        "counting",
        [&set](LaunchContext& context) { launchCount(context, set.points.data(), set.changed.data(), n); },
        spots.counts);
    set.queue->download(set.flags.data() + flagOf(i), set.changed.data(), set.changed.bytes(),
                        spots.flagComes);
    set.queue->fill(set.changed.data(), 0, set.changed.bytes());
    set.queue->record(*(is(Defect::recordsAnothers) ? sets_[0] : set).looked[i]);
    set.queue->launch("doubling", [&set](LaunchContext& context) {
      launchDouble(context, set.points.data(), set.next.data(), n);
    });
    set.queue->copy(set.points.data(), set.next.data(), set.next.bytes());
  }

  void look(std::size_t s, std::size_t i) {
    Set& set = sets_[s];
    if (!is(Defect::looksWithoutWait))
      device_.waitFor(*(is(Defect::recordsAnothers) ? sets_[0] : set).looked[i]);
    const std::uint32_t changed = set.flags.read(flagOf(i), 1, spots.looks)[0];
    right = right && changed == n;
  }

  void takeResult(std::size_t s) {
    Set& set = sets_[s];
    set.queue->download(set.result.data(), set.points.data(), set.points.bytes(), spots.resultComes);
    if (!is(Defect::printsAtOnce)) set.queue->synchronize();
    const float wanted = static_cast<float>(s + 1) * (1 << iterations);
    for (const float value : set.result.read(spots.prints))
      right = right && value == wanted;
  }

  Device& device_;
  Defect defect_;
  std::vector<Set> sets_;
};

/// What the device reports of a run, in that order of turns.
struct Seen {
  QString report;
  Spots spots;
  bool right = false;
};
Seen see(const simt::Schedule& order, Defect defect) {
  const auto device = simt::createSimtDevice();
  device->setSchedule(order);
  Run run(*device, defect);
  const QString report = reportOf(*device, std::ref(run));
  return {report, run.spots, run.right};
}

} // namespace

class TestQueueArticle : public QObject {
  Q_OBJECT

private slots:
  void theRightScheduleHasNoReport() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::none);
      QCOMPARE(seen.report, QString());
      QVERIFY(seen.right);
    }
  }

  void defect2AWaitBeforeTheRecord() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::waitsTooEarly);
      REPORTS(seen.report, deed("the wait", 3, seen.spots.waits), deed("the record", 2, seen.spots.records));
    }
  }

  void defect3AWaitForNothing() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::waitsForNothing);
      REPORTS(seen.report, deed("the wait", 1, seen.spots.waits),
              deed("the fill", 1, seen.spots.behindTheWait));
    }
  }

  void defect4AnotherStreamsEvent() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::recordsAnothers);
      REPORTS(seen.report, QStringLiteral("the download of queue "), seen.spots.flagComes.text());
      REPORTS(seen.report, hostDeed("the reading", seen.spots.looks), QStringLiteral("no event or wait"));
    }
  }

  void defect5ALookWithoutAWait() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::looksWithoutWait);
      REPORTS(seen.report, QStringLiteral("the download of queue "), seen.spots.flagComes.text());
      REPORTS(seen.report, hostDeed("the reading", seen.spots.looks), QStringLiteral("no event or wait"));
    }
  }

  void defect6OneFlagForAllIterations() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::oneFlag);
      REPORTS(seen.report, QStringLiteral("the download of queue "), seen.spots.flagComes.text());
      REPORTS(seen.report, hostDeed("the reading", seen.spots.looks), QStringLiteral("no event or wait"));
    }
  }

  void defect7AFlagThatNobodyCleared() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::neverCleared);
      REPORTS(seen.report, QStringLiteral("counting of queue "), seen.spots.counts.text());
      REPORTS(seen.report, QStringLiteral("works atomically"),
              QStringLiteral("allocated at ") + seen.spots.flagMade.text());
    }
  }

  void defect10ResultsPrintedAtOnce() {
    for (const simt::Schedule& order : allOrders()) {
      const Seen seen = see(order, Defect::printsAtOnce);
      REPORTS(seen.report, QStringLiteral("the download of queue "), seen.spots.resultComes.text());
      REPORTS(seen.report, hostDeed("the reading", seen.spots.prints), QStringLiteral("no event or wait"));
    }
  }
};

QTEST_GUILESS_MAIN(TestQueueArticle)
#include "tst_queue_article.moc"
