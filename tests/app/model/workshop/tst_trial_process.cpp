// SPDX-License-Identifier: GPL-3.0-or-later
// A file is compiled for what its trials call, the first as the original's do, and has all of its kernels in
// the end.
#include "app/model/workshop/trial_process.hpp"
#include "tests/app/cli/program.hpp"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace lloyd;

namespace {

constexpr int longMs = 60'000;

/// A file of one's own, tried again and again.
struct Tried {
  QTemporaryDir folder;
  QString file = folder.filePath("mine.cu");
  QByteArray text;
  TrialProcess trial{programPath()};

  explicit Tried(const char* original = "v4_items.cu")
      : text(readFile(QStringLiteral(LLOYD_SOURCE_DIR "/gpu/kernels/classify/") + QLatin1String(original))) {
    trial.setPatience(0);
  }
  /// One that no file of the program's is the original of.
  void makeOriginal() { text.replace(".family = \"classify\"", ".family = \"newest\""); }

  /// Tries the text with `from` replaced, up to the verdict. Empty, or what went wrong before.
  QString tries(const QByteArray& from = {}, const QByteArray& to = {}) {
    if (!from.isEmpty() && !text.contains(from)) return "the text has no such place";
    if (!from.isEmpty()) text.replace(from, to);
    if (!writeFile(file, text)) return "the file cannot be written";
    QSignalSpy ended(&trial, &TrialProcess::ended);
    trial.start(file);
    return ended.wait(longMs) ? QString() : QString("no verdict");
  }
  [[nodiscard]] bool isComplete() const {
    return QTest::qWaitFor([&] { return !trial.running(); }, longMs);
  }
  [[nodiscard]] qint64 moduleBytes() const { return QFileInfo(trial.report().module).size(); }
};

} // namespace

class TestTrialProcess : public QObject {
  Q_OBJECT

private Q_SLOTS:
  void init() {
    if (const QString why = TrialProcess(programPath()).whyNot(); !why.isEmpty()) QSKIP(qPrintable(why));
  }

  /// It saves no time, and would be in two steps.
  void whatCompilesFastIsCompiledWhole() {
    Tried tried;
    tried.trial.setPatience(longMs);
    QCOMPARE(tried.tries(), QString());
    QCOMPARE(tried.tries(), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY(!tried.trial.completing());
  }

  void aCopyIsCompiledForWhatTheOriginalsTrialCalls() {
    Tried tried("v5_unrolled_clusters.cu");
    QCOMPARE(tried.tries(), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY2(tried.trial.report().text().contains("raced on the"), qPrintable(tried.trial.report().text()));
    QVERIFY(tried.trial.completing());
    const qint64 called = tried.moduleBytes();
    QSignalSpy complete(&tried.trial, &TrialProcess::complete);
    QVERIFY(complete.wait(longMs));
    QVERIFY2(4 * called < 3 * tried.moduleBytes(),
             qPrintable(QString("%1 of %2 bytes").arg(called).arg(tried.moduleBytes())));
    QVERIFY(tried.trial.report().right());
  }

  /// The original is raced with the copy's parameters, for which it was not compiled.
  void whatACopyCallsOfTheOriginalIsCompiledForIt() {
    Tried tried("v5_unrolled_clusters.cu");
    QVERIFY(tried.text.contains("{\"unroll\", {1, 2, 4}, 2}"));
    tried.text.replace("{\"unroll\", {1, 2, 4}, 2}", "{\"unroll\", {1, 2, 4}, 4}");
    QCOMPARE(tried.tries("{\"items\", {1, 2, 4, 8}, 4}", "{\"items\", {1, 2, 4, 8}, 8}"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY2(tried.trial.report().text().contains("raced on the"), qPrintable(tried.trial.report().text()));
    QVERIFY(!tried.trial.completing());
  }

  /// What is wrong is not raced, so that its verdict does not wait for the original's compiler; the next
  /// version finds the original compiled.
  void aWrongFirstVersionLeavesTheOriginalToTheNext() {
    Tried tried;
    QSignalSpy complete(&tried.trial, &TrialProcess::complete);
    QCOMPARE(tried.tries("dispatch(launchAs,", "if (args.problem.k == 17) return;\n  dispatch(launchAs,"),
             QString());
    QVERIFY2(tried.trial.report().text().contains("is wrong"), qPrintable(tried.trial.report().text()));
    QVERIFY(QTest::qWaitFor([&] { return !complete.isEmpty(); }, longMs));
    QVERIFY(!tried.trial.running());
    QCOMPARE(tried.tries("if (args.problem.k == 17) return;\n", ""), QString());
    QVERIFY2(tried.trial.report().text().contains("raced on the"), qPrintable(tried.trial.report().text()));
    QVERIFY(tried.isComplete());
    QCOMPARE(complete.size(), 2);
  }

  void theNextTrialCompilesWhatTheLastCalled() {
    Tried tried("v5_unrolled_clusters.cu");
    tried.makeOriginal();
    QCOMPARE(tried.tries(), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY(!tried.trial.completing());
    const qint64 whole = tried.moduleBytes();
    const QString verified = tried.trial.report().trials.front().parts.front();

    QCOMPARE(tried.tries("classify_v5,", "classify_v5 /* again */,"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QCOMPARE(tried.trial.report().trials.front().parts.front(), verified);
    QVERIFY(tried.trial.completing());
    QVERIFY2(4 * tried.moduleBytes() < 3 * whole,
             qPrintable(QString("%1 of %2 bytes").arg(tried.moduleBytes()).arg(whole)));
    QSignalSpy complete(&tried.trial, &TrialProcess::complete);
    QVERIFY(complete.wait(longMs));
    QVERIFY2(10 * tried.moduleBytes() > 9 * whole, "the rest is missing");
    QVERIFY(tried.trial.report().right());
  }

  /// The first version has no more than two values of items to call.
  void whatTheLastTrialDidNotCallIsCompiledForThis() {
    Tried tried;
    tried.makeOriginal();
    QCOMPARE(tried.tries("{\"items\", {1, 2, 4, 8}, 4}", "{\"items\", {1, 4}, 4}"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    const QString before = tried.trial.report().trials.front().parts.front();
    QCOMPARE(tried.tries("{\"items\", {1, 4}, 4}", "{\"items\", {1, 2, 4}, 4}"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY(tried.trial.report().trials.front().parts.front() != before); // more cases
    QVERIFY(!tried.trial.completing());                                   // all is there
    QCOMPARE(tried.trial.report().trials.size(), std::size_t{1});
  }

  /// No trial calls eight items together with another arithmetic.
  void anErrorInTheRestIsFoundAfterTheVerdict() {
    Tried tried;
    QCOMPARE(tried.tries(), QString());
    QCOMPARE(tried.tries("if constexpr (isCompiled<d, how>) {",
                         "static_assert(items != 8 || how != 2, \"not these\");\n"
                         "    if constexpr (isCompiled<d, how>) {"),
             QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    QVERIFY(tried.isComplete());
    QVERIFY(!tried.trial.report().right());
    QVERIFY(!tried.trial.report().errors.empty());
    const CompilerError& error = tried.trial.report().errors.front();
    QVERIFY2(error.line > 0 && error.text.contains("not these"), qPrintable(error.text));
  }

  /// Whatever a file's host code does with the refusal.
  void aRefusalThatIsSwallowedVoidsTheTrial() {
    Tried tried;
    QCOMPARE(tried.tries(), QString());
    const QByteArray usual = "{\"items\", {1, 2, 4, 8}, 4}";
    QVERIFY(tried.text.contains(usual));
    tried.text.replace(usual, "{\"items\", {1, 2, 4, 8}, 8}");
    const QByteArray call =
        "dispatch(launchAs, oneOf<1, 2, 3>(args.problem.d), oneOf<1, 2, 4, 8>(args.tuning.items),\n"
        "           oneOf<0, 1, 2>(args.tuning.arithmetic));";
    QCOMPARE(tried.tries(call, "try { " + call + " } catch (...) {}"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
    // Nor may it be thrown out of this one.
    QVERIFY(tried.isComplete());
    tried.text.replace("void launch(const ClassifyArgs& args, LaunchContext& context) {",
                       "void launch(const ClassifyArgs& args, LaunchContext& context) noexcept {");
    QCOMPARE(tried.tries("{1, 2, 4, 8}, 8}", "{1, 2, 4, 8}, 2}"), QString());
    QVERIFY2(tried.trial.report().right(), qPrintable(tried.trial.report().text()));
  }

  void aWrongVersionIsFoundSoToo() {
    Tried tried;
    QCOMPARE(tried.tries(), QString());
    QVERIFY(tried.isComplete());
    QCOMPARE(tried.tries("dispatch(launchAs,", "if (args.problem.k == 17) return;\n  dispatch(launchAs,"),
             QString());
    QVERIFY2(!tried.trial.report().trials.empty() && !tried.trial.report().right() &&
                 tried.trial.report().trials.front().verdict.contains("is wrong"),
             qPrintable(tried.trial.report().text()));
    QVERIFY(tried.isComplete());
    QVERIFY(tried.trial.report().errors.empty());
  }
};

QTEST_GUILESS_MAIN(TestTrialProcess)
#include "tst_trial_process.moc"
