// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/overlay/voronoi.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>

#include <algorithm>
#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

/// The regions of clusters, where they are offered and where they are drawn.
class TestWindowRegions : public QObject {
  Q_OBJECT

  static std::unique_ptr<MainWindow> shown(const QString& data, const QString& axes = {}) {
    WindowOptions options;
    options.settings.backend = BackendRequest::cpu;
    options.settings.k = 5;
    options.theme = QStringLiteral("dark");
    options.axes = axes.toStdString();
    options.request.emplace();
    if (data.contains(':'))
      options.request->generator = data.toStdString();
    else
      options.request->path = LLOYD_SOURCE_DIR "/resources/data/" + data.toStdString();
    auto window = std::make_unique<MainWindow>(options, false);
    window->resize(800, 620);
    window->show();
    window->activateWindow();
    window->begin();
    const auto drawn = [&] {
      return !window->axes().busy() && (axes.isEmpty() || window->viewport()->projection());
    };
    return converges(*window) && QTest::qWaitFor(drawn, 20000) && settles(*window) ? std::move(window)
                                                                                   : nullptr;
  }
  static std::vector<glm::dvec3> placesOf(const IterationResult& result) {
    std::vector<glm::dvec3> places;
    for (std::size_t c = 0; 2 * c < result.centroids.size(); ++c)
      places.emplace_back(result.centroids[2 * c], result.centroids[2 * c + 1], 0);
    return places;
  }
  /// How many of the middles of borders have another colour in one picture than in another; beyond the edges
  /// and below markers there is none. from, to: of the width.
  struct Seen {
    int borders = 0;
    int drawn = 0;
  };
  static Seen seen(const QImage& with, const QImage& without, const Camera& camera,
                   const std::vector<glm::dvec3>& centroids, double from = 0, double to = 1) {
    Seen all;
    const double scale = with.width() / static_cast<double>(camera.view().viewport.x);
    for (const RegionBorder& border : regionBorders(centroids, seenRectangle(camera.view(), 0))) {
      const auto at = camera.project({(border.from + border.to) / 2.0, 0});
      const auto end = camera.project({border.to, 0});
      if (!at || !end || glm::length(*end - *at) < 4) continue;
      const QPointF pixel(at->x * scale, at->y * scale);
      if (pixel.x() < from * with.width() + 6 || pixel.x() > to * with.width() - 6 || pixel.y() < 60 ||
          pixel.y() > with.height() - 6)
        continue;
      ++all.borders;
      const QPoint place(static_cast<int>(pixel.x()), static_cast<int>(pixel.y()));
      int off = 0;
      for (const QPoint step : {QPoint(0, 0), QPoint(1, 0), QPoint(-1, 0), QPoint(0, 1), QPoint(0, -1)}) {
        const QColor a = with.pixelColor(place + step), b = without.pixelColor(place + step);
        off = std::max({off, std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                        std::abs(a.blue() - b.blue()), std::abs(a.alpha() - b.alpha())});
      }
      all.drawn += off > 25;
    }
    return all;
  }

private slots:
  void theyAreOfferedWhereDistancesAreThoseOfTheDrawing() {
    auto window = shown("blobs:n=500,d=2,k=5");
    QVERIFY(window);
    QAction* action = window->actions()[ActionId::regions];
    auto* box = window->findChild<QCheckBox*>(QStringLiteral("regions"));
    QVERIFY(box && action->isEnabled() && box->isEnabled() && !action->isChecked());
    const QString usual = action->toolTip();
    QVERIFY2(usual.contains("(G)"), qPrintable(usual));
    press(*window, ActionId::components);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->projection() != nullptr, 20000);
    QVERIFY(action->isEnabled());
    auto mixed = shown("blobs:n=500,d=2,k=5", "PC1,0");
    QVERIFY(mixed);
    const QAction* none = mixed->actions()[ActionId::regions];
    QVERIFY(!none->isEnabled() && !mixed->findChild<QCheckBox*>(QStringLiteral("regions"))->isEnabled());
    QVERIFY2(none->toolTip().contains("both principal components"), qPrintable(none->toolTip()));
    QCOMPARE(mixed->findChild<QCheckBox*>(QStringLiteral("regions"))->toolTip(), none->toolTip());
    press(*mixed, ActionId::components);
    press(*mixed, ActionId::components);
    QTRY_VERIFY_WITH_TIMEOUT(mixed->actions()[ActionId::regions]->isEnabled(), 20000);
    QCOMPARE(none->toolTip(), usual);
    DataRequest request;
    request.generator = "blobs:n=500,d=3,k=5";
    window->files().open(request);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data()->d == 3, 20000);
    QVERIFY(!action->isEnabled());
    QVERIFY2(action->toolTip().contains("these have 3"), qPrintable(action->toolTip()));
  }

  void keyAndBoxTurnThemOnAndOff() {
    auto window = shown("blobs:n=500,d=2,k=5");
    QVERIFY(window && QTest::qWaitForWindowActive(window.get()));
    auto* box = window->findChild<QCheckBox*>(QStringLiteral("regions"));
    window->viewport()->setFocus();
    QTest::keyClick(window->viewport(), Qt::Key_G);
    QVERIFY(window->viewport()->regions() && box->isChecked());
    box->click();
    QVERIFY(!window->viewport()->regions() && !window->actions()[ActionId::regions]->isChecked());
  }

  void theyAreDrawnWhereTheyAre_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<QString>("axes");
    QTest::newRow("columns") << "blobs:n=500,d=2,k=5"
                             << "";
    QTest::newRow("unequal scales") << "faithful.csv"
                                    << "";
    QTest::newRow("components") << "faithful.csv"
                                << "PC1,PC2";
    QTest::newRow("the other way round") << "faithful.csv"
                                         << "1,0";
  }
  void theyAreDrawnWhereTheyAre() {
    QFETCH(QString, data);
    QFETCH(QString, axes);
    auto window = shown(data, axes);
    QVERIFY(window);
    Viewport& view = *window->viewport();
    std::vector<glm::dvec3> places = placesOf(*window->session().last());
    if (view.projection())
      for (glm::dvec3& place : places) {
        const std::array<float, 2> own{static_cast<float>(place.x), static_cast<float>(place.y)};
        const auto drawn = view.projection()->projection.place(own);
        place = {drawn[0], drawn[1], 0};
      }
    for (int zoom = 0; zoom < 2; ++zoom) {
      QVERIFY(settles(*window));
      const QImage without = view.grabFramebuffer();
      press(*window, ActionId::regions);
      const QImage with = view.grabFramebuffer();
      press(*window, ActionId::regions);
      const Seen all = seen(with, without, view.camera(), places);
      QVERIFY(all.borders >= (zoom == 0 ? 3 : 1));
      QCOMPARE(all.drawn, all.borders);
      view.zoom(1.6);
    }
  }

  void picturesHaveThemToo() {
    auto window = shown("blobs:n=500,d=2,k=5");
    QVERIFY(window);
    PictureWish wish;
    wish.scale = 3;
    wish.mostTile = 512; // in parts
    for (const bool transparent : {false, true}) {
      wish.transparent = transparent;
      const QImage without = pictureOf(*window->viewport(), wish);
      press(*window, ActionId::regions);
      const QImage with = pictureOf(*window->viewport(), wish);
      press(*window, ActionId::regions);
      const Seen all = seen(with, without, window->viewport()->camera(), placesOf(*window->session().last()));
      QVERIFY(all.borders >= 3);
      QCOMPARE(all.drawn, all.borders);
    }
    QVERIFY(!svgOf(*window->viewport(), {}).contains("\"regions\""));
    press(*window, ActionId::regions);
    const QString svg = QString::fromUtf8(svgOf(*window->viewport(), {}));
    const qsizetype from = svg.indexOf("\"regions\"");
    QVERIFY(from > 0);
    const auto lines = svg.mid(from, svg.indexOf("</g>", from) - from).count("<line");
    const Camera& camera = window->viewport()->camera();
    const auto borders =
        regionBorders(placesOf(*window->session().last()), seenRectangle(camera.view(), 3.5));
    QCOMPARE(static_cast<std::size_t>(lines), 2 * borders.size()); // each on its ground
  }

  void eachSideOfASplitViewHasItsOwn() {
    auto window = shown("uniform:n=2000,d=2");
    QVERIFY(window);
    press(*window, ActionId::compare);
    PairViews& pair = window->compare().pair();
    SideChoice side;
    side.backend = BackendRequest::cpu;
    side.seed = 7;
    pair.setSideB(side);
    pair.setMode(PairMode::split);
    QTRY_VERIFY_WITH_TIMEOUT(pair.run().inStep() && window->viewport()->split(), 20000);
    QVERIFY(settles(*window));
    PictureWish wish;
    const QImage without = pictureOf(*window->viewport(), wish);
    press(*window, ActionId::regions);
    const QImage with = pictureOf(*window->viewport(), wish);
    const Camera& camera = window->viewport()->camera();
    const double divider = window->viewport()->divider();
    const Seen a = seen(with, without, camera, placesOf(*window->session().last()), 0, divider);
    const Seen b = seen(with, without, camera, placesOf(*pair.other()->last()), divider, 1);
    QVERIFY(a.borders > 0 && b.borders > 0);
    QCOMPARE(a.drawn, a.borders);
    QCOMPARE(b.drawn, b.borders);
    pair.setMode(PairMode::beside);
    QVERIFY(pair.otherView() && pair.otherView()->regions());
    press(*window, ActionId::regions);
    QVERIFY(!pair.otherView()->regions());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestWindowRegions>(argc, argv); }
#include "tst_window_regions.moc"
