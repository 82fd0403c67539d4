// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/source_text.hpp"
#include "app/model/teach/teach_subject.hpp"

#include <QTest>

#include <random>

using namespace lloyd;
using Mark = DiffLine::Mark;

namespace {

QList<Mark> marksOf(const std::vector<DiffLine>& diff) {
  QList<Mark> marks;
  for (const DiffLine& line : diff)
    marks << line.mark;
  return marks;
}

QStringList comparedLines(const NamedText& text) {
  QStringList lines;
  for (const QString& line : text.lines)
    lines << compared(line, text.names);
  return lines;
}

/// What becomes of the old text when every line of the difference is carried out.
QStringList applied(const std::vector<DiffLine>& diff, const NamedText& before, const NamedText& now) {
  QStringList lines;
  for (const DiffLine& line : diff) {
    if (line.mark == Mark::same) lines << compared(before.lines[line.before], before.names);
    if (line.mark == Mark::added || line.mark == Mark::changed)
      lines << compared(now.lines[line.now], now.names);
  }
  return lines;
}

/// Every line of both texts stands in it once and in order, and its marks are true.
void verifyComplete(const std::vector<DiffLine>& diff, const NamedText& before, const NamedText& now) {
  int nextBefore = 0, nextNow = 0;
  for (const DiffLine& line : diff) {
    if (line.mark != Mark::added) QCOMPARE(line.before, nextBefore++);
    if (line.mark != Mark::removed) QCOMPARE(line.now, nextNow++);
    if (line.mark == Mark::added) QCOMPARE(line.before, -1);
    if (line.mark == Mark::removed) QCOMPARE(line.now, -1);
    if (line.mark == Mark::changed)
      QVERIFY(compared(before.lines[line.before], before.names) != compared(now.lines[line.now], now.names));
  }
  QCOMPARE(nextBefore, before.lines.size());
  QCOMPARE(nextNow, now.lines.size());
  QCOMPARE(applied(diff, before, now), comparedLines(now));
}

NamedText plain(const char* text) { return {QString::fromLatin1(text).split('\n'), {}}; }

} // namespace

class TestSourceDiff : public QObject {
  Q_OBJECT
private slots:
  void headersOfTheFamilyFollowTheirKernel() {
    const Variant& first = *Registry::instance().find("fused.v1");
    const Variant& second = *Registry::instance().find("fused.v2");
    const SourceText source = sourceOf(second);
    QVERIFY(source.parts.size() > 2);
    QStringList paths;
    for (const SourceText::Part& part : source.parts) {
      QVERIFY2(!paths.contains(part.path), qPrintable(part.path));
      paths << part.path;
      QCOMPARE(source.numberOf(part.first), 1);
      QCOMPARE(source.lineOf(part.path, part.count), part.first + part.count - 1);
      QCOMPARE(source.lineOf(part.path, part.count + 1), -1);
      QVERIFY(source.lines[part.first].startsWith("// SPDX"));
      if (part.first > 0) QCOMPARE(source.numberOf(part.first - 1), 0);
    }
    const QString shared = QStringLiteral("gpu/kernels/fused/pass.hpp");
    const QString own = QStringLiteral("gpu/kernels/fused/cells.hpp");
    QVERIFY(paths.contains(shared) && paths.contains(own));
    QVERIFY(!paths.contains("gpu/kernels/dispatch.hpp")); // of no family

    // What both include is the same, what only one includes is new, and every line is there once.
    const SourceComparison all = compareSources(second, &first);
    int next = 0;
    for (const DiffLine& line : all.lines) {
      if (line.now < 0) continue;
      QCOMPARE(line.now, next++);
      const auto in = [&](const QString& path) {
        const int begin = all.now.lineOf(path, 1);
        return line.now >= begin && all.now.lineOf(path, all.now.numberOf(line.now)) == line.now;
      };
      if (in(own)) QVERIFY(line.mark == Mark::added && line.before == -1);
      if (in(shared)) {
        QVERIFY(line.mark == Mark::same);
        QCOMPARE(all.before.lines[line.before], all.now.lines[line.now]);
      }
    }
    QCOMPARE(next, all.now.lines.size());
    QVERIFY(countOf(compareSources(first, &second).lines).removed > source.parts[1].count / 2);
    QCOMPARE(sourceOf(*Registry::instance().find("classify.v3")).parts.size(), std::size_t{1});
  }

  void theSameTextDiffersNowhere() {
    const NamedText text = plain("a();\n\nb();\n}");
    QCOMPARE(marksOf(sourceDiff(text, text)), QList<Mark>(4, Mark::same));
  }

  void nothingAgainstSomething() {
    const NamedText nothing{{}, {}}, two = plain("a();\nb();");
    QCOMPARE(marksOf(sourceDiff(nothing, two)), (QList<Mark>{Mark::added, Mark::added}));
    QCOMPARE(marksOf(sourceDiff(two, nothing)), (QList<Mark>{Mark::removed, Mark::removed}));
    QVERIFY(sourceDiff(nothing, nothing).empty());
  }

  void blanksAtTheEndsDoNotCount() {
    QCOMPARE(marksOf(sourceDiff(plain("if (a)\n  b();"), plain("  if (a)  \nb();"))),
             QList<Mark>(2, Mark::same));
  }

  void anAlikeLineIsChangedAndAnUnlikeOneIsNot() {
    const auto diff =
        sourceDiff(plain("sum += slot[t + half];\nreturn;"), plain("sum += slot[t + step];\nreturn;"));
    QCOMPARE(marksOf(diff), (QList<Mark>{Mark::changed, Mark::same}));
    const auto other = sourceDiff(plain("alpha(one);\nreturn;"), plain("omega = two;\nreturn;"));
    QCOMPARE(countOf(other).changed, 0);
    QCOMPARE(countOf(other).added, 1);
    QCOMPARE(countOf(other).removed, 1);
  }

  void aLineThatMovedIsGoneAndNew() {
    const auto diff = sourceDiff(plain("load(label);\nfor (;;) work();\nuse();"),
                                 plain("for (;;) work();\nload(label);\nuse();"));
    const DiffCount count = countOf(diff);
    QCOMPARE(count.added + count.removed + count.changed, 2);
  }

  void theKernelsOwnNameDoesNotCount() {
    const NamedText before{{"classify_v2(x);", "// classify.v2 is", "old_classify_v2(x);"},
                           {"classify_v2", "classify.v2", "v2"}};
    const NamedText now{{"classify_v3(x);", "// classify.v3 is", "old_classify_v3(x);"},
                        {"classify_v3", "classify.v3", "v3"}};
    // A longer name that only ends in it is another name.
    QCOMPARE(marksOf(sourceDiff(before, now)).mid(0, 2), (QList<Mark>{Mark::same, Mark::same}));
    QVERIFY(marksOf(sourceDiff(before, now))[2] != Mark::same);
  }

  void anyTwoTextsAreDescribedWhole() {
    std::mt19937 random(7);
    const QStringList words{"a = b;",
                            "  a = b;",
                            "",
                            "}",
                            "for (unsigned j = 0; j < d; ++j) {",
                            "for (unsigned j = 0; j < D; ++j) {",
                            "x[j] = points[j * stride + i];",
                            "__syncthreads();",
                            "v7(",
                            "v6("};
    for (int round = 0; round < 300; ++round) {
      NamedText texts[2] = {{{}, {"v6"}}, {{}, {"v7"}}};
      for (NamedText& text : texts) {
        const auto lines = random() % 12;
        for (unsigned long i = 0; i < lines; ++i)
          text.lines << words[static_cast<qsizetype>(random() % 10)];
      }
      verifyComplete(sourceDiff(texts[0], texts[1]), texts[0], texts[1]);
      if (QTest::currentTestFailed()) return;
    }
  }

  void everyKernelIsComparedWithTheOneBeforeIt() {
    int compared = 0;
    for (const Stage stage : taughtStages()) {
      for (const Variant* variant : taughtVariants(stage)) {
        const Variant* before = versionBefore(stage, *variant);
        const SourceComparison comparison = compareSources(*variant, before);
        QVERIFY2(!comparison.now.lines.isEmpty(), variant->info.source.data());
        QVERIFY2(comparison.now.lines[comparison.now.code].startsWith("#include"),
                 variant->info.source.data());
        QStringList shown;
        for (const DiffLine& line : comparison.lines)
          if (line.now >= 0) shown << comparison.now.lines[line.now];
        QCOMPARE(shown, comparison.now.lines);
        if (!before) continue;
        ++compared;
        const DiffCount count = countOf(comparison.lines);
        QVERIFY2(count.added + count.changed + count.removed > 0, variant->info.source.data());
        // Versions of one technique share their frame: no comparison degenerates to all gone, all new.
        QVERIFY2(count.added + count.changed < comparison.now.lines.size() - comparison.now.code,
                 variant->info.source.data());
      }
    }
    QVERIFY(compared >= 13);
  }

  /// As the lessons count them: what names and describes a version is no difference of its code.
  void registrationsAreNotCompared() {
    const auto of = [](const char* id) { return Registry::instance().find(id); };
    const auto differences = [&](const char* now, const char* before) {
      const DiffCount count = countOf(compareSources(*of(now), of(before)).lines);
      return count.added + count.changed + count.removed;
    };
    QCOMPARE(differences("classify.v2", "classify.v1"), 3);
    QCOMPARE(differences("classify.v6", "classify.v5"), 3);
    const SourceComparison all = compareSources(*of("classify.v2"), of("classify.v1"));
    QVERIFY(all.now.lines[all.now.registration].startsWith("LLOYD_REGISTER"));
    for (const DiffLine& line : all.lines)
      if (line.now >= all.now.registration) QVERIFY(line.mark == Mark::same);
  }

  void versionsFollowTheirNumbers() {
    const auto of = [](const char* id) { return Registry::instance().find(id); };
    QCOMPARE(versionBefore(Stage::classify, *of("classify.v3")), of("classify.v2"));
    QCOMPARE(versionBefore(Stage::reduce, *of("reduce.v7")), of("reduce.v6"));
    QCOMPARE(versionBefore(Stage::classify, *of("classify.v1")), nullptr);
    QCOMPARE(versionBefore(Stage::classify, *of("classify.aos")), of("classify.v3"));
  }
};

QTEST_APPLESS_MAIN(TestSourceDiff)
#include "tst_source_diff.moc"
