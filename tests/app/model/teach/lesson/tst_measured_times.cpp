// SPDX-License-Identifier: GPL-3.0-or-later
// Every figure that lessons and documents share stands in one table, and they agree with it.
#include "app/model/teach/lesson/lesson.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <array>
#include <cmath>
#include <map>
#include <string>

using namespace lloyd;

namespace {

const QStringList columns{"sorted",       "shuffled",     "sorted-pow",
                          "shuffled-pow", "sorted-equal", "shuffled-equal"};

QString documentText(const char* path) {
  QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/") + QLatin1String(path));
  if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", path);
  return QString::fromUtf8(file.readAll());
}

/// Those columns of printed.csv that are times.
constexpr const char* times[] = {"paper",
                                 "paper-other",
                                 "printed",
                                 "printed-other",
                                 "printed-sorted",
                                 "printed-shuffled",
                                 "printed-other-sorted",
                                 "printed-other-shuffled"};

/// What stands below a heading of a lesson.
QString partOf(const QString& lesson, const QString& heading) {
  const qsizetype begin = lesson.indexOf("## " + heading + '\n');
  return begin < 0 ? QString() : lesson.mid(begin, lesson.indexOf("\n## ", begin + 1) - begin);
}

/// The numbers of a text that gives times in microseconds, without those of lines, problems and launches.
QList<double> timesIn(QString text) {
  if (!text.contains("µs")) return {};
  static const QRegularExpression others(
      R"(“[^”]*”|\([^()]*\)|lines [\d to,and]+\.|2\^\d+|[DKN] = [\d,]+|\d+ blocks of \d+|\bblocks? (?:of )?\d+(?: and \d+)?|)"
      R"(\bblocks? of \d+|\d+ threads|\d+ %|\d+ points|\bby \d+|V\d|H200|[\d.]+ times)");
  text.remove(others);
  static const QRegularExpression number(R"(\d[\d,]*(?:\.\d+)?)");
  QList<double> found;
  for (auto match = number.globalMatch(text); match.hasNext();)
    found << match.next().captured().remove(',').toDouble();
  return found;
}

} // namespace

class TestMeasuredTimes : public QObject {
  Q_OBJECT

private slots:
  void tablesAreRead() {
    MeasuredTimes figures;
    figures.read("# a card, driver 5\nvariant,block,sorted\nreduce.v1,512,18.84\nreduce.v2,512,\n", "ladder");
    figures.read("variant,2^20-3\nreduce.v1,1234.5\n");
    QCOMPARE(figures.of("reduce.v1", "sorted"), std::optional(18.84));
    QCOMPARE(figures.of("reduce.v1", "block"), std::optional(512.0));
    QVERIFY(!figures.of("reduce.v2", "sorted") && !figures.of("reduce.v3", "sorted"));
    QCOMPARE(figures.fill("V1 takes {{reduce.v1 sorted}} µs at {{reduce.v1 block}}; {{reduce.v1 2^20-3}}."),
             QString("V1 takes 18.8 µs at 512; 1,230."));
    QCOMPARE(figures.fill("On {{card ladder}}."), QString("On a card."));
    QCOMPARE(figures.fill("V2 takes {{reduce.v2 sorted}} µs.\nV1 does not."),
             QString("Not measured since this variant or its data changed.\nV1 does not."));
  }

  void lessonsHaveTheirFigures() {
    int filled = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const QString lesson = lessonText(*variant);
      if (!variant->info.paper.empty()) {
        const QString citation = citationOf(variant->info.paper);
        QVERIFY2(!citation.isEmpty() && lesson.contains(citation + ", lines "), variant->id().c_str());
      }
      QVERIFY2(!lesson.contains("{{"), qPrintable(lesson.mid(lesson.indexOf("{{"), 60)));
      const auto sorted = MeasuredTimes::shipped().of(QString::fromStdString(variant->id()), "sorted");
      if (!sorted) continue;
      ++filled;
      QVERIFY2(lesson.contains(significantText(*sorted) + " µs in sorted order"), variant->id().c_str());
    }
    QVERIFY(filled > 0 || !MeasuredTimes::shipped().of("reduce.v1", "sorted"));
  }

  void theTableOfTheDocumentsIsThatOfTheProgram() {
    // variant, the paper's time, block, then the columns
    const QRegularExpression line("^\\| ((?:classify|reduce)\\.\\w+) \\|([^\\n]*)\\|$",
                                  QRegularExpression::MultilineOption);
    int rows = 0;
    const QString document = documentText("docs/benchmarks.md");
    const QString ladder = document.left(document.indexOf("## Many dimensions"));
    for (auto found = line.globalMatch(ladder); found.hasNext(); ++rows) {
      const QRegularExpressionMatch row = found.next();
      const QString variant = row.captured(1);
      const QStringList cells = row.captured(2).split('|');
      QCOMPARE(cells.size(), columns.size() + 2);
      QCOMPARE(cells[1].trimmed().toDouble(), MeasuredTimes::shipped().of(variant, "block"));
      for (qsizetype i = 0; i < columns.size(); ++i) {
        const auto figure = MeasuredTimes::shipped().of(variant, columns[i]);
        QCOMPARE(cells[i + 2].trimmed(), figure ? significantText(*figure) : QString("–"));
      }
    }
    QCOMPARE(rows, 20);
  }

  void theTableOfLaunchShapesIsThatOfTheProgram() {
    const QRegularExpression line("^\\| block (\\d+), vector (\\d) \\|([^\\n]*)\\|$",
                                  QRegularExpression::MultilineOption);
    int cells = 0;
    const QString document = documentText("docs/benchmarks.md");
    for (auto found = line.globalMatch(document); found.hasNext();) {
      const QRegularExpressionMatch row = found.next();
      const QStringList items{"1", "2", "4", "8", "16", "32"};
      const QStringList shown = row.captured(3).split('|');
      QCOMPARE(shown.size(), items.size());
      for (qsizetype i = 0; i < items.size(); ++i) {
        const QString shape = QStringLiteral("classify.v8+%1+%2").arg(row.captured(1), items[i]);
        const auto us = MeasuredTimes::shipped().of(shape, "2^24-v" + row.captured(2));
        const auto occupancy = MeasuredTimes::shipped().of(shape, "occupancy-v" + row.captured(2));
        QCOMPARE(shown[i].trimmed(), us ? QStringLiteral("%1 (%2 %)")
                                              .arg(significantText(*us))
                                              .arg(QString::number(*occupancy, 'g', 3))
                                        : QString("–"));
        cells += us ? 1 : 0;
      }
    }
    QCOMPARE(cells, 78);
  }

  void theTablesOfDataAreThoseOfTheProgram() {
    const QRegularExpression line("^\\| (reduce\\.\\w+), (spread 5|sorted) \\|([^\\n]*)\\|$",
                                  QRegularExpression::MultilineOption);
    const std::map<QString, QStringList> tables{
        {"spread 5",
         {"order0-spread5", "order0_01-spread5", "order0_1-spread5", "order0_25-spread5", "order0_5-spread5",
          "order1-spread5"}},
        {"sorted",
         {"order0-spread0", "order0-spread1", "order0-spread2", "order0-spread5", "order0-spread5-skew1",
          "order0-spread5-skew2"}}};
    int rows = 0;
    const QString document = documentText("docs/benchmarks.md");
    for (auto found = line.globalMatch(document); found.hasNext(); ++rows) {
      const QRegularExpressionMatch row = found.next();
      const QStringList& wanted = tables.at(row.captured(2));
      const QStringList shown = row.captured(3).split('|');
      QCOMPARE(shown.size(), wanted.size());
      for (qsizetype i = 0; i < wanted.size(); ++i) {
        const auto us = MeasuredTimes::shipped().of(row.captured(1) + "+data", wanted[i]);
        QVERIFY(us.has_value());
        QCOMPARE(shown[i].trimmed(), significantText(*us));
      }
    }
    QCOMPARE(rows, 16);
  }

  void theTableOfManyDimensionsIsThatOfTheProgram() {
    const QString document = documentText("docs/benchmarks.md");
    const QStringList problems{"2^18-64-256", "2^20-8-16",     "2^20-16-64",  "2^20-64-256",
                               "2^22-32-256", "2^20-128-1000", "2^18-784-256"};
    int known = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const QString id = QString::fromStdString(variant->id());
      if (!MeasuredTimes::shipped().of(id, problems[1]) && !MeasuredTimes::shipped().of(id, problems[0]))
        continue;
      QStringList cells{QString(), ' ' + id + ' '};
      for (const QString& problem : problems) {
        const auto us = MeasuredTimes::shipped().of(id, problem);
        cells << ' ' + (us ? significantText(*us) : QString("–")) + ' ';
      }
      QVERIFY2(document.contains(cells.join('|') + "|\n"), qPrintable(cells.join('|')));
      ++known;
    }
    QCOMPARE(known, 13);
  }

  void thePapersTimesAreThoseOfTheirTable() {
    MeasuredTimes table;
    table.read(documentText("resources/measured/printed.csv"));
    const QString document = documentText("docs/benchmarks.md");
    int known = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const QString id = QString::fromStdString(variant->id());
      const auto paper = table.of(id, "paper");
      QVERIFY2(variant->info.publishedUs == paper, qPrintable(id));
      const QString row =
          QStringLiteral("| %1 | %2 | ").arg(id, paper ? QString::number(*paper) : QString("–"));
      if (MeasuredTimes::shipped().of(id, "sorted")) QVERIFY2(document.contains(row), qPrintable(row));
      known += paper ? 1 : 0;
    }
    QCOMPARE(known, 12);
    const auto v6 = table.of("classify.v6", "printed");
    const auto v1 = table.of("reduce.v1", "printed-other-shuffled");
    QVERIFY(v6 && v1);
    const QString pair =
        QStringLiteral("| the papers' best pair as printed, V6 and V1 | %1 |").arg(*v6 + *v1);
    QVERIFY2(document.contains(pair), qPrintable(pair));
  }

  void lessonsNameTheTimesOfTheTableAndNoOthers() {
    MeasuredTimes table;
    table.read(documentText("resources/measured/printed.csv"));
    QSet<double> all;
    for (const Variant* variant : Registry::instance().all())
      for (const char* column : times)
        if (const auto us = table.of(QString::fromStdString(variant->id()), column)) all << *us;
    int read = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const QString id = QString::fromStdString(variant->id());
      const QList<double> numbers = timesIn(partOf(lessonText(*variant), "The paper's time"));
      for (const double us : numbers)
        QVERIFY2(all.contains(us), qPrintable(QStringLiteral("%1: %2").arg(id).arg(us)));
      for (const char* column : times)
        if (const auto us = table.of(id, column); us)
          QVERIFY2(numbers.contains(*us), qPrintable(QStringLiteral("%1: %2").arg(id).arg(*us)));
      read += static_cast<int>(numbers.size());
    }
    QVERIFY2(read >= 50, qPrintable(QString::number(read)));
  }

  /// What the lesson on data says of the order of versions is what its table says.
  void rankingsFlipWhereTheLessonSaysSo() {
    const QString lesson = lessonPage("data");
    QVERIFY(lesson.contains("passes V4 and then V3 between a quarter and a half"));
    QVERIFY(lesson.contains("V5 and V6 between a half and all"));
    QVERIFY(!lesson.contains("{{") && !lesson.contains("Not measured"));
    const auto us = [](const char* version, const char* column) {
      return MeasuredTimes::shipped().of(QStringLiteral("reduce.%1+data").arg(version), column).value_or(NAN);
    };
    const auto faster = [&](const char* a, const char* b, const char* column) {
      return us(a, column) < us(b, column);
    };
    for (const char* other : {"v3", "v4"})
      QVERIFY(faster(other, "v1", "order0_25-spread1") && faster("v1", other, "order0_5-spread1"));
    // Of the two V4 is the slower, and is passed first.
    QVERIFY(faster("v3", "v4", "order0_25-spread1") && faster("v3", "v4", "order0_5-spread1"));
    for (const char* other : {"v5", "v6"})
      QVERIFY(faster(other, "v1", "order0_5-spread1") && faster("v1", other, "order1-spread1"));
    for (const char* column : {"order0-spread1", "order0_25-spread1", "order0_5-spread1", "order1-spread1"})
      QVERIFY(faster("v7", "v1", column));
    for (const char* other : {"v3", "v4", "v5", "v6", "v7"})
      QVERIFY(faster(other, "v1", "order0-spread1") && faster("v1", "v2", "order0-spread1"));
    const double values = us("v1", "order0-spread5") / us("v1", "order0-spread0");
    QVERIFY2(values > 4.5 && values < 5.5, qPrintable(QString::number(values))); // "five times over"
    QVERIFY(std::abs(us("v1", "order0-spread1") / us("v1", "order0-spread5") - 1) < 0.02); // "any spread"
  }

  void conflictsThatTheCardCountedAreThoseOfItsTable() {
    MeasuredTimes card;
    card.read(documentText("resources/counters/nvidia-h200.csv"));
    for (const char* id : {"reduce.v1", "reduce.general"}) {
      const auto conflicts = card.of(id, "bank_conflicts");
      QVERIFY(conflicts.has_value());
      const QRegularExpression said(QStringLiteral("counte?[sd] (?:\\d+ to )?%1\\b").arg(*conflicts));
      QVERIFY2(lessonText(*Registry::instance().find(id)).contains(said), id);
    }
  }

  void processorsHaveOneSourceOfTimes() {
    const MeasuredTimes& figures = MeasuredTimes::shipped();
    for (const auto& [id, stages] : std::map<std::string, QStringList>{
             {"cpu.v1", {"classify", "reduce"}}, {"cpu.v2", {"classify", "reduce"}}, {"cpu.v3", {"fused"}}}) {
      const Variant* variant = Registry::instance().find(id);
      QVERIFY(variant != nullptr);
      for (const QString& stage : stages) {
        const auto us = figures.of(QString::fromStdString(id), stage);
        QVERIFY2(us && lessonText(*variant).contains(significantText(*us) + " µs"), id.c_str());
        const QString row = QStringLiteral("| %1 | %2 | %3 |\n").arg(id.c_str(), stage, significantText(*us));
        QVERIFY2(documentText("docs/benchmarks.md").contains(row), qPrintable(row));
      }
    }
  }

  void theTablesOfSchedulesAreThoseOfTheProgram() {
    const MeasuredTimes& figures = MeasuredTimes::shipped();
    // What the article's whole runs come to for an iteration of a set: microseconds of a run, iterations,
    // sets.
    const std::map<QString, std::array<double, 3>> article{{"sync", {7000, 9, 1}},
                                                           {"single", {5600, 10, 1}},
                                                           {"multi", {8600, 7, 4}},
                                                           {"prefetch", {9400, 7, 4}},
                                                           {"unordered", {8300, 7, 4}}};
    for (const char* tag : {"sync", "single", "multi", "prefetch", "unordered", "batched"}) {
      const QString id = QStringLiteral("schedule.%1").arg(tag);
      const auto us = figures.of(id, "iteration");
      QVERIFY2(us.has_value(), tag);
      const auto run = article.find(tag);
      const QString published =
          run == article.end()
              ? QString("–")
              : QString::number(std::round(run->second[0] / run->second[1] / run->second[2]));
      const QString row = QStringLiteral("| %1 | %2 | %3 |\n").arg(id, published, significantText(*us));
      for (const char* document : {"docs/benchmarks.md", "README.md"})
        QVERIFY2(documentText(document).contains(row), qPrintable(row));
      QVERIFY2(lessonText(*Registry::instance().find(id.toStdString()))
                   .contains(significantText(*us) + " µs for an iteration"),
               tag);
    }
  }

  void theTablesOfUniformPointsAreThoseOfTheProgram() {
    const MeasuredTimes& figures = MeasuredTimes::shipped();
    const QString document = documentText("docs/benchmarks.md");
    for (const QString row : {"classify.v7 + reduce.general + update.v1", "fused.v1", "fused.v2", "fused.v3",
                              "schedule.graph+fused.v3"}) {
      QStringList cells{QString(), ' ' + row + ' '};
      for (const int exponent : {20, 24, 27})
        for (const int d : {1, 2, 3}) {
          const auto us = figures.of(row, QStringLiteral("2^%1-%2").arg(exponent).arg(d));
          cells << ' ' + (us ? significantText(*us) : QString("–")) + ' ';
        }
      QVERIFY2(document.contains(cells.join('|') + "|\n"), qPrintable(cells.join('|')));
    }
    for (const QString variant : {"fused.v1", "fused.v2", "fused.v3"}) {
      const auto us = figures.of(variant, "2^27-2-256");
      QVERIFY(us.has_value());
      const QString row =
          QStringLiteral("| %1, K = 256, D = 2, 2^27 points | %2 |\n").arg(variant, significantText(*us));
      QVERIFY2(document.contains(row), qPrintable(row));
    }
  }
};

QTEST_GUILESS_MAIN(TestMeasuredTimes)
#include "tst_measured_times.moc"
