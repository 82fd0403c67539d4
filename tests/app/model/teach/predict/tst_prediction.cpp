// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/compute/initial_centroids.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/predict/prediction.hpp"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

/// Both versions on points as the window's experiments have them, at the variant's own block.
TeachCounts countsOf(const Variant& variant, Stage stage, int d) {
  TeachCounts counts;
  counts.subject = {stage, &variant, versionBefore(stage, variant), {}};
  DataRequest request;
  request.generator = "blobs:n=4096,d=" + std::to_string(d);
  const SharedPointSet points = *loadPoints(request, {}, nullptr);
  counts.problem = {4096, d, Settings{}.k};
  counts.points = points->n;
  counts.shapes = launchShapes(counts.subject, counts.problem);
  CountInput input{counts.subject,
                   counts.problem,
                   points->values,
                   startingCentroids(*points, counts.problem, Init{}, 1, nullptr),
                   {}};
  input.subject.tuning = counts.shapes.now;
  counts.now = countStage(input, {}, &variant, nullptr);
  counts.before = countStage(input, {}, counts.subject.before, nullptr, &counts.shapes.before);
  counts.input = std::make_shared<const CountInput>(std::move(input));
  return counts;
}

/// Where Teach shows it: for a kernel, where the simulator counts it.
Stage stageOf(const Variant& variant) {
  const Stage counted = stageTaught(variant);
  if (isCounted(variant, counted)) return counted;
  for (const Stage stage : taughtStages())
    for (const Variant* one : taughtVariants(stage))
      if (one == &variant) return stage;
  return counted;
}

AskedCounts askedBy(const Questions& questions, const TeachCounts* taught) {
  AskedCounts asked;
  for (const Question& question : questions.all) {
    const QString key = askedKey(question);
    if (!key.isEmpty() && !asked.contains(key)) asked.emplace(key, countAsked(question, taught, nullptr));
  }
  return asked;
}

} // namespace

class TestPrediction : public QObject {
  Q_OBJECT
private slots:
  void everyLessonAsksThreeQuestionsThatAreAnswered_data() {
    QTest::addColumn<QString>("lesson");
    int lessons = 0;
    for (const Variant* variant : Registry::instance().all()) {
      QTest::newRow(variant->id().c_str()) << QString::fromStdString(variant->id());
      ++lessons;
    }
    QTest::newRow("data") << "data";
    // No file of a lesson is left out, but the page of words.
    QCOMPARE(QDir(QStringLiteral(":/lessons")).entryList({QStringLiteral("*.md")}).size(), lessons + 2);
  }
  void everyLessonAsksThreeQuestionsThatAreAnswered() {
    QFETCH(QString, lesson);
    const Variant* variant = Registry::instance().find(lesson.toStdString());
    const Questions questions = variant ? questionsOf(*variant) : questionsOfPage(lesson);
    QVERIFY2(questions.problems.isEmpty(), qPrintable(questions.problems.join('\n')));
    QVERIFY2(questions.all.size() >= 3, qPrintable(lesson));
    constexpr int usual = 2, many = 8; // some need more coordinates
    TeachCounts counts;
    if (variant) counts = countsOf(*variant, stageOf(*variant), usual);
    if (variant && isCounted(*variant, stageOf(*variant)) && !counts.now.trace)
      counts = countsOf(*variant, stageOf(*variant), many);
    const TeachCounts* taught = variant ? &counts : nullptr;
    const AskedCounts asked = askedBy(questions, taught);
    for (const Question& question : questions.all) {
      const QString place =
          QStringLiteral("%1.md:%2: %3").arg(lesson).arg(question.line).arg(question.sentence);
      const auto answer = answerTo(question, taught, asked);
      QVERIFY2(answer.has_value(), qPrintable(place + (answer ? QString() : " " + answer.error())));
      QVERIFY2(std::isfinite(answer->value) && answer->value >= 0, qPrintable(place));
      QVERIFY2(judge(answer->text, *answer)->right, qPrintable(place + " " + answer->text));
      // Whoever reads the question thinks of the number; it gives none away.
      QVERIFY2(!question.sentence.contains(QRegularExpression(R"((?<![VDKN\w])\d)")), qPrintable(place));
      QVERIFY2(question.at.isEmpty() || askedText(question, counts.subject).contains("line "),
               qPrintable(place));
      if (qEnvironmentVariableIsSet("LLOYD_SHOW_ANSWERS"))
        qInfo().noquote() << lesson << askedText(question, counts.subject) << "=" << answer->text;
    }
    if (!qEnvironmentVariableIsSet("LLOYD_SHOW_ANSWERS")) return;
    for (const auto& [key, one] : asked)
      if (one.run) qInfo().noquote() << one.run->setting;
  }

  void lessonsShowSentencesOnly() {
    const QString lesson = lessonText(*Registry::instance().find("classify.v3"));
    QVERIFY(lesson.contains("\n## Predict\n\n- "));
    QVERIFY(!lesson.contains("\n? ") && !lesson.contains("global stores at"));
    QCOMPARE(withPlainQuestions("? barriers: How many?\n? a at `b[c]`: What: this?\nWhy? Because: so."),
             QString("- How many?\n- What: this?\nWhy? Because: so."));
    // Whose points a reader does not see, the lesson names.
    QCOMPARE(withPlainQuestions("? parts with `blobs:n=9;k=2`: How: many?\n? a at `b with `: What?"),
             QString("- With blobs: n=9; k=2: How: many?\n- What?"));
  }

  void aQuestionIsRead() {
    const Questions read = readQuestions("# x\n\n? barriers a block before at `a ? b : c[i]`: How many?\n"
                                         "? sectors a store: How many?\n",
                                         "x.md");
    QVERIFY2(read.problems.isEmpty(), qPrintable(read.problems.join('\n')));
    QCOMPARE(read.all.size(), std::size_t{2});
    const Question& one = read.all.front();
    QCOMPARE(one.quantity, QString("barriers"));
    QVERIFY(one.share == Question::Share::block && one.before && one.of.isEmpty() && one.with.isEmpty());
    QCOMPARE(one.at, QString("a ? b : c[i]"));
    QCOMPARE(one.sentence, QString("How many?"));
    QCOMPARE(one.line, 3);
    const Question& plain = read.all.back();
    QVERIFY(plain.share == Question::Share::whole && !plain.before && plain.at.isEmpty());
  }

  void aQuestionNamesAVariantAndPoints() {
    const Questions read =
        readQuestions("? launches a set of schedule.single with `blobs:n=64,d=2;k=4;late=5`: How many?\n"
                      "? shared turns of reduce.v1 at `x` with `bands:n=64;k=4`: How many?\n"
                      "? host waits an iteration before: How many?\n",
                      "x.md");
    QVERIFY2(read.problems.isEmpty(), qPrintable(read.problems.join('\n')));
    QCOMPARE(read.all.size(), std::size_t{3});
    const Question& one = read.all.front();
    QCOMPARE(one.quantity, QString("launches"));
    QCOMPARE(one.of, QString("schedule.single"));
    QCOMPARE(one.with, QString("blobs:n=64,d=2;k=4;late=5"));
    QVERIFY(one.share == Question::Share::set && !one.before);
    QCOMPARE(read.all[1].at, QString("x"));
    QCOMPARE(read.all[1].of, QString("reduce.v1"));
    QVERIFY(read.all[2].share == Question::Share::iteration && read.all[2].before);
    QCOMPARE(askedText(one, {}),
             QString("launches a set, schedule.single, on blobs: n=64, d=2; k=4; late=5"));
  }

  void aMalformedQuestionIsAProblemAtItsLine_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    QTest::newRow("no sentence") << "? barriers"
                                 << "x.md:2: a question reads";
    QTest::newRow("no question mark") << "? barriers: Many."
                                      << "x.md:2: a question reads";
    QTest::newRow("no blank") << "?barriers: How many?"
                              << "x.md:2: a question reads";
    QTest::newRow("order") << "? barriers before a block: How many?"
                           << "x.md:2: neither the counter table nor a run has a \"barriers before\"";
    QTest::newRow("quantity") << "? transactions: How many?"
                              << "x.md:2: neither the counter table nor a run has a \"transactions\"";
    QTest::newRow("ratio of a run") << "? points of a vector a set: How many?"
                                    << "x.md:2: \"points of a vector\" is a ratio";
    QTest::newRow("block of a run") << "? host waits a block: How many?"
                                    << "x.md:2: \"host waits\" is counted over a run";
    QTest::newRow("line of a run") << "? launches at `x`: How many?"
                                   << "x.md:2: \"launches\" is counted over a run";
    QTest::newRow("set of a launch") << "? barriers a set: How many?"
                                     << "x.md:2: \"barriers\" is counted over one launch";
    QTest::newRow("variant") << "? barriers of reduce.v99: How many?"
                             << "x.md:2: there is no variant \"reduce.v99\"";
    QTest::newRow("points") << "? barriers with `blobs:n=`: How many?"
                            << "x.md:2: The lesson's experiment \"blobs:n=\" cannot be set up";
    QTest::newRow("ratio") << "? sectors a load a block: How many?"
                           << "x.md:2: \"sectors a load\" is a ratio";
  }
  void aMalformedQuestionIsAProblemAtItsLine() {
    QFETCH(QString, line);
    QFETCH(QString, says);
    const Questions read = readQuestions("# x\n" + line, "x.md");
    QVERIFY(read.all.empty());
    QVERIFY2(read.problems.size() == 1 && read.problems.front().startsWith(says),
             qPrintable(read.problems.join('\n')));
  }

  void whatCannotBeAnsweredSaysWhy() {
    TeachCounts counts = countsOf(*Registry::instance().find("classify.v1"), Stage::classify, 2);
    const auto why = [&](const QString& line) {
      const auto answer = answerTo(readQuestions(line, "x").all.at(0), counts);
      return answer ? answer->text : answer.error();
    };
    QCOMPARE(why("? barriers before: How many?"), QString("There is no version before"));
    const auto whyAsked = [&](const QString& line) {
      const Questions questions = readQuestions(line, "x");
      const auto answer = answerTo(questions.all.at(0), &counts, askedBy(questions, &counts));
      return answer ? answer->text : answer.error();
    };
    QCOMPARE(whyAsked("? host waits before: How many?"), QString("There is no version before"));
    QVERIFY(whyAsked("? host waits: How many?").contains("classify.v1 is a kernel"));
    QVERIFY2(whyAsked("? launches of schedule.batched with `blobs:n=64,d=9;k=4`: How many?")
                 .contains("cannot take 9 dimensions"),
             qPrintable(whyAsked("? launches of schedule.batched with `blobs:n=64,d=9;k=4`: How many?")));
    QCOMPARE(whyAsked("? scores of a point of cpu.v2 with `blobs:n=64,d=2;k=4`: How many?"),
             QString("Nothing of the kind was asked"));
    const Questions page = readQuestions("? launches of schedule.single: How many?", "x");
    QCOMPARE(answerTo(page.all.front(), nullptr, askedBy(page, nullptr)).error(),
             QString("no points are at hand"));
    QCOMPARE(why("? barriers at `no such code`: How many?"),
             QString("No line of the source contains \"no such code\""));
    QVERIFY(why("? barriers at `;`: How many?").endsWith("lines of the source contain \";\""));
    QCOMPARE(why("? barriers at `namespace lloyd {`: How many?"), QString("No warp came to that line"));
    QCOMPARE(why("? sectors a store at `value = points[j * stride + i]`: How many?"),
             QString("Nothing of the kind was asked"));
    counts.now.trace.reset();
    counts.now.why = "it is too wide";
    QCOMPARE(why("? barriers: How many?"), QString("V1 was not counted: it is too wide"));
  }

  void aNumberIsJudged_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("says");
    QTest::newRow("exact") << "4" << 4.0 << "4.00"
                           << "Right: 4.00";
    QTest::newRow("thousands") << "1,024" << 1024.0 << "1,024"
                               << "Right: 1,024";
    QTest::newRow("two percent") << "1010" << 1024.0 << "1,024"
                                 << "Right: 1,024";
    QTest::newRow("as shown") << "0.01" << 0.0137 << "0.01"
                              << "Right: 0.01";
    QTest::newRow("more") << "1100" << 1024.0 << "1,024"
                          << "It is 1,024: you said 7.4 % more";
    QTest::newRow("less") << "900" << 1024.0 << "1,024"
                          << "It is 1,024: you said 12 % less";
    QTest::newRow("factor") << "32" << 4.0 << "4.00"
                            << "It is 4.00: you said 8.00 times as many";
    QTest::newRow("power") << "2^14" << 16384.0 << "16,384"
                           << "Right: 16,384";
    QTest::newRow("part") << "1" << 4.0 << "4.00"
                          << "It is 4.00, which is 4.00 times as many as you said";
    QTest::newRow("nothing") << "3" << 0.0 << "0"
                             << "It is 0";
    QTest::newRow("zero") << "0" << 0.0 << "0"
                          << "Right: 0";
    QTest::newRow("word") << "four" << 4.0 << "4.00"
                          << "";
    QTest::newRow("empty") << " " << 4.0 << "4.00"
                           << "";
    QTest::newRow("no number") << "nan" << 4.0 << "4.00"
                               << "";
  }
  void aNumberIsJudged() {
    QFETCH(QString, typed);
    QFETCH(double, value);
    QFETCH(QString, shown);
    QFETCH(QString, says);
    const auto judgement = judge(typed, {value, shown});
    QCOMPARE(judgement.has_value(), !says.isEmpty());
    if (!judgement) {
      QVERIFY(judgement.error().startsWith("Type a number"));
      return;
    }
    QCOMPARE(judgement->text, says);
    QCOMPARE(judgement->right, says.startsWith("Right"));
  }

  void theFirstAnswerCountsOnceALaunch() {
    PredictionScore score;
    QVERIFY(score.text().isEmpty());
    const Question one{.quantity = "barriers", .at = {}, .sentence = "How many?", .line = 3};
    const Question other{.quantity = "requests", .at = {}, .sentence = "How many?", .line = 4};
    score.add("reduce.v1", "block 128", one, false);
    score.add("reduce.v1", "block 128", one, true); // has seen the number
    score.add("reduce.v1", "block 128", other, true);
    QCOMPARE(score.text(), QString("1 of 2 right"));
    score.add("reduce.v1", "block 256", one, true);
    score.add("reduce.v2", "block 128", one, true);
    QCOMPARE(score.text(), QString("3 of 4 right"));
    score.clear();
    QCOMPARE(score.asked(), 0);
  }
};

QTEST_GUILESS_MAIN(TestPrediction)
#include "tst_prediction.moc"
