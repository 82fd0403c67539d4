// SPDX-License-Identifier: GPL-3.0-or-later
// Every wrong request: its exit status, one sentence on standard error that helps, nothing on standard
// output, and no file left behind.
#include "tests/app/cli/program.hpp"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace lloyd;

class TestRequests : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  QStringList made_;

  QString inFolder(const QString& name) const { return folder_.filePath(name); }
  void make(const QString& name, const QByteArray& bytes) {
    QVERIFY(writeFile(inFolder(name), bytes));
    made_ << name;
  }
  void refused(const char* name, const QStringList& arguments, int status, const QString& words) {
    QTest::newRow(name) << arguments << status << words;
  }

private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    make("good.csv", "x,y\n0,0\n1,1\n5,5\n6,6\n");
    make("ragged.csv", "x,y\n0,0\n1\n5,5\n");
    make("mixed.csv", "x,y\n0,0\n1,one\n5,5\n");
    make("header.csv", "x,y\n");
    make("empty.csv", "");
    make("words.csv", "a,b\nc,d\ne,f\n");
    make("hollow.csv", "x,y\nnan,1\n2,inf\n");
    make("short.npy", QByteArray("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False,", 45));
    make("binary.dat", QByteArray("\x7f"
                                  "ELF\x02\x01\x01\x00\x00\x00\x00\x00\xff\xfe\x00\x00",
                                  16));
    make("broken.png", QByteArray("\x89PNG\r\n\x1a\n\x00\x00", 10));
    make("three.csv", "0,0\n1,1\n5,5\n");
    make("flat.csv", "0\n1\n");
    make("one.csv", "0\n");
  }

  void wrong_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("words");
    const QString good = inFolder("good.csv");
    refused("unknown option", {"run", good, "--nosuch"}, 2, "no option --nosuch");
    refused("unknown option of the window", {"--nosuch"}, 2, "no option --nosuch");
    refused("two files", {"bench", good, good}, 2, "one FILE");
    refused("file and generator", {"run", good, "--points", "blobs:"}, 2, "--points");
    refused("no points", {"run"}, 2, "no points");
    for (const char* typed : {"-k", "--k", "--seed", "--columns"})
      refused(qPrintable(QString("missing value of ") + typed), {"run", good, typed}, 2,
              QString("lloydscope: ") + typed + " needs a value (");
    refused("missing value of a letter", {"-k"}, 2,
            "lloydscope: -k needs a value (N), but nothing follows it\n");
    refused("nothing behind =", {"run", "--k=", good}, 2,
            "lloydscope: --k needs a value (N), but nothing follows its =\n");
    refused("value of a switch", {"run", good, "--k", "2", "--quiet=no"}, 2,
            "--quiet takes no value, but '--quiet=no' gives one");
    refused("unknown classify variant", {"run", good, "--classify", "classify.v99"}, 2, "classify.v99");
    refused("unknown fused variant", {"run", good, "--fused", "nothing"}, 2, "nothing");
    refused("variant of another stage", {"run", good, "--classify", "cpu.v3", "--k", "2", "--backend", "cpu"},
            2, "cpu.v3");
    refused("fused and classify", {"run", good, "--k", "2", "--fused", "cpu.v3", "--classify", "cpu.v1"}, 2,
            "cpu.v3");
    refused("no run at all", {"run", good, "--k", "2", "--restarts", "0"}, 2, "--restarts is '0'");
    refused("labels of several k", {"run", good, "--ks", "1,2", "--labels-out", inFolder("l.csv")}, 2,
            "--labels-out writes what one run has found, and --ks names 2: choose one");
    refused("both words for k", {"run", good, "--ks", "1,2", "--k", "1"}, 2, "the same thing twice");
    refused("one k too many", {"run", good, "--ks", "1,99"}, 2, "99");
    refused("restarts of the same", {"run", good, "--k", "2", "--restarts", "2", "--init", "first"}, 2,
            "--init first leaves none: use kmeans++ or random");
    refused("unknown generator", {"run", "--points", "nosuch:n=10"}, 2, "nosuch");
    for (const char* typed : {"nosuch", "nosuch:", "nosuch::"})
      refused(qPrintable(QString("unknown generator ") + typed), {"run", "--points", typed}, 2,
              "lloydscope: there is no generator \"nosuch\"; the generators are drift, blobs,");
    refused(
        "unknown generator for FILE", {"run", "nosuch:"}, 2,
        "lloydscope: there is no file 'nosuch:', and there is no generator \"nosuch\"; the generators are");
    refused("unknown generator for the window", {"nosuch:n=5"}, 2, "there is no generator \"nosuch\"");
    refused("colon too many", {"run", "--points", "blobs::"}, 2,
            "lloydscope: blobs: expected key=value, found");
    refused("unknown generator key", {"run", "--points", "blobs:colour=red"}, 2, "colour");
    refused("generator out of range", {"run", "--points", "blobs:n=-5"}, 2, "n");
    refused("unknown column", {"run", good, "--columns", "x,z"}, 2, "z");
    refused("column index", {"run", good, "--columns", "7"}, 2, "7");
    refused("k of 0", {"run", good, "--k", "0"}, 2, "--k is '0'");
    refused("negative k", {"run", good, "--k", "-3"}, 2, "--k is '-3'");
    refused("k that is no number", {"run", good, "--k", "many"}, 2, "--k is 'many'");
    refused("k above n", {"run", good, "--k", "5"}, 2, "4 points");
    refused("k above the only point", {"run", inFolder("one.csv"), "--k", "3"}, 2,
            "k is 3, but there is only 1 point\n");
    refused("default k above n", {"run", good}, 2, "4 points");
    refused("no parameter", {"run", good, "--k", "2", "--backend", "cpu", "--block", "128"}, 2, "block");
    refused("no arithmetic", {"run", good, "--k", "2", "--backend", "cpu", "--arithmetic", "multiply"}, 2,
            "arithmetic");
    refused("bad arithmetic", {"run", good, "--k", "2", "--arithmetic", "divide"}, 2, "multiply");
    refused("bad scale", {"run", good, "--scale", "log"}, 2, "standard");
    refused("bad init", {"run", good, "--init", "best"}, 2, "kmeans++");
    refused("bad backend", {"run", good, "--backend", "abacus"}, 2, "cpu");
    refused("bad empty rule", {"run", good, "--empty", "drop"}, 2, "keep");
    refused("bad tolerance", {"run", good, "--tolerance", "-1"}, 2, "--tolerance");
    refused("bad log level", {"run", good, "--log-level", "loud"}, 2, "--log-level");
    refused("rows set k", {"run", good, "--init", "file:" + inFolder("three.csv"), "--k", "2"}, 2,
            "3 centroids");
    refused("centroids of other width", {"run", good, "--init", "file:" + inFolder("flat.csv")}, 2,
            "dimension");
    refused("no centroid file", {"run", good, "--init", "file:" + inFolder("nosuch.csv")}, 2, "nosuch.csv");
    refused("no file", {"run", inFolder("nosuch.csv")}, 2, "nosuch.csv");
    refused("directory", {"run", folder_.path()}, 2, folder_.path());
    refused("ragged row", {"run", inFolder("ragged.csv")}, 2, "ragged.csv:3");
    refused("numbers and text", {"run", inFolder("mixed.csv")}, 2, "mixed.csv:3");
    refused("only a header", {"run", inFolder("header.csv")}, 2, "header.csv");
    refused("empty file", {"run", inFolder("empty.csv")}, 2, "empty.csv");
    refused("only text", {"run", inFolder("words.csv")}, 2, "words.csv");
    refused("nothing finite", {"run", inFolder("hollow.csv"), "--k", "1"}, 2, "hollow.csv");
    refused("truncated array", {"run", inFolder("short.npy")}, 2, "short.npy");
    refused("foreign file", {"run", inFolder("binary.dat")}, 2, "binary.dat");
    refused("broken image", {"run", inFolder("broken.png")}, 2, "broken.png");
    refused("labels of no format", {"run", good, "--k", "2", "--labels-out", inFolder("l.txt")}, 2, ".npy");
    refused("output is a folder", {"run", good, "--k", "2", "--json", folder_.path()}, 2, "directory");
    refused("output nowhere", {"run", good, "--k", "2", "--json", inFolder("no/such/r.json")}, 2,
            "no directory");
    refused("output is the input", {"run", good, "--k", "2", "--csv", good}, 2, "points are read from it");
    refused("a report over a table", {"bench", "--n", "100", "--json", good}, 2, "ends in .json");
    refused("a table over a table", {"bench", "--n", "100", "--csv", good}, 2, "holds no report");
    refused("numbers of clusters backwards", {"run", good, "--ks", "5:2"}, 2, "'5:2' runs backwards");
    refused("two outputs of one name",
            {"run", good, "--k", "2", "--csv", inFolder("r"), "--json", inFolder("r")}, 2, "two");
    refused("two reports to standard output", {"run", good, "--k", "2", "--json", "-", "--csv", "-"}, 2,
            "only one");
    refused("outputs before an error",
            {"run", good, "--k", "9", "--json", inFolder("r.json"), "--labels-out", inFolder("l.npy")}, 2,
            "4 points");
    refused("unknown bench variant", {"bench", "--n", "100", "--variants", "nosuch.*"}, 2, "nosuch");
    refused("bench size of a file", {"bench", good, "--n", "100"}, 2, "--n");
    refused("bench size twice", {"bench", "--points", "blobs:n=100", "--n", "100"}, 2, "n=");
    refused("bench order of a file", {"bench", good, "--order", "0,1"}, 2, "--order is for generators");
    refused("bench spread twice", {"bench", "--points", "blobs:spread=2", "--spread", "1"}, 2,
            "--spread and spread= in 'blobs:spread=2' say the same thing twice: leave one out");
    refused("bench skew without clusters", {"bench", "--skew", "1"}, 2,
            "--skew: points of uniform have no skew; those of blobs, anisotropic, bands have one\n");
    refused("bench order beyond all", {"bench", "--order", "0,1.5"}, 2,
            "--order: '1.5' is no number from 0 to 1 of at most three decimals\n");
    refused("bench skew beyond all", {"bench", "--points", "blobs", "--skew", "9"}, 2,
            "--skew: '9' is no number from 0 to 8 of");
    refused("bench order in words", {"bench", "--order", "forward"}, 2, "--order: 'forward'");
    refused("bench order without a value", {"bench", "--order"}, 2, "--order needs a value (LIST)");
    refused("trace order without a value", {"trace", "--order"}, 2,
            "--order needs a value (forward|reverse|seeded[:N])");
    refused("trace spread of a file", {"trace", good, "--spread", "1"}, 2, "--spread is for generators");
    refused("tune over data", {"bench", "--tune", "--spread", "1"}, 2, "leave --spread out");
    refused("bench list", {"bench", "--n", "10,,20"}, 2, "--n");
    refused("bench range", {"bench", "--n", "100", "--backend", "cpu", "--block", "32:64"}, 2, "block");
    refused("bench unroll", {"bench", "--n", "100", "--backend", "cpu", "--unroll", "2"}, 2, "unroll");
    refused("unknown verify variant", {"verify", "--variants", "nosuch"}, 2, "nosuch");
    refused("list of nothing", {"list"}, 2, "variants");
    refused("list of something else", {"list", "colours"}, 2, "colours");
    refused("window on a missing file", {inFolder("nosuch.csv")}, 2, "no such file");
    refused("times of the simulator", {"bench", "--n", "100", "--backend", "simt"}, 2, "trace");
    refused("CPU variant on the simulator",
            {"run", good, "--k", "2", "--backend", "simt", "--classify", "cpu.v1"}, 3, "cpu.v1");
    refused("shared without a window", {"run", good, "--k", "2", "--interop", "shared"}, 3, "shared");
    refused("columns of no file", {"bench", "--columns", "a"}, 2, "--columns chooses");
    refused("scale of bench's own points", {"bench", "--scale", "log"}, 2, "--scale");
    refused("scale of trace's own points", {"trace", "--scale", "log"}, 2, "--scale");
    refused("window without a display", {}, 3, "display");
    refused("shot without a display", {"shot", "--frames", "1"}, 3, "display");
  }
  void wrong() {
    QFETCH(QStringList, arguments);
    QFETCH(int, status);
    QFETCH(QString, words);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.status == status, qPrintable(outcome.text()));
    QVERIFY2(outcome.out.isEmpty(), qPrintable(outcome.text()));
    QCOMPARE(outcome.err.count('\n'), 1); // of libraries too
    const QString said = QString::fromUtf8(outcome.err);
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY2(said.startsWith(QStringLiteral("lloydscope: ")) && said.endsWith(QLatin1Char('\n')),
             qPrintable(said));
    QStringList left = QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden);
    left.sort();
    made_.sort();
    QCOMPARE(left, made_);
  }

  void theWordsOfTeachAreChecked_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    QTest::newRow("workspace") << QStringList{"--workspace", "ladder"} << "explore, teach or compare";
    QTest::newRow("kernel") << QStringList{"--teach", "classify.v99"} << "classify.v7";
    QTest::newRow("colours") << QStringList{"--colour", "blue"} << "warp";
  }
  void theWordsOfTeachAreChecked() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, words);
    QProcessEnvironment offscreen;
    offscreen.insert("QT_QPA_PLATFORM", "offscreen");
    const Outcome outcome = runProgram(QStringList{"shot", inFolder("good.csv")} + arguments, offscreen);
    QVERIFY2(outcome.status == 2, qPrintable(outcome.text()));
    QVERIFY2(QString::fromUtf8(outcome.err).contains(words), qPrintable(outcome.text()));
  }

  /// Where both are wrong, the value is what the person can mend.
  void aWrongValueIsToldWithoutADisplay() {
    for (const QStringList& words :
         {QStringList{"--theme", "pink"}, QStringList{"shot", "--size", "foo"},
          QStringList{"shot", "--theme", "pink"}, QStringList{"--teach", "classify.v99"}}) {
      const Outcome outcome = runProgram(words);
      QVERIFY2(outcome.status == 2, qPrintable(outcome.text()));
      QVERIFY2(outcome.err.contains(words[words.size() - 2].toUtf8()), qPrintable(outcome.text()));
    }
    QCOMPARE(runProgram({"--theme", "dark"}).status, 3);
  }

  void aDisplayThatDoesNotAnswerIsStatus3() {
    QProcessEnvironment unreachable;
    unreachable.insert("DISPLAY", ":4711");
    const Outcome outcome =
        runProgram({"shot", "--frames", "1", "--out", inFolder("never.png")}, unreachable);
    QVERIFY2(outcome.status == 3, qPrintable(outcome.text()));
    QVERIFY(outcome.err.contains(":4711"));
    QVERIFY(!QFile::exists(inFolder("never.png")));
  }

  void aPlatformThatDoesNotStartIsStatus3_data() {
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("value");
    QTest::newRow("Wayland that is not there") << "WAYLAND_DISPLAY"
                                               << "wayland-4711";
    QTest::newRow("X without a display") << "QT_QPA_PLATFORM"
                                         << "xcb";
    QTest::newRow("no platform of Qt") << "QT_QPA_PLATFORM"
                                       << "telegraph";
  }
  void aPlatformThatDoesNotStartIsStatus3() {
    QFETCH(QString, variable);
    QFETCH(QString, value);
    QProcessEnvironment environment;
    environment.insert(variable, value);
    const Outcome outcome =
        runProgram({"shot", "--frames", "1", "--out", inFolder("never.png")}, environment);
    QVERIFY2(outcome.status == 3, qPrintable(outcome.text()));
    QVERIFY2(outcome.err.count('\n') == 1 && outcome.err.contains(value.toUtf8()),
             qPrintable(outcome.text()));
  }

  void allOutputsAreWrittenOrNone() {
    const QString labels = inFolder("kept.csv");
    QVERIFY(writeFile(labels, "old"));
    const QString pipe = inFolder("unread");
    QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
    const Outcome outcome =
        runProgram({"run", inFolder("good.csv"), "--k", "2", "--labels-out", labels, "--json", pipe});
    QVERIFY2(outcome.status == 2, qPrintable(outcome.text()));
    QVERIFY2(outcome.err.contains("no program reads from this pipe"), outcome.err.constData());
    QCOMPARE(readFile(labels), QByteArray("old"));
    QCOMPARE(QDir(folder_.path()).entryList({"kept*"}).size(), 1); // and nothing half written beside it
  }

  void aTuningTableThatCannotBeWrittenIsNoticedFirst() {
    QProcessEnvironment environment;
    environment.insert("XDG_DATA_HOME", inFolder("good.csv")); // a file where a folder should be
    QElapsedTimer timer;
    timer.start();
    const Outcome outcome = runProgram({"bench", "--tune", "--backend", "cpu"}, environment);
    QVERIFY2(outcome.status == 2 && outcome.err.contains("cannot be written"), qPrintable(outcome.text()));
    QVERIFY(timer.elapsed() < 20'000);
  }

  void refusalsAreOneSentence() {
    for (const QStringList& arguments :
         {QStringList{"run", inFolder("ragged.csv")}, QStringList{"run", inFolder("good.csv"), "--k", "9"}}) {
      const Outcome outcome = runProgram(arguments);
      QCOMPARE(outcome.status, 2);
      QCOMPARE(outcome.err.count('\n'), 1);
    }
  }

  void whatTheSystemRefusesIsOneSentence_data() {
    QTest::addColumn<QString>("limit");
    QTest::addColumn<QString>("points");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("words");
    QTest::newRow("memory") << "-v 900000"
                            << "blobs:n=4e7,d=8" << 2 << "memory";
    QTest::newRow("a file so large") << "-f 8"
                                     << "blobs:n=1e5,d=2" << 2 << "File too large";
  }
  void whatTheSystemRefusesIsOneSentence() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("a sanitizer needs more memory than the limit leaves");
#endif
    QFETCH(QString, limit);
    QFETCH(QString, points);
    QFETCH(int, status);
    QFETCH(QString, words);
    const QString script = QStringLiteral("ulimit %1; exec \"$0\" \"$@\"").arg(limit);
    const Outcome outcome = runProgramAt("/bin/sh", {"-c", script, programPath(), "run", "--points", points,
                                                     "--k", "2", "--iterations", "3", "--backend", "cpu",
                                                     "--labels-out", inFolder("limited.csv")});
    QVERIFY2(outcome.status == status, qPrintable(outcome.text()));
    // What large points take is said before.
    const QByteArrayList lines = outcome.err.trimmed().split('\n');
    QVERIFY2(lines.last().contains(words.toUtf8()), qPrintable(outcome.text()));
    QVERIFY2(lines.size() == 1 || (lines.size() == 2 && lines.first().contains("GB of memory")),
             qPrintable(outcome.text()));
    QVERIFY(QDir(folder_.path()).entryList({"limited*"}, QDir::Files | QDir::Hidden).isEmpty());
  }

  /// A name is bytes to the system, and not every name is text.
  void namesThatAreNoTextAreReadAndNeverWritten() {
    const QString script =
        QStringLiteral(
            "cd '%1' && name=$(printf 'caf\\351.csv') && printf '1,2\\n3,4\\n9,9\\n' >\"$name\" && "
            "\"$0\" run \"$name\" --k 2 --backend cpu --labels-out \"$1\"; status=$?; rm \"$name\"; "
            "ls caf* 2>/dev/null; exit $status")
            .arg(folder_.path());
    const Outcome read = runProgramAt("/bin/sh", {"-c", script, programPath(), inFolder("text.csv")});
    QVERIFY2(read.status == 0, qPrintable(read.text()));
    QCOMPARE(readFile(inFolder("text.csv")).count('\n'), 4); // a header and three labels
    QVERIFY(QFile::remove(inFolder("text.csv")));
    QString written = script;
    written.replace("\"$1\"", "\"$name.labels.csv\"");
    const Outcome refused = runProgramAt("/bin/sh", {"-c", written, programPath()});
    QVERIFY2(refused.status == 2 && refused.err.count('\n') == 1 && refused.err.contains("UTF-8"),
             qPrintable(refused.text()));
    QVERIFY2(!refused.out.contains("caf"), qPrintable(refused.text()));
  }

  void aGpuThatIsNotThereIsStatus3() {
    QProcessEnvironment without;
    without.insert("CUDA_VISIBLE_DEVICES", "");
    const QString good = inFolder("good.csv");
    for (const QStringList& arguments : {QStringList{"run", good, "--k", "2", "--backend", "cuda"},
                                         QStringList{"verify", "--backend", "cuda"},
                                         QStringList{"bench", "--n", "100", "--backend", "cuda"}}) {
      const Outcome outcome = runProgram(arguments, without);
      QVERIFY2(outcome.status == 3, qPrintable(outcome.text()));
      QVERIFY(outcome.err.contains("--backend cpu") && outcome.err.contains("--backend simt"));
    }
    without.insert("QT_QPA_PLATFORM", "offscreen");
    for (const QStringList& arguments : {QStringList{good, "--backend", "cuda"},
                                         QStringList{"shot", good, "--k", "2", "--interop", "shared"}}) {
      const Outcome outcome = runProgram(arguments, without);
      QVERIFY2(outcome.status == 3, qPrintable(outcome.text()));
      QVERIFY(outcome.err.contains("CUDA"));
    }
    for (const QStringList& arguments : {QStringList{"run", good, "--k", "2", "--classify", "classify.v1"},
                                         QStringList{"verify", "--variants", "classify.v1"}}) {
      const Outcome outcome = runProgram(arguments, without);
      QCOMPARE(outcome.status, 3);
      QVERIFY2(outcome.err.contains("--backend simt"), qPrintable(outcome.text()));
    }
    const Outcome timed = runProgram({"bench", "--n", "100", "--variants", "classify.v1"}, without);
    QCOMPARE(timed.status, 3);
    QVERIFY2(timed.err.contains("trace"), qPrintable(timed.text()));
  }
};

QTEST_GUILESS_MAIN(TestRequests)
#include "tst_cli_requests.moc"
