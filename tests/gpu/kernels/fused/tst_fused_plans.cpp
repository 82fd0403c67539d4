// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine/clustering.hpp"
#include "tests/gpu/kernels/fused/fused_launch.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/placed_points.hpp"

#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// What a person could see after a step.
struct Seen {
  std::vector<Label> labels;
  std::vector<std::uint32_t> sizes;
  std::optional<std::uint64_t> changed;
  std::vector<float> centroids;
  int iterations = 0;
  bool halfway = false;
};

/// A clustering with its points, which takes steps by one plan or another: 0 is classify and reduce, with
/// labels of four bytes, 1, 2 and 3 are fused.v1, v2 and v3, the last of which works in tiles, and 4 is the
/// same with tiles of another size.
class Rig {
public:
  /// unseen: nobody looks at the labels of iterations, so that they are in the tiled layout.
  Rig(Device& device, const HostProblem& host, bool unseen)
      : host_(host), points_(device, host.problem.n, host.problem.d, host.points.data(), unseen),
        layouts_(device, host.problem.n, host.problem.d), clustering_(device, host.problem, layouts_) {
    clustering_.restore({.centroids = host.centroids});
    const auto variant = [](const char* id) { return Registry::instance().find(id); };
    plans_[0].classify = variant("classify.general");
    plans_[0].reduce = variant("reduce.general");
    plans_[1].fused = variant("fused.v1");
    plans_[2].fused = variant("fused.v2");
    plans_[3].fused = plans_[4].fused = variant("fused.v3");
    plans_[4].tuning.items = 128;
    for (Plan& plan : plans_)
      plan.update = variant("update.v1");
  }

  /// i: an iteration; c, u: its halves; s: a classify half whose labels stay at the back, and the update that
  /// reads them there; l: the labels once more; f: labels that belong to the new centroids, to be looked at;
  /// o: an iteration after such a look; 0 ... 9 with b: back to what the step of that number left.
  /// What takes two plans takes the other one for the second.
  Seen step(char what, std::size_t planNumber, std::size_t otherNumber) {
    const Plan& plan = plans_[planNumber];
    const Plan& other = plans_[otherNumber];
    PointMemory memory = points_.map();
    memory.box = boxOf(host_.points.data(), host_.problem.n, host_.problem.d);
    bool flip = true;
    IterationResult result = results_.empty() ? IterationResult() : results_.back();
    switch (what) {
    case 'i':
      result = clustering_.advance(plan, memory, {.inertia = true});
      break;
    case 'o':
      clustering_.recoverOldLabels(other, memory);
      result = clustering_.advance(plan, memory, {.inertia = true});
      break;
    case 'c':
      result = clustering_.advance(plan, memory, {.half = Half::classify, .inertia = true});
      break;
    case 'u':
      flip = !clustering_.readyToUpdate(plan); // then the labels are written once more, and are not the front
      if (flip) clustering_.relabel(plan, memory, clustering_.state());
      result = clustering_.advance(plan, memory, {.half = Half::update, .written = flip});
      break;
    case 's':
      clustering_.advance(plan, memory, {.half = Half::classify, .inertia = true});
      result = clustering_.advance(other, memory, {.half = Half::update, .written = true});
      break;
    case 'l':
      clustering_.relabel(plan, memory, clustering_.state());
      break;
    case 'f':
      clustering_.finish(plan, memory, clustering_.state());
      break;
    default: {
      const auto to = static_cast<std::size_t>(what - '0');
      const bool halfway = results_[to].halfway;
      result = results_[to];
      const auto state = Clustering::State::after(result, halfway && to > 0 ? results_[to - 1].usedCentroids
                                                                            : std::vector<float>());
      clustering_.relabel(plan, memory, state);
      clustering_.restore(state);
    }
    }
    points_.unmap(flip);
    results_.push_back(result);
    Seen seen{.labels = points_.labels(),
              .sizes = result.sizes,
              .changed = result.changed,
              .centroids = clustering_.state().centroids,
              .iterations = clustering_.state().iterations,
              .halfway = clustering_.halfway()};
    inertia_ = result.inertia.value_or(-1);
    return seen;
  }
  [[nodiscard]] double inertia() const { return inertia_; } ///< of the last step
  [[nodiscard]] LabelLayout layout() const { return points_.layout(); }

private:
  const HostProblem& host_;
  PlacedPoints points_;
  PointLayouts layouts_;
  Clustering clustering_;
  std::array<Plan, 5> plans_;
  std::vector<IterationResult> results_;
  double inertia_ = -1;
};

} // namespace

/// Iterations and halves by classify and reduce, whose labels have four bytes, and by fused variants, whose
/// labels have as few as will do, one after another in every order: nothing that a person sees may differ.
class TestFusedPlans : public QObject {
  Q_OBJECT

private slots:
  void changingThePlanChangesNothing_data() {
    QTest::addColumn<int>("backend");
    QTest::addColumn<int>("k");
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("plans");
    struct Row {
      const char* name;
      const char* steps;
      const char* plans;
    };
    const std::array<Row, 17> rows{{
        {"iterations", "iiiiiii", "0102120"},
        {"iterations, fused first", "iiiiii", "101200"},
        {"halves", "cucucucu", "01102210"},
        {"halves, same plan", "cucucu", "110022"},
        {"halves behind the front", "ssss", "0120"},
        {"labels once more", "iliclul", "0110201"},
        {"labels once more, in the middle", "cluclluil", "101001201"},
        {"a look between", "iifoifofo", "010210210"},
        {"back", "iicui1i2ui", "0120120010"},
        {"back by a fused variant", "iicui1i2ui", "0210211101"},
        {"in tiles", "iiiiiiiii", "333031133"},
        {"halves in tiles", "cucucucus", "330330313"},
        {"labels once more, from tiles", "iliclulf", "33303333"},
        {"a look between, in tiles", "iifoifofo", "330310333"},
        {"back in tiles", "iicui1i2ui", "3303303313"},
        {"in tiles of two sizes", "iiiiiicuiss", "33443403432"},
        {"a look at tiles of another size", "iifoifofoli", "33443343343"},
    }};
    for (const Backend backend : {Backend::simt, Backend::cuda})
      for (const int k : {5, 256, 300})
        for (const Row& row : rows)
          QTest::addRow("%s, k %d, %s", row.name, k, name(backend).data())
              << static_cast<int>(backend) << k << QString::fromLatin1(row.steps)
              << QString::fromLatin1(row.plans);
  }

  void changingThePlanChangesNothing() {
    QFETCH(int, backend);
    QFETCH(int, k);
    QFETCH(QString, steps);
    QFETCH(QString, plans);
    const Found found = findDevice(static_cast<Backend>(backend));
    if (!found.device) QSKIP(found.why.c_str());
    const HostProblem host = makeProblem(PointKind::uniform, {701, k == 256 ? 1 : 2, k});
    Rig plain(*found.device, host, false);
    Rig changing(*found.device, host, false);
    Rig unseen(*found.device, host, true);
    for (qsizetype at = 0; at < steps.size(); ++at) {
      const char what = steps[at].toLatin1();
      const auto plan = static_cast<std::size_t>(plans[at].toLatin1() - '0');
      const auto able = [&](std::size_t number) {
        return k > 256 && number >= 2 ? 1 : number; // fused.v2 and fused.v3 take no more
      };
      const Seen right = plain.step(what, 0, 0);
      for (Rig* rig : {&changing, &unseen}) {
        const Seen seen = rig->step(what, able(plan), able((plan + 1) % 5));
        const QByteArray where = QStringLiteral("step %1 of %2%3")
                                     .arg(at)
                                     .arg(steps, QString::fromLatin1(rig == &unseen ? ", unseen" : ""))
                                     .toUtf8();
        QVERIFY2(seen.labels == right.labels, where.constData());
        QVERIFY2(seen.changed == right.changed, where.constData());
        QVERIFY2(seen.sizes == right.sizes, where.constData());
        QVERIFY2(seen.iterations == right.iterations && seen.halfway == right.halfway, where.constData());
        for (std::size_t v = 0; v < right.centroids.size(); ++v)
          QVERIFY2(std::abs(seen.centroids[v] - right.centroids[v]) <= 1e-5f, where.constData());
        QVERIFY2(std::abs(rig->inertia() - plain.inertia()) <= 1e-4 * plain.inertia() + 1e-9 ||
                     plain.inertia() < 0,
                 where.constData());
      }
    }
  }

  /// Otherwise the function above would have met one width only.
  void plansWriteLabelsInTheirOwnForm() {
    const Found found = findDevice(Backend::simt);
    for (const int k : {5, 300}) {
      const HostProblem host = makeProblem(PointKind::uniform, {700, 2, k});
      Rig rig(*found.device, host, true);
      rig.step('i', 0, 0);
      QVERIFY(rig.layout() == LabelWidth::four);
      rig.step('i', 1, 1);
      QVERIFY(rig.layout() == (k <= 256 ? LabelWidth::one : LabelWidth::two));
      rig.step('i', 0, 0);
      QVERIFY(rig.layout() == LabelWidth::four);
      if (k > 256) continue;
      rig.step('i', 3, 3);
      QVERIFY(rig.layout() == LabelLayout(LabelWidth::one, 256));
      rig.step('i', 4, 4);
      QVERIFY(rig.layout() == LabelLayout(LabelWidth::one, 128));
      rig.step('l', 4, 4);
      QVERIFY(rig.layout() == LabelWidth::one);
    }
  }
};

QTEST_GUILESS_MAIN(TestFusedPlans)
#include "tst_fused_plans.moc"
