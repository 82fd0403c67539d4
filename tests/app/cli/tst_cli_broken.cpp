// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/workshop/broken_kernels.hpp"
#include "tests/app/cli/program.hpp"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace lloyd;

namespace {

struct Expected {
  QString said;      ///< a word that belongs to this defect
  QString codeThere; ///< what the line that is named has; empty where the simulator names none
};

/// What the simulator says of each.
const std::map<QString, Expected>& expected() {
  static const std::map<QString, Expected> all = {
      {"divergent_barrier", {"its threads wait at different barriers", "__syncthreads();"}},
      {"empty_cluster", {"the centroid is at -?nan", ""}},
      {"empty_wait",
       {"the wait of queue 1 at [^ ]+ is for an event that nobody had recorded: the record of queue \\d+ at "
        "[^ ]+empty_wait.cu:\\d+ comes only afterwards\n",
        "queue.wait("}},
      {"lockstep", {"it has a race: .*slot(Sum|Count)", "+= slot"}},
      {"lost_counts", {"has a race: .*blockCount", "blockCount[c] += 1u;"}},
      {"lost_remainder", {"point \\d+, dimension \\d+ is .*, expected", ""}},
      {"missing_barrier",
       {"blockSum, to which no thread of the block has stored yet", "atomicAdd(&blockSum"}},
      {"not_zeroed", {"blockChanged, to which no thread of the block has stored yet", "blockChanged[0]"}},
      {"overflow", {"index \\d+ of the shared array slotSum, which has \\d+ elements", "slotSum["}},
      {"overwritten_slots", {"has a race: .*slot(Sum|Count)", "slot"}},
      {"partial_mask",
       {"the mask 0x0000ffff, which does not name the lane itself", "__shfl_down_sync(0x0000"}},
      {"past_the_end", {"of labels, argument \\d+, which has \\d+ elements?", "labels[i] = label;"}},
      {"tie_rule", {"lies exactly between clusters and has label \\d+; the lowest index is \\d+", ""}},
      {"unrecorded_event",
       {"the wait of queue 2 at [^ ]+ is for an event that nobody had recorded, so that the fill of queue 2 "
        "at [^ ]+unrecorded_event.cu:\\d+ behind it waits for nothing\n",
        "queue.wait("}},
  };
  return all;
}

/// Numbers of the file's lines that a text names.
std::vector<int> linesNamed(const QString& text, const QString& file) {
  std::vector<int> lines;
  const QRegularExpression place(QRegularExpression::escape(file) + ":(\\d+)");
  for (auto found = place.globalMatch(text); found.hasNext();)
    lines.push_back(found.next().captured(1).toInt());
  return lines;
}

} // namespace

/// Kernels and schedules with a bug to be found: each is found where it is, and is right after its repair.
/// They take the way that a saved file takes in the editor.
class TestCliBroken : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void eachHasATitleAHintAndARepair() {
    const std::vector<BrokenKernel> kernels = brokenKernels();
    QCOMPARE(kernels.size(), expected().size());
    for (const BrokenKernel& kernel : kernels) {
      QVERIFY2(expected().contains(kernel.name), qPrintable(kernel.name));
      QVERIFY2(!kernel.title.isEmpty() && kernel.text.contains("\n//\n// "), qPrintable(kernel.name));
      QVERIFY2(kernel.repair.why.endsWith('.') && !kernel.repair.changes.empty(), qPrintable(kernel.name));
      QVERIFY2(!kernel.text.contains(kernel.repair.why), qPrintable(kernel.name));
      for (const Replacement& change : kernel.repair.changes)
        QCOMPARE(kernel.text.count(change.from), 1);
      QCOMPARE(brokenKernelIn(kernel.text).name, kernel.name);
    }
    QVERIFY(brokenKernelIn("// a kernel of one's own\n").name.isEmpty());
  }

  void noneIsInAnyList() {
    const Outcome list = runProgram({"list", "variants"});
    QCOMPARE(list.status, 0);
    for (const BrokenKernel& kernel : brokenKernels())
      QVERIFY2(!list.out.contains('.' + kernel.name.toUtf8()), qPrintable(kernel.name));
  }

  void isFoundAndRepaired_data() {
    QTest::addColumn<QString>("name");
    for (const auto& [name, of] : expected())
      QTest::newRow(qPrintable(name)) << name;
  }
  void isFoundAndRepaired() {
    QFETCH(QString, name);
    BrokenKernel kernel;
    for (const BrokenKernel& one : brokenKernels())
      if (one.name == name) kernel = one;
    const Expected& of = expected().at(name);
    const QTemporaryDir folder;
    const QString fileName = name + ".cu";
    const QString file = folder.filePath(fileName);
    QVERIFY(writeFile(file, kernel.text.toUtf8()));
    const Outcome broken = runProgram({"try", file, "--limit", "60"});
    qInfo("%s", qPrintable(broken.text()));
    const QString out = QString::fromUtf8(broken.out);
    QCOMPARE(broken.status, 1);
    QVERIFY(QRegularExpression(of.said).match(out).hasMatch());
    QVERIFY(!out.contains("is right"));
    QVERIFY(!out.contains("raced on")); // a broken kernel is never ranked
    const std::vector<int> lines = linesNamed(out, fileName);
    QCOMPARE(lines.empty(), of.codeThere.isEmpty());
    bool there = lines.empty();
    for (const int line : lines)
      there = there || kernel.text.section('\n', line - 1, line - 1).contains(of.codeThere);
    QVERIFY2(there, "no line that was named is the one of the bug");

    const QString repaired = kernel.repair.applied(kernel.text);
    QVERIFY(!repaired.isEmpty());
    QVERIFY(writeFile(file, repaired.toUtf8()));
    const Outcome right = runProgram({"try", file, "--limit", "60"});
    QVERIFY2(right.status == 0 && right.out.contains(" is right."), qPrintable(right.text()));
  }
};

QTEST_GUILESS_MAIN(TestCliBroken)
#include "tst_cli_broken.moc"
