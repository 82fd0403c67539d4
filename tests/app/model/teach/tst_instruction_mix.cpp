// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped table of instructions: whole, of the sources as they are, and what lessons say.
#include "app/model/teach/instruction_mix.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/source_text.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

using namespace lloyd;

namespace {

const QString header = "variant,kernel,depth,lines,instructions,multiply-adds,arithmetic,matrix,shared,"
                       "global,addresses,branches,other,places\n";

/// Kernels that do an iteration's work, as the simulator has them on every machine.
bool isCountedInMachineCode(const Variant& variant) {
  const Launchers& kernels = variant.on(Backend::simt);
  return std::ranges::any_of(
      std::array{Stage::classify, Stage::reduce, Stage::fused, Stage::update, Stage::layout},
      [&](Stage stage) { return kernels.has(stage); });
}

/// (path, number) of each line that a text as "48-51+53 tiles.hpp:30" names.
std::vector<std::pair<QString, int>> linesIn(const QString& text, const QString& own) {
  std::vector<std::pair<QString, int>> lines;
  for (const QString& file : text.split(' ', Qt::SkipEmptyParts)) {
    const QString path = file.contains(':') ? own.section('/', 0, -2) + '/' + file.section(':', 0, 0) : own;
    for (const QString& range : file.section(':', -1).split('+'))
      for (int line = range.section('-', 0, 0).toInt(); line <= range.section('-', -1).toInt(); ++line)
        lines.emplace_back(path, line);
  }
  return lines;
}

int row(const InstructionModel& model, const QString& name) {
  for (int at = 0; at < model.rowCount(); ++at)
    if (model.index(at, InstructionModel::nameColumn).data() == name) return at;
  return -1;
}

QString cell(const InstructionModel& model, const QString& name, int column) {
  return model.index(row(model, name), column).data().toString();
}

} // namespace

class TestInstructionMix : public QObject {
  Q_OBJECT
private slots:
  void tablesAreRead() {
    const InstructionTable table =
        readInstructions("# nvcc 13.0.88, sm_90, 2026-11-26; counts\n" + header +
                         "a.v1,a_v1<D=2>,2,48-51,9,1,1,0,2,0,3,2,0,multiply-adds=51;shared=49-50 b.hpp:3+5\n"
                         "a.v2,a_v2,2,48,10,1,1,0,2,0,3,2,0,\n" // does not add up
                         "a.v3,a_v3,2,48,1,x,1,0,0,0,0,0,0,\n"  // is no number
                         "a.v4,a_v4,2,48,1,1,0,0,0,0,0,0\n");   // is short
    QCOMPARE(table.compiler, QString("nvcc 13.0.88"));
    QCOMPARE(table.architecture, QString("sm_90"));
    QCOMPARE(table.mixes.size(), std::size_t{1});
    const InstructionMix& mix = table.mixes.at("a.v1");
    QCOMPARE(mix.kernel, QString("a_v1<D=2>"));
    QCOMPARE(mix.depth, 2);
    QCOMPARE(mix.instructions, 9);
    QCOMPARE(mix.counts, (std::array{1, 1, 0, 2, 0, 3, 2, 0}));
    QCOMPARE(mix.places[3], QString("49-50 b.hpp:3+5"));
    QVERIFY(mix.places[5].isEmpty());
    QVERIFY(readInstructions("").mixes.empty());
  }

  void linesHaveWords() {
    QCOMPARE(linesText("51"), QString("line 51"));
    QCOMPARE(linesText("48-51+53 tiles.hpp:30"), QString::fromUtf8("lines 48–51, 53; tiles.hpp 30"));
    QVERIFY(linesText({}).isEmpty());
  }

  void everyKernelHasItsRow() {
    const InstructionTable& table = shippedInstructions();
    QVERIFY(table.compiler.startsWith("nvcc ") && table.architecture.startsWith("sm_"));
    std::size_t counted = 0;
    for (const Variant* variant : Registry::instance().all()) {
      const QString id = QString::fromStdString(variant->id());
      QVERIFY2(isCountedInMachineCode(*variant) == table.mixes.contains(id), qPrintable(id));
      counted += table.mixes.contains(id) ? 1 : 0;
    }
    QCOMPARE(counted, table.mixes.size());
    QVERIFY(counted >= 30);
  }

  void classesAddUpAndHaveLines() {
    for (const auto& [id, mix] : shippedInstructions().mixes) {
      QCOMPARE(std::accumulate(mix.counts.begin(), mix.counts.end(), 0), mix.instructions);
      QVERIFY2(mix.kernel.startsWith(QString(id).replace('.', '_')), qPrintable(mix.kernel));
      for (std::size_t of = 0; of < instructionClasses; ++of)
        QVERIFY2(mix.counts[of] > 0 || mix.places[of].isEmpty(), qPrintable(id));
    }
  }

  /// A table of other sources names lines that hold no code.
  void linesAreThoseOfTheSource() {
    static const QRegularExpression code(QStringLiteral("^\\s*(?!//)\\S"));
    int checked = 0;
    for (const auto& [id, mix] : shippedInstructions().mixes) {
      const SourceText source = sourceOf(*Registry::instance().find(id.toStdString()));
      QVERIFY2(!source.parts.empty() && !mix.lines.isEmpty(), qPrintable(id));
      for (const auto& [path, number] : linesIn(mix.lines, source.parts.front().path)) {
        const int at = source.lineOf(path, number);
        QVERIFY2(at >= 0 && source.lines[at].contains(code),
                 qPrintable(QStringLiteral("%1: %2:%3").arg(id, path).arg(number)));
        ++checked;
      }
    }
    QVERIFY(checked > 200);
  }

  /// By name, so that no figure in them can be another's or an old one.
  void lessonsOfManyDimensionsStateTheMix() {
    int stated = 0;
    for (const Variant* variant : Registry::instance().all()) {
      if (variant->info.family != "distance") continue;
      const QString id = QString::fromStdString(variant->id());
      const InstructionMix& mix = shippedInstructions().mixes.at(id);
      QFile file(QStringLiteral(":/lessons/%1.md").arg(id));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QString written = QString::fromUtf8(file.readAll());
      QVERIFY2(written.contains("{{" + id + " instructions}}"), qPrintable(id));
      QVERIFY2(written.contains("{{" + id + (mix.counts[2] > 0 ? " matrix}}" : " multiply-adds}}")),
               qPrintable(id));
      const QString shown = lessonText(*variant);
      const QString all = countText(static_cast<std::uint64_t>(mix.instructions));
      QVERIFY2(shown.contains(QRegularExpression("\\b" + all + "( instructions|(?= for ))")),
               qPrintable(shown));
      QVERIFY2(!shown.contains("Not measured since"), qPrintable(shown));
      ++stated;
    }
    QCOMPARE(stated, 7);
  }

  /// The Coalescing note's claim beside what nvcc makes of it today.
  void theNotesLoopIsRolledAndThenUnrolled() {
    const auto& mixes = shippedInstructions().mixes;
    const InstructionMix &rolled = mixes.at("distance.v3"), &unrolled = mixes.at("distance.v4");
    QCOMPARE(rolled.counts[0], 1);
    QCOMPARE(unrolled.counts[0], 16);
    QVERIFY(3 * rolled.counts[0] < rolled.instructions);
    QVERIFY(unrolled.instructions < 16 * rolled.instructions);
    QVERIFY(mixes.at("distance.v6").counts[1] == 0); // a product has no differences
    QVERIFY(mixes.at("distance.v7").counts[2] > 0);
  }

  void versionsStandBesideEachOther() {
    const InstructionTable table =
        readInstructions(header + "a.v3,a_v3,3,48-51,9,1,1,0,2,0,3,2,0,multiply-adds=51;shared=49-50\n"
                                  "a.v4,a_v4,2,35-50,1600,1541,16,0,22,2,11,5,3,multiply-adds=50\n");
    InstructionModel model;
    const QAbstractItemModelTester tester(&model);
    model.setVersions({"V3", &table.mixes.at("a.v3")}, {"V4", &table.mixes.at("a.v4")});
    QCOMPARE(model.rowCount(), 8); // no matrices, and the row of all
    QCOMPARE(model.headerData(InstructionModel::beforeColumn, Qt::Horizontal).toString(), QString("V3"));
    QCOMPARE(cell(model, "multiply-adds", InstructionModel::beforeColumn), QString("1"));
    QCOMPARE(cell(model, "multiply-adds", InstructionModel::nowColumn), QString("1,541"));
    QCOMPARE(cell(model, "all", InstructionModel::nowColumn), QString("1,600"));
    QCOMPARE(cell(model, "global memory", InstructionModel::beforeColumn), QString("0"));
    const QString tip = model.index(row(model, "multiply-adds"), InstructionModel::nowColumn)
                            .data(Qt::ToolTipRole)
                            .toString();
    QVERIFY2(tip.contains("FFMA") && tip.contains("V3: line 51") && tip.contains("V4: line 50"),
             qPrintable(tip));
    QCOMPARE(model.index(row(model, "shared memory"), InstructionModel::nowColumn)
                 .data(Qt::AccessibleTextRole)
                 .toString(),
             QString("shared memory, V4: 22"));
    QVERIFY(InstructionModel::spoken(model.before()).startsWith("V3: 9 instructions, 1 multiply-adds"));
    model.setVersions({}, {"V1", nullptr});
    QCOMPARE(model.rowCount(), 0);
  }
};

QTEST_GUILESS_MAIN(TestInstructionMix)
#include "tst_instruction_mix.moc"
