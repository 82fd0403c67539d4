// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of runs from other seeds in the real window: shown by its action, run, looked at, taken over.
#include "app/ui/explore/restarts_strip.hpp"
#include "app/ui/window/adopted_runs.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/window_settings.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>
#include <QPushButton>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <set>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// The strip of a window, shown, after that many runs.
RestartsStrip& runsIn(MainWindow& window, int runs) {
  press(window, ActionId::restarts);
  RestartsStrip& strip = window.restarts();
  strip.findChild<QSpinBox*>(QStringLiteral("restartCount"))->setValue(runs);
  QTest::mouseClick(strip.findChild<QPushButton*>(QStringLiteral("restartsGo")), Qt::LeftButton);
  static_cast<void>(QTest::qWaitFor([&] { return !strip.runner().running(); }, 20000));
  return strip;
}

RestartRunPtr runAt(RestartsStrip& strip, int row) {
  return strip.list().model()->index(row, 0).data(RestartListModel::runRole).value<RestartRunPtr>();
}

/// A run whose seed is not the session's, and whose inertia is not that of the session's.
int otherThan(RestartsStrip& strip, double inertia, std::uint64_t seed) {
  for (int row = 0; row < strip.list().model()->rowCount(); ++row)
    if (runAt(strip, row)->seed != seed && runAt(strip, row)->inertia() != inertia) return row;
  return -1;
}

} // namespace

class TestRestartsStrip : public QObject {
  Q_OBJECT
private slots:
  void theActionShowsItAndAClickTakesARunOver() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    Session& session = window->session();
    QVERIFY(!window->restarts().isVisible());
    RestartsStrip& strip = runsIn(*window, 12);
    QVERIFY(strip.isVisible());
    QVERIFY(strip.findChild<QPushButton*>(QStringLiteral("restartsGo"))->hasFocus());
    QCOMPARE(strip.list().model()->rowCount(), 12);
    QVERIFY2(strip.sentence().startsWith("12 runs"), qPrintable(strip.sentence()));
    QVERIFY(QTest::qWaitFor([&] { return session.converged(); }, 20000)); // it went on playing

    const int row = otherThan(strip, session.last()->inertia.value_or(0), session.settings().seed);
    QVERIFY(row >= 0);
    const RestartRunPtr run = runAt(strip, row);
    const QModelIndex index = strip.list().model()->index(row, 0);
    strip.list().scrollTo(index);
    QTest::mouseClick(strip.list().viewport(), Qt::LeftButton, {}, strip.list().visualRect(index).center());
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && session.last()->centroids == run->result.centroids, 20000);
    QCOMPARE(session.settings().seed, run->seed);
    QTRY_COMPARE_WITH_TIMEOUT(session.last()->inertia.value_or(0), run->inertia(), 20000);
    QVERIFY(session.last()->sizes == run->result.sizes);
    // It is a run that has come to its end, with what is known of that.
    QCOMPARE(session.converged(), run->converged);
    QCOMPARE(session.history().back().inertia, run->inertia());
    QVERIFY2(!strip.list().hasFocus(), "a click leaves Home, Right and Space to the window");
    QVERIFY(index.data(RestartListModel::shownRole).toBool());
    // What the strip did not change: the other runs are there still, and so is how often to run.
    QCOMPARE(strip.list().model()->rowCount(), 12);
    // Its seed leads to it: beginning anew ends there.
    press(*window, ActionId::restart);
    session.play();
    QVERIFY(QTest::qWaitFor([&] { return session.converged(); }, 20000));
    QVERIFY(session.last()->centroids == run->result.centroids);
  }

  void theKeyboardTakesARunOver() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    RestartsStrip& strip = runsIn(*window, 4);
    strip.list().setFocus();
    strip.list().setCurrentIndex(strip.list().model()->index(1, 0));
    QTest::keyClick(&strip.list(), Qt::Key_Right);
    QCOMPARE(strip.list().currentIndex().row(), 2);
    QTest::keyClick(&strip.list(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().settings().seed, runAt(strip, 2)->seed, 20000);
  }

  void picturesHaveTheColoursOfTheClustersOnTheScreen() {
    auto window = windowOn("blobs:n=4000,d=2,k=3,spread=0.02,seed=5", 3);
    QVERIFY(converges(*window) && settles(*window));
    RestartsStrip& strip = runsIn(*window, 6);
    // Of well-parted blobs the best run of every seed is the same, by whatever numbers.
    const double best = strip.runner().best()->inertia();
    const QModelIndex index = strip.list().model()->index(0, 0);
    QVERIFY(strip.list().visualRect(index).isValid());
    std::set<QRgb> seen;
    const QImage strips = strip.list().grab().toImage();
    for (int y = 0; y < strips.height(); ++y)
      for (int x = 0; x < strips.width(); ++x)
        seen.insert(strips.pixel(x, y));
    const PointSet& points = *window->session().data();
    ClusterColours colours;
    const std::vector<Rgb> shown = colours.take(*window->session().last(), points, true);
    QCOMPARE(shown.size(), std::size_t{3});
    for (int row = 0; row < 6; ++row) {
      const RestartRunPtr run = runAt(strip, row);
      if (run->inertia() > best * 1.0001) continue;
      const auto matched = coloursByNearest(window->session().last()->centroids, colours.assignment(),
                                            run->result.centroids, 2);
      std::vector<std::size_t> sorted = matched;
      std::ranges::sort(sorted);
      std::vector<std::size_t> all = colours.assignment();
      std::ranges::sort(all);
      QVERIFY(sorted == all);
    }
    for (const Rgb& colour : shown)
      QVERIFY(seen.contains(qRgb(colour.r, colour.g, colour.b)));
  }

  void otherWorkspacesHaveNoStrip() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    press(*window, ActionId::restarts);
    QVERIFY(window->restarts().isVisible());
    press(*window, ActionId::teach);
    QVERIFY(!window->restarts().isVisible());
    press(*window, ActionId::explore);
    QVERIFY(window->restarts().isVisible());
    press(*window, ActionId::restarts);
    QVERIFY(!window->restarts().isVisible());
  }

  /// As in the program's own window; those of tests leave the runs of their seeds.
  void irisEndsAtTheBestOfItsStarts() {
    auto window = windowOn("iris.csv", 3);
    WindowSettings past;
    past.otherStarts = true;
    window->adopted().restore(past, true);
    auto* box = window->findChild<QCheckBox*>(QStringLiteral("otherStarts"));
    QVERIFY(box->isChecked());
    QVERIFY(converges(*window));
    Session& session = window->session();
    QTRY_VERIFY_WITH_TIMEOUT(session.last() && std::abs(session.last()->inertia.value_or(0) - 78.8514) < 1e-3,
                             20000);
    QVERIFY(session.converged());
    QVERIFY(session.settings().seed != 1);
    const auto said = [&] { return window->statusLine().lastMessage(); };
    QTRY_VERIFY2_WITH_TIMEOUT(said().startsWith("Best of 10 starts: seed"), qPrintable(said()), 20000);
    QVERIFY2(said().endsWith("seed 1 at 142.8"), qPrintable(said()));
    QTest::qWait(500);
    QVERIFY2(said().startsWith("Best of 10 starts: seed"), qPrintable(said())); // and it stays
    // Seed 1 by hand is a person's choice.
    Settings settings = session.settings();
    settings.seed = 1;
    session.setSettings(settings);
    QVERIFY(converges(*window));
    QTest::qWait(300);
    QVERIFY(session.last()->inertia.value_or(0) > 142);
    WindowSettings now;
    box->setChecked(false);
    window->adopted().remember(now);
    QVERIFY(!now.otherStarts);
  }

  void whatCannotBeRunSaysWhy() {
    auto window = windowOn("drift:n=2000,d=2,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last() != nullptr, 20000);
    press(*window, ActionId::restarts);
    const auto* go = window->restarts().findChild<QPushButton*>(QStringLiteral("restartsGo"));
    QTRY_VERIFY_WITH_TIMEOUT(!go->isEnabled(), 20000);
    QVERIFY2(window->restarts().sentence().contains("move"), qPrintable(window->restarts().sentence()));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestRestartsStrip>(argc, argv); }
#include "tst_restarts_strip.moc"
