// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of people's own: their columns and roles, the digits that they have, and the way back into a table.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <cstring>

using namespace lloyd;

namespace {

QString fixture(const QString& name) {
  return QStringLiteral(LLOYD_SOURCE_DIR "/tests/fixtures/precision/") + name;
}

/// Reads both tables with Python's own reader and says what is wrong with the second one; nothing is well.
constexpr const char* pythonCheck = R"(
import csv, sys
def table(path):
    with open(path, newline='', encoding='utf-8-sig') as f:
        return [r for r in csv.reader(f, delimiter=sys.argv[3]) if r]
old, new = table(sys.argv[1]), table(sys.argv[2])
assert len(old) == len(new), (len(old), len(new))
header = sys.argv[4] == 'header'
for i, (a, b) in enumerate(zip(old, new)):
    assert b[:len(a)] == a, (i, a, b)
    if header and i == 0:
        assert b[len(a):] == ['cluster', 'distance'], b
        continue
    cluster, distance = b[-2:]
    assert len(b) == len(old[0]) + 2 or len(a) > len(old[0]), (i, b)
    assert (int(cluster) >= 0) == (distance != ''), (i, b)
    if distance:
        assert float(distance.replace(',', '.')) >= 0, (i, b)
print(' '.join(r[-2] for r in new[1 if header else 0:]))
)";

} // namespace

class TestTables : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

  static QList<int> numbers(const QByteArray& text) {
    QList<int> all;
    for (const QByteArray& word : text.simplified().split(' '))
      all << word.toInt();
    return all;
  }

private slots:
  /// A coordinate is the shortest text of its stored value, in reports as in the file of centroids.
  void reportsHaveTheCentroidsOfTheirFile() {
    const QTemporaryDir folder;
    const QString centroids = folder.filePath("centroids.csv"), report = folder.filePath("report.csv");
    const Outcome outcome =
        runProgram({"run", sampleData("iris.csv"), "--k", "4", "--seed", "2", "--backend", "cpu", "--quiet",
                    "--centroids-out", centroids, "--csv", report, "--json", "-"});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QStringList file = QString::fromUtf8(readFile(centroids)).split('\n', Qt::SkipEmptyParts);
    const QStringList rows = QString::fromUtf8(readFile(report)).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(file.size(), 5);
    QCOMPARE(rows.size(), 5);
    for (qsizetype c = 1; c < file.size(); ++c) {
      const QStringList wanted = file[c].split(',').mid(0, 4);
      QCOMPARE(rows[c].split(',').mid(2), wanted);
      for (const QString& value : wanted)
        QVERIFY2(outcome.out.contains(value.toLatin1() + '\n') ||
                     outcome.out.contains(value.toLatin1() + ','),
                 qPrintable(value));
    }
  }

  /// Labels and centroids are those of double precision, by whichever way the points come.
  void digitsOfTheFileAreKept_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("scale");
    QTest::addColumn<bool>("array");
    for (const char* name : {"utm", "million"})
      for (const char* scale : {"none", "standard"})
        for (const bool array : {false, true})
          QTest::addRow("%s, %s, %s", name, scale, array ? "array" : "text") << name << scale << array;
  }
  void digitsOfTheFileAreKept() {
    QFETCH(QString, name);
    QFETCH(QString, scale);
    QFETCH(bool, array);
    const QJsonObject whole = QJsonDocument::fromJson(readFile(fixture(name + ".json"))).object();
    const QJsonObject expected = whole[scale == "none" ? "plain" : "scaled"].toObject();
    const double unit = std::pow(10.0, -whole["decimals"].toInt());
    QByteArrayList lines = readFile(fixture(name + ".csv")).trimmed().split('\n');
    QVERIFY(writeFile(path("start.csv"), lines.mid(0, 4).join('\n') + '\n'));
    QString data = fixture(name + ".csv");
    if (array) {
      data = path("points.npy");
      QVERIFY(writeFile(data, arrayOf(lines.mid(1))));
    }
    const Outcome outcome =
        runProgram({"run", data, "--init", "file:" + path("start.csv"), "--scale", scale, "--json", "-",
                    "--labels-out", path("labels.csv"), "--centroids-out", path("centroids.csv"), "--csv",
                    path("report.csv"), "--markdown", path("report.md")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QList<int> labels;
    for (const auto& label : expected["labels"].toArray())
      labels << label.toInt();
    QCOMPARE(numbers(readFile(path("labels.csv")).mid(6)), labels);
    const double inertia = expected["inertia"].toDouble();
    const double found = outcome.json()["inertia"].toDouble();
    QVERIFY2(std::abs(found - inertia) <= 1e-4 * inertia, qPrintable(QString::number(found)));
    const QJsonArray centroids = expected["centroids"].toArray();
    const QByteArrayList written = readFile(path("centroids.csv")).trimmed().split('\n').mid(1);
    const QByteArrayList report = readFile(path("report.csv")).trimmed().split('\n').mid(1);
    QByteArrayList printed;
    for (const QByteArray& line : readFile(path("report.md")).split('\n'))
      if (line.startsWith("| 0 ") || line.startsWith("| 1 ") || line.startsWith("| 2 ")) printed << line;
    QVERIFY(printed.size() >= 3);
    for (qsizetype i = 0; i < centroids.size(); ++i)
      for (qsizetype j = 0; j < centroids[i].toArray().size(); ++j) {
        const double wanted = centroids[i].toArray()[j].toDouble();
        const auto right = [&](double value, double within) { return std::abs(value - wanted) <= within; };
        QVERIFY(right(outcome.json()["centroids"][static_cast<int>(i)][static_cast<int>(j)].toDouble(),
                      0.05 * unit));
        QVERIFY(right(written[i].split(',')[j].toDouble(), 0.05 * unit));
        QVERIFY(right(report[i].split(',')[j + 2].toDouble(), 0.05 * unit));
        const QByteArray cell = printed[i].split('|')[j + 3].trimmed().replace(",", "");
        QVERIFY2(right(cell.toDouble(), 0.55 * unit), printed[i]);
      }
  }

  /// What another run wrote begins the next one where that one ended.
  void centroidsInFileUnitsBeginARun() {
    const QString data = fixture("utm.csv");
    for (const char* name : {"c.csv", "c.npy"}) {
      QCOMPARE(runProgram({"run", data, "--k", "3", "--centroids-out", path(name), "--quiet"}).status, 0);
      const Outcome again = runProgram({"run", data, "--init", "file:" + path(name), "--json", "-"});
      QVERIFY2(again.status == 0, qPrintable(again.text()));
      QVERIFY(again.json()["iterations"].toInt() <= 2); // the first one finds every label new
    }
  }

  void irisKnowsItsSpecies() {
    const Outcome outcome = runProgram({"run", sampleData("iris.csv"), "--k", "3", "--restarts", "10",
                                        "--json", "-", "--table-out", path("iris.csv")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY(outcome.err.contains("column \"species\" is taken as the class"));
    QVERIFY(std::abs(outcome.json()["inertia"].toDouble() - 78.8514) < 1e-3);
    const QByteArrayList lines = readFile(path("iris.csv")).trimmed().split('\n');
    QCOMPARE(lines.size(), 151);
    QVERIFY2(lines[0].endsWith(",species,cluster,distance\r"), lines[0]); // as its lines end
    // The sum of the squared distances is the inertia.
    double sum = 0;
    for (qsizetype i = 1; i < lines.size(); ++i)
      sum += std::pow(lines[i].split(',').last().trimmed().toDouble(), 2);
    QVERIFY2(std::abs(sum - 78.8514) < 1e-3, qPrintable(QString::number(sum)));
  }

  void tablesComeBackWhole_data() {
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<QByteArray>("delimiter");
    QTest::addColumn<bool>("header");
    QTest::addColumn<QByteArray>("dropped"); ///< whose rows' clusters are -1
    QTest::newRow("quotes, a line end in a field, a missing value")
        << QByteArray("\"a \"\"name\"\"\",x, y ,note\nb,1.50,2,\"one,\ntwo\"\nc,,3,\"\"\nd,+4,5e0, z\n")
        << QByteArray(",") << true << QByteArray("1");
    QTest::newRow("semicolons, decimal commas, CRLF and a byte order mark")
        << QByteArray("\xEF\xBB\xBFx;y\r\n1,50;2\r\n3;\r\n4,25;5,0\r\n") << QByteArray(";") << true
        << QByteArray("1");
    QTest::newRow("tabs, no header") << QByteArray("1\t2\n3\t4\n") << QByteArray("\t") << false
                                     << QByteArray();
    QTest::newRow("columns of these names, no last line end")
        << QByteArray("cluster,x\n7,1\n8,2.5") << QByteArray(",") << false << QByteArray();
  }
  void tablesComeBackWhole() {
    QFETCH(QByteArray, table);
    QFETCH(QByteArray, delimiter);
    QFETCH(bool, header);
    QFETCH(QByteArray, dropped);
    QVERIFY(writeFile(path("in.csv"), table));
    const Outcome outcome = runProgram({"run", path("in.csv"), "--k", "2", "--table-out", path("out.csv")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QByteArray out = readFile(path("out.csv"));
    if (table.startsWith("cluster")) QVERIFY2(out.startsWith("cluster,x,cluster_2,distance\n7,1,"), out);
    QCOMPARE(out.count("\r\n"), table.count("\r\n"));
    if (table.startsWith("cluster")) return;
    const QByteArray clusters = readByPython(path("in.csv"), path("out.csv"), delimiter, header);
    if (QTest::currentTestFailed() || clusters.isEmpty()) return;
    const QByteArrayList each = clusters.simplified().split(' ');
    for (qsizetype i = 0; i < each.size(); ++i)
      QCOMPARE(each[i] == "-1", !dropped.isEmpty() && i == dropped.toInt());
  }

  void raggedRowsAreDroppedOnRequest() {
    QVERIFY(writeFile(path("ragged.csv"), "x,y\n1,2\n3\n5,6\n7,8\n"));
    const Outcome refused = runProgram({"run", path("ragged.csv"), "--k", "2"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("ragged.csv:3:2: this row has 1 field, but 2 were expected"), refused.err);
    QVERIFY2(refused.err.contains("--drop-ragged leaves such rows out"), refused.err);
    const Outcome outcome = runProgram({"run", path("ragged.csv"), "--k", "2", "--drop-ragged", "--table-out",
                                        path("whole.csv"), "--labels-out", path("labels.csv")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    QVERIFY2(outcome.err.contains(
                 "1 of 4 rows left out: more or fewer fields than the 2 of line 1, first in line 3"),
             outcome.err);
    const QByteArrayList lines = readFile(path("whole.csv")).split('\n');
    QCOMPARE(lines[0], QByteArray("x,y,cluster,distance"));
    QCOMPARE(lines[2], QByteArray("3,,-1,"));
    QCOMPARE(numbers(readFile(path("labels.csv")).mid(6))[1], -1);
  }

  void rolesAreRefusedInWords_data() {
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("said");
    const QString iris = sampleData("iris.csv");
    QTest::newRow("no such column") << QStringList{iris, "--class", "colour"}
                                    << QByteArray("there is no column \"colour\"");
    QTest::newRow("class and feature") << QStringList{iris, "--columns", "0,1", "--class", "1"}
                                       << QByteArray("is asked for as a feature and as the class");
    QTest::newRow("text as a feature")
        << QStringList{iris, "--columns", "species"} << QByteArray("holds no numbers");
    QTest::newRow("a generator") << QStringList{"--points", "blobs:", "--name", "x"}
                                 << QByteArray("name FILE");
    QTest::newRow("an image") << QStringList{sampleData("china.jpg"), "--class", "red"}
                              << QByteArray("no table of text");
    QTest::newRow("an array as a table")
        << QStringList{iris, "--table-out", "x.npy"} << QByteArray("must end in .csv, .tsv, .txt or .dat");
  }
  void rolesAreRefusedInWords() {
    QFETCH(QStringList, options);
    QFETCH(QByteArray, said);
    const Outcome outcome = runProgram(QStringList{"run"} + options);
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.contains(said), outcome.err);
  }

  /// Of points from elsewhere the table is made.
  void arraysBecomeTables() {
    QVERIFY(writeFile(path("two.npy"), arrayOf({"1000000.0001,2", "1000000.0003,nan", "1000000.0002,5"})));
    const Outcome outcome = runProgram({"run", path("two.npy"), "--k", "1", "--table-out", path("two.csv")});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.text()));
    const QByteArrayList lines = readFile(path("two.csv")).split('\n');
    QCOMPARE(lines[0], QByteArray("column 0,column 1,cluster,distance"));
    QVERIFY2(lines[1].startsWith("1000000.0001") && lines[1].endsWith(",2,0,1.5"), lines[1]);
    QCOMPARE(lines[2], QByteArray(",,-1,"));
  }

private:
  /// The table as an array of doubles.
  static QByteArray arrayOf(const QByteArrayList& lines) {
    const auto columns = lines[0].split(',').size();
    QByteArray head = "{'descr': '<f8', 'fortran_order': False, 'shape': (" +
                      QByteArray::number(lines.size()) + ", " + QByteArray::number(columns) + "), }";
    head += QByteArray(63 - (10 + head.size()) % 64, ' ') + '\n';
    QByteArray bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(head.size() & 0xFF);
    bytes += static_cast<char>(head.size() >> 8);
    bytes += head;
    for (const QByteArray& line : lines)
      for (const QByteArray& field : line.split(',')) {
        const double value = field.toDouble();
        const double kept = field == "nan" ? std::nan("") : value;
        bytes.append(reinterpret_cast<const char*>(&kept), sizeof(kept));
      }
    return bytes;
  }

  /// The clusters of all rows; empty, and the test is skipped, where there is no Python.
  static QByteArray readByPython(const QString& in, const QString& out, const QByteArray& delimiter,
                                 bool header) {
    const QString python = QStandardPaths::findExecutable("python3");
    if (python.isEmpty()) {
      qWarning("there is no python3, so the table was not read by another program");
      return {};
    }
    QProcess process;
    process.start(python,
                  {"-c", pythonCheck, in, out, QString::fromUtf8(delimiter), header ? "header" : "none"});
    if (!process.waitForFinished() || process.exitCode() != 0) {
      const QByteArray why = process.readAllStandardError();
      QTest::qFail(why, __FILE__, __LINE__);
    }
    return process.readAllStandardOutput();
  }
};

QTEST_GUILESS_MAIN(TestTables)
#include "tst_cli_tables.moc"
