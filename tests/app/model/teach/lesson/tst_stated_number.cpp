// SPDX-License-Identifier: GPL-3.0-or-later
// What lessons state is computed again: counts by the simulator, sizes from the source, shares by arithmetic.
#include "app/model/teach/lesson/lesson.hpp"
#include "app/model/teach/lesson/stated_number.hpp"
#include "app/model/teach/predict/prediction.hpp"
#include "app/model/teach/source_text.hpp"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <map>
#include <set>

using namespace lloyd;

namespace {

/// "1,024 %" without what is there for the eye.
QString digitsOf(QString shown) { return shown.remove(u',').remove(QStringLiteral(" %")); }

/// A number as people write it; NaN for what is none.
double numberOf(const QString& shown) {
  static const std::map<QString, double> words{{"no", 0},
                                               {"none", 0},
                                               {"one", 1},
                                               {"two", 2},
                                               {"three", 3},
                                               {"four", 4},
                                               {"five", 5},
                                               {"six", 6},
                                               {"seven", 7},
                                               {"eight", 8},
                                               {"nine", 9},
                                               {"ten", 10},
                                               {"eleven", 11},
                                               {"twelve", 12},
                                               {"sixteen", 16},
                                               {"eighteen", 18},
                                               {"twenty-four", 24},
                                               {"once", 1},
                                               {"as many", 1},
                                               {"twice", 2},
                                               {"half", 0.5},
                                               {"a half", 0.5},
                                               {"a third", 1 / 3.},
                                               {"two thirds", 2 / 3.},
                                               {"a quarter", 0.25},
                                               {"a fifth", 0.2},
                                               {"two fifths", 0.4},
                                               {"a tenth", 0.1},
                                               {"a hundredth", 0.01},
                                               {"a twelfth", 1 / 12.},
                                               {"a sixteenth", 1 / 16.},
                                               {"seven eighths", 7 / 8.}};
  if (const auto word = words.find(shown.toLower()); word != words.end()) return word->second;
  const QString digits = digitsOf(shown);
  bool known = false;
  const double number = digits.toDouble(&known);
  return known ? number : std::nan("");
}

/// Digits mean what rounds to them; words mean what is within 3 %.
bool agrees(const QString& shown, double value) {
  const double said = numberOf(shown);
  if (!shown.contains(QRegularExpression("\\d"))) return std::abs(value - said) <= 0.03 * said;
  const QString digits = digitsOf(shown);
  const qsizetype point = digits.indexOf(u'.');
  const double step = std::pow(10.0, point < 0 ? 0.0 : static_cast<double>(point + 1 - digits.size()));
  return std::abs(value - said) <= step / 2 * (1 + 1e-9);
}

/// Counts what is asked, each ground once for all lessons.
class Counting {
public:
  double of(Question question, const QString& lesson) {
    if (question.of.isEmpty()) question.of = lesson;
    const QString key = askedKey(question);
    if (!counts_.contains(key)) counts_.emplace(key, countAsked(question, nullptr, nullptr));
    const auto answer = answerTo(question, nullptr, counts_);
    if (answer) return answer->value;
    qWarning().noquote() << answer.error();
    return std::nan("");
  }

private:
  AskedCounts counts_;
};

/// What nvcc made of the variant's kernels, with multiply where powers can be asked for: one number, the
/// least or most of all, or how many shapes of a launch there are.
double compiled(const QString& variant, const QString& column) {
  QFile file(QStringLiteral(":/measured/kernels.csv"));
  if (!file.open(QIODevice::ReadOnly)) return std::nan("");
  const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
  const QStringList header = lines[1].split(u',');
  const QString of = column.section(u'-', -1);
  std::set<double> values;
  int shapes = 0;
  for (const QString& line : lines.mid(2)) {
    const QStringList cells = line.split(u',');
    const QString& arithmetic = cells[header.indexOf("arithmetic")];
    if (cells[0] != variant || (arithmetic != QLatin1String("multiply") && !arithmetic.isEmpty())) continue;
    ++shapes;
    if (column != QLatin1String("shapes")) values.insert(cells[header.indexOf(of)].toDouble());
  }
  if (column == QLatin1String("shapes")) return shapes;
  if (values.empty() || (values.size() > 1 && column == of)) return std::nan("");
  return column.startsWith(QLatin1String("most-")) ? *values.rbegin() : *values.begin();
}

double operandOf(const QString& operand, const QString& lesson, Counting& counting) {
  if (!operand.startsWith(u'[')) {
    const QString power = operand.section(u'^', 1);
    return power.isEmpty() ? numberOf(operand)
                           : std::pow(numberOf(operand.section(u'^', 0, 0)), numberOf(power));
  }
  const QString asked = operand.mid(1, operand.size() - 2);
  const QStringList words = asked.split(u' ');
  if (words.size() == 2 && words[0].startsWith(QLatin1String("kernels:")))
    return compiled(words[0].section(u':', 1), words[1]);
  if (words.size() == 2)
    if (const auto figure = MeasuredTimes::shipped().of(words[0], words[1])) return *figure;
  const Questions read = readQuestions(QStringLiteral("? %1: Is it?").arg(asked), lesson);
  if (read.all.size() == 1 && !read.all[0].with.isEmpty()) return counting.of(read.all[0], lesson);
  qWarning().noquote() << read.problems.join(u'\n') << asked << "needs points of its own";
  return std::nan("");
}

/// From left to right; NaN where something of it is not known.
double valueOf(const QString& expression, const QString& lesson, Counting& counting) {
  static const QRegularExpression part(R"(\s*([-+*/])?\s*(\[(?:[^\]`]|`[^`]*`)+\]|\d[\d.,^e]*))");
  double value = 0;
  qsizetype at = 0;
  while (at < expression.size()) {
    const auto found = part.match(expression, at, QRegularExpression::NormalMatch,
                                  QRegularExpression::AnchorAtOffsetMatchOption);
    if (!found.hasMatch() || found.captured(1).isEmpty() != (at == 0)) return std::nan("");
    const double operand = operandOf(found.captured(2), lesson, counting);
    const QString sign = found.captured(1);
    value = sign == "*"   ? value * operand
            : sign == "/" ? value / operand
            : sign == "-" ? value - operand
                          : value + operand;
    at = found.capturedEnd();
  }
  return value;
}

QString fileText(const QString& path) {
  QFile file(QStringLiteral(LLOYD_SOURCE_DIR "/") + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The lesson without what needs no computation, each a thing that a lesson says without claiming it.
QString withoutGivens(QString lesson) {
  const QString number = QStringLiteral(R"(\d+(?:,\d{3})*(?:\.\d+)?)");
  const QString some = QStringLiteral("(?:%1(?:, (?:and )?| and | or | to | against | x )?)+").arg(number);
  const QString givens[] = {
      // the papers' own figures, which tst_measured_times and tst_text_steps hold
      R"((?ms)^## (?:The paper's \w+|Fixed here)$.*?(?=^## |\Z))",
      // filled figures and stated numbers, links, headings, questions, links to experiments, rows of tables
      R"(\{\{(?:card \w+|from [^}\n]+|[a-z][\w.+]* [\w^-]+)\}\})",
      R"(\{\{[^{}=`\n]+ = (?:`[^`\n]*`|[^`}\n])+\}\}|\{\{[^{}=`\n]+ in `[^`\n]+`(?: of [\w./-]+)?\}\})",
      R"(\{\{[^{}=`\n]+ (?:counted|measured) (?:by|on) [^{}`\n]+\}\})", R"(\]\([^)\n]*\))",
      R"((?m)^(?:#|\? |\[Set up).*$)", "(?m)^\\| " + number + "(?: %)? \\|",
      // a parameter's values, code
      "`\\w+` (?:= |alone )?" + some, R"(`[^`\n]*`)", number + R"( (?:for V\d|here)\b)",
      // names
      R"(\b(?:[VD]\d|H[12]00|AVX-?512|AVX2|CUDA \d+\.\d|[Cc]ompute capability \d\.\d)\b)",
      // lines of the text
      R"(\((?:text, lines? )?\d{1,3}(?: to \d{1,3})?(?:(?:, | and )\d{1,3})*\))",
      // settings
      "\\b[NDK](?: times D)? (?:=|up to|is above) " + some, R"(\b2\^\d+)",
      "(?:\\b[Bb]locks?(?: of)?|tiles of|spread of|skew of|default sizes,|default blocks,) " + some,
      some + " ?(?:points|clusters|coordinates|dimensions|values|blocks)\\b",
      // a warp and its memory
      R"(\b3[12] (?:\*?banks|threads|lanes|bytes|results|neighbouring|shuffled|copies))",
      R"(\b(?:groups of|all|for|has|holds|when|When|no|width|at most) 3[12]\b)",
      // a card, a processor
      R"(A multiprocessor has 65,536|\b512 threads are all|\b512 bits|\band 256 with|\b63 bits)",
      R"(\b132 multiprocessors, 128 lanes|\bstarts 128 lanes|\b1\.98 GHz)",
      // formulas
      R"(\b[234] \+ D\b|\b\d D (?:\+ \d+|K)|\b16 x \(D \+ 1\)|\|c\|² / 2|\b2 x·c|\(c \+ 1\)|1 \+ 2⁻¹¹|t \+ 2T)",
      // places, values
      "\\b(?:[Tt]hread|stores|exponent|addends of|is|at least|Adding|limit:|warp|near|with|of|From|one for|"
      "clusters|iterations) " +
          some};
  for (const QString& given : givens)
    lesson.replace(QRegularExpression(given), QStringLiteral(" "));
  return lesson;
}

/// Words for numbers that a lesson may say without a source.
const QRegularExpression& spoken() {
  static const QStringList phrases{
      // held elsewhere: by tst_source_diff, by versionsCountAlikeWhereALessonSaysSo, by V7's own lesson
      "in the source: three lines|asks for as many as|reads them once",
      // held by rankingsFlipWhereTheLessonSaysSo of tst_measured_times
      "between a quarter and a half|between a half and all",
      // settings
      "with four points|twice the clusters|few thousand points|or a hundred|as many sets",
      // beside a stated number, which counts the same
      "of five|times as many|once to (?:label|add)",
      // the machine of the processor's figures
      "two cores",
      // orders of magnitude, of which no more is known
      "several hundred cycles|some hundred iterations",
      // one step of folding, whatever there is to fold
      "by halves|(?:lower|upper) half|half of those",
      // mathematics, and the format that is called half
      "power of two|difference of two|in three dimensions|\\*halves\\*",
      // no counts
      "at once|once more|once clusters|rounds once|looked at twice",
      "(?:between|hardly|no) two|two changes|other three"};
  static const QRegularExpression spoken(phrases.join(u'|'), QRegularExpression::CaseInsensitiveOption);
  return spoken;
}

QStringList lessons() {
  QStringList names;
  for (const QString& file : QDir(QStringLiteral(":/lessons")).entryList({QStringLiteral("*.md")}))
    names << file.chopped(3);
  return names;
}

} // namespace

class TestStatedNumber : public QObject {
  Q_OBJECT

  Counting counting_;

private slots:
  void aNumberIsReadAndShown() {
    const QString lesson =
        "# x\n\nSectors: {{12 = [sectors a load at `p[i]` with `blobs:n=64,d=3;k=4`]}}, in tiles of "
        "{{16 in `Tile = 16`}}; {{reduce.v1 sorted}} µs.\n";
    const std::vector<StatedNumber> numbers = statedNumbers(lesson);
    QCOMPARE(numbers.size(), std::size_t{2});
    QCOMPARE(numbers[0].shown, QString("12"));
    QCOMPARE(numbers[0].expression, QString("[sectors a load at `p[i]` with `blobs:n=64,d=3;k=4`]"));
    QCOMPARE(numbers[0].line, 3);
    QVERIFY(numbers[0].code.isEmpty() && numbers[1].expression.isEmpty());
    QCOMPARE(numbers[1].shown, QString("16"));
    QCOMPARE(numbers[1].code, QString("Tile = 16"));
    QCOMPARE(withStatedNumbers(lesson),
             QString("# x\n\nSectors: 12, in tiles of 16; {{reduce.v1 sorted}} µs.\n"));
  }

  void aWrongNumberIsFound() {
    QVERIFY(agrees("57 %", 56.6) && !agrees("57 %", 56.4) && !agrees("57 %", std::nan("")));
    QVERIFY(agrees("1,024", 1024) && !agrees("1,024", 1025) && agrees("6.7", 6.74) && !agrees("6.7", 6.76));
    QVERIFY(agrees("a third", 0.34) && !agrees("a third", 0.36) && !agrees("a third", std::nan("")));
    QVERIFY(!agrees("many", 3));
    QCOMPARE(valueOf("2^10 * 3 - 72 / 1,000", {}, counting_), 3.0);
    QVERIFY(std::isnan(valueOf("2 3", {}, counting_)) && std::isnan(valueOf("* 2", {}, counting_)));
    QVERIFY(std::isnan(valueOf("[transactions with `blobs:n=64,d=2;k=4`]", "reduce.v1", counting_)));
    QCOMPARE(valueOf("[barriers a block with `blobs:n=64,d=2;k=4`]", "reduce.v1", counting_), 2.0);
  }

  void everyStatedNumberIsComputed_data() {
    QTest::addColumn<QString>("lesson");
    for (const QString& name : lessons())
      QTest::newRow(qPrintable(name)) << name;
  }
  void everyStatedNumberIsComputed() {
    QFETCH(QString, lesson);
    const Variant* variant = Registry::instance().find(lesson.toStdString());
    QStringList wrong;
    for (const StatedNumber& one : statedNumbers(lessonSource(lesson))) {
      const QString place = QStringLiteral("%1.md:%2: %3 ").arg(lesson).arg(one.line).arg(one.shown);
      if (!one.code.isEmpty()) {
        const QString source = one.file.isEmpty() ? variant ? sourceOf(*variant).lines.join(u'\n') : QString()
                                                  : fileText(one.file);
        if (!source.contains(one.code)) wrong << place + "is not in the source: " + one.code;
        const QRegularExpression number(QStringLiteral(R"((?<![\d.])%1(?![\d.]))").arg(numberOf(one.shown)));
        if (!one.code.contains(number)) wrong << place + "is not in " + one.code;
        continue;
      }
      if (one.expression.isEmpty()) continue; // counted on a card or with its tools
      const double value = valueOf(one.expression, lesson, counting_);
      if (qEnvironmentVariableIsSet("LLOYD_SHOW_ANSWERS")) qInfo().noquote() << place << "=" << value;
      if (!agrees(one.shown, value)) wrong << QStringLiteral("%1is %2").arg(place).arg(value, 0, 'g', 10);
    }
    QVERIFY2(wrong.isEmpty(), qPrintable('\n' + wrong.join('\n')));
  }

  void versionsCountAlikeWhereALessonSaysSo_data() {
    QTest::addColumn<QString>("lesson");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("says");
    QTest::addColumn<QStringList>("counters");
    const QStringList sectors{"global loads", "sectors loaded", "global stores", "sectors stored",
                              "bank conflicts"};
    const QStringList all =
        sectors + QStringList{"global atomics", "global turns", "shared accesses",  "shared atomics",
                              "shared turns",   "barriers",     "warp collectives", "lines executed"};
    QStringList allButSectors = all;
    allButSectors.removeOne("sectors loaded");
    const auto row = [](const char* lesson, const char* other, const char* says,
                        const QStringList& counters) {
      QTest::addRow("%s", lesson) << QString(lesson) << QString(other) << QString(says) << counters;
    };
    row("classify.v2", "classify.v1", "Requests and sectors: exactly those of V1", all);
    row("classify.v5", "classify.v4", "Shared accesses: the source asks for as many as V4",
        {"shared accesses"});
    row("classify.aos", "classify.v3", "all other counters equal", allButSectors);
    row("reduce.v4", "reduce.v3", "the same as V3's to the last digit", all);
    row("reduce.v6", "reduce.v5", "Global loads and barriers are the same", {"global loads", "barriers"});
    row("distance.v4", "distance.v3", "the simulator counts V3 and V4 alike", sectors);
  }
  void versionsCountAlikeWhereALessonSaysSo() {
    QFETCH(QString, lesson);
    QFETCH(QString, other);
    QFETCH(QString, says);
    QFETCH(QStringList, counters);
    QVERIFY(lessonText(*Registry::instance().find(lesson.toStdString())).contains(says));
    double sum = 0;
    for (const QString& counter : counters) {
      const auto count = [&](const QString& id) {
        const QString asked =
            QStringLiteral("? %1 of %2 with `blobs:n=4096,d=3;k=16;block=128`: Is it?").arg(counter, id);
        return counting_.of(readQuestions(asked, lesson).all.at(0), id);
      };
      const double here = count(lesson);
      QVERIFY2(std::isfinite(here), qPrintable(counter));
      QVERIFY2(here == count(other), qPrintable(counter));
      sum += here;
    }
    QVERIFY(sum > 0);
  }

  void everyWordForANumberIsComputed_data() { everyStatedNumberIsComputed_data(); }
  /// A count in words can be wrong as well as one in digits.
  void everyWordForANumberIsComputed() {
    QFETCH(QString, lesson);
    static const QRegularExpression word(
        R"(\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|\w+teen|)"
        R"((?:twen|thir|for|fif|six|seven|eigh|nine)t(?:y|ieth)|(?:hundred|thousand)(?:s|ths?)?|)"
        R"(halv?e?[sd]?|half|thirds?|quarters?|\w+(?:fths?|nths?|eighths?)|twice|once|next to none|as many)\b)",
        QRegularExpression::CaseInsensitiveOption);
    QStringList bare;
    const QString rest = withoutGivens(lessonSource(lesson)).replace(spoken(), " ");
    for (auto found = word.globalMatch(rest); found.hasNext();) {
      const QRegularExpressionMatch one = found.next();
      bare << QStringLiteral("%1 in \"%2\"")
                  .arg(one.captured(), rest.mid(one.capturedStart() - 40, 80).simplified());
    }
    QVERIFY2(bare.isEmpty(),
             qPrintable(QStringLiteral("Write them as numbers are written:\n") + bare.join('\n')));
  }

  void everyNumberSaysWhatItComesFrom_data() { everyStatedNumberIsComputed_data(); }
  /// A number that is new in a lesson has to say what it comes from.
  void everyNumberSaysWhatItComesFrom() {
    QFETCH(QString, lesson);
    static const QRegularExpression number(R"((?<![\w.^])\d[\d,.]*)");
    const QString rest = withoutGivens(lessonSource(lesson));
    QStringList bare;
    for (auto found = number.globalMatch(rest); found.hasNext();) {
      const QRegularExpressionMatch one = found.next();
      bare << QStringLiteral("%1 in \"%2\"")
                  .arg(one.captured(), rest.mid(one.capturedStart() - 40, 80).simplified());
    }
    QVERIFY2(bare.isEmpty(),
             qPrintable(QStringLiteral("Write them as app/model/teach/lesson/stated_number.hpp says:\n") +
                        bare.join('\n')));
  }
};

QTEST_GUILESS_MAIN(TestStatedNumber)
#include "tst_stated_number.moc"
