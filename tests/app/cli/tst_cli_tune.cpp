// SPDX-License-Identifier: GPL-3.0-or-later
// "bench --tune" from the command to the runs that follow it, in a data folder of the test's own.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

/// A person's data folder.
class Home {
public:
  [[nodiscard]] Outcome run(const QStringList& arguments) const {
    QProcessEnvironment changes;
    changes.insert("XDG_DATA_HOME", folder_.path());
    return runProgram(arguments, changes);
  }
  [[nodiscard]] Outcome tune(const QStringList& more = {}) const {
    return run(QStringList{"bench", "--tune", "--backend", "cpu", "--n", "2000", "--d", "2", "--ks", "3",
                           "--budget", "20"} +
               more);
  }
  /// A run of the problem that tune() measures; more: options.
  [[nodiscard]] QJsonObject cluster(const QStringList& more = {}) const {
    return run(QStringList{"run", "--points", "uniform:n=2000,d=2", "--k", "3", "--backend", "cpu", "--json",
                           "-"} +
               more)
        .json()
        .object();
  }
  [[nodiscard]] QString table() const { return folder_.filePath("lloydscope/tuning.csv"); }
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

private:
  QTemporaryDir folder_;
};

/// The values of a table's only line.
QMap<QString, QString> onlyLine(const QString& table) {
  QStringList lines = QString::fromUtf8(readFile(table)).split('\n', Qt::SkipEmptyParts);
  lines.removeIf([](const QString& line) { return line.startsWith('#'); });
  QMap<QString, QString> values;
  if (lines.size() != 2) return values;
  const QStringList names = lines[0].split(',');
  const QStringList fields = lines[1].split(',');
  for (qsizetype i = 0; i < names.size() && i < fields.size(); ++i)
    values[names[i]] = fields[i];
  return values;
}

} // namespace

class TestTune : public QObject {
  Q_OBJECT

private slots:
  void aRunFollowsTheTable() {
    const Home home;
    QVERIFY(home.cluster()["defaults"].toObject()["from"].toString() != "here");
    const Outcome outcome = home.tune();
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.out.contains(("written to " + home.table()).toUtf8()), qPrintable(outcome.text()));
    const auto line = onlyLine(home.table());
    QCOMPARE(line["n"], QString("2000"));
    QCOMPARE(line["k"], QString("3"));
    const QJsonObject run = home.cluster();
    const QJsonObject defaults = run["defaults"].toObject();
    QCOMPARE(defaults["from"].toString(), QString("here"));
    QCOMPARE(defaults["measured"].toString(), line["measured"]);
    QCOMPARE(defaults["n"].toInt(), 2000);
    QVERIFY(defaults["why"].toString().startsWith("measured on this device on "));
    const QJsonObject variants = run["variants"].toObject();
    if (line["iteration"] == "fused") {
      QCOMPARE(variants["fused"].toString(), line["fused"]);
    } else {
      QCOMPARE(variants["classify"].toString(), line["classify"]);
      QCOMPARE(variants["reduce"].toString(), line["reduce"]);
    }
    QVERIFY(home.run({"list", "devices"}).out.contains("default variants: measured on this device on"));
  }

  void theTableDecidesAndAPersonOverridesIt() {
    const Home home;
    QCOMPARE(home.tune().status, 0);
    // Whatever was fastest here: the other form, by hand.
    QByteArray text = readFile(home.table());
    const auto line = onlyLine(home.table());
    const QString fields =
        QString("apart,%1,%2,,,cpu.v1,1.0,cpu.v2,1.0").arg(line["fused"], line["fused_us"]);
    const QString measured = QStringList{line["iteration"],   line["fused"],    line["fused_us"],
                                         line["tiled"],       line["tiled_us"], line["classify"],
                                         line["classify_us"], line["reduce"],   line["reduce_us"]}
                                 .join(',');
    QVERIFY(text.contains(measured.toUtf8()));
    text.replace(measured.toUtf8(), fields.toUtf8());
    QVERIFY(writeFile(home.table(), text));
    const QJsonObject run = home.cluster();
    QCOMPARE(run["variants"].toObject()["classify"].toString(), QString("cpu.v1"));
    QCOMPARE(run["variants"].toObject()["reduce"].toString(), QString("cpu.v2"));
    const QJsonObject named = home.cluster({"--fused", "cpu.v3"});
    QCOMPARE(named["variants"].toObject()["fused"].toString(), QString("cpu.v3"));
    QVERIFY(named["defaults"].isNull());
    const QJsonObject half = home.cluster({"--classify", "cpu.v2"});
    QCOMPARE(half["variants"].toObject()["classify"].toString(), QString("cpu.v2"));
    QCOMPARE(half["variants"].toObject()["reduce"].toString(), QString("cpu.v2"));
    QCOMPARE(half["defaults"].toObject()["from"].toString(), QString("here"));
    // Other problems that were measured before stay when one is measured anew.
    QCOMPARE(home.tune({"--seed", "2"}).status, 0);
    QVERIFY(!onlyLine(home.table()).isEmpty());
    QCOMPARE(home.run({"bench", "--tune", "--backend", "cpu", "--n", "1000", "--d", "1", "--ks", "2"}).status,
             0);
    QVERIFY(onlyLine(home.table()).isEmpty());
    QCOMPARE(home.cluster()["defaults"].toObject()["n"].toInt(), 2000);
  }

  void aDamagedTableIsSaidAndKept() {
    const Home home;
    QVERIFY(QDir().mkpath(home.path("lloydscope")));
    const QByteArray damaged = "backend,device\nnonsense\n";
    QVERIFY(writeFile(home.table(), damaged));
    const Outcome run =
        home.run({"run", "--points", "uniform:n=2000,d=2", "--backend", "cpu", "--json", "-"});
    QVERIFY2(run.status == 0, qPrintable(run.text()));
    QVERIFY(run.json().object()["defaults"].toObject()["from"].toString() != "here");
    const QByteArray place =
        (home.table() + ":1: the names of a tuning table's columns were expected").toUtf8();
    QVERIFY2(run.err.contains(place), qPrintable(run.text()));
    QCOMPARE(run.err.count(home.table().toUtf8()), 1);
    QCOMPARE(readFile(home.table()), damaged);
    // Measuring anew puts a good one in its place and keeps the other beside it.
    const Outcome tuned = home.tune();
    QVERIFY2(tuned.status == 0, qPrintable(tuned.text()));
    QCOMPARE(readFile(home.table() + ".damaged"), damaged);
    QVERIFY(!onlyLine(home.table()).isEmpty());
    QVERIFY(!home.run({"list", "devices"}).err.contains("tuning.csv"));
  }

  void aTableCanBeWrittenElsewhere() {
    const Home home;
    const QString other = home.path("other.csv");
    const Outcome outcome = home.tune({"--tune-out", other});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(!onlyLine(other).isEmpty());
    QVERIFY(!QFile::exists(home.table()));
  }

  void whatMakesNoSenseIsRefused() {
    const Home home;
    for (const QStringList& more :
         {QStringList{"--json", "-"}, QStringList{"--block", "64"}, QStringList{"--points", "blobs:"},
          QStringList{"--cache", "cold"}, QStringList{"--variants", "nothing.*"},
          QStringList{"--budget", "much"}, QStringList{"--tune-out", "/nowhere/table.csv"}}) {
      const Outcome outcome = home.tune(more);
      QVERIFY2(outcome.status == 2, qPrintable(more.join(' ') + ": " + outcome.text()));
    }
    QVERIFY(home.tune({"--json", "-"}).err.contains("leave --json out"));
    const Outcome alone = home.run({"bench", "--tune-out", home.path("t.csv"), "--backend", "cpu"});
    QCOMPARE(alone.status, 2);
    QVERIFY(alone.err.contains("--tune"));
    QCOMPARE(home.run({"bench", "--tune", "--backend", "simt"}).status, 2);
    QVERIFY(!QFile::exists(home.table()));
  }
};

QTEST_GUILESS_MAIN(TestTune)
#include "tst_cli_tune.moc"
