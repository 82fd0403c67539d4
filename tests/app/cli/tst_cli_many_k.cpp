// SPDX-License-Identifier: GPL-3.0-or-later
// What "run" says of several numbers of clusters, of their scores, and of a class.
#include "tests/app/cli/program.hpp"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

/// What a text report says of one thing; empty where it has no such line.
QByteArray factOf(const QByteArray& report, const QByteArray& fact) {
  for (const QByteArray& line : report.split('\n'))
    if (line.startsWith(fact + ' ')) return line.mid(fact.size()).trimmed();
  return {};
}

} // namespace

class TestManyK : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QString inFolder(const QString& name) const { return folder_.filePath(name); }

private slots:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void everyKIsTheRunOfThatK() {
    const QStringList words{"run", sampleData("iris.csv"), "--restarts", "3", "--backend", "cpu", "--json",
                            "-"};
    const QJsonArray runs = runProgram(words + QStringList{"--ks", "2:6:2,9", "--scores", "none"})
                                .json()
                                .object()["runs"]
                                .toArray();
    const QJsonArray ks{2, 4, 6, 9};
    QCOMPARE(runs.size(), ks.size());
    for (int i = 0; i < ks.size(); ++i) {
      const QJsonObject alone =
          runProgram(words + QStringList{"--k", QString::number(ks[i].toInt())}).json().object();
      const QJsonObject run = runs[i].toObject();
      for (const char* key : {"k", "seed", "inertia", "iterations", "centroids", "restarts", "variants"})
        QCOMPARE(run[key], alone[key]);
    }
    const QByteArray csv = runProgram(words.mid(0, 6) + QStringList{"--ks", "3,2", "--csv", "-"}).out;
    QVERIFY2(csv.startsWith("k,inertia,seed,") && csv.count('\n') == 3, csv.constData());
  }

  /// A range of run has every number, and its runs are judged without being asked to be.
  void everyKIsJudged() {
    const QStringList words{
        "run", sampleData("iris.csv"), "--ks", "2:5", "--restarts", "4", "--backend", "cpu", "--json", "-"};
    const QJsonObject all = runProgram(words).json().object();
    const QJsonArray runs = all["runs"].toArray();
    QCOMPARE(runs.size(), 4);
    const QJsonObject three = runs[1].toObject();
    QCOMPARE(three["k"].toInt(), 3);
    const QJsonObject scores = three["scores"].toObject();
    // As scikit-learn has them for the same centroids (tests/fixtures/quality/iris.json).
    QVERIFY(std::abs(scores["silhouette"].toDouble() - 0.5528190088699417) <= 1e-6);
    QVERIFY(std::abs(scores["davies_bouldin"].toDouble() - 0.6619715499049293) <= 1e-6);
    QVERIFY(std::abs(scores["calinski_harabasz"].toDouble() - 561.6277626925819) <= 1e-3);
    QCOMPARE(scores["silhouette_points"].toInt(), 150);
    QCOMPARE(scores["silhouette_clusters"].toArray().size(), 3);
    const QJsonArray restarts = three["restarts"].toArray();
    QCOMPARE(restarts.size(), 4);
    for (const auto& restart : restarts)
      QVERIFY(restart.toObject()["scores"].toObject()["silhouette"].toDouble() > 0.4);
    const QJsonObject suggested = all["suggested_k"].toObject();
    QCOMPARE(suggested["silhouette"].toInt(), 2);
    QCOMPARE(suggested["davies_bouldin"].toInt(), 2);
    QCOMPARE(suggested["calinski_harabasz"].toInt(), 3);
    QCOMPARE(suggested["inertia"].toInt(), 3);
    const QByteArray text = runProgram(words.mid(0, 8)).out;
    QVERIFY2(text.contains("  silhouette is highest at k = 2 (0.6810)\n"), text.constData());
    QVERIFY2(text.contains("  inertia is farthest below the straight line from k = 2 to k = 5 at k = 3 ("),
             text.constData());
    QVERIFY2(text.contains("look at the points\n"), text.constData());
    const QByteArray csv = runProgram(words.mid(0, 8) + QStringList{"--csv", "-"}).out;
    QVERIFY2(csv.contains(",silhouette,silhouette_least,silhouette_most,") && csv.count('\n') == 5,
             csv.constData());
    // However runs are ordered, they are the same runs.
    const QJsonObject sets = runProgram(words + QStringList{"--schedule", "multi"}).json().object();
    QCOMPARE(sets["suggested_k"], all["suggested_k"]);
    for (int i = 0; i < 4; ++i)
      for (const char* key : {"scores", "restarts"})
        QCOMPARE(sets["runs"].toArray()[i].toObject()[key], runs[i].toObject()[key]);
  }

  /// As scikit-learn has it for the same clusters (tests/fixtures/quality/iris.json).
  void clustersAreHeldAgainstTheClass() {
    const QStringList words{"run", sampleData("iris.csv"), "--k", "3", "--restarts", "4", "--backend", "cpu"};
    const QJsonObject held =
        runProgram(words + QStringList{"--json", "-"}).json().object()["class"].toObject();
    QCOMPARE(held["column"].toString(), QString("species"));
    QCOMPARE(held["classes"].toArray(), (QJsonArray{"setosa", "versicolor", "virginica"}));
    QVERIFY(std::abs(held["adjusted_rand"].toDouble() - 0.7302382722834697) <= 1e-6);
    QVERIFY(std::abs(held["normalised_mutual_information"].toDouble() - 0.7581756800057784) <= 1e-6);
    QList<QJsonValue> rows;
    for (const auto& row : held["confusion"].toArray())
      rows << row;
    QCOMPARE(rows.size(), 3);
    for (const QJsonArray& row : {QJsonArray{50, 0, 0}, QJsonArray{0, 48, 14}, QJsonArray{0, 2, 36}})
      QVERIFY(rows.contains(QJsonValue(row)));
    const QByteArray text = runProgram(words).out;
    QVERIFY2(
        text.contains("class       species: adjusted Rand 0.7302, normalised mutual information 0.7582\n"),
        text.constData());
    QVERIFY2(text.contains("  cluster  setosa  versicolor  virginica\n"), text.constData());
    const QByteArray markdown = runProgram(words + QStringList{"--markdown", "-"}).out;
    QVERIFY2(markdown.contains("## Clusters by species\n\n| cluster | setosa | versicolor | virginica |"),
             markdown.constData());
    const QByteArray curve =
        runProgram({"run", sampleData("iris.csv"), "--ks", "2:4", "--backend", "cpu"}).out;
    QVERIFY2(curve.contains("adjusted Rand     NMI"), curve.constData());
    const QByteArray none =
        runProgram({"run", sampleData("faithful.csv"), "--k", "2", "--backend", "cpu", "--json", "-"}).out;
    QVERIFY(!none.contains("adjusted_rand"));
  }

  void aPointWithoutAClassIsLeftOut() {
    const QString path = inFolder("classes.csv");
    QVERIFY(writeFile(path, "x,kind\n0,a\n1,a\n9,b\n10,\n11,b\n"));
    const QJsonObject held = runProgram({"run", path, "--k", "2", "--backend", "cpu", "--json", "-"})
                                 .json()
                                 .object()["class"]
                                 .toObject();
    QCOMPARE(held["without_class"].toInt(), 1);
    QCOMPARE(held["adjusted_rand"].toDouble(), 1.0);
  }

  void scoresAreWhatWasAskedFor() {
    const QStringList one{
        "run", sampleData("iris.csv"), "--k", "3", "--restarts", "3", "--backend", "cpu", "--json", "-"};
    const QJsonObject none = runProgram(one).json().object();
    QVERIFY(!none.contains("scores"));
    const QJsonObject best = runProgram(one + QStringList{"--scores", "best"}).json().object();
    QVERIFY(best["scores"].toObject()["silhouette"].toDouble() > 0.5);
    QVERIFY(!best["restarts"].toArray()[0].toObject().contains("scores"));
    const QJsonObject all = runProgram(one + QStringList{"--scores", "all"}).json().object();
    QCOMPARE(all["scores"], best["scores"]);
    QVERIFY(all["restarts"].toArray()[0].toObject().contains("scores"));
    const Outcome text = runProgram(one.mid(0, 8) + QStringList{"--scores", "best"});
    QVERIFY2(text.out.contains("scores      silhouette 0.5528, Davies-Bouldin 0.662"),
             qPrintable(text.text()));
    const Outcome wrong = runProgram(one + QStringList{"--scores", "some"});
    QVERIFY2(wrong.status == 2 && wrong.err.contains("none, best or all"), qPrintable(wrong.text()));
    const Outcome moving = runProgram(
        {"run", "--points", "drift:n=500", "--ks", "2,3", "--iterations", "2", "--backend", "cpu"});
    QVERIFY2(moving.status == 0 && moving.err.contains("no scores, because the points move") &&
                 !moving.out.contains("silhouette"),
             qPrintable(moving.text()));
    const Outcome alone =
        runProgram({"run", sampleData("iris.csv"), "--k", "1", "--scores", "best", "--backend", "cpu"});
    QVERIFY2(alone.status == 0 && alone.out.contains(QString::fromUtf8("silhouette \u2013, ").toUtf8()),
             qPrintable(alone.text()));
  }

  /// Of more points than the budget lets be held against each other.
  void aLargeSetsSilhouetteSaysItsSample() {
    const QStringList words{"run",       "--points", "blobs:n=40000,d=2,k=4", "--k", "4", "--scores", "best",
                            "--backend", "cpu"};
    const QByteArray text = runProgram(words).out;
    QVERIFY2(text.contains("(of 22,360 of 40,000 points, drawn at random; standard error of the mean "),
             text.constData());
    const QJsonObject scores =
        runProgram(words + QStringList{"--json", "-"}).json().object()["scores"].toObject();
    QCOMPARE(scores["silhouette_points"].toInt(), 22'360);
    QVERIFY(scores["silhouette_error"].toDouble() > 0);
  }

  void theLeastRestartIsWhatIsReported() {
    const QString wide = folder_.filePath("wide.csv");
    QVERIFY(writeFile(wide, "x\n0\n246891\n1000003\n1577777\n2222222\n"));
    const QByteArray best =
        runProgram({"run", wide, "--k", "2", "--backend", "cpu", "--restarts", "9", "--init", "random"}).out;
    const QByteArray inertia = factOf(best, "inertia");
    QVERIFY2(inertia.size() > 13 && inertia.count(',') == 3, best.constData());
    QVERIFY2(factOf(best, "restarts").contains("; inertia " + inertia + " to "), best.constData());
  }

  /// One start may end in a poor optimum, and nobody asked for just one.
  void oneStartIsSaidWhereNobodyChoseIt_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QByteArray>("start");
    const QByteArray advice("; --restarts 10 takes the best of ten");
    QTest::newRow("no word of it") << QStringList{} << "one, seed 1" + advice;
    QTest::newRow("random") << QStringList{"--init", "random", "--seed", "7"} << "one, seed 7" + advice;
    QTest::newRow("one on request") << QStringList{"--restarts", "1"} << QByteArray();
    QTest::newRow("several") << QStringList{"--restarts", "3"} << QByteArray();
    QTest::newRow("first") << QStringList{"--init", "first"} << QByteArray();
    QTest::newRow("bands") << QStringList{"--init", "bands"} << QByteArray();
  }
  void oneStartIsSaidWhereNobodyChoseIt() {
    QFETCH(QStringList, more);
    QFETCH(QByteArray, start);
    const QStringList words{"run", sampleData("iris.csv"), "--backend", "cpu"};
    QCOMPARE(factOf(runProgram(words + QStringList{"-k", "3"} + more).out, "start"), start);
    QCOMPARE(factOf(runProgram(words + QStringList{"--ks", "3"} + more).out, "start"), QByteArray());
    const QByteArray json = runProgram(words + QStringList{"-k", "3", "--json", "-"} + more).out;
    QVERIFY(!json.isEmpty() && !json.contains("\"start\""));
  }
};

QTEST_GUILESS_MAIN(TestManyK)
#include "tst_cli_many_k.moc"
