// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QStringList>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

using namespace lloyd;
using namespace lloyd::test;

/// The view as an SVG to take away, read by what knows nothing of the program.
class TestViewSvg : public QObject {
  Q_OBJECT

  static std::unique_ptr<MainWindow> shown(const QString& data) {
    auto window = windowOn(data.toStdString(), 4);
    window->resize(700, 560);
    return converges(*window) && settles(*window) ? std::move(window) : nullptr;
  }

  /// What a document has: elements by name, in each named group, and all words.
  struct Read {
    std::map<QString, std::map<QString, int>> elements;
    QStringList texts;
    QString error;
  };
  static Read read(const QByteArray& svg) {
    Read all;
    QStringList groups;
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
      reader.readNext();
      if (reader.isStartElement()) {
        const QString id = reader.attributes().value("id").toString();
        const QString group = groups.isEmpty() ? QString() : groups.last();
        ++all.elements[group][reader.name().toString()];
        if (reader.name() == QLatin1String("text")) {
          all.texts << reader.readElementText().trimmed();
          continue;
        }
        groups << (id.isEmpty() ? group : id);
      } else if (reader.isEndElement()) {
        groups.removeLast();
      }
    }
    all.error = reader.hasError() ? reader.errorString() : QString();
    return all;
  }

  struct Dot {
    double x, y;
    QString fill;
  };
  /// The circles of a named group.
  static std::vector<Dot> circlesOf(const QByteArray& svg, const QString& group) {
    std::vector<Dot> dots;
    QXmlStreamReader reader(svg);
    int depth = 0;
    while (!reader.atEnd()) {
      reader.readNext();
      if (reader.isStartElement()) {
        const auto attributes = reader.attributes();
        depth += depth > 0 || attributes.value("id") == group;
        if (depth > 0 && reader.name() == QLatin1String("circle"))
          dots.push_back({attributes.value("cx").toDouble(), attributes.value("cy").toDouble(),
                          attributes.value("fill").toString()});
      } else if (reader.isEndElement()) {
        depth -= depth > 0;
      }
    }
    return dots;
  }

private slots:
  void itLooksAsTheViewDoes_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<int>("circles");
    QTest::newRow("few in a plane") << "faithful.csv" << 272;
    QTest::newRow("a line") << "uniform:n=400,d=1" << 400;
    QTest::newRow("few in space") << "blobs:n=500,d=3,k=4" << 500;
    QTest::newRow("a crowd in a plane") << "blobs:n=70000,d=2,k=4" << 0;
    QTest::newRow("a crowd in space") << "blobs:n=30000,d=3,k=4" << 0;
  }
  void itLooksAsTheViewDoes() {
    QFETCH(QString, data);
    QFETCH(int, circles);
    auto window = shown(data);
    QVERIFY(window);
    const QByteArray svg = svgOf(*window->viewport(), {});
    Read all = read(svg);
    QVERIFY2(all.error.isEmpty(), qPrintable(all.error));
    QCOMPARE(all.elements["points"]["circle"], circles);
    QCOMPARE(all.elements[""]["image"], circles == 0 ? 1 : 0);
    QCOMPARE(svg.contains("The points are an image"), circles == 0);
    QVERIFY(all.elements["axes"]["line"] >= 4);
    for (const char* cluster : {"0", "1", "2", "3"})
      QVERIFY2(all.texts.contains(QLatin1String(cluster)), cluster);
    const QImage screen = window->viewport()->grabFramebuffer();
    QImage picture(screen.size(), QImage::Format_RGB32);
    picture.fill(Qt::magenta); // the ground is the file's own
    QPainter painter(&picture);
    QSvgRenderer renderer(svg);
    QVERIFY(renderer.isValid());
    renderer.render(&painter);
    painter.end();
    const double off = meanDifference(screen, picture); // shadows, the light on balls and letters differ
    QVERIFY2(off < 3, qPrintable(QString::number(off)));
  }

  void axesAndColumnsHaveTheirNames() {
    auto window = shown("iris.csv");
    QVERIFY(window);
    press(*window, ActionId::components);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->projection() != nullptr, 20000);
    QVERIFY(settles(*window));
    const Read all = read(svgOf(*window->viewport(), {}));
    QVERIFY2(all.texts.contains("PC1 (92.5 %)") && all.texts.contains("PC3 (1.71 %)"),
             qPrintable(all.texts.join('|')));
  }

  void aTransparentOneHasNoGround() {
    auto window = shown("faithful.csv");
    QVERIFY(window);
    PictureWish wish;
    wish.transparent = true;
    wish.scale = 3;
    const QByteArray svg = svgOf(*window->viewport(), wish);
    QSvgRenderer renderer(svg);
    QCOMPARE(renderer.defaultSize(), window->viewport()->size() * 3);
    QImage picture(window->viewport()->size(), QImage::Format_ARGB32);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    renderer.render(&painter);
    painter.end();
    QCOMPARE(qAlpha(picture.pixel(picture.width() - 3, picture.height() / 2 + 3)), 0);
    QVERIFY(svg.contains("<circle"));
  }

  /// Both sides of a divider: each point in the colour that its side gives it, on that side alone.
  void twoRunsAreCutAtTheDivider_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<bool>("circles");
    QTest::newRow("circles") << "uniform:n=3000,d=2" << true;
    QTest::newRow("an image") << "uniform:n=30000,d=2" << false;
  }
  void twoRunsAreCutAtTheDivider() {
    QFETCH(QString, data);
    QFETCH(bool, circles);
    auto window = shown(data);
    QVERIFY(window);
    press(*window, ActionId::trails); // off, where they are on
    if (!window->viewport()->trails()) press(*window, ActionId::trails);
    press(*window, ActionId::compare);
    PairViews& pair = window->compare().pair();
    SideChoice side;
    side.backend = BackendRequest::cpu;
    side.seed = 7;
    pair.setSideB(side);
    pair.setMode(PairMode::split);
    pair.setDivider(0.51);
    Viewport& view = *window->viewport();
    QTRY_VERIFY_WITH_TIMEOUT(pair.run().inStep() && view.split(), 20000);
    QVERIFY(settles(*window));
    QVERIFY(view.whyNoSvg().isEmpty());
    const Camera camera = view.camera();
    const QByteArray svg = svgOf(view, {});
    QVERIFY(view.split() && view.camera().view() == camera.view()); // it is as it was
    Read all = read(svg);
    QVERIFY2(all.error.isEmpty(), qPrintable(all.error));
    QCOMPARE(all.elements[""]["clipPath"], 2);
    const double ratio = view.devicePixelRatioF();
    const double divider = std::round(0.51 * view.width() * ratio) / ratio;
    // Where each centroid of a side is, as far as it is on that side.
    const auto onSide = [&](const IterationResult& result, double from, double to) {
      int count = 0;
      for (std::size_t c = 0; 2 * c < result.centroids.size(); ++c) {
        const auto at = camera.project({result.centroids[2 * c], result.centroids[2 * c + 1], 0});
        count += at && at->x / ratio > from - 11 && at->x / ratio < to + 11;
      }
      return count;
    };
    const int ofA = onSide(*window->session().last(), 0, divider);
    const int ofB = onSide(*pair.other()->last(), divider, view.width());
    QVERIFY2(ofA > 0 && ofB > 0,
             qPrintable(QString("%1 %2 of %3 to %4").arg(ofA).arg(ofB).arg(divider).arg(view.width())));
    QCOMPARE(all.elements["centroidsA"]["circle"], ofA);
    QCOMPARE(all.elements["centroidsB"]["circle"], ofB);
    QVERIFY(all.elements["sideA"]["line"] > 0 && all.elements["sideB"]["line"] > 0); // trails
    QCOMPARE(all.elements["pointsA"]["circle"] > 0, circles);
    QCOMPARE(all.elements[""]["image"], circles ? 0 : 1);
    if (!circles) return;
    const auto places = circlesOf(svg, QStringLiteral("pointsA"));
    for (const Dot& dot : places)
      QVERIFY(dot.x < divider + 10);
    const SharedPointSet points = window->session().data();
    // The labels of B decide: each has one colour, which no other has.
    std::map<std::pair<int, int>, Label> labelAt; // by place, in tenths of pixels
    const ShownLabels labels = pair.other()->labels();
    const auto tenths = [](double x, double y) {
      return std::pair(static_cast<int>(std::lround(x * 10)), static_cast<int>(std::lround(y * 10)));
    };
    for (std::size_t i = 0; i < points->n; ++i) {
      const auto at = camera.project({points->row(0)[i], points->row(1)[i], 0});
      labelAt[tenths(at->x / ratio, at->y / ratio)] = labels.labels[i];
    }
    std::map<Label, QString> colourOf;
    int compared = 0;
    for (const Dot& dot : circlesOf(svg, QStringLiteral("pointsB"))) {
      QVERIFY(dot.x > divider - 10);
      const auto known = labelAt.find(tenths(dot.x, dot.y));
      if (known == labelAt.end()) continue; // rounded otherwise
      ++compared;
      const auto [colour, isNew] = colourOf.emplace(known->second, dot.fill);
      QCOMPARE(colour->second, dot.fill);
    }
    std::set<QString> different;
    for (const auto& [label, colour] : colourOf)
      different.insert(colour);
    QVERIFY(colourOf.size() > 1);
    QCOMPARE(different.size(), colourOf.size());
    QVERIFY(compared > 1000);
  }

  void aNameWithMarksIsText() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a<b>&c.csv");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("\"<x>\",y\n1,2\n3,4\n9,9\n8,1\n5,5\n");
    file.close();
    auto window = shown("faithful.csv");
    QVERIFY(window);
    window->files().openFirst({path});
    QTRY_VERIFY_WITH_TIMEOUT(window->session().data() && window->session().data()->n == 5, 20000);
    QVERIFY(converges(*window) && settles(*window));
    const Read all = read(svgOf(*window->viewport(), {}));
    QVERIFY2(all.error.isEmpty(), qPrintable(all.error));
    QVERIFY2(all.texts.contains("<x>"), qPrintable(all.texts.join('|')));
  }

  void theMenuWritesOne() {
    QTemporaryDir folder;
    auto window = shown("blobs:n=70000,d=2,k=4");
    QVERIFY(window);
    auto* exporter = window->findChild<ViewExport*>();
    QVERIFY(exporter);
    QSignalSpy said(exporter, &ViewExport::message);
    const QString path = folder.filePath("points.SVG");
    exporter->write({}, path);
    QVERIFY(said.wait(20000));
    const QString text = said.front()[0].toString();
    QVERIFY2(!said.front()[1].toBool() && text.contains("20,000"), qPrintable(text));
    QVERIFY(QSvgRenderer(path).isValid());
  }
};

int main(int argc, char** argv) { return runWindowTest<TestViewSvg>(argc, argv); }
#include "tst_view_svg.moc"
