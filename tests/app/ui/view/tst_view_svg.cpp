// SPDX-License-Identifier: GPL-3.0-or-later
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

#include <cstdlib>
#include <map>

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
