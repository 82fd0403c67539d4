// SPDX-License-Identifier: GPL-3.0-or-later
// Packed files, archives, point clouds and pictures on the command line.
#include "tests/app/cli/program.hpp"
#include "tests/support/packed_files.hpp"

#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;
using namespace lloyd::test;

class TestFormats : public QObject {
  Q_OBJECT

  [[nodiscard]] static QJsonObject ran(const QStringList& words) {
    const Outcome outcome =
        runProgram(QStringList{"run"} + words + QStringList{"--backend", "cpu", "--json", "-"});
    return outcome.status == 0 ? outcome.json().object() : QJsonObject{{"failed", outcome.text()}};
  }
  [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }

private slots:
  void aPackedTableGivesTheSameRun() {
    const QByteArray iris = readFile(sampleData("iris.csv"));
    QVERIFY(writeFile(path("iris.csv.gz"), gzipOf(iris)));
    const QJsonObject plain = ran({sampleData("iris.csv"), "--k", "3", "--seed", "3"});
    const QJsonObject packed = ran({path("iris.csv.gz"), "--k", "3", "--seed", "3"});
    QVERIFY2(plain.contains("inertia"), qPrintable(plain["failed"].toString()));
    QCOMPARE(packed["inertia"], plain["inertia"]);
    QCOMPARE(packed["centroids"], plain["centroids"]);
  }

  void anArrayIsNamed() {
    QVERIFY(writeFile(path("two.npz"),
                      zipOf({{"a.npy", npyOf(3, 1, {1, 2, 9})}, {"b.npy", npyOf(2, 1, {1, 2})}})));
    const QJsonObject a = ran({path("two.npz") + ":a", "--k", "2"});
    QVERIFY2(a.contains("inertia"), qPrintable(a["failed"].toString()));
    QCOMPARE(a["inertia"].toDouble(), 0.5);
    const Outcome none = runProgram({"run", path("two.npz")});
    QCOMPARE(none.status, 2);
    QVERIFY2(none.err.contains("there are 2 files in it: a, b; name one, as in two.npz:a"),
             none.err.constData());
    QCOMPARE(none.err.count('\n'), 1);
    // First centroids, too.
    const QJsonObject given = ran({path("two.npz") + ":a", "--init", "file:" + path("two.npz") + ":b"});
    QVERIFY2(given.contains("inertia"), qPrintable(given["failed"].toString()));
    QCOMPARE(given["k"].toInt(), 2);
  }

  void coloursOfACloud() {
    QByteArray cloud(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n");
    cloud += "0 0 0 255 0 0\n0 0 1 255 0 0\n9 9 9 0 0 255\n9 9 8 0 0 255\n";
    QVERIFY(writeFile(path("cloud.ply"), cloud));
    const Outcome outcome = runProgram({"run", path("cloud.ply"), "--k", "2", "--backend", "cpu"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.err.contains("only x, y and z are used; left out: red, green, blue"),
             outcome.err.constData());
    const QJsonObject colours = ran({path("cloud.ply"), "--k", "2", "--columns", "red,green,blue"});
    QCOMPARE(colours["inertia"].toDouble(), 0.0);
  }

  void pixelsHavePlaces() {
    QVERIFY(writeFile(path("four.ppm"), QByteArray("P6 4 1 255\n") + QByteArray(12, '\x10')));
    const QJsonObject plain = ran({path("four.ppm"), "--k", "2"});
    const QJsonObject places = ran({path("four.ppm"), "--k", "2", "--image", "xyrgb"});
    QVERIFY2(plain.contains("inertia"), qPrintable(plain["failed"].toString()));
    QCOMPARE(plain["inertia"].toDouble(), 0.0);
    QCOMPARE(places["inertia"].toDouble(), 1.0); // places 0, 1 and 2, 3
    const Outcome wrong = runProgram({"run", path("four.ppm"), "--image", "hsv"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.contains("--image is 'hsv', but must be one of rgb, xyrgb"), wrong.err.constData());
  }

  void formatsAreListed() {
    const QByteArray listed = runProgram({"list", "formats"}).out;
    for (const char* ending : {"npz", "ply pcd", "tif tiff webp", "gz bz2 xz zst zip"})
      QVERIFY2(listed.contains(ending), ending);
  }

private:
  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestFormats)
#include "tst_cli_formats.moc"
