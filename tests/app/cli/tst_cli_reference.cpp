// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs against Lloyd's algorithm in double precision, from the same first centroids, with every variant
// that runs on a device of this machine.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace lloyd;

namespace {

bool near(double found, double expected, double tolerance) {
  return std::abs(found - expected) <= tolerance * std::max(std::abs(expected), 1e-12);
}

QByteArray centroidsCsv(const QJsonArray& rows) {
  QByteArray text;
  for (const auto& row : rows) {
    QByteArrayList fields;
    for (const auto& value : row.toArray())
      fields << QByteArray::number(value.toDouble(), 'g', 17);
    text += fields.join(',') + '\n';
  }
  return text;
}

} // namespace

class TestReference : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  /// The options that choose each variant, or pair of variants, that a backend has.
  static QList<QStringList> choices(const QString& backend) {
    QStringList classify, reduce;
    QList<QStringList> choices{{}};
    for (const auto& value : runProgram({"list", "variants", "--json"}).json().array()) {
      const QJsonObject variant = value.toObject();
      if (!variant["backends"].toArray().contains(backend)) continue;
      const QString id = variant["id"].toString();
      const QJsonArray stages = variant["stages"].toArray();
      if (stages.contains("classify")) classify << id;
      if (stages.contains("reduce")) reduce << id;
      if (stages.contains("fused")) choices << QStringList{"--fused", id};
    }
    if (backend == QStringLiteral("simt")) { // each once: the simulator takes its time
      for (qsizetype i = 0; i < std::max(classify.size(), reduce.size()); ++i)
        choices << QStringList{"--classify", classify[i % classify.size()], "--reduce",
                               reduce[i % reduce.size()]};
      return choices;
    }
    for (const QString& c : classify)
      for (const QString& r : reduce)
        choices << QStringList{"--classify", c, "--reduce", r};
    return choices;
  }

private slots:
  void runsAgree_data() {
    QTest::addColumn<QString>("reference");
    QTest::addColumn<QString>("backend");
    const QDir folder(QStringLiteral(LLOYD_SOURCE_DIR "/tests/fixtures/reference"));
    const QStringList files = folder.entryList({"*.json"});
    QVERIFY(!files.isEmpty());
    for (const QString& file : files) {
      QTest::newRow(qPrintable(file + " cpu")) << folder.filePath(file) << "cpu";
      QTest::newRow(qPrintable(file + " simt")) << folder.filePath(file) << "simt";
      if (hasCuda()) QTest::newRow(qPrintable(file + " cuda")) << folder.filePath(file) << "cuda";
    }
  }
  void runsAgree() {
    QFETCH(QString, reference);
    QFETCH(QString, backend);
    const QJsonObject expected = QJsonDocument::fromJson(readFile(reference)).object();
    const QString start = folder_.filePath("start.csv");
    QVERIFY(writeFile(start, centroidsCsv(expected["initial_centroids"].toArray())));
    QStringList columns;
    for (const auto& column : expected["columns"].toArray())
      columns << column.toString();
    QStringList run{"run",          sampleData(expected["source"].toString()),
                    "--columns",    columns.join(','),
                    "--init",       "file:" + start,
                    "--backend",    backend,
                    "--json",       "-",
                    "--labels-out", folder_.filePath("labels.csv")};
    if (!expected["converged"].toBool())
      run << "--iterations" << QString::number(expected["iterations"].toInt());
    int compared = 0;
    for (const QStringList& choice : choices(backend)) {
      const Outcome outcome = runProgram(run + choice);
      // A variant may say that it cannot take so many dimensions or clusters; another must then do it.
      if (!choice.isEmpty() && outcome.status == 2) continue;
      QVERIFY2(outcome.status == 0, qPrintable(choice.join(' ') + '\n' + outcome.text()));
      compare(outcome.json().object(), expected, choice.join(' '));
      if (QTest::currentTestFailed()) return;
      ++compared;
    }
    QVERIFY(compared >= 2);
  }

private:
  void compare(const QJsonObject& found, const QJsonObject& expected, const QString& choice) {
    const QByteArray what = choice.toUtf8();
    QVERIFY2(found["iterations"].toInt() == expected["iterations"].toInt(), what);
    QVERIFY2(found["converged"].toBool() == expected["converged"].toBool(), what);
    QVERIFY2(found["sizes"].toArray() == expected["sizes"].toArray(), what);
    QVERIFY2(near(found["inertia"].toDouble(), expected["inertia"].toDouble(), 1e-5), what);
    const QJsonArray centroids = expected["centroids"].toArray();
    for (qsizetype i = 0; i < centroids.size(); ++i)
      for (qsizetype j = 0; j < centroids[i].toArray().size(); ++j)
        QVERIFY2(near(found["centroids"].toArray()[i].toArray()[j].toDouble(),
                      centroids[i].toArray()[j].toDouble(), 1e-4),
                 what);
    const QJsonArray history = expected["history"].toArray();
    QCOMPARE(found["history"].toArray().size(), history.size());
    for (qsizetype i = 0; i < history.size(); ++i) {
      const QJsonObject iteration = found["history"].toArray()[i].toObject();
      const QJsonObject wanted = history[i].toObject();
      QVERIFY2(near(iteration["inertia"].toDouble(), wanted["inertia"].toDouble(), 1e-5), what);
      // A shift is the small difference of two large positions, so it is known to their rounding only.
      QVERIFY2(std::abs(iteration["shift"].toDouble() - wanted["shift"].toDouble()) <=
                   1e-4 * (1 + wanted["shift"].toDouble()),
               what);
      // null: the variant says only whether any label changed.
      if (!iteration["changed"].isNull())
        QVERIFY2(iteration["changed"].toInt() == wanted["changed"].toInt(), what);
    }
    QByteArrayList labels{"label"};
    for (const auto& label : expected["labels"].toArray())
      labels << QByteArray::number(label.toInt());
    QVERIFY2(readFile(folder_.filePath("labels.csv")).trimmed().split('\n') == labels, what);
  }
};

QTEST_GUILESS_MAIN(TestReference)
#include "tst_cli_reference.moc"
