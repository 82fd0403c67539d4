// SPDX-License-Identifier: GPL-3.0-or-later
// What the questions of lessons on schedules, processors and data are answered with, against numbers that are
// found in another way.
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/teach/predict/predict_service.hpp"
#include "app/model/teach/predict/prediction.hpp"
#include "gpu/cpu/cpu_device.hpp"
#include "gpu/reference/reference.hpp"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace lloyd;

namespace {

constexpr double sets = 4;
constexpr int k = 9;
constexpr Problem problem{1024, 2, k}; // rows have no padding

SharedPointSet blobs() {
  DataRequest request;
  request.generator = "blobs:n=1024,d=2,k=5";
  return *loadPoints(request, {}, nullptr);
}

RunCounts runOf(const char* id, const Tuning& tuning = {}) {
  return countRun(*Registry::instance().find(id), *blobs(), k, Init{}, tuning, nullptr);
}

/// The first iteration, from 1, that changes no label, in double precision.
int iterationsNeeded() {
  const SharedPointSet points = blobs();
  std::vector<double> centroids =
      reference::asDoubles(startingCentroids(*points, problem, Init{}, 1, nullptr));
  std::vector<Label> before;
  for (int iteration = 1;; ++iteration) {
    const std::vector<Label> labels = reference::classify(problem, points->values, centroids);
    if (labels == before) return iteration;
    before = labels;
    const reference::Reduction sum = reference::reduce(problem, points->values, labels, centroids);
    for (std::size_t c = 0; c < k; ++c)
      for (std::size_t j = 0; j < 2; ++j)
        if (sum.counts[c] > 0) centroids[c * 2 + j] += sum.sums[c * 2 + j] / sum.counts[c];
  }
}

/// One number of a run; not a number where it has none.
double of(const RunCounts& run, const char* name) {
  return runQuantity(QString::fromLatin1(name), run)->value.value_or(NAN);
}

Answer answered(const QString& line) {
  const Question question = readQuestions(line, QStringLiteral("x")).all.at(0);
  return answerTo(question, nullptr, {{askedKey(question), countAsked(question, nullptr, nullptr)}}).value();
}

} // namespace

class TestRunCounts : public QObject {
  Q_OBJECT
private slots:
  void schedulesOrderWhatTheirRulesSay() {
    const double needed = iterationsNeeded();
    QVERIFY2(needed > 3, qPrintable(QString::number(needed)));
    const double pointBytes = 1024 * 2 * 4, centroidBytes = k * 2 * 4;

    const RunCounts sync = runOf("schedule.sync");
    QCOMPARE(sync.iterations, sets * needed);
    QCOMPARE(of(sync, "launches"), sets * needed * 3);
    // Behind the copies up and down, and in each iteration behind three kernels and for the flag.
    QCOMPARE(of(sync, "host waits"), sets * (2 + needed * 4));
    QCOMPARE(of(sync, "bytes up"), sets * (pointBytes + centroidBytes));
    QCOMPARE(of(sync, "queues"), 1.0);
    QCOMPARE(of(sync, "extra iterations"), 0.0);
    QVERIFY2(sync.setting.contains(QStringLiteral("needs %1 iterations").arg(needed)),
             qPrintable(sync.setting));

    const RunCounts single = runOf("schedule.single");
    QCOMPARE(of(single, "host waits"), sets * needed + 1);
    QCOMPARE(of(single, "launches"), of(sync, "launches"));
    QCOMPARE(of(single, "queue waits"), 0.0);

    const RunCounts multi = runOf("schedule.multi");
    QCOMPARE(of(multi, "queues"), 4.0);
    QCOMPARE(of(multi, "queue waits"), sets - 1);
    QCOMPARE(of(multi, "events recorded"), sets * (needed + 1));
    QCOMPARE(of(multi, "host waits"), sets * needed + 4);

    const RunCounts prefetch = runOf("schedule.prefetch");
    QCOMPARE(of(prefetch, "queues"), 5.0);
    QCOMPARE(of(prefetch, "queue waits"), sets);
    QCOMPARE(of(prefetch, "copies up"), sets * 2);

    const RunCounts unordered = runOf("schedule.unordered");
    QCOMPARE(of(unordered, "queue waits"), 0.0);
    QCOMPARE(of(unordered, "copies down"), sets * (needed + 3));
    QCOMPARE(of(unordered, "events recorded"), sets * needed + sets); // a flag's each, and the points'

    const RunCounts batched = runOf("schedule.batched");
    QCOMPARE(of(batched, "launches"), 2 * needed);
    QCOMPARE(of(batched, "host waits"), needed + 2); // before it begins and at its end

    const RunCounts graph = runOf("schedule.graph");
    QCOMPARE(of(graph, "launches"), 1.0);
    QCOMPARE(of(graph, "rounds"), needed);
    QCOMPARE(of(graph, "host waits"), 1.0);
    QCOMPARE(graph.iterations, needed);
  }

  void streamsAndLateAreThePersons() {
    Tuning tuning;
    tuning.streams = 2;
    tuning.late = 3;
    const RunCounts multi = runOf("schedule.multi", tuning);
    QCOMPARE(of(multi, "queues"), 2.0);
    QCOMPARE(of(multi, "extra iterations"), sets * 3);
    QVERIFY2(multi.setting.contains("streams\u00a02, late\u00a03"), qPrintable(multi.setting));
    // A set that is done is ended on the card, however late the host looks.
    QCOMPARE(of(runOf("schedule.batched", tuning), "extra iterations"), 0.0);
  }

  void processorsTakeWhatTheirRulesSay() {
    const double n = problem.n;
    const RunCounts v1 = runOf("cpu.v1");
    QCOMPARE(of(v1, "points taken"), 2 * n);
    QCOMPARE(of(v1, "bytes of points"), 2 * n * 2 * 4);
    QCOMPARE(of(v1, "new labels"), n);
    QCOMPARE(of(v1, "parts"), 0.0);
    const QString target = QString::fromStdString(createCpuDevice()->info().runtime);
    const RunCounts v2 = runOf("cpu.v2");
    QCOMPARE(of(v2, "points taken"), 2 * n);
    if (target == QLatin1String("AVX-512") || target.startsWith(QLatin1String("AVX2"))) {
      const double lanes = target == QLatin1String("AVX-512") ? 16 : 8;
      QCOMPARE(of(v2, "points of a vector"), lanes);
      QCOMPARE(of(v2, "vectors labelled"), n / lanes);
      // Tiles have twelve clusters there, or six, and nine are asked for.
      QCOMPARE(of(runOf("cpu.v4"), "scores of a point"), 12.0);
    }
    const RunCounts v3 = runOf("cpu.v3");
    QCOMPARE(of(v3, "points taken"), n);
    QCOMPARE(of(v3, "blocks taken"), 1.0);
    QCOMPARE(of(v3, "parts"), 1.0);
    const RunCounts v4 = runOf("cpu.v4");
    QCOMPARE(of(v4, "points taken"), n);
    QCOMPARE(of(v4, "points of a block"), 512.0);
    QVERIFY(std::isnan(of(v3, "scores of a point")));
  }

  void partsAreSharedByThreadsWhereThereAreManyPoints() {
    QCOMPARE(answered("? parts of cpu.v3 with `uniform:n=65536,d=2;k=16`: How many?").value, 4.0);
    QCOMPARE(answered("? blocks taken of cpu.v3 with `uniform:n=65536,d=2;k=16`: How many?").value, 64.0);
    QCOMPARE(answered("? points taken of cpu.v4 with `uniform:n=65536,d=2;k=16`: How many?").value, 65536.0);
  }

  void pointsThatScoresCannotTellAboutAreInDoubt() {
    PointSet points = *blobs();
    std::fill(points.values.begin(), points.values.end(), 1.0f); // all centroids are one point
    const RunCounts run = countRun(*Registry::instance().find("cpu.v4"), points, k,
                                   {.kind = InitKind::first, .given = {}, .path = {}}, {}, nullptr);
    QCOMPARE(of(run, "points in doubt"), static_cast<double>(problem.n));
  }

  /// Bands are clusters: which lanes meet can be told from the points alone.
  void turnsOfAnAtomicFollowTheOrderOfThePoints() {
    for (const char* order : {"sorted", "shuffled"}) {
      const QString spec = QStringLiteral("bands:n=4096,d=1,spread=1,order=%1").arg(order);
      DataRequest request;
      request.generator = spec.toStdString();
      const SharedPointSet points = *loadPoints(request, {}, nullptr);
      double most = 0;
      for (std::size_t warp = 0; warp < 128; ++warp) {
        std::array<int, 16> lanes{};
        for (std::size_t i = warp * 32; i < warp * 32 + 32; ++i)
          ++lanes.at(
              static_cast<std::size_t>(std::clamp(std::lround((points->values[i] - 10) / 100), 0L, 15L)));
        most += *std::ranges::max_element(lanes);
      }
      const Answer answer = answered(
          QStringLiteral("? turns an atomic of reduce.v1 with `%1;k=16;block=128`: How many?").arg(spec));
      QVERIFY2(std::abs(answer.value - most / 128) < 1e-9, qPrintable(answer.text));
      QCOMPARE(answer.value == 32, QLatin1String(order) == QLatin1String("sorted"));
    }
  }

  void theServiceCountsOnceForTheSamePoints() {
    DeviceLease lease;
    PredictService service(lease);
    int counted = 0;
    connect(&service, &PredictService::counted, &service, [&] { ++counted; });
    const auto questions = [](const QString& text) { return readQuestions(text, QStringLiteral("x")).all; };
    const QString one = "? launches of schedule.graph with `blobs:n=256,d=2;k=4`: How many?";
    service.count(questions(one + "\n? host waits of schedule.graph with `blobs:n=256,d=2;k=4`: How many?"),
                  {});
    QVERIFY(!service.complete());
    QTRY_VERIFY_WITH_TIMEOUT(service.complete(), 30000);
    QCOMPARE(service.counts().size(), std::size_t{1}); // one run answers both
    service.count(questions(one), {});
    QVERIFY(service.complete() && counted == 1 && service.counts().size() == 1);
    service.count(questions("? launches of schedule.sync with `blobs:n=256,d=2;k=4`: How many?"), {});
    QVERIFY(service.counts().empty());
    QTRY_COMPARE_WITH_TIMEOUT(counted, 2, 30000);

    const DeviceLease::Hold hold = lease.take(QStringLiteral("it measures"));
    service.count(questions(one), {});
    QTest::qWait(100);
    QVERIFY(!service.complete() && service.counts().empty()); // makes way
  }
};

QTEST_GUILESS_MAIN(TestRunCounts)
#include "tst_run_counts.moc"
