// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps of the articles' ladders still hold: the figures are those of the tables, the rule is the one
// that is stated, and README.md says the same.
#include "app/model/measure/own_race.hpp"
#include "app/model/report/step_report.hpp"
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/steps/measured_model.hpp"
#include "app/model/teach/steps/step_texts.hpp"
#include "app/model/teach/steps/version_ladder.hpp"
#include "app/model/teach/warp_waits.hpp"
#include "app/text/numbers.hpp"
#include "tests/app/model/report/report_support.hpp"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <map>

using namespace lloyd;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

QString documentText(const char* path) {
  QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/") + QLatin1String(path));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QString::fromUtf8(file.readAll());
}

/// A table of resources/measured, read by nothing of the program.
std::map<QString, std::map<QString, QString>> tableOf(const char* path) {
  std::map<QString, std::map<QString, QString>> rows;
  QStringList header;
  for (const QString& line : documentText(path).split('\n', Qt::SkipEmptyParts)) {
    if (line.startsWith('#')) continue;
    const QStringList cells = line.split(',');
    if (header.isEmpty()) {
      header = cells;
      continue;
    }
    for (qsizetype i = 1; i < header.size(); ++i)
      rows[cells[0]][header[i]] = cells.value(i);
  }
  return rows;
}

Comparison ratio(double low, double middle, double high, Verdict verdict) {
  return {.verdict = verdict, .ratio = middle, .low = low, .high = high, .pairs = 60};
}

StepJudgement judged(double beforeUs, double us, double low, double high) {
  const Verdict verdict = low >= 0.99 && high <= 1.01 ? Verdict::same
                          : high < 1                  ? Verdict::faster
                          : low > 1                   ? Verdict::slower
                                                      : Verdict::undecided;
  return judgeStep(beforeUs, us, ratio(low, (low + high) / 2, high, verdict));
}

const TextStep& stepOf(const char* id) {
  const TextStep* step = stepTo(variantCalled(id));
  if (!step) qFatal("no text has a step to %s", id);
  return *step;
}

constexpr Problem texts{std::size_t{1} << 20, 1, 16};

} // namespace

class TestTextSteps : public QObject {
  Q_OBJECT
private slots:
  void theStepsAreThoseOfTheLadders() {
    QStringList steps;
    for (const TextStep& step : textSteps())
      steps << QString::fromStdString(step.now->id() + " after " + step.before->id());
    QCOMPARE(steps, QStringList({"classify.v2 after classify.v1", "classify.v3 after classify.v2",
                                 "classify.v4 after classify.v3", "classify.v5 after classify.v4",
                                 "classify.v6 after classify.v5", "classify.v7 after classify.v6",
                                 "reduce.v2 after reduce.v1", "reduce.v3 after reduce.v2",
                                 "reduce.v4 after reduce.v3", "reduce.v5 after reduce.v4",
                                 "reduce.v6 after reduce.v5",
                                 "reduce.v7 after reduce.v5"})); // of V6 the article has no time
    QCOMPARE(stepOf("reduce.v7").untimed, &variantCalled("reduce.v6"));
    QVERIFY(!stepTo(variantCalled("classify.v8")) && !stepTo(variantCalled("fused.v2")));
  }

  /// Every time, line and gain, from the file itself.
  void theFiguresAreThoseOfTheTables() {
    const auto printed = tableOf("resources/measured/printed.csv");
    const auto ladder = tableOf("resources/measured/ladder.csv");
    int there = 0, here = 0;
    for (const TextStep& step : textSteps()) {
      const QString now = QString::fromStdString(step.now->id());
      const QString before = QString::fromStdString(step.before->id());
      const auto row = printed.find(now), rowBefore = printed.find(before);
      const QString us = row == printed.end() ? QString() : row->second.at("paper");
      if (us.isEmpty()) {
        QVERIFY(!step.there.known() && std::isnan(step.gainThere()));
      } else {
        const QString launch = row->second.at("from-other") == "1" ? "paper-other" : "paper";
        QCOMPARE(step.there.us, us.toDouble());
        QCOMPARE(step.there.line, row->second.at("paper-line").toInt());
        QCOMPARE(step.thereBefore.us, rowBefore->second.at(launch).toDouble());
        QCOMPARE(step.thereBefore.line, rowBefore->second.at(launch + "-line").toInt());
        QCOMPARE(step.gainThere(), rowBefore->second.at(launch).toDouble() / us.toDouble());
        ++there;
      }
      const auto shipped = shippedStep(step);
      QVERIFY(shipped.has_value());
      QCOMPARE(shipped->us, ladder.at(now).at("sorted").toDouble());
      QCOMPARE(shipped->beforeUs, ladder.at(before).at("sorted").toDouble());
      // A ratio of the rounds is not that of two medians, but no other race's either.
      const double divided = shipped->us / shipped->beforeUs;
      QVERIFY2(std::abs(shipped->comparison.ratio / divided - 1) < 0.02, qPrintable(now));
      ++here;
    }
    QCOMPARE(there, 10);
    QCOMPARE(here, 12);
    // At the launch of V2 the article's V1 takes 393 µs: it was the faster one there, too.
    QCOMPARE(stepOf("reduce.v2").thereBefore.us, 393.0);
    QCOMPARE(stepOf("reduce.v2").elsewhere.us, 1720.0);
    QVERIFY(stepOf("reduce.v2").gainThere() < 1);
    QCOMPARE(stepOf("classify.v3").gainPrinted(), 141.0 / 128);
    QCOMPARE(stepOf("reduce.v2").gainPrinted(), 17.0 / 193);
    QCOMPARE(printedCard(), QString("NVIDIA H200"));
  }

  void theRuleIsTheOneThatIsStated() {
    QCOMPARE(judged(243, 118, 0.995, 1.005), StepJudgement::noLonger);
    QCOMPARE(judged(243, 118, 0.45, 0.47), StepJudgement::holds);     // 2.13 to 2.22 times
    QCOMPARE(judged(243, 118, 0.487, 0.495), StepJudgement::holds);   // reaches (243 - 0.5) / (118 + 0.5)
    QCOMPARE(judged(243, 118, 0.4888, 0.495), StepJudgement::inPart); // does not
    QCOMPARE(judged(243, 118, 0.9, 0.95), StepJudgement::inPart);
    QCOMPARE(judged(243, 118, 1.1, 1.2), StepJudgement::reversed);
    QCOMPARE(judged(243, 118, 0.9, 1.1), StepJudgement::undecided);
    // The text's version is the slower one.
    QCOMPARE(judged(393, 850, 2.1, 9), StepJudgement::holds);
    QCOMPARE(judged(393, 850, 1.2, 1.3), StepJudgement::inPart);
    QCOMPARE(judged(393, 850, 0.4, 0.5), StepJudgement::reversed);
    // The text has no difference that its whole microseconds would show.
    QCOMPARE(judged(30, 30, 0.995, 1.005), StepJudgement::holds);
    QCOMPARE(judged(30, 30, 0.96, 0.98), StepJudgement::holds);
    QCOMPARE(judged(30, 30, 0.8, 0.85), StepJudgement::onlyHere);
    QCOMPARE(judged(30, 30, 1.2, 1.3), StepJudgement::onlyHere);
  }

  void whatIsNoNumberIsNeverJudged() {
    for (const double none : {notANumber, 0.0, -1.0, infinite}) {
      QCOMPARE(judged(none, 118, 0.4, 0.5), StepJudgement::untold);
      QCOMPARE(judged(243, none, 0.4, 0.5), StepJudgement::untold);
    }
    QCOMPARE(judgeStep(243, 118, ratio(notANumber, 0.5, 0.6, Verdict::faster)), StepJudgement::undecided);
    QCOMPARE(judgeStep(243, 118, ratio(0, 0.5, 0.6, Verdict::faster)), StepJudgement::undecided);
    QCOMPARE(judgeStep(243, 118, ratio(1.1, 1.2, infinite, Verdict::slower)), StepJudgement::undecided);
    QCOMPARE(judgeStep(243, 118,
                       comparePaired(std::vector<double>(60, notANumber), std::vector<double>(60, 10.0))),
             StepJudgement::undecided);
    QCOMPARE(compareMedians(notANumber, 10).verdict, Verdict::undecided);
    QCOMPARE(compareMedians(10, 0).verdict, Verdict::undecided);
    QVERIFY(std::isnan(compareMedians(infinite, 10).ratio));
  }

  /// Two medians tell apart what two runs do not differ by anyway, and never that two are the same.
  void mediansAloneSayLess() {
    QCOMPARE(compareMedians(10, 10).verdict, Verdict::undecided);
    QCOMPARE(compareMedians(9.85, 10).verdict, Verdict::undecided);
    QCOMPARE(compareMedians(9.7, 10).verdict, Verdict::faster);
    QCOMPARE(compareMedians(10.3, 10).verdict, Verdict::slower);
  }

  void aTableOfVerdictsIsRead() {
    const StepTable table("# NVIDIA X, driver 1\n# what it is\n"
                          "variant,before,points,pairs,ratio,low,high,same_within,verdict\n"
                          "classify.v2,classify.v1,sorted,60,0.998,0.996,1.001,0.01,same\n"
                          "classify.v3,classify.v2,sorted,60,nan,0.9,1.1,0.01,undecided\n"
                          "classify.v4,classify.v3,sorted,60,0.5,0.6,0.7,0.01,faster\n"
                          "classify.v5,classify.v4,sorted,60,0.5,0.4,0.6,0.01,better\n"
                          "classify.v6,classify.v5,sorted,60,0.5,0.4\n");
    const StepHere* step = table.find("classify.v2", "classify.v1", "sorted");
    QVERIFY(step && step->from == StepHere::From::shipped);
    QCOMPARE(step->card, QString("NVIDIA X"));
    QCOMPARE(step->comparison.verdict, Verdict::same);
    QCOMPARE(step->comparison.low, 0.996);
    QCOMPARE(step->comparison.pairs, std::size_t{60});
    QVERIFY(!table.find("classify.v2", "classify.v1", "shuffled"));
    for (const char* id : {"classify.v3", "classify.v4", "classify.v5", "classify.v6"})
      for (const char* before : {"classify.v2", "classify.v3", "classify.v4", "classify.v5"})
        QVERIFY2(!table.find(id, before, "sorted"), id);
  }

  /// The verdict is the race's, of the rows that belong together.
  void aRaceTellsItsSteps() {
    auto pow = measured("classify.v2", Stage::classify, texts, 5);
    pow.candidate.tuning.arithmetic = Arithmetic::pow;
    auto wrong = differing("classify.v3", Stage::classify, texts, 2, "label 7 is 3, but must be 2");
    const RaceResultPtr race = raced({measured("classify.v1", Stage::classify, texts, 16.3), pow,
                                      measured("classify.v2", Stage::classify, texts, 16.2), wrong,
                                      measured("reduce.v5", Stage::reduce, texts, 19),
                                      measured("reduce.v6", Stage::reduce, texts, 19),
                                      measured("reduce.v7", Stage::reduce, texts, 11)});
    const std::vector<ReportedStep> steps = stepsOf(*race);
    QCOMPARE(steps.size(), std::size_t{3}); // none with the one that is wrong
    const StepHere& v2 = *steps[0].here;
    QCOMPARE(steps[0].step, stepTo(variantCalled("classify.v2")));
    QCOMPARE(v2.us, race->rows[2].times.median);
    QCOMPARE(v2.comparison.verdict, Verdict::same);
    const Comparison expected = compareRows(race->rows[2], race->rows[0], race->conditions);
    QCOMPARE(v2.comparison.ratio, expected.ratio);
    QCOMPARE(v2.comparison.low, expected.low);
    QVERIFY(!v2.problem);
    QCOMPARE(judgeStep(*steps[0].step, v2.comparison), StepJudgement::noLonger);
    QCOMPARE(judgeStep(*steps[2].step, steps[2].here->comparison), StepJudgement::inPart); // 1.73 of 2.08
    // The processors' times are none of a step between kernels.
    auto simulated = std::make_shared<RaceResult>(*race);
    simulated->device.backend = Backend::simt;
    QVERIFY(stepsOf(*simulated).empty());
    auto elsewhere = raced({measured("classify.v1", Stage::classify, {4096, 3, 8}, 16.3),
                            measured("classify.v2", Stage::classify, {4096, 3, 8}, 8.1)});
    const auto other = racedStep(stepOf("classify.v2"), *elsewhere);
    QVERIFY(other && other->problem && other->problem->d == 3);
    QVERIFY(stepSentence(stepOf("classify.v2"), &*other).contains(" at N = 4,096, D = 3, K = 8: "));
  }

  void sentencesSayBothSides() {
    const auto race = raced({measured("classify.v1", Stage::classify, texts, 16.25),
                             measured("classify.v2", Stage::classify, texts, 16.2)});
    const auto here = racedStep(stepOf("classify.v2"), *race);
    QCOMPARE(stepSentence(stepOf("classify.v2"), &*here),
             QString("V2: in the text 2.06 times as fast as V1 (243 µs with block 1,024, then 118 µs; lines "
                     "73 and 142 of the article). "
                     "Raced here, on Test device: the same within 1 %. The step no longer holds."));
    QCOMPARE(stepRemark(stepOf("classify.v2")),
             QString("V1 at another launch: 170 µs with block 128 (line 74 of the article)."));
    QCOMPARE(
        stepSentence(stepOf("reduce.v2"), nullptr),
        QString("V2: in the text it takes 2.16 times as long as V1 (393, then 850 µs, both with block 128; "
                "lines 61 and 123 of the article)."));
    // Both sides are told as times, never one as a part of hundred.
    const StepHere shipped = *shippedStep(stepOf("classify.v3"));
    QVERIFY2(stepSentence(stepOf("classify.v3"), &shipped).contains("H200: 1.63 times as fast as V2."),
             qPrintable(stepSentence(stepOf("classify.v3"), &shipped)));
    for (const TextStep& step : textSteps()) {
      const StepHere measured = *shippedStep(step);
      QVERIFY(!stepSentence(step, &measured).contains("er by"));
      QVERIFY(!cellsOf(step, &measured).verdict.contains("er by"));
    }
    QVERIFY2(stepSentence(stepOf("reduce.v7"), nullptr).contains("2.08 times as fast as V5"),
             qPrintable(stepSentence(stepOf("reduce.v7"), nullptr)));
    QCOMPARE(stepRemark(stepOf("reduce.v7")), QString("The text has no time of V6."));
    StepHere undecided = *here;
    undecided.comparison.verdict = Verdict::undecided;
    QVERIFY(stepSentence(stepOf("classify.v2"), &undecided).endsWith("on Test device: undecided."));
    QVERIFY(stepSentence(stepOf("reduce.v6"), nullptr).contains("the text has no time of this step"));
    QVERIFY(stepSentence(stepOf("classify.v6"), nullptr).contains("as fast as V5"));
  }

  /// Two times of one kernel are of two launches, and each says of which.
  void everyTimeOfATextSaysItsBlock() {
    const Variant& v1 = variantCalled("reduce.v1");
    QCOMPARE(figuresText(v1, std::nullopt, Backend::simt),
             QString("paper: 1,720 µs with block 1,024, 393 µs with block 128, on its author's card · here: "
                     "simulated"));
    QCOMPARE(figuresText(variantCalled("classify.v3"), 8.93, Backend::cuda),
             QString("paper: 45.0 µs on its author's card · here: 8.93 µs live"));
    QCOMPARE(textTimesOf(v1).other.block, 128);
    QVERIFY(stepRemark(stepOf("reduce.v2")).contains("1,720 µs with block 1,024"));
    // As the file that registers a kernel says it.
    for (const Variant* variant : Registry::instance().all()) {
      const int block = textTimesOf(*variant).usual.block;
      if (block == 0) continue;
      const QString where = QString::fromUtf8(variant->info.publishedIn.data(),
                                              static_cast<qsizetype>(variant->info.publishedIn.size()));
      QVERIFY2(where.contains("block " + QString::number(block)) ||
                   where.contains("blocks of " + QString::number(block)),
               qPrintable(where));
    }
  }

  /// A number in brackets would pass for a line of the source that stands beside the lesson.
  void linesOfATextAreNamed() {
    const QString lesson = lessonText(variantCalled("classify.v4"));
    QVERIFY2(lesson.contains("*(text, lines 270 to 287)*") && lesson.contains("*(text, line 219)*"),
             qPrintable(lesson));
    for (const Variant* variant : Registry::instance().all()) {
      static const QRegularExpression bare(QStringLiteral("\\s\\(\\d{1,3}(, \\d+| to \\d+)*\\)"));
      QVERIFY2(!lessonText(*variant).contains(bare), variant->id().c_str());
    }
  }

  /// A verdict in the program is that of its interval, as a race judges one.
  void shippedVerdictsAreThoseOfTheirIntervals() {
    for (const TextStep& step : textSteps())
      for (const char* points : {"sorted", "shuffled", "sorted-equal", "shuffled-equal"}) {
        const auto here = shippedStep(step, points);
        QVERIFY(here.has_value());
        const auto& [verdict, middle, low, high, pairs] = here->comparison;
        QVERIFY(low > 0 && low <= middle && middle <= high && std::isfinite(high));
        const bool same = low >= 1 - here->sameWithin && high <= 1 + here->sameWithin;
        if (here->from == StepHere::From::shipped)
          QVERIFY2((verdict == Verdict::same) == same, qPrintable(cellsOf(step, nullptr).step));
        QVERIFY2(verdict != Verdict::faster || high < 1, qPrintable(cellsOf(step, nullptr).step));
        QVERIFY2(verdict != Verdict::slower || low > 1, qPrintable(cellsOf(step, nullptr).step));
      }
  }

  /// scripts/measure-times.py PROGRAM readme writes it.
  void theReadmeHasTheTable() {
    const QString readme = documentText("README.md");
    const TextTable table = stepTable(shippedSteps());
    const QString heading = "| " + table.headings().join(" | ") + " |\n";
    QVERIFY2(readme.contains(heading), qPrintable(heading));
    for (const QStringList& cells : table.rows()) {
      const QString row = "| " + cells.join(" | ") + " |\n";
      QVERIFY2(readme.contains(row), qPrintable(row));
    }
    QCOMPARE(readme.count(" after v"), static_cast<int>(table.rows().size()));
  }

  /// Gains that lessons state are those of the table.
  void lessonsStateTheSameGains() {
    const auto printed = tableOf("resources/measured/printed.csv");
    const double us = printed.at("reduce.v7").at("paper").toDouble();
    const QString few = significantText(printed.at("reduce.v1").at("paper-other").toDouble() / us, 2);
    const QString lesson = lessonText(variantCalled("reduce.v7"));
    QVERIFY2(lesson.contains("only " + few + " times less than the 393"), qPrintable(few));
    QCOMPARE(printed.at("reduce.v1").at("paper").toDouble() / us, 20.0);
    QVERIFY(lesson.contains("a twentieth of the 1720"));
  }

  void theJsonHasWhatScriptsRead() {
    const auto race = raced({measured("classify.v1", Stage::classify, texts, 16.3),
                             measured("classify.v2", Stage::classify, texts, 8)});
    const QJsonArray json = stepsJson(stepsOf(*race));
    QCOMPARE(json.size(), 1);
    const QJsonObject here = json[0].toObject()["here"].toObject();
    for (const char* key : {"ratio", "low", "high", "pairs", "same_within"})
      QVERIFY2(here[key].isDouble(), key);
    QCOMPARE(here["verdict"].toString(), QString("faster"));
    QCOMPARE(json[0].toObject()["judgement"].toString(), QString("in_part")); // 2.04 of 2.06
    QCOMPARE(json[0].toObject()["there"].toObject()["line"].toInt(), 142);
  }

  /// One source for all times of a ladder: never a race's beside a profiler's.
  void aLadderHasItsTimesFromOneSource() {
    const auto subjectOf = [](const char* id, Stage stage) {
      const Variant& variant = variantCalled(id);
      return TeachSubject{stage, &variant, versionBefore(stage, variant), {}};
    };
    const VersionLadder reduce = versionLadder(subjectOf("reduce.v3", Stage::reduce), "NVIDIA H200");
    QCOMPARE(reduce.rungs.size(), std::size_t{7});
    QCOMPARE(reduce.here, std::size_t{2});
    const auto ladder = tableOf("resources/measured/ladder.csv");
    for (const auto& [variant, us] : reduce.rungs)
      QCOMPARE(us, ladder.at(QString::fromStdString(variant->id())).at("sorted").toDouble());
    QCOMPARE(reduce.longestUs(), reduce.rungs[1].us);
    // Another card's times are its profiler's.
    const VersionLadder other = versionLadder(subjectOf("reduce.v3", Stage::reduce), "NVIDIA H100 80GB HBM3");
    const WaitTable* waits = waitsOf("NVIDIA H100 80GB HBM3");
    QCOMPARE(other.card, waits->card);
    for (const auto& [variant, us] : other.rungs)
      QCOMPARE(us, waits->find(QString::fromStdString(variant->id()), "multiply")->us);
    QVERIFY(other.meaning != reduce.meaning);
    // A card that nobody measured is shown one that was.
    QCOMPARE(versionLadder(subjectOf("reduce.v3", Stage::reduce), "NVIDIA X").card, QString("NVIDIA H200"));
    TeachSubject pow = subjectOf("classify.v3", Stage::classify);
    pow.tuning.arithmetic = Arithmetic::pow;
    QCOMPARE(versionLadder(pow, "NVIDIA H200").rungs[2].us,
             ladder.at("classify.v3").at("sorted-pow").toDouble());
    QVERIFY(versionLadder(subjectOf("classify.aos", Stage::classify), "NVIDIA H200").rungs.empty());
    QVERIFY(versionLadder({}, "NVIDIA H200").rungs.empty());
  }

  /// Of a person's version nobody has timed on a card, and its own race has its own times.
  void aPersonsVersionStandsOnTheLadderOfItsRace() {
    Variant copy = variantCalled("reduce.v3");
    copy.info.tag = "mine";
    copy.info.source = "/home/somebody/mine.cu";
    const Variant& mine = Registry::instance().adopt(copy);
    const Variant& v3 = variantCalled("reduce.v3");
    const TeachSubject subject{Stage::reduce, &mine, &v3, {}};
    const VersionLadder untried = versionLadder(subject, "NVIDIA H200");
    QCOMPARE(untried.rungs.size(), std::size_t{8});
    QCOMPARE(untried.here, std::size_t{7});
    QVERIFY(std::isnan(untried.rungs[7].us) && untried.rungs[0].us > 0);
    keepOwnRace(mine, Stage::reduce,
                OwnRace{.device = {},
                        .problem = texts,
                        .us = 30,
                        .rival = "reduce.v3",
                        .rivalUs = 20,
                        .verdict = "slower"});
    const VersionLadder tried = versionLadder(subject, "NVIDIA H200");
    QCOMPARE(tried.rungs[7].us, 30.0);
    QCOMPARE(tried.rungs[2].us, 20.0);
    QVERIFY(std::isnan(tried.rungs[0].us)); // a card's beside a simulator's would say nothing
    QCOMPARE(tried.place(), QString("the simulator"));
    QVERIFY(tried.raced && !untried.raced);
    QCOMPARE(tried.verdict, QString("slower"));
    Measurement own = measured("reduce.v3", Stage::reduce, texts, 7);
    own.candidate.variant = &mine;
    const auto race = raced({measured("reduce.v1", Stage::reduce, texts, 9), own});
    const VersionLadder fromRace = versionLadder(subject, "NVIDIA H200", race.get());
    QCOMPARE(fromRace.rungs[7].us, race->rows[1].times.median);
    QCOMPARE(fromRace.rungs[0].us, race->rows[0].times.median);
    QVERIFY(std::isnan(fromRace.rungs[2].us));
    // What was raced has its place, number or not.
    const auto wider = raced({measured("reduce.general", Stage::reduce, texts, 9), own});
    const VersionLadder withGeneral = versionLadder(subject, "NVIDIA H200", wider.get());
    QCOMPARE(withGeneral.rungs.at(7).variant->id(), std::string("reduce.general"));
    QCOMPARE(withGeneral.rungs.at(withGeneral.here).variant, &mine);
    // A race without it tells nothing of it.
    const auto others = raced({measured("reduce.v1", Stage::reduce, texts, 9)});
    QCOMPARE(versionLadder(subject, "NVIDIA H200", others.get()).rungs[7].us, 30.0);
    keepOwnRace(mine, Stage::reduce, std::nullopt);
    QVERIFY(std::isnan(versionLadder(subject, "NVIDIA H200").rungs[7].us));
  }

  void whatTheCardDidStandsBesideTheVersionBefore() {
    MeasuredModel model;
    const QAbstractItemModelTester tester(&model);
    QCOMPARE(model.rowCount(), 0);
    const WaitTable* table = waitsOf("NVIDIA H200");
    const WarpWaits* v1 = table->find("classify.v1", "multiply");
    const WarpWaits* v3 = table->find("classify.v3", "multiply");
    model.setVersions({"V1", v1, 16.3}, {"V3", v3, 10}, "median of a race");
    const auto cell = [&](const char* row, int column) {
      for (int i = 0; i < model.rowCount(); ++i)
        if (model.index(i, 0).data() == row) return model.index(i, column).data().toString();
      return QString("no such row");
    };
    QCOMPARE(cell("time µs", MeasuredModel::beforeColumn), QString("16.3"));
    QCOMPARE(cell("registers", MeasuredModel::nowColumn), QString::number(v3->registers));
    QCOMPARE(cell("local traffic, B a launch", MeasuredModel::nowColumn), QString("0"));
    QCOMPARE(cell("local traffic, B a launch", MeasuredModel::beforeColumn),
             shortCountText(static_cast<std::uint64_t>(v1->localBytes)));
    for (const char* row : {"occupancy %", "IPC", "issue slots %"})
      QVERIFY2(cell(row, MeasuredModel::nowColumn).toDouble() > 0, row);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("median of a race"));
    model.setVersions({}, {"V1", v1, 16.3}, "median of a race");
    QCOMPARE(cell("registers", MeasuredModel::beforeColumn), unknownText());
  }
};

QTEST_GUILESS_MAIN(TestTextSteps)
#include "tst_text_steps.moc"
