// SPDX-License-Identifier: GPL-3.0-or-later
// Thousands of damaged files through every reader. Each is a sample or a test file, changed by a fixed
// recipe, so a failure happens again. A reader may accept or refuse, but neither crash nor ask for memory
// that its input does not justify: all C++ allocations of this program are counted below.
#include "app/data/generate/generators.hpp"
#include "app/data/read/read_points.hpp"
#include "gpu/core/math/random.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> largest{0};
}

void* operator new(std::size_t size) {
  std::size_t before = largest.load(std::memory_order_relaxed);
  while (size > before && !largest.compare_exchange_weak(before, size)) {
  }
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

using namespace lloyd;

namespace {

/// The recipe of one damaged file.
class Recipe {
public:
  explicit Recipe(std::uint64_t number) : number_(number) {}

  QByteArray applied(QByteArray bytes) {
    const std::uint64_t steps = 1 + pick(6);
    for (std::uint64_t step = 0; step < steps && !bytes.isEmpty(); ++step)
      change(bytes);
    return bytes;
  }

private:
  std::uint64_t pick(std::uint64_t below) { return randomBits(2026, number_, draw_++) % below; }

  /// Half of all changes hit the first bytes, where the headers are.
  qsizetype place(const QByteArray& bytes) {
    const auto size = static_cast<std::uint64_t>(bytes.size());
    return static_cast<qsizetype>(pick(pick(2) == 0 ? std::min<std::uint64_t>(size, 160) : size));
  }

  void change(QByteArray& bytes) {
    static const QByteArrayList words{"nan",
                                      "1e999",
                                      ",",
                                      ";",
                                      "\t",
                                      "\"",
                                      "\"\"",
                                      "\n",
                                      "\r\n",
                                      "#",
                                      "-",
                                      "e",
                                      "0x",
                                      QByteArray(1, '\0'),
                                      "\xff\xd8\xff",
                                      "\xef\xbb\xbf",
                                      "9223372036854775808",
                                      "(",
                                      "'",
                                      "18446744073709551615",
                                      "4294967295",
                                      "55555555555555555555",
                                      "True",
                                      "}",
                                      "<f8",
                                      ">u1"};
    const qsizetype at = place(bytes);
    const auto length = static_cast<qsizetype>(pick(40)) + 1;
    switch (pick(7)) {
    case 0:
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << pick(8)));
      break;
    case 1:
      bytes[at] = static_cast<char>(pick(256));
      break;
    case 2:
      bytes.insert(at, words[static_cast<qsizetype>(pick(static_cast<std::uint64_t>(words.size())))]);
      break;
    case 3: {
      const QByteArray& word = words[static_cast<qsizetype>(pick(static_cast<std::uint64_t>(words.size())))];
      bytes.replace(at, word.size(), word);
      break;
    }
    case 4:
      bytes.remove(at, length);
      break;
    case 5:
      bytes.insert(at, bytes.mid(place(bytes), length));
      break;
    default:
      bytes.truncate(at);
      break;
    }
  }

  std::uint64_t number_;
  std::uint64_t draw_ = 0;
};

struct Corpus {
  QString name;
  QByteArray bytes;
};

} // namespace

class TestReaderReplay : public QObject {
  Q_OBJECT
private slots:
  void initTestCase();
  void damagedFiles_data();
  void damagedFiles();
  void damagedSpecifications();

private:
  QTemporaryDir folder_;
  std::vector<Corpus> corpus_;
};

void TestReaderReplay::initTestCase() {
  QVERIFY(folder_.isValid());
  for (const char* place : {"/resources/data", "/tests/fixtures/odd", "/tests/fixtures/invalid"}) {
    const QDir folder(QString(LLOYD_SOURCE_DIR) + place);
    for (const QString& name : folder.entryList(QDir::Files, QDir::Name)) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      corpus_.push_back({name, file.readAll()});
    }
  }
  QVERIFY(corpus_.size() > 50);
}

void TestReaderReplay::damagedFiles_data() {
  QTest::addColumn<int>("index");
  for (std::size_t i = 0; i < corpus_.size(); ++i) {
    QTest::newRow(qPrintable(corpus_[i].name)) << static_cast<int>(i);
  }
}

void TestReaderReplay::damagedFiles() {
  QFETCH(int, index);
  const Corpus& sample = corpus_[static_cast<std::size_t>(index)];
  // Decoding a photograph takes a hundred times as long as refusing a small file.
  const int rounds = sample.bytes.size() > 100000 ? 60 : sample.bytes.size() > 10000 ? 300 : 400;
  for (int round = 0; round < rounds; ++round) {
    const auto number = static_cast<std::uint64_t>(index) * 1000 + static_cast<std::uint64_t>(round);
    const QByteArray bytes = Recipe(number).applied(sample.bytes);
    const QString path = folder_.filePath(QString("damaged.") + QFileInfo(sample.name).suffix());
    QFile file(path);
    file.remove(); // some file systems wait for the disk when a file is cut to nothing and written again
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();

    // One block of rows, one chunk of text or NPY, and then what the file's own bytes can stand for. A pixel
    // takes 12 bytes, and thousands fit into one byte of an image.
    largest = 0;
    const auto points =
        readPoints(path.toStdString(), {.scale = round % 3 == 0 ? Scale::standard : Scale::none});
    const std::size_t pixels = points && points->imageWidth > 0 ? 12 * points->n : 0;
    const std::size_t bound = (std::size_t{1} << 20) + 64 * static_cast<std::size_t>(bytes.size()) + pixels;
    QVERIFY2(largest <= bound,
             qPrintable(QString("recipe %1 asked for %2 bytes").arg(number).arg(largest.load())));
    if (!points) {
      QVERIFY(!points.error().message.empty());
      QVERIFY(points.error().message.find('\n') == std::string::npos);
      continue;
    }
    QVERIFY(points->n > 0 && points->d > 0);
    QCOMPARE(points->values.size(), points->n * static_cast<std::size_t>(points->d));
    QCOMPARE(points->inputRows, points->n + points->dropped.size());
    QCOMPARE(points->columns.size(), static_cast<std::size_t>(points->d));
    for (const float value : points->values) {
      if (!std::isfinite(value)) QFAIL("a value is not finite");
    }
    const auto matrix = readMatrix(path.toStdString());
    if (matrix) QCOMPARE(matrix->values.size(), matrix->rows * matrix->columns);
  }
}

void TestReaderReplay::damagedSpecifications() {
  for (std::uint64_t number = 0; number < 20000; ++number) {
    const auto& generator = generators()[number % generators().size()];
    const auto whole = parseGenerator(generator.name, {.n = 100, .k = 4});
    QVERIFY(whole.has_value());
    const QByteArray text = Recipe(1000000 + number).applied(QByteArray::fromStdString(whole->text()));
    const auto spec = parseGenerator({text.constData(), static_cast<std::size_t>(text.size())}, {});
    if (!spec) {
      QVERIFY(!spec.error().empty());
    } else {
      QVERIFY(spec->n >= 1 && spec->d >= 1 && spec->k >= 1);
    }
  }
}

QTEST_GUILESS_MAIN(TestReaderReplay)
#include "tst_reader_replay.moc"
