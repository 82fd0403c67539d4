// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/ui/window/window_fixture.hpp"
#include "tests/support/devices.hpp"

#include <QSignalSpy>

#include <algorithm>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

/// A variant of tiles in a window: where buffers are shared its labels are drawn by tiles, and nobody sees
/// that.
class TestDrawnTiles : public QObject {
  Q_OBJECT

  static bool runsAnew(MainWindow& window) {
    const QSignalSpy seeded(&window.session(), &Session::seeded);
    press(window, Command::restart);
    if (!QTest::qWaitFor([&] { return seeded.count() > 0; }, 20000)) return false;
    return converges(window) && settles(window);
  }

private slots:
  void labelsByTilesLookLikeLabelsOfPoints_data() {
    QTest::addColumn<bool>("shared");
    QTest::addColumn<QString>("data");
    QTest::newRow("copied") << false << "uniform:n=3001,d=2";
    QTest::newRow("shared, flat") << true << "uniform:n=3001,d=2";
    QTest::newRow("shared, values") << true << "uniform:n=3001,d=1";
    QTest::newRow("shared, in space") << true << "uniform:n=3001,d=3";
    QTest::newRow("shared, a crowd") << true << "blobs:n=400001,d=2";
  }
  void labelsByTilesLookLikeLabelsOfPoints() {
    QFETCH(bool, shared);
    QFETCH(QString, data);
    if (shared) {
      const Found cuda = findDevice(Backend::cuda);
      if (!cuda.device) QSKIP(cuda.why.c_str());
    }
    auto window =
        windowOn(data.toStdString(), 4, "dark", shared ? BackendRequest::cuda : BackendRequest::simt);
    Session& session = window->session();
    QVERIFY(converges(*window));
    if (shared && session.sharing() != Sharing::shared)
      QSKIP("OpenGL is not drawn by the CUDA device, so labels are copied here");
    Settings settings = session.settings();
    settings.selection.fused = "fused.v3";
    session.setSettings(settings);
    QVERIFY(runsAnew(*window));
    QVERIFY(session.plan().fused && session.plan().fused->id() == "fused.v3");
    QVERIFY(session.last()->iteration > 2); // the first of them asks for places, and has none yet

    const auto rows = session.timings().rows();
    const bool written = std::any_of(rows.begin(), rows.end(), [](const TimingSeries::Row* row) {
      return row->stage == Stage::labels && row->current;
    });
    QCOMPARE(written, !shared);
    const std::vector<Label> drawn = window->viewport()->drawnLabels();
    QCOMPARE(drawn.size(), session.data()->n);
    std::vector<Label> fetched;
    session.fetchLabels([&](const std::vector<Label>& labels, const IterationPtr&) { fetched = labels; });
    QTRY_COMPARE(fetched.size(), drawn.size());
    QVERIFY(fetched == drawn);

    // The same buffers, lent anew, get labels of points.
    const QImage byTiles = window->viewport()->grabFramebuffer();
    const QSignalSpy seen(&session, &Session::iterated);
    session.surfaceChanged();
    QTRY_VERIFY(seen.count() > 0);
    QVERIFY(settles(*window));
    QVERIFY(window->viewport()->drawnLabels() == drawn);
    QVERIFY(window->viewport()->grabFramebuffer() == byTiles);
    // And an iteration by tiles goes on from there.
    QVERIFY(runsAnew(*window));
    QVERIFY(window->viewport()->drawnLabels() == drawn);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestDrawnTiles>(argc, argv, false); }
#include "tst_drawn_tiles.moc"
