// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/source_rows.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

const Variant* variantOf(const char* id) { return Registry::instance().find(id); }

SourceComparison comparisonOf(Stage stage, const Variant& variant) {
  return compareSources(variant, versionBefore(stage, variant));
}

/// Numbers of all lines that the rows show or stand for, in their order.
std::vector<int> numbersOf(const std::vector<SourceRow>& rows) {
  std::vector<int> numbers;
  for (const SourceRow& row : rows) {
    if (row.number > 0) numbers.push_back(row.number);
    for (int line = row.first; line < row.first + row.folded; ++line)
      numbers.push_back(line);
  }
  return numbers;
}

} // namespace

/// Which rows a source has beside the version before, and where a reader begins.
class TestSourceRows : public QObject {
  Q_OBJECT
private slots:
  void foldsHideNoDifferenceAndLoseNoLine() {
    int folds = 0;
    for (const Stage stage : taughtStages())
      for (const Variant* variant : taughtVariants(stage)) {
        const SourceComparison all = comparisonOf(stage, *variant);
        const std::vector<SourceRow> plain = rowsOf(all, {});
        const std::vector<SourceRow> folded = rowsOf(all, {.folds = true});
        const char* id = variant->info.name.data();
        QVERIFY2(static_cast<int>(plain.size()) == all.now.lines.size(), id);
        QVERIFY2(numbersOf(folded) == numbersOf(plain), id);
        const auto marked = [](const std::vector<SourceRow>& rows) {
          return std::count_if(rows.begin(), rows.end(),
                               [](const SourceRow& row) { return row.mark != DiffLine::Mark::same; });
        };
        QVERIFY2(marked(folded) == marked(plain), id);
        folds += static_cast<int>(
            std::count_if(folded.begin(), folded.end(), [](const SourceRow& row) { return row.isFold(); }));
        if (all.before.lines.isEmpty()) QVERIFY2(folded.size() == plain.size(), id);
      }
    QVERIFY(folds > 40);
  }

  void aFoldSaysWhatItStandsForAndOpensAlone() {
    const SourceComparison all = comparisonOf(Stage::classify, *variantOf("classify.v3"));
    const std::vector<SourceRow> rows = rowsOf(all, {.folds = true});
    const auto fold = std::find_if(rows.begin(), rows.end(), [](const SourceRow& row) {
      return row.text.endsWith(QStringLiteral("lines as in V2 \u2026"));
    });
    QVERIFY(fold != rows.end());
    QVERIFY2(fold->text.contains(QString::number(fold->folded)), qPrintable(fold->text));
    const std::vector<SourceRow> opened = rowsOf(all, {.folds = true, .opened = {fold->first}});
    QCOMPARE(opened.size(), rows.size() + static_cast<std::size_t>(fold->folded) - 1);
    QVERIFY2(rows.front().text.contains("open the file"), qPrintable(rows.front().text));
  }

  void everyVariantOpensAtItsKernelsFirstDifference() {
    for (const Stage stage : taughtStages())
      for (const Variant* variant : taughtVariants(stage)) {
        const SourceComparison all = comparisonOf(stage, *variant);
        const int line = openingLine(all) - 1;
        const std::string id = variant->id();
        const auto mark = [&](int at) {
          for (const DiffLine& one : all.lines)
            if (one.now == at) return one.mark;
          return DiffLine::Mark::same;
        };
        QVERIFY2(line >= all.now.code && line < all.now.lines.size(), id.c_str());
        QVERIFY2(!all.now.lines[line].startsWith("#include"), id.c_str());
        const bool inFile = line < all.now.parts.front().count;
        QVERIFY2(!inFile || line < all.now.registration, id.c_str());
        if (mark(line) == DiffLine::Mark::same) {
          QVERIFY2(!versionBefore(stage, *variant) || line >= all.now.kernel, id.c_str());
          continue;
        }
        // No difference of the same kernel stands before it.
        for (int before = all.now.kernel; before < line && inFile && line >= all.now.kernel; ++before)
          QVERIFY2(mark(before) == DiffLine::Mark::same || all.now.lines[before].startsWith('}') ||
                       all.now.lines[before].startsWith('#') || all.now.lines[before].startsWith("//") ||
                       all.now.lines[before].trimmed().isEmpty(),
                   (id + ": " + all.now.lines[before].toStdString()).c_str());
      }
  }

  void withoutADifferenceTheKernelIsOnTop() {
    const Variant* first = variantOf("classify.v1");
    const SourceComparison all = compareSources(*first, nullptr);
    QCOMPARE(openingLine(all), all.now.kernel + 1);
    QVERIFY(all.now.lines[all.now.kernel].contains("classify_v1") ||
            all.now.lines[all.now.kernel].startsWith("template"));
    // Files without a kernel begin behind what they include.
    const SourceComparison cpu = compareSources(*variantOf("cpu.v1"), nullptr);
    const QString line = cpu.now.lines[openingLine(cpu) - 1];
    QVERIFY2(!line.startsWith('#') && !line.startsWith("namespace") && !line.trimmed().isEmpty(),
             qPrintable(line));
  }
};

QTEST_APPLESS_MAIN(TestSourceRows)
#include "tst_source_rows.moc"
