// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette.hpp"
#include "app/ui/view/overlay.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/ui/compare/pair_fixture.hpp"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolButton>

#include <cmath>
#include <cstdlib>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr std::size_t plantedEvery = 100;

void plant(const ClassifyArgs& args, LaunchContext& context, std::size_t every) {
  Registry::instance().find("cpu.v1")->on(Backend::cpu).classify(args, context);
  for (std::size_t i = 0; i < args.problem.n; i += every)
    args.labels[i] = (args.labels[i] + 1) % args.problem.k;
}
void wrongAtTimes(const ClassifyArgs& args, LaunchContext& context) { plant(args, context, plantedEvery); }
void wrongAlways(const ClassifyArgs& args, LaunchContext& context) { plant(args, context, 1); }

SideChoice classifiedBy(const char* id) {
  SideChoice side;
  side.backend = BackendRequest::cpu;
  side.selection.classify = id;
  side.selection.reduce = "cpu.v1";
  return side;
}

/// The share of pixels that differ in columns [from, to) of two pictures.
double differenceIn(const QImage& a, const QImage& b, double from, double to) {
  const int left = static_cast<int>(from * a.width());
  const QRect part(left, 0, static_cast<int>(to * a.width()) - left, a.height());
  return difference(a.copy(part), b.copy(part));
}

int pixelsLike(const QImage& picture, Rgb wanted) {
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) {
      const QColor seen = picture.pixelColor(x, y);
      count += std::abs(seen.red() - wanted.r) + std::abs(seen.green() - wanted.g) +
                           std::abs(seen.blue() - wanted.b) <
                       40
                   ? 1
                   : 0;
    }
  return count;
}

} // namespace

/// Two runs on the screen.
class TestPairViews : public QObject {
  Q_OBJECT

private slots:
  void initTestCase() {
    for (const auto& [tag, classify] :
         {std::pair<std::string_view, Launch<ClassifyArgs>>{"attimes", wrongAtTimes},
          {"always", wrongAlways}}) {
      VariantInfo info;
      info.family = "planted";
      info.tag = tag;
      info.name = tag;
      info.layout = Layout::aos;
      Launchers launchers;
      launchers.classify = classify;
      QVERIFY(Registry::instance().add(info, Backend::cpu, launchers));
    }
  }

  void bothViewsDrawAndShareOneCamera_data() {
    QTest::addColumn<QString>("data");
    QTest::newRow("flat") << "blobs:n=3000,d=2,k=4";
    QTest::newRow("in space") << "blobs:n=3000,d=3,k=4";
  }
  void bothViewsDrawAndShareOneCamera() {
    QFETCH(QString, data);
    PairWindow window;
    window.begin(data.toStdString(), 4);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    QVERIFY(window.step() && window.step());
    Viewport* a = window.view();
    Viewport* b = window.pair().otherView();
    QVERIFY(b && b->isVisible() && window.pair().beside()->isVisible());
    const QColor ground = UiTheme::current().view;
    QVERIFY(inked(a->grabFramebuffer(), ground) > 3000);
    QVERIFY(inked(b->grabFramebuffer(), ground) > 3000);
    QCOMPARE(window.pair().other()->last()->iteration, 2);
    QCOMPARE(window.pair().pairBar().sentence(), QStringLiteral("0 of 3,000 labels differ at iteration 2"));
    // The same pose: views may differ in width by the rounding of the splitter.
    const auto alike = [&] {
      const CameraView ofA = a->camera().view();
      const CameraView ofB = b->camera().view();
      const double off = glm::length(ofA.origin - ofB.origin);
      return off < 1e-9 && std::abs(ofA.nearest - ofB.nearest) < 1e-9 &&
             std::abs(ofA.clipFromOffset[0][1] / ofA.clipFromOffset[1][1] -
                      ofB.clipFromOffset[0][1] / ofB.clipFromOffset[1][1]) < 1e-9;
    };
    QVERIFY(alike());
    const CameraView before = b->camera().view();
    QTest::mousePress(a, Qt::LeftButton, {}, QPoint(5, 90));
    QTest::mouseMove(a, QPoint(65, 110));
    QTest::mouseRelease(a, Qt::LeftButton, {}, QPoint(65, 110));
    QVERIFY(!(b->camera().view() == before));
    QVERIFY(alike());
    const CameraView dragged = a->camera().view();
    b->zoom(1.5);
    QVERIFY(!(a->camera().view() == dragged));
    QVERIFY(alike());
    a->fit();
    QVERIFY(alike());
  }

  void aPointUnderThePointerIsMarkedInBoth() {
    PairWindow window;
    window.begin("blobs:n=500,d=2,k=3", 3);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    QVERIFY(window.step());
    Viewport* a = window.view();
    Viewport* b = window.pair().otherView();
    const SharedPointSet data = window.session().data();
    const auto at = a->camera().project({data->row(0)[7], data->row(1)[7], 0});
    QVERIFY(at);
    // The pointer may already rest where the point is drawn.
    QTest::mouseMove(a, QPoint(3, 3));
    QTest::qWait(500);
    const QImage before = b->grabFramebuffer();
    QSignalSpy pointed(a, &Viewport::pointed);
    const double ratio = a->devicePixelRatioF();
    QTest::mouseMove(a, QPointF(at->x / ratio, at->y / ratio).toPoint());
    a->inspectUnderPointer();
    QTRY_VERIFY_WITH_TIMEOUT(!pointed.isEmpty(), 10000);
    QCOMPARE(pointed.back()[0].value<std::optional<std::size_t>>(), std::optional<std::size_t>(7));
    QTRY_VERIFY_WITH_TIMEOUT(difference(before, b->grabFramebuffer()) > 0.001, 10000);
  }

  void anotherWayOfShowingKeepsTheTimes() {
    PairWindow window;
    window.begin("blobs:n=4000,d=2,k=5", 5);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    QVERIFY(window.settles());
    for (int i = 0; i < 4; ++i) // the first two are warm-up
      QVERIFY(window.step());
    const std::size_t taken = window.pair().other()->timings().iteration().samples().size();
    QVERIFY(taken > 0);
    for (const PairMode mode : {PairMode::split, PairMode::beside}) {
      window.pair().setMode(mode);
      QVERIFY(window.settles());
      QTest::qWait(100);
      QCOMPARE(window.pair().other()->timings().iteration().samples().size(), taken);
    }
  }

  void textCoversNoPointsInSmallViews_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("small views") << QSize(800, 560);
    QTest::newRow("narrow views") << QSize(480, 640);
    QTest::newRow("low views") << QSize(480, 440);
  }
  void textCoversNoPointsInSmallViews() {
    QFETCH(QSize, size);
    PairWindow window(true, size);
    window.begin("uniform:n=4000,d=2", 3);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    if (!window.view()) QSKIP("no OpenGL here: nothing is drawn");
    for (const PairMode mode : {PairMode::beside, PairMode::split, PairMode::difference}) {
      window.pair().setMode(mode);
      QVERIFY(window.settles());
      std::vector<Viewport*> views{window.view()};
      if (mode == PairMode::beside) views.push_back(window.pair().otherView());
      for (Viewport* view : views) {
        const QRectF plate = cornerPlate(view->font(), view->width(),
                                         drawnTextIn(view->size(), *window.session().data(), view->drawn()));
        double text = plate.bottom();
        int captions = 0;
        for (const QLabel* label : view->findChildren<QLabel*>("pairCaption")) {
          if (!label->isVisible()) continue;
          ++captions;
          text = std::max(text, label->geometry().bottom() + 1.0);
          QVERIFY(!plate.intersects(label->geometry()));
        }
        QCOMPARE(captions, mode == PairMode::split ? 2 : 1);
        const Bounds& box = view->camera().bounds();
        const auto highest = [&] {
          return view->camera().project({box.low.x, box.high.y, 0})->y / view->devicePixelRatioF();
        };
        QTRY_VERIFY2(highest() >= text, qPrintable(QStringLiteral("%1 %2").arg(text).arg(highest())));
        QVERIFY(view->camera().project(box.low)->y / view->devicePixelRatioF() <= view->height());
      }
    }
  }

  /// Live figures change all the time, and a longer one must still fit its column.
  void noFigureIsCut() {
    PairWindow window(true, {560, 700});
    window.begin("blobs:n=4000,d=2,k=5", 5);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    QVERIFY(window.settles() && window.step());
    auto* table = window.pair().metrics()->findChild<QTableView*>("pairTable");
    auto* metrics = qobject_cast<PairMetricsView*>(window.pair().metrics());
    QVERIFY(table && metrics);
    const auto fits = [&] {
      for (int row = 0; row < table->model()->rowCount(); ++row) {
        if (table->model()->index(row, 0).data(PairMetricsModel::headingRole).toBool()) continue;
        for (int column = 0; column < table->model()->columnCount(); ++column) {
          const QModelIndex index = table->model()->index(row, column);
          const QSize needed = table->fontMetrics()
                                   .boundingRect(QRect(0, 0, table->columnWidth(column) - 6, 1000),
                                                 Qt::TextWordWrap | Qt::AlignLeft, index.data().toString())
                                   .size();
          if (needed.width() <= table->columnWidth(column) && needed.height() <= table->rowHeight(row))
            continue;
          qWarning("%s", qPrintable(index.data().toString()));
          return false;
        }
      }
      return true;
    };
    QVERIFY(fits());
    PairMetrics made;
    TimingSeries times;
    for (int i = 0; i < 9; ++i)
      times.addIterationSum(1000);
    made.a.timings = made.b.timings = &times;
    made.problem = {4000, 2, 5};
    for (const std::uint64_t differing : {std::uint64_t(1), std::uint64_t(3'888'888'888)}) {
      auto difference = std::make_shared<PairDifference>();
      difference->differing = differing;
      difference->points = 4'000'000'000;
      difference->iteration = 12345;
      made.difference = difference;
      metrics->show(made);
      QVERIFY(fits());
    }
    QString tip;
    for (int row = 0; row < table->model()->rowCount(); ++row)
      if (table->model()->index(row, 0).data() == "labels")
        tip = table->model()->index(row, PairMetricsModel::differenceColumn).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith("3,888,888,888 of 4,000,000,000 differ"), qPrintable(tip));
  }

  void splitShowsAOnTheLeftAndBOnTheRight() {
    PairWindow window;
    window.begin("blobs:n=4000,d=2,k=5", 5);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    window.pair().setMode(PairMode::alone);
    QVERIFY(!window.pair().other());
    QTRY_COMPARE_WITH_TIMEOUT(window.view()->width(), window.width(), 20000);
    window.pair().setMode(PairMode::split);
    QVERIFY(window.settles());
    Viewport* view = window.view();
    QTRY_VERIFY_WITH_TIMEOUT(view->split(), 20000);
    QVERIFY(!window.pair().beside()->isVisible());
    QVERIFY(window.pair().divider()->isVisible());
    const auto pictureAt = [&](double share) {
      view->setDivider(share);
      static_cast<void>(QTest::qWaitFor([&] { return view->settled(); }, 20000));
      return view->grabFramebuffer();
    };
    // Labels agree, so both halves are A's picture.
    QTRY_VERIFY_WITH_TIMEOUT(view->settled(), 20000);
    const QImage alone = pictureAt(1);
    QVERIFY(inked(alone, UiTheme::current().view) > 1000);
    for (const double share : {0.5, 0.0})
      QVERIFY2(difference(alone, pictureAt(share)) < 0.002,
               qPrintable(QString::number(difference(alone, pictureAt(share)))));

    window.pair().run().setSide(classifiedBy("planted.always"));
    QVERIFY(window.settles());
    QTRY_VERIFY_WITH_TIMEOUT(window.pair().run().difference()->differing == 4000, 20000);
    const QImage half = pictureAt(0.5);
    const QImage allOfA = pictureAt(1);
    const QImage allOfB = pictureAt(0);
    QVERIFY(difference(alone, allOfA) < 0.002);
    QVERIFY(difference(allOfA, allOfB) > 0.04);
    QCOMPARE(differenceIn(half, allOfA, 0, 0.495), 0.0);
    QCOMPARE(differenceIn(half, allOfB, 0.505, 1), 0.0);
    QVERIFY(differenceIn(half, allOfA, 0.505, 1) > 0.02);
    QVERIFY(differenceIn(half, allOfB, 0, 0.495) > 0.01);

    window.pair().setMode(PairMode::alone);
    QVERIFY(!view->split());
    QVERIFY(difference(alone, view->grabFramebuffer()) < 0.002);
  }

  void theDividerIsDraggedAndMovedByKeys() {
    PairWindow window;
    window.begin("blobs:n=1000,d=2,k=3", 3);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    window.pair().setMode(PairMode::split);
    QVERIFY(window.settles());
    SplitDivider* divider = window.pair().divider();
    const int width = window.view()->width();
    QCOMPARE(window.view()->divider(), 0.5);
    const QPoint middle = divider->rect().center();
    QTest::mousePress(divider, Qt::LeftButton, {}, middle);
    const QPoint to = divider->mapFromParent(QPoint(width / 4, divider->height() / 2));
    QTest::mouseMove(divider, to);
    QTest::mouseRelease(divider, Qt::LeftButton, {}, divider->rect().center());
    QVERIFY(std::abs(window.view()->divider() - 0.25) < 0.02);
    divider->setFocus();
    const double before = window.view()->divider();
    QTest::keyClick(divider, Qt::Key_Right);
    QVERIFY(window.view()->divider() > before);
    QTest::keyClick(divider, Qt::Key_End);
    QCOMPARE(window.view()->divider(), 1.0);
    QTest::keyClick(divider, Qt::Key_Home);
    QCOMPARE(window.view()->divider(), 0.0);
    QVERIFY(divider->x() <= 0);
  }

  void differenceMakesTheWrongPointsStandOut() {
    PairWindow window;
    window.begin("blobs:n=4000,d=2,k=5", 5);
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last(), 20000);
    window.pair().setMode(PairMode::difference);
    QVERIFY(window.settles());
    const Rgb strong = changeColours(Theme::dark)[1];
    Viewport* view = window.view();
    QTRY_VERIFY_WITH_TIMEOUT(view->groups() && view->settled(), 20000);
    const int without = pixelsLike(view->grabFramebuffer(), strong);
    window.pair().run().setSide(classifiedBy("planted.attimes"));
    QVERIFY(window.settles());
    QTRY_COMPARE_WITH_TIMEOUT(window.pair().run().difference()->differing, 4000 / plantedEvery, 20000);
    QTRY_VERIFY_WITH_TIMEOUT(view->settled(), 20000);
    const int with = pixelsLike(view->grabFramebuffer(), strong);
    QVERIFY2(with > without + 300, qPrintable(QStringLiteral("%1 after %2").arg(with).arg(without)));
    QCOMPARE(window.pair().pairBar().sentence(), QStringLiteral("40 of 4,000 labels differ at iteration 0"));
    window.pair().setMode(PairMode::beside);
    QVERIFY(!view->groups());
    window.pair().setShown(false);
    QVERIFY(!window.pair().other());
  }

  void aSideThatCannotRunIsSaid() {
    PairWindow window;
    window.begin("blobs:n=1000,d=2,k=3", 3);
    QVERIFY(window.settles());
    QSignalSpy said(&window.pair(), &PairViews::message);
    window.pair().run().setSide(classifiedBy("classify.v7"));
    QTRY_VERIFY_WITH_TIMEOUT(!window.pair().other(), 20000);
    QVERIFY(!said.isEmpty());
    const auto* reason = window.pair().beside()->findChild<QLabel*>(QStringLiteral("pairReason"));
    QVERIFY(reason && reason->isVisible());
    QVERIFY2(reason->text().contains(QStringLiteral("classify.v7")), qPrintable(reason->text()));
    QVERIFY(window.pair().pairBar().sentence().contains(QStringLiteral("classify.v7")));
    window.pair().run().setSide(classifiedBy("cpu.v1"));
    QVERIFY(window.settles());
    QVERIFY(!reason->isVisible());
  }

  void sidesAreChosenAndSwapped() {
    PairWindow window;
    window.begin("blobs:n=1000,d=2,k=3", 3);
    QVERIFY(window.settles());
    auto* box = window.pair().bar()->findChild<QComboBox*>(QStringLiteral("pairclassifyB"));
    QVERIFY(box);
    const int wanted = box->findText(QStringLiteral("cpu.v1"));
    const int never = box->findText(QStringLiteral("classify.v7"));
    QVERIFY(wanted >= 0 && never >= 0);
    const auto* items = qobject_cast<QStandardItemModel*>(box->model());
    QVERIFY(items->item(wanted)->isEnabled() && !items->item(never)->isEnabled());
    QVERIFY(!box->itemData(never, Qt::ToolTipRole).toString().isEmpty());
    box->setCurrentIndex(wanted);
    Q_EMIT box->activated(wanted);
    QTRY_VERIFY_WITH_TIMEOUT(window.pair().other() && window.pair().other()->plan().classify &&
                                 window.pair().other()->plan().classify->id() == "cpu.v1",
                             20000);
    const Variant* usual = window.session().plan().fused;
    QVERIFY(usual);
    for (QToolButton* button : window.pair().bar()->findChildren<QToolButton*>())
      if (button->text() == QLatin1String("Swap")) button->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        window.session().plan().classify && window.session().plan().classify->id() == "cpu.v1", 20000);
    QTRY_VERIFY_WITH_TIMEOUT(window.pair().other()->plan().fused == usual, 20000);
    QVERIFY(window.step());
    QCOMPARE(window.pair().run().difference()->differing, std::size_t(0));

    // From the ladder: B on a kernel goes to the simulator where there is no GPU, and A stays.
    const Variant* kernel = Registry::instance().find("classify.v3");
    const Variant* scalar = Registry::instance().find("cpu.v1");
    window.pair().setCompared({scalar, Stage::classify, scalar->complete({})},
                              {kernel, Stage::classify, kernel->complete({})});
    QCOMPARE(window.pair().run().side().backend, BackendRequest::simt);
    QVERIFY(window.settles());
    QCOMPARE(window.pair().other()->plan().classify, kernel);
    QVERIFY(window.step());
    QVERIFY(window.pair().run().difference()->differing <= 1);
  }

  void nothingIsLeftWhenTheWindowGoes() {
    auto window = std::make_unique<PairWindow>();
    window->begin("drift:n=2000,d=2,k=3", 3);
    QVERIFY(window->settles());
    window->session().play();
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->iteration > 3, 20000);
    window.reset(); // in the middle of it all
    QTest::qWait(50);
  }

  void nothingIsComparedBesideAMeasurement() {
    PairWindow window;
    window.begin("blobs:n=2000,d=2,k=3", 3);
    QVERIFY(window.settles());
    DeviceLease::Hold sweep = window.lease().take(QStringLiteral("A sweep is being run"));
    PairedRun& run = window.pair().run();
    window.session().step();
    QTRY_VERIFY_WITH_TIMEOUT(window.session().last()->iteration == 1 && run.inStep(), 20000);
    QTest::qWait(200);
    QVERIFY(!run.upToDate());
    sweep.reset();
    QVERIFY(window.settles());
    QVERIFY(run.upToDate());
  }

  void theViewOfBSurvivesItsContext() {
    PairWindow window;
    window.begin("blobs:n=2000,d=2,k=3", 3);
    QVERIFY(window.settles());
    Viewport* b = window.pair().otherView();
    const QImage before = b->grabFramebuffer();
    QSignalSpy ready(b, &Viewport::ready);
    QWidget* home = window.pair().beside();
    QWidget* splitter = home->parentWidget();
    const QSize size = home->size();
    home->setParent(nullptr);
    home->resize(size);
    home->show();
    QTRY_VERIFY_WITH_TIMEOUT(ready.count() >= 1, 10000);
    QVERIFY(window.settles());
    QVERIFY(inked(b->grabFramebuffer(), UiTheme::current().view) >
            inked(before, UiTheme::current().view) / 2);
    home->setParent(splitter);
    home->show();
    QTRY_VERIFY_WITH_TIMEOUT(ready.count() >= 2, 10000);
    QVERIFY(window.step());
    QCOMPARE(window.pair().other()->last()->iteration, 1);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestPairViews>(argc, argv, false); }
#include "tst_pair_views.moc"
