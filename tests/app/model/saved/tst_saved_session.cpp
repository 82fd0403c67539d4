// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/saved/saved_session.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <limits>
#include <random>

using namespace lloyd;

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// With something else than the default in every field.
SavedSession full() {
  SavedSession session;
  DataRequest& request = session.moment.request;
  request.path = "/home/ada/Ähren \"1\".csv";
  request.columns = {"length", "a,b"};
  request.classColumn = "species";
  request.nameColumn = "";
  request.dropRagged = true;
  request.image = ImageColumns::xyrgb;
  request.scaling = Scale::standard;
  Settings& settings = session.moment.settings;
  settings.k = 2;
  settings.init = {InitKind::given, {1, 2, 3, 4.5F}, "/home/ada/first.csv"};
  settings.seed = std::numeric_limits<std::uint64_t>::max();
  settings.iterations = 77;
  settings.tolerance = 1e-3;
  settings.backend = BackendRequest::cpu;
  settings.interop = InteropRequest::staged;
  settings.selection.classify = "cpu.v2";
  settings.selection.reduce = "cpu.v1";
  settings.selection.tuning.block = 128;
  settings.selection.tuning.arithmetic = Arithmetic::powf;
  session.moment.axes = {{Axis::Kind::component, 1}, {Axis::Kind::column, 3}};
  RunState run;
  IterationResult& result = run.result;
  result.iteration = 12;
  result.halfway = true;
  result.changed = 17;
  result.anyChanged = true;
  result.rechecked = 3;
  result.shift = 0.1;
  result.inertia = 78.851441426146;
  result.emptyClusters = 1;
  // What a decimal number tells worst.
  result.centroids = {0.1F, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max(),
                      16777217.0F / 3};
  result.usedCentroids = {std::nextafter(1.0F, 2.0F), -1e-30F, 5400000.5F, 3};
  result.sizes = {149, 1};
  run.usedBefore = {1, 2, 3, 4};
  run.usedLast = {5, 6, 7, 8};
  run.driftTime = 12;
  run.byHand = true;
  session.moment.run = run;
  session.playing = true;
  session.data = {4711, "ab12"};
  session.relative = "../Ähren \"1\".csv";
  session.member = "inner.csv";
  session.camera = SavedCamera{.fitted = false,
                               .target = {1.0 / 3, 5400000.123456789, -1e-9},
                               .pixelsPerUnit = {1.0 / 7, 2},
                               .viewport = {812, 640},
                               .yaw = 0.62,
                               .pitch = -0.1,
                               .distance = 3.3};
  session.view = {.orthographic = true,
                  .trails = false,
                  .regions = true,
                  .pointSize = 1.953125,
                  .meanColour = true,
                  .colourColumn = std::size_t{4}};
  session.colours = {3, 0};
  session.names = {"", "Ähren, reif"};
  session.workspace = "compare";
  session.teach = "classify.v3";
  session.teachColours = "warp";
  session.pair.mode = "split";
  session.pair.b.backend = BackendRequest::simt;
  session.pair.b.selection.fused = "fused.v1";
  session.pair.b.seed = 9007199254740993;
  session.pair.divider = 0.25;
  session.pair.baseline = "variant";
  const Variant* variant = Registry::instance().find("cpu.v1");
  session.pair.pinned = Candidate{variant, Stage::classify, variant->complete({})};
  session.pair.ladderA = session.pair.ladderB = session.pair.pinned;
  return session;
}

void compare(const SavedSession& a, const SavedSession& b) {
  QVERIFY(a.moment.request == b.moment.request);
  QVERIFY(a.moment.settings == b.moment.settings);
  QVERIFY(a.moment.axes == b.moment.axes);
  QCOMPARE(a.moment.run.has_value(), b.moment.run.has_value());
  if (a.moment.run) {
    const IterationResult &x = a.moment.run->result, &y = b.moment.run->result;
    QCOMPARE(x.iteration, y.iteration);
    QCOMPARE(x.halfway, y.halfway);
    QVERIFY(x.changed == y.changed && x.rechecked == y.rechecked && x.inertia == y.inertia);
    QVERIFY(x.shift == y.shift && x.anyChanged == y.anyChanged && x.emptyClusters == y.emptyClusters);
    QVERIFY(sameBits(x.centroids, y.centroids) && sameBits(x.usedCentroids, y.usedCentroids));
    QVERIFY(x.sizes == y.sizes);
    QVERIFY(sameBits(a.moment.run->usedBefore, b.moment.run->usedBefore));
    QCOMPARE(a.moment.run->byHand, b.moment.run->byHand);
    QVERIFY(sameBits(a.moment.run->usedLast, b.moment.run->usedLast));
    QCOMPARE(a.moment.run->driftTime, b.moment.run->driftTime);
  }
  QVERIFY(a.playing == b.playing && a.data == b.data && a.relative == b.relative && a.member == b.member &&
          a.camera == b.camera);
  QVERIFY(a.view == b.view && a.colours == b.colours && a.workspace == b.workspace);
  QVERIFY(a.names == b.names);
  QVERIFY(a.teachColours == b.teachColours);
  QVERIFY(a.teach == b.teach && a.pair.mode == b.pair.mode && a.pair.b == b.pair.b);
  QVERIFY(a.pair.divider == b.pair.divider && a.pair.baseline == b.pair.baseline);
  QCOMPARE(a.pair.pinned.has_value(), b.pair.pinned.has_value());
  QVERIFY(a.pair.ladderA.has_value() == b.pair.ladderA.has_value());
  QVERIFY(a.pair.ladderB.has_value() == b.pair.ladderB.has_value());
  if (a.pair.pinned)
    QVERIFY(a.pair.pinned->variant == b.pair.pinned->variant &&
            a.pair.pinned->stage == b.pair.pinned->stage && a.pair.pinned->tuning == b.pair.pinned->tuning);
}

} // namespace

/// Session files: what is written comes back, and what is wrong is said in a sentence.
class TestSavedSession : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  std::string written(const QString& name, const std::string& bytes) {
    QFile file(folder_.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(bytes.data(), static_cast<qint64>(bytes.size()));
    return file.fileName().toStdString();
  }
  auto readBack(const std::string& bytes) { return readSession(written("it.lloyd", bytes)); }

private slots:
  void everythingComesBackBitForBit() {
    const auto back = readBack(sessionText(full()));
    QVERIFY2(back, back ? "" : back.error().c_str());
    compare(full(), *back);
    SavedSession made;
    made.moment.request.generator = "blobs:n=1e4,k=5";
    made.moment.request.defaultCount = 65536;
    made.moment.request.defaultClusters = 7;
    made.moment.request.seed = 99;
    const auto again = readBack(sessionText(made));
    QVERIFY2(again, again ? "" : again.error().c_str());
    compare(made, *again);
  }

  void whatIsDamagedIsOneSentence() {
    const std::string whole = sessionText(full());
    for (std::size_t length = 0; length < whole.size() - 2; length += 37) {
      const auto read = readBack(whole.substr(0, length));
      QVERIFY(!read);
      const std::string begin = folder_.filePath("it.lloyd").toStdString();
      QVERIFY2(read.error().starts_with(begin + (length == 0 ? ": it is empty" : " is damaged: line ")),
               read.error().c_str());
      QVERIFY2(read.error().find('\n') == std::string::npos, read.error().c_str());
    }
    // Whatever single byte is another: a session or a sentence.
    std::mt19937 draw(7); // NOLINT: the same damage each time
    for (int i = 0; i < 400; ++i) {
      std::string bytes = whole;
      bytes[draw() % bytes.size()] = static_cast<char>(draw() % 256);
      const auto read = readBack(bytes);
      if (read) continue;
      QVERIFY2(read.error().find('\n') == std::string::npos, read.error().c_str());
    }
  }

  void whatCannotBeMeantIsNamed_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("newer") << QByteArray("\"version\": 1") << QByteArray("\"version\": 2")
                           << QByteArray("newer Lloydscope");
    QTest::newRow("another format") << QByteArray("lloydscope session") << QByteArray("shopping list")
                                    << QByteArray("no session of Lloydscope");
    QTest::newRow("no clusters") << QByteArray("\"k\": 2") << QByteArray("\"k\": 0")
                                 << QByteArray("settings.k is 0, but must be a whole number from 1");
    QTest::newRow("another k") << QByteArray("\"k\": 2") << QByteArray("\"k\": 3")
                               << QByteArray("has 2 rows, but k is 3");
    QTest::newRow("a word") << QByteArray("\"seed\": \"18446744073709551615\"")
                            << QByteArray("\"seed\": \"-1\"") << QByteArray("settings.seed");
    QTest::newRow("a backend") << QByteArray("\"backend\": \"cpu\"") << QByteArray("\"backend\": \"abacus\"")
                               << QByteArray("auto, cuda, cpu or simt");
    QTest::newRow("a distance") << QByteArray("\"distance\": 3.3") << QByteArray("\"distance\": -3")
                                << QByteArray("view.camera.distance");
    QTest::newRow("an axis") << QByteArray("\"column\": 3") << QByteArray("\"column\": -3")
                             << QByteArray("view.axes[1].column");
    QTest::newRow("a name too many") << QByteArray("\"cluster_names\": [")
                                     << QByteArray("\"cluster_names\": [\"x\",")
                                     << QByteArray("view.cluster_names has 3 entries, but k is 2");
    QTest::newRow("no data") << QByteArray("\"path\":") << QByteArray("\"pfad\":")
                             << QByteArray("data must have either a path or a generator");
    QTest::newRow("beyond float") << QByteArray("5400000.5") << QByteArray("1e39")
                                  << QByteArray("run.labelled_with has an entry that is no number");
  }
  void whatCannotBeMeantIsNamed() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QByteArray, said);
    QByteArray bytes = QByteArray::fromStdString(sessionText(full()));
    QVERIFY2(bytes.contains(from), bytes);
    const auto read = readBack(bytes.replace(from, to).toStdString());
    QVERIFY(!read);
    QVERIFY2(read.error().find(said.toStdString()) != std::string::npos, read.error().c_str());
  }

  /// A field that an older program did not write has its default.
  void absentFieldsAreDefaults() {
    const auto read = readBack(R"({"format": "lloydscope session", "version": 1,
                                   "data": {"path": "/a/b.csv"}, "settings": {"k": 3}})");
    QVERIFY2(read, read ? "" : read.error().c_str());
    Settings standard;
    standard.k = 3;
    QVERIFY(read->moment.settings == standard);
    QCOMPARE(read->moment.request.path, std::string("/a/b.csv"));
    QVERIFY(!read->moment.run && !read->camera && read->names.empty());
  }

  void noFileAFolderAndNothingAreSentences() {
    QVERIFY(QDir(folder_.path()).mkpath("folder.lloyd"));
    for (const char* name : {"absent.lloyd", "folder.lloyd"})
      QVERIFY(!readSession(folder_.filePath(name).toStdString()));
    QVERIFY(readBack("").error().find("empty") != std::string::npos);
  }

  void theFileBesideTheSessionIsTheFirstChoice() {
    QVERIFY(QDir(folder_.path()).mkpath("old") && QDir(folder_.path()).mkpath("new/data"));
    const std::string old = written("old/points.csv", "x\n1\n2\n");
    const auto facts = factsOf(old);
    QVERIFY(facts && facts->bytes == 6);
    // As sha256sum has it.
    QCOMPARE(facts->sha256, std::string("aea284871ddeeebac4b57b7a8ee7dad070886e690408ce2409306b9b6487beb1"));
    SavedSession session;
    session.moment.request.path = old;
    session.relative = "data/points.csv";
    session.data = *facts;
    const std::string at = folder_.filePath("new/it.lloyd").toStdString();
    const auto found = [&] { return findData(dataPlaces(session, at), session.data); };
    QVERIFY(found().state == FoundData::State::same);
    QCOMPARE(found().path, old);
    const std::string beside = written("new/data/points.csv", "x\n1\n2\n");
    QCOMPARE(found().path, beside);
    // Of the same size, with other bytes: the one that has moved is not taken for it.
    QVERIFY(!written("new/data/points.csv", "x\n1\n3\n").empty());
    QCOMPARE(found().path, old);
    QVERIFY(QFile::remove(QString::fromStdString(old)));
    QVERIFY(found().state == FoundData::State::changed);
    QCOMPARE(found().path, beside);
    QVERIFY(QFile::remove(QString::fromStdString(beside)));
    QVERIFY(found().state == FoundData::State::missing);
    QCOMPARE(found().path, old);
    // Beside the session itself, whatever folder it was in.
    const std::string flat = written("new/points.csv", "x\n1\n2\n");
    QVERIFY(found().state == FoundData::State::same);
    QCOMPARE(found().path, flat);
    // A hash that is not known matches nothing.
    session.data.sha256.clear();
    QVERIFY(found().state == FoundData::State::changed);
  }
};

QTEST_GUILESS_MAIN(TestSavedSession)
#include "tst_saved_session.moc"
