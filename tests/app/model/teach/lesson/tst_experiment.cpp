// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/lesson/experiment.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/lesson/stated_number.hpp"
#include "app/model/teach/teach_subject.hpp"
#include "app/text/strings.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace lloyd;

/// What a lesson's link sets up, and the words of lessons.
class TestExperiment : public QObject {
  Q_OBJECT
private slots:
  void aLinkSaysPointsAndLaunch() {
    const auto read = readExperiment("blobs:n=4096,d=3,order=sorted;k=24;block=256;arithmetic=pow");
    QVERIFY2(read.has_value(), qPrintable(read ? QString() : read.error()));
    QCOMPARE(read->request.generator, std::string("blobs:n=4096,d=3,order=sorted"));
    QCOMPARE(read->request.defaultClusters, 24); // the same points as on the command line
    QCOMPARE(read->tuning.block, 256);
    QVERIFY(read->tuning.arithmetic == Arithmetic::pow);
    Settings settings;
    settings.seed = 7;
    settings.selection.classify = "classify.v3";
    const Settings now = withExperiment(settings, *read);
    QCOMPARE(now.k, 24);
    QCOMPARE(now.seed, std::uint64_t{7});
    QCOMPARE(now.selection.classify, std::string("classify.v3"));
    QCOMPARE(now.selection.tuning.block, 256);
    QCOMPARE(withExperiment(settings, *readExperiment("uniform")).k, settings.k);
  }

  void aWrongLinkIsOneSentence_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("generator") << "heaps:n=5"
                               << "heaps";
    QTest::newRow("key") << "blobs:n=4096;blok=128"
                         << "\"blok\" is neither k nor a tuning parameter";
    QTest::newRow("number") << "blobs:n=4096;block=many"
                            << "\"block=many\" says no value of block";
    QTest::newRow("word") << "blobs:n=4096;arithmetic=3"
                          << "no value of arithmetic";
    QTest::newRow("k") << "blobs:n=8;k=9"
                       << "k = 9 is more than its 8 points";
    QTest::newRow("none") << ""
                          << "cannot be set up";
  }
  void aWrongLinkIsOneSentence() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto read = readExperiment(text);
    QVERIFY(!read.has_value());
    QVERIFY2(read.error().contains(says) && read.error().contains("cannot be set up"),
             qPrintable(read.error()));
    QVERIFY2(!read.error().contains('\n') && !read.error().endsWith('.'), qPrintable(read.error()));
  }

  void everyLessonsExperimentCanBeSetUp() {
    initTexts();
    static const QRegularExpression link(QStringLiteral(R"(\]\(setup:([^)]*)\))"));
    int links = 0;
    for (const QString& name : QDir(QStringLiteral(":/lessons")).entryList({"*.md"})) {
      QFile file(QStringLiteral(":/lessons/") + name);
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QString lesson = QString::fromUtf8(file.readAll());
      for (auto found = link.globalMatch(lesson); found.hasNext(); ++links) {
        const auto read = readExperiment(found.next().captured(1));
        QVERIFY2(read.has_value(), qPrintable(name + ": " + (read ? QString() : read.error())));
      }
    }
    QVERIFY(links >= 4);
  }

  /// One thing has one word: that of the table, of the badges and of lloydscope trace.
  void lessonsSpeakAsTheTableDoes() {
    initTexts();
    static const QRegularExpression other(
        QStringLiteral(R"(\b(?:memory transactions?|transactions?|cache lines? requested|replays?)\b)"),
        QRegularExpression::CaseInsensitiveOption);
    for (const QString& name : QDir(QStringLiteral(":/lessons")).entryList({"*.md"})) {
      QFile file(QStringLiteral(":/lessons/") + name);
      QVERIFY(file.open(QIODevice::ReadOnly));
      const auto found = other.match(QString::fromUtf8(file.readAll()));
      QVERIFY2(!found.hasMatch(), qPrintable(name + ": " + found.captured()));
    }
  }

  /// What to look at stands on the first screen: 25 lines of 70 columns. All else has one order, too.
  void lessonsHaveOneOrder() {
    initTexts();
    static const QStringList order{"What changed",         "What changes",
                                   "What to look at",      "How it works",
                                   "Why it is exact",      "What it costs",
                                   "Which limit it meets", "Predict",
                                   "The paper's time",     "The paper's claim",
                                   "The paper's claims",   "Measured",
                                   "Fixed here",           "Ours"};
    for (const QString& name : QDir(QStringLiteral(":/lessons")).entryList({"*.md"})) {
      if (name == QLatin1String("words.md")) continue; // which teaches nothing else
      QFile file(QStringLiteral(":/lessons/") + name);
      QVERIFY(file.open(QIODevice::ReadOnly));
      qsizetype before = -1, line = 0;
      QStringList here;
      for (const QString& paragraph : withStatedNumbers(QString::fromUtf8(file.readAll())).split('\n')) {
        ++line;
        qsizetype column = 0;
        for (const QString& word : paragraph.split(' ', Qt::SkipEmptyParts)) {
          if (column > 0 && column + 1 + word.size() > 70) {
            ++line;
            column = 0;
          }
          column += word.size() + (column > 0 ? 1 : 0);
        }
        if (!paragraph.startsWith("## ")) continue;
        here << paragraph.mid(3);
        const qsizetype at = order.indexOf(here.last());
        QVERIFY2(at < 0 || at > before, qPrintable(name + ": " + here.last() + " stands too late"));
        before = std::max(before, at);
        QVERIFY2(here.last() != order[2] || line <= 25,
                 qPrintable(name + ": line " + QString::number(line) + " begins \"" + here.last() + '"'));
      }
      for (const qsizetype needed : {qsizetype{2}, order.indexOf("What it costs"), order.indexOf("Predict")})
        QVERIFY2(here.count(order[needed]) == 1, qPrintable(name + " lacks " + order[needed]));
      QVERIFY2(here.indexOf(order[2]) == 1, qPrintable(name));
    }
  }

  void everyVariantHasASourceAndALesson() {
    int taught = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const std::string id = variant->id();
      QVERIFY2(sourceOf(*variant).lines.size() > 30, id.c_str());
      const QString lesson = lessonText(*variant);
      QVERIFY2(lesson.startsWith("# " + qtext(id)) && lesson.size() > 300, id.c_str());
      QVERIFY2(!lesson.contains("There is no lesson"), id.c_str());
      bool chosen = false;
      for (const Stage stage : taughtStages())
        for (const Variant* one : taughtVariants(stage))
          chosen = chosen || one == variant;
      QVERIFY2(chosen, id.c_str());
      ++taught;
    }
    QVERIFY(taught >= 45);
  }
};

QTEST_APPLESS_MAIN(TestExperiment)
#include "tst_experiment.moc"
