// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/ui/window/window_fixture.hpp"
#include "tests/support/devices.hpp"

#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// Whether each label is that of a centroid as near its point as the nearest, but for rounding.
bool areOfNearest(const std::vector<Label>& labels, const PointSet& data,
                  const std::vector<float>& centroids) {
  const auto d = static_cast<std::size_t>(data.d);
  const std::size_t k = centroids.size() / d;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto distance = [&](std::size_t c) {
      double square = 0;
      for (std::size_t j = 0; j < d; ++j)
        square += std::pow(static_cast<double>(data.values[j * data.n + i] - centroids[c * d + j]), 2);
      return square;
    };
    if (labels[i] < 0 || static_cast<std::size_t>(labels[i]) >= k) return false;
    const double own = distance(static_cast<std::size_t>(labels[i]));
    for (std::size_t c = 0; c < k; ++c)
      if (own > distance(c) * (1 + 1e-4) + 1e-9) return false;
  }
  return true;
}

} // namespace

/// A variant of tiles in a window: its labels are written for every point in each iteration, in the points'
/// own order, and drawn so, wherever the buffers are.
class TestDrawnTiles : public QObject {
  Q_OBJECT

  static bool runsAnew(MainWindow& window) {
    const QSignalSpy seeded(&window.session(), &Session::seeded);
    press(window, ActionId::restart);
    if (!QTest::qWaitFor([&] { return seeded.count() > 0; }, 20000)) return false;
    return converges(window) && settles(window);
  }

private slots:
  void labelsUnderATiledPlanAreThoseOfThePoints_data() {
    QTest::addColumn<bool>("shared");
    QTest::addColumn<QString>("data");
    QTest::newRow("copied") << false << "uniform:n=3001,d=2";
    QTest::newRow("shared, flat") << true << "uniform:n=3001,d=2";
    QTest::newRow("shared, values") << true << "uniform:n=3001,d=1";
    QTest::newRow("shared, in space") << true << "uniform:n=3001,d=3";
    QTest::newRow("shared, a crowd") << true << "blobs:n=400001,d=2";
  }
  void labelsUnderATiledPlanAreThoseOfThePoints() {
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
    QVERIFY(session.last()->iteration > 2);

    const auto rows = session.timings().rows();
    const bool written = std::any_of(rows.begin(), rows.end(), [](const TimingSeries::Row* row) {
      return row->stage == Stage::labels && row->current;
    });
    QVERIFY(written);
    const std::vector<Label> drawn = window->viewport()->labels();
    QCOMPARE(drawn.size(), session.data()->n);
    std::vector<Label> fetched;
    session.fetchLabels([&](const std::vector<Label>& labels, const IterationPtr&) { fetched = labels; });
    QTRY_COMPARE(fetched.size(), drawn.size());
    QVERIFY(fetched == drawn);
    QVERIFY(areOfNearest(drawn, *session.data(), session.last()->usedCentroids));

    // The same buffers, lent anew, show the same picture.
    const QImage picture = window->viewport()->grabFramebuffer();
    const QSignalSpy seen(&session, &Session::iterated);
    session.surfaceChanged();
    QTRY_VERIFY(seen.count() > 0);
    QVERIFY(settles(*window));
    QVERIFY(window->viewport()->labels() == drawn);
    QVERIFY(window->viewport()->grabFramebuffer() == picture);
    // And an iteration goes on from there.
    QVERIFY(runsAnew(*window));
    QVERIFY(window->viewport()->labels() == drawn);
  }
};

int main(int argc, char** argv) { return runWindowTest<TestDrawnTiles>(argc, argv, false); }
#include "tst_drawn_tiles.moc"
