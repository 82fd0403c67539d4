// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/input/unpack.hpp"
#include "tests/app/data/data_support.hpp"
#include "tests/support/packed_files.hpp"

#include <QFileInfo>

#include <atomic>

using namespace lloyd;
using namespace lloyd::test;

namespace {

const QByteArray table("x,y\n1,2\n3,4\n5,6\n");

/// Every file that openInput() left open.
int filesLeftOpen() {
  int count = 0;
  const QDir folder(QStringLiteral("/proc/self/fd"));
  for (const QString& name : folder.entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot))
    count +=
        QFileInfo(folder.filePath(name)).symLinkTarget().contains(QLatin1String("memfd:unpacked")) ? 1 : 0;
  return count;
}

QByteArray replaced(QByteArray bytes, qsizetype at, const QByteArray& by) {
  return bytes.replace(at, by.size(), by);
}

} // namespace

class TestUnpack : public QObject {
  Q_OBJECT
private slots:
  void packedIsAsPlain_data();
  void packedIsAsPlain();
  void arraysAreNamed();
  void aPathWithAColonIsAPath();
  void archivesOfOneTable();
  void everyKindOfFileMayBePacked();
  void hostile_data();
  void hostile();
  void noFlippedBitIsTakenForATable();
  void noWordIsOfTheUnpackers_data();
  void noWordIsOfTheUnpackers();
  void aBombStopsAtTheLimit_data();
  void aBombStopsAtTheLimit();
  void noMoreThanAShareOfMemory();
  void whatCompressesWellIsNoBomb();
  void progressAndCancel();
  void membersAreListed();

private:
  Scratch scratch_;
};

void TestUnpack::packedIsAsPlain_data() {
  QTest::addColumn<QByteArray>("bytes");
  const QByteArray iris = [] {
    QFile file(QString::fromStdString(sampleFile("iris.csv")));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }();
  QTest::newRow("iris.csv.gz") << packedBy(archive_write_add_filter_gzip, iris);
  QTest::newRow("iris.csv.bz2") << packedBy(archive_write_add_filter_bzip2, iris);
  QTest::newRow("iris.csv.xz") << packedBy(archive_write_add_filter_xz, iris);
  QTest::newRow("iris.csv.zst") << packedBy(archive_write_add_filter_zstd, iris);
  QTest::newRow("iris.zip") << zipOf({{"iris.csv", iris}});
  QTest::newRow("stored.zip") << zipOf({{"iris.csv", iris}}, "zip:compression=store");
  QTest::newRow("the first bytes tell.csv") << gzipOf(iris);
  QTest::newRow("two parts.csv.gz") << gzipOf(iris.first(2000)) + gzipOf(iris.sliced(2000));
}

void TestUnpack::packedIsAsPlain() {
  QFETCH(QByteArray, bytes);
  QVERIFY(!bytes.isEmpty());
  const std::string path = scratch_.write(QTest::currentDataTag(), bytes);
  const auto packed = readPoints(path);
  const auto plain = readPoints(sampleFile("iris.csv"));
  REQUIRE_POINTS(packed);
  REQUIRE_POINTS(plain);
  QCOMPARE(packed->values, plain->values);
  QCOMPARE(packed->columns, plain->columns);
  QCOMPARE(packed->remarks, plain->remarks);
  QCOMPARE(packed->source, path);
  QCOMPARE(filesLeftOpen(), 0);
}

void TestUnpack::arraysAreNamed() {
  const QByteArray one = npyOf(2, 2, {1, 2, 3, 4});
  const QByteArray two = npyOf(3, 1, {5, 6, 7});
  const std::string single = scratch_.write("single.npz", zipOf({{"points.npy", one}}));
  const std::string several =
      scratch_.write("several.npz", zipOf({{"points.npy", one}, {"labels.npy", two}}));
  for (const std::string& path : {single, single + ":points", several + ":points", several + ":points.npy"}) {
    const auto points = readPoints(path);
    REQUIRE_POINTS(points);
    QCOMPARE(row(*points, 1), (std::vector<float>{3, 4}));
    QCOMPARE(points->source, path);
  }
  const auto labels = readPoints(several + ":labels");
  REQUIRE_POINTS(labels);
  QCOMPARE(labels->n, 3U);
  QCOMPARE(readPoints(several).error().sentence(),
           several + ": there are 2 files in it: points, labels; name one, as in several.npz:points");
  QCOMPARE(readPoints(several + ":weights").error().sentence(),
           several + ":weights: there is no file \"weights\" in it; there is points, labels");
  // First centroids are read in the same way.
  const auto matrix = readMatrix(several + ":points");
  QVERIFY(matrix.has_value());
  QCOMPARE(matrix->values, (std::vector<double>{1, 2, 3, 4}));
}

void TestUnpack::aPathWithAColonIsAPath() {
  const std::string path = scratch_.write("a:b.csv", table);
  REQUIRE_POINTS(readPoints(path));
  QCOMPARE(memberPath(path).file, path);
  QCOMPARE(memberPath("nowhere.npz:x").file, std::string("nowhere.npz:x"));
  const std::string zip = scratch_.write("c:d.zip", zipOf({{"in/e:f.csv", table}, {"g.csv", table}}));
  QCOMPARE(memberPath(zip + ":in/e:f.csv").file, zip);
  REQUIRE_POINTS(readPoints(zip + ":in/e:f.csv"));
  REQUIRE_POINTS(readPoints(zip + ":e:f.csv"));
  QCOMPARE(readPoints(path + ":x").error().message,
           std::string("it is no ZIP archive or NPZ file, so there is no \"x\" in it"));
}

void TestUnpack::archivesOfOneTable() {
  // What a Mac and a file manager put beside it are no tables.
  const std::string path = scratch_.write(
      "mac.zip", zipOf({{"__MACOSX/._t.csv", "x"}, {".DS_Store", "x"}, {"folder/t.tsv", "1\t2\n3\t4\n"}}));
  const auto points = readPoints(path);
  REQUIRE_POINTS(points);
  QCOMPARE(row(*points, 1), (std::vector<float>{3, 4}));
  const std::string same = scratch_.write("same.zip", zipOf({{"a/t.csv", table}, {"b/t.csv", table}}));
  REQUIRE_POINTS(readPoints(same + ":b/t.csv"));
  QVERIFY(readPoints(same + ":t.csv").error().message.find("several files in it are called \"t.csv\"") !=
          std::string::npos);
}

void TestUnpack::everyKindOfFileMayBePacked() {
  const auto image = readPoints(scratch_.write(
      "two.ppm.gz", gzipOf(QByteArray("P6 2 1 255\n") + QByteArray("\x01\x02\x03\x04\x05\x06", 6))));
  REQUIRE_POINTS(image);
  QCOMPARE(row(*image, 1), (std::vector<float>{4, 5, 6}));
  const auto array =
      readPoints(scratch_.write("a.npy.zst", packedBy(archive_write_add_filter_zstd, npyOf(1, 2, {8, 9}))));
  REQUIRE_POINTS(array);
  QCOMPARE(row(*array, 0), (std::vector<float>{8, 9}));
  // The name inside decides what the first bytes leave open: here that # begins a comment.
  const auto cloud =
      readPoints(scratch_.write("c.xyz.xz", packedBy(archive_write_add_filter_xz, "# c\n1 2 3\n")));
  REQUIRE_POINTS(cloud);
  QCOMPARE(cloud->n, 1U);
}

void TestUnpack::hostile_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("words");
  const auto file = [](const char* name, const QByteArray& bytes, const char* words) {
    QTest::newRow(name) << bytes << QString::fromLatin1(words);
  };
  const QByteArray gzip = gzipOf(table);
  file("half.csv.gz", gzip.first(gzip.size() / 2), "the gzip data are damaged or cut short");
  file("no trailer.csv.gz", gzip.first(gzip.size() - 8), "the gzip data are damaged or cut short");
  file("sum.csv.gz", replaced(gzip, gzip.size() - 8, "\x01\x02\x03\x04"), "their check sum differs");
  file("noise.csv.gz", "\x1f\x8b\x08" + QByteArray(7, '\0') + "\xff\xff\xff\xff\xff\xff",
       "the gzip data are damaged");
  file("magic only.gz", "\x1f\x8b", "the gzip data are damaged or cut short");
  file("empty.csv.gz", gzipOf(""), "it is packed by gzip, but empty");
  file("twice.csv.gz", gzipOf(gzip), "what is packed in it is packed once more");
  file("zip.gz", gzipOf(zipOf({{"t.csv", table}})), "what is packed in it is packed once more");
  file("tar.gz",
       gzipOf(archiveOf({{"t.csv", table}}, [](archive* handle) { archive_write_set_format_ustar(handle); })),
       "what is packed in it is packed once more");
  file("text in it.csv.gz", gzipOf("x,y\n1,2\n3,four\n"), "expected a number, found \"four\"");

  const QByteArray bzip = packedBy(archive_write_add_filter_bzip2, table);
  const QByteArray xz = packedBy(archive_write_add_filter_xz, table);
  const QByteArray zstd = packedBy(archive_write_add_filter_zstd, table);
  file("half.bz2", bzip.first(bzip.size() / 2), "the bzip2 data are damaged or cut short");
  file("half.xz", xz.first(xz.size() / 2), "the xz data are damaged or cut short");
  file("half.zst", zstd.first(zstd.size() / 2), "the Zstandard data are damaged or cut short");
  file("changed.bz2", replaced(bzip, bzip.size() / 2, "!!"), "the bzip2 data are damaged or cut short");
  file("changed.xz", replaced(xz, 30, "!!!!"), "the xz data are damaged or cut short");
  file("header.zst", zstd.first(4) + QByteArray(12, '\xff'), "the Zstandard data are damaged or cut short");

  const QByteArray zip = zipOf({{"t.csv", table}});
  const QByteArray stored = zipOf({{"t.csv", table}}, "zip:compression=store");
  const auto central = [](const QByteArray& bytes) { return bytes.indexOf("PK\x01\x02"); };
  file("half.zip", zip.first(zip.size() / 2), "the ZIP archive is damaged or cut short");
  file("no directory.zip", zip.first(central(zip)), "the ZIP archive is damaged or cut short");
  file("no file.zip", zipOf({}), "there is no file in the archive");
  file("changed.zip", QByteArray(stored).replace("3,4", "9,9"), "the ZIP data are damaged");
  file("locked.zip", zipOf({{"t.csv", table}}, "zip:encryption=traditional"), "\"t.csv\" in it is encrypted");
  file("directory elsewhere.zip", replaced(zip, zip.size() - 6, "\xff\xff\xff\x7f"), "the ZIP");
  // Sizes stand at byte 22 of what is before a file, and at byte 24 of its entry in the directory.
  const auto promising = [&](const QByteArray& size) {
    return replaced(replaced(zip, 22, size), central(zip) + 24, size);
  };
  file("promises 4 GB.zip", promising("\xf0\xff\xff\xff"), "it unpacks to more than 200 times");
  file("promises little.zip", promising(QByteArray("\x03\0\0\0", 4)), "the ZIP data are damaged");
  file("zip in zip.zip", zipOf({{"inner.zip", zip}}), "what is packed in it is packed once more");
  file("office.xlsx", zipOf({{"[Content_Types].xml", "<Types/>"}, {"xl/sheet.xml", "<x/>"}}),
       "it is an office document");
  file("office.ods", zipOf({{"mimetype", "application/vnd.oasis"}, {"content.xml", "<x/>"}}),
       "it is an office document");
  file("two.zip", zipOf({{"a.csv", table}, {"b.csv", table}}),
       "there are 2 files in it: a.csv, b.csv; name one");
  file("names.zip", zipOf({{"a\nb\x1b[31m.csv", table}, {"b.csv", table}}),
       "there are 2 files in it: a?b?[31m.csv, b.csv");
  Members many;
  for (int i = 0; i < 10001; ++i)
    many.emplace_back(QByteArray::number(i), "x");
  file("many.zip", zipOf(many), "more than 10,000 files in the archive");
  file("program.zip",
       zipOf({{"p", "\x7f"
                    "ELF"}}),
       "it is a program");
}

void TestUnpack::hostile() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, words);
  const auto points = readPoints(scratch_.write(QTest::currentDataTag(), bytes));
  QVERIFY2(!points, "the file was read");
  const QString message = QString::fromStdString(points.error().message);
  QVERIFY2(message.contains(words), qPrintable(message));
  QVERIFY2(!message.contains('\n'), "a message is one line");
  QCOMPARE(filesLeftOpen(), 0);
}

/// A changed bit may give a table of another length, whose rows then look wrong.
void TestUnpack::noFlippedBitIsTakenForATable() {
  QFile file(QString::fromStdString(sampleFile("iris.csv")));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray gzip = gzipOf(file.readAll());
  constexpr qsizetype header = 10; // holds what no check sum covers
  const QByteArray two = gzip + gzipOf("5.1,3.5,1.4,0.2,setosa\n");
  for (const QByteArray& whole : {gzip, two})
    for (qsizetype at = header; at < gzip.size(); ++at) {
      QByteArray bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << at % 8);
      const auto points = readPoints(scratch_.write("flipped.csv.gz", bytes));
      QVERIFY2(!points, qPrintable(QStringLiteral("byte %1").arg(at)));
      QVERIFY2(points.error().message.starts_with("the gzip data are damaged"),
               qPrintable(QStringLiteral("byte %1: %2").arg(at).arg(points.error().message.c_str())));
    }
  // Padding is no damage.
  REQUIRE_POINTS(readPoints(scratch_.write("padded.csv.gz", two + QByteArray(512, '\0'))));
}

void TestUnpack::noWordIsOfTheUnpackers_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("name");
  const auto file = [](const char* ending, const QByteArray& whole, const char* name) {
    QTest::newRow(ending) << whole.first(whole.size() * 2 / 3) << QString::fromLatin1(name);
  };
  file("cut.csv.gz", gzipOf(table), "gzip");
  file("cut.csv.bz2", packedBy(archive_write_add_filter_bzip2, table), "bzip2");
  file("cut.csv.xz", packedBy(archive_write_add_filter_xz, table), "xz");
  file("cut.csv.zst", packedBy(archive_write_add_filter_zstd, table), "Zstandard");
}

void TestUnpack::noWordIsOfTheUnpackers() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, name);
  const auto points = readPoints(scratch_.write(QTest::currentDataTag(), bytes));
  QVERIFY(!points);
  QCOMPARE(QString::fromStdString(points.error().message),
           QStringLiteral("the %1 data are damaged or cut short").arg(name));
}

void TestUnpack::aBombStopsAtTheLimit_data() {
  QTest::addColumn<QByteArray>("bytes");
  const QByteArray zeros(qsizetype{80} << 20, '0');
  QTest::newRow("bomb.csv.gz") << gzipOf(zeros);
  QTest::newRow("bomb.csv.xz") << packedBy(archive_write_add_filter_xz, zeros);
  QTest::newRow("bomb.csv.zst") << packedBy(archive_write_add_filter_zstd, zeros);
  QTest::newRow("bomb.csv.bz2") << packedBy(archive_write_add_filter_bzip2, zeros);
  QTest::newRow("bomb.zip") << zipOf({{"t.csv", zeros}});
}

void TestUnpack::aBombStopsAtTheLimit() {
  QFETCH(QByteArray, bytes);
  QVERIFY(bytes.size() > 0 && bytes.size() < 200000);
  const std::string path = scratch_.write(QTest::currentDataTag(), bytes);
  const auto points = readPoints(path);
  QVERIFY(!points);
  QVERIFY2(points.error().message.starts_with("it unpacks to more than 200 times its "),
           points.error().message.c_str());
  QCOMPARE(filesLeftOpen(), 0);
  // It ends at the limit and not behind it.
  std::uint64_t most = 0;
  const UnpackLimits limits{.freely = 1 << 20, .ratio = 2};
  try {
    const auto input = openInput(path, {}, limits);
    most = input.file.size();
  } catch (const ReadFailure&) {
  }
  QCOMPARE(most, 0U);
}

void TestUnpack::noMoreThanAShareOfMemory() {
  const std::string path =
      scratch_.write("large.csv.gz", gzipOf("x,y\n" + QByteArray("1,2\n3,4\n").repeated(100000)));
  const UnpackLimits limits{.memoryShare = 1e-6};
  try {
    static_cast<void>(openInput(path, {}, limits));
    QFAIL("it was unpacked");
  } catch (const ReadFailure& failure) {
    QVERIFY2(failure.error.message.find("as much of the free memory as may be used") != std::string::npos,
             failure.error.message.c_str());
  }
  QCOMPARE(filesLeftOpen(), 0);
  REQUIRE_POINTS(readPoints(path));
}

/// A million rows that are all the same take a thousandth of their size.
void TestUnpack::whatCompressesWellIsNoBomb() {
  const QByteArray same = QByteArray("x,y\n") + QByteArray("1.25,-3\n").repeated(1000000);
  const QByteArray bytes = gzipOf(same);
  QVERIFY(bytes.size() * 200 < same.size());
  const auto points = readPoints(scratch_.write("same.csv.gz", bytes));
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 1000000U);
}

void TestUnpack::progressAndCancel() {
  QByteArray rows("x,y\n");
  for (int i = 0; i < 200000; ++i)
    rows += QByteArray::number(i * 7919 % 100003) + ',' + QByteArray::number(i) + '\n';
  const std::string path = scratch_.write("rows.csv.gz", gzipOf(rows));
  double last = 0;
  bool forward = true;
  int before = 0;
  ReadControl control;
  control.progress = [&](std::uint64_t, double fraction) {
    forward = forward && fraction >= last && fraction <= 1;
    before += fraction < 0.5 ? 1 : 0;
    last = fraction;
  };
  const auto points = readPoints(path, {}, control);
  REQUIRE_POINTS(points);
  QVERIFY(forward);
  QVERIFY(before > 3);
  QCOMPARE(last, 1.0);
  // At whatever place it is cancelled, it ends so.
  for (const int reports : {1, 3, 20}) {
    std::atomic<bool> stop = false;
    int left = reports;
    const ReadControl cancelling{.progress = [&](std::uint64_t, double) { stop = --left <= 0; },
                                 .cancel = &stop};
    const auto none = readPoints(path, {}, cancelling);
    QVERIFY(!none);
    QVERIFY(none.error().cancelled);
    QCOMPARE(filesLeftOpen(), 0);
  }
}

void TestUnpack::membersAreListed() {
  const std::string several = scratch_.write(
      "list.npz", zipOf({{"points.npy", npyOf(1, 1, {1})}, {"../../etc/passwd", "x"}, {"/root.csv", table}}));
  QCOMPARE(packedMembers(several), (std::vector<std::string>{"points", "../../etc/passwd", "/root.csv"}));
  // Names lead nowhere: they are names only, and nothing is written.
  REQUIRE_POINTS(readPoints(several + ":/root.csv"));
  QVERIFY(!readPoints(several + ":../../etc/passwd"));
  QVERIFY(packedMembers(sampleFile("iris.csv")).empty());
  QVERIFY(packedMembers(scratch_.write("one.csv.gz", gzipOf(table))).empty());
}

QTEST_GUILESS_MAIN(TestUnpack)
#include "tst_unpack.moc"
