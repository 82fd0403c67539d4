// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/write/atomic_file.hpp"
#include "app/data/write/write_results.hpp"
#include "tests/app/data/data_support.hpp"

#include <sys/stat.h>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

class TestWriteResults : public QObject {
  Q_OBJECT
private slots:
  void labelsCoverDroppedRows() {
    const auto points = readPoints(dataFile("odd/missing.csv"));
    REQUIRE_POINTS(points);
    const std::vector<Label> labels{3, 7};
    QCOMPARE(labelsByInputRow(*points, labels), (std::vector<std::int32_t>{3, -1, -1, -1, -1, 7}));
  }
  void labelsAsText() {
    const std::vector<std::int32_t> labels{0, -1, 12};
    QVERIFY(writeLabels(scratch_.path("labels.csv"), labels));
    QCOMPARE(scratch_.read("labels.csv"), QByteArray("label\n0\n-1\n12\n"));
  }
  void labelsAsArray() {
    const std::vector<std::int32_t> labels{0, -1, 12};
    QVERIFY(writeLabels(scratch_.path("labels.npy"), labels));
    const QByteArray bytes = scratch_.read("labels.npy");
    QCOMPARE(bytes.size(), 128 + 12);
    QVERIFY(bytes.endsWith(QByteArray("\0\0\0\0\xff\xff\xff\xff\x0c\0\0\0", 12)));
  }
  void centroidsAsTextNameTheirColumnsAndComeBack() {
    const std::vector<float> centroids{1.5F, 0.1F, -2, 3};
    const std::vector<std::string> names{"length, mm", "a \"wide\" one"};
    QVERIFY(writeCentroids(scratch_.path("centroids.csv"), centroids, names));
    QCOMPARE(scratch_.read("centroids.csv"),
             QByteArray("\"length, mm\",\"a \"\"wide\"\" one\"\n1.5,0.1\n-2,3\n"));
    const auto asStart = readMatrix(scratch_.path("centroids.csv"));
    QVERIFY(asStart && std::ranges::equal(asStart->values, std::vector<double>{1.5, 0.1, -2, 3}));
    const auto asPoints = readPoints(scratch_.path("centroids.csv"));
    QVERIFY(asPoints && asPoints->columns == names);
  }
  /// Sizes and names stand behind the coordinates, and a run that begins from them reads past them.
  void centroidsWithSizesAndNamesComeBack() {
    PointSet points;
    points.columns = {"x", "size"};
    points.d = 2;
    points.n = 9;
    const std::vector<std::uint32_t> sizes{7, 2};
    const std::vector<std::string> names{"", "long, \"wide\""};
    const std::vector<float> centroids{1.5F, 0.1F, -2, 3};
    const std::string path = scratch_.path("named.csv");
    QVERIFY(writeCentroids(path, centroids, points, {.sizes = sizes, .names = names}));
    QCOMPARE(scratch_.read("named.csv"),
             QByteArray("x,size,size_2,name\n1.5,0.1,7,\n-2,3,2,\"long, \"\"wide\"\"\"\n"));
    const auto back = readMatrix(path, points.columns);
    REQUIRE_POINTS(back);
    QCOMPARE(back->columns, std::size_t{2});
    QCOMPARE(back->values, (std::vector<double>{1.5, 0.1, -2, 3}));
    QVERIFY(!readMatrix(path)); // of nothing that is known the name is no number
    // Without names there is no such column, and an array has coordinates alone.
    points.columns[1] = "y";
    QVERIFY(writeCentroids(path, centroids, points, {.sizes = sizes, .names = {}}));
    QCOMPARE(scratch_.read("named.csv"), QByteArray("x,y,size\n1.5,0.1,7\n-2,3,2\n"));
    QVERIFY(writeCentroids(scratch_.path("named.npy"), centroids, points, {.sizes = sizes, .names = names}));
    const auto array = readMatrix(scratch_.path("named.npy"), points.columns);
    REQUIRE_POINTS(array);
    QCOMPARE(array->columns, std::size_t{2});
    // As a report or a spreadsheet has them, and where the columns are called by numbers.
    const auto report =
        readMatrix(scratch_.write("report.csv", "cluster,size,x,y\n0,7,1,2\n1,2,3,4\n"), points.columns);
    REQUIRE_POINTS(report);
    QCOMPARE(report->values, (std::vector<double>{1, 2, 3, 4}));
    const auto numbered =
        readMatrix(scratch_.write("numbered.csv", "0,1,size\n1,2,7\n"), std::vector<std::string>{"0", "1"});
    REQUIRE_POINTS(numbered);
    QCOMPARE(numbered->values, (std::vector<double>{1, 2}));
    // What is no coordinate is not taken for one that is missing.
    const auto flat = readMatrix(path, std::vector<std::string>{"x", "y", "z"});
    REQUIRE_POINTS(flat);
    QCOMPARE(flat->columns, std::size_t{2});
  }
  void namesChooseTheFormat() {
    const std::vector<std::int32_t> labels{0};
    const auto written = writeLabels(scratch_.path("labels.txt"), labels);
    QVERIFY(!written);
    QVERIFY(written.error().ends_with("the name must end in .npy or .csv, which chooses the format"));
    QVERIFY(!whyNotWritable("x.json").empty());
    QVERIFY(whyNotWritable("x.NPY").empty());
  }
  void nothingPartialIsLeft() {
    const QStringList before = scratch_.files();
    {
      auto file = AtomicFile::create(scratch_.path("report.json"));
      QVERIFY(file.has_value());
      QVERIFY(file->write("half of a rep"));
      // Where the file system allows it, a file that is being written has no name at all.
      QVERIFY(scratch_.files().size() <= before.size() + 1);
      QVERIFY(!scratch_.files().contains("report.json"));
    }
    QCOMPARE(scratch_.files(), before);
    QVERIFY(writeWholeFile(scratch_.path("report.json"), "{}"));
    QVERIFY(writeWholeFile(scratch_.path("report.json"), "[]"));
    QCOMPARE(scratch_.read("report.json"), QByteArray("[]"));
    QCOMPARE(scratch_.files().size(), before.size() + 1);
  }
  void permissionsAreKept() {
    const std::string path = scratch_.write("kept.csv", "old");
    QCOMPARE(::chmod(path.c_str(), 0640), 0);
    QVERIFY(writeWholeFile(path, "new"));
    struct stat about {};
    QCOMPARE(::stat(path.c_str(), &about), 0);
    QCOMPARE(about.st_mode & 0777U, 0640U);
  }
  void linksAreFollowed() {
    const std::string target = scratch_.write("target.csv", "old");
    const std::string link = scratch_.path("link.csv");
    QVERIFY(QFile::link(QString::fromStdString(target), QString::fromStdString(link)));
    QVERIFY(writeWholeFile(link, "new"));
    QCOMPARE(scratch_.read("target.csv"), QByteArray("new"));
    QVERIFY(QFileInfo(QString::fromStdString(link)).isSymLink());
  }
  void newFilesObeyTheMask() {
    const mode_t before = ::umask(027);
    const auto written = writeWholeFile(scratch_.path("masked.csv"), "new");
    ::umask(before);
    QVERIFY(written);
    struct stat about {};
    QCOMPARE(::stat(scratch_.path("masked.csv").c_str(), &about), 0);
    QCOMPARE(about.st_mode & 0777U, 0640U);
  }
  void placesThatCannotBeWritten() {
    QVERIFY(!writeWholeFile("", "x"));
    QVERIFY(writeWholeFile(dataFile("invalid"), "x").error().ends_with("it is a folder; name a file in it"));
    QVERIFY(writeWholeFile(scratch_.path("no/such/folder.csv"), "x")
                .error()
                .ends_with("folder.csv: it cannot be written: No such file or directory"));
    QCOMPARE(writeWholeFile("/dev/full", "x").error(),
             std::string("/dev/full: it cannot be written: No space left on device"));
    QVERIFY(writeWholeFile("/dev/null", "x"));
  }
  void matricesAreStrict() {
    const auto message = [this](const QByteArray& text) {
      const auto matrix = readMatrix(scratch_.write("matrix.csv", text));
      return matrix ? std::string("it was read") : matrix.error().sentence();
    };
    QVERIFY(message("x,1\n1,2\n").ends_with("matrix.csv:1:1: expected a number, found \"x\""));
    QVERIFY(message("x,y\n1,z\n").ends_with("matrix.csv:2:3: expected a number, found \"z\""));
    QVERIFY(message("1,2\n3,nan\n").ends_with("matrix.csv:2:3: expected a finite number, found \"nan\""));
    QVERIFY(message("1,2\n3,1e300\n")
                .ends_with("matrix.csv:2:3: expected a number within single precision, "
                           "which ends at 3.40e38, found \"1e300\""));
    QVERIFY(message("1,2\n3,\n").ends_with("matrix.csv:2:3: expected a finite number, found \"\""));
    QVERIFY(!readMatrix(sampleFile("china.jpg")));
    const auto matrix = readMatrix(scratch_.write("good.csv", "1,2,3\n4,5,6\n"));
    REQUIRE_POINTS(matrix);
    QCOMPARE(matrix->values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  }

private:
  Scratch scratch_;
};

QTEST_GUILESS_MAIN(TestWriteResults)
#include "tst_write_results.moc"
