// SPDX-License-Identifier: GPL-3.0-or-later
// What is understood of the words that people type.
#include "app/cli/options.hpp"
#include "app/cli/requests.hpp"
#include "app/data/input/parse_number.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/cli/program.hpp"

#include <QTest>

#include <array>
#include <limits>

using namespace lloyd;

namespace {

Arguments parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "lloydscope");
  return std::get<Arguments>(parseArguments(static_cast<int>(words.size()), words.data()));
}

} // namespace

class TestArguments : public QObject {
  Q_OBJECT
private slots:
  void countsAreReadAsPeopleWriteThem_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("value"); // -1: refused
    QTest::newRow("plain") << "1048576" << qint64{1048576};
    QTest::newRow("power") << "2^20" << qint64{1048576};
    QTest::newRow("exponent") << "1e6" << qint64{1000000};
    QTest::newRow("fraction") << "2.5e5" << qint64{250000};
    QTest::newRow("zero") << "0" << qint64{0};
    for (const char* wrong :
         {"", "-1", "1.5", "2^", "^2", "1e", "abc", "1 000", "nan", "inf", "2^64", "1e30", "0x10"})
      QTest::newRow(wrong) << wrong << qint64{-1};
  }
  void countsAreReadAsPeopleWriteThem() {
    QFETCH(QString, text);
    QFETCH(qint64, value);
    const auto count = parseCount(text.toStdString());
    QCOMPARE(count ? static_cast<qint64>(*count) : qint64{-1}, value);
  }

  void rangesDoubleOrAdd() {
    QCOMPARE(parseCounts("--block", "32:256", 1, 1024), (std::vector<std::uint64_t>{32, 64, 128, 256}));
    QCOMPARE(parseCounts("--ks", "2:5:1,5:11:3", 1, 1024), (std::vector<std::uint64_t>{2, 3, 4, 5, 8, 11}));
    QCOMPARE(parseCounts("--n", "1e3,2^3:33", 1, 1024), (std::vector<std::uint64_t>{1000, 8, 16, 32}));
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseCounts("--n", "1:1e9:1", 1, 1ULL << 32)), RequestError);
    for (const char* wrong :
         {"", "64:32", "1:", ":2", "2048", "0", "a", "1,,2", "1:9:0", "1:2:3:4", "1:9:a", "1:9:"})
      QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseCounts("--block", wrong, 1, 1024)), RequestError);
    try {
      static_cast<void>(parseCounts("--n", "5:1", 1, 1024));
    } catch (const RequestError& error) {
      QCOMPARE(QString(error.what()),
               QString("--n: '5:1' runs backwards: the smaller number comes first, as in 1:5"));
    }
  }

  void optionsMeanTheSameBeforeAndAfterASubcommand() {
    for (const auto& words : {std::vector<const char*>{"run", "a.csv", "--k", "3", "--quiet"},
                              std::vector<const char*>{"run", "--quiet", "--k=3", "a.csv"},
                              std::vector<const char*>{"--quiet", "--k", "3", "run", "a.csv"}}) {
      const Arguments arguments = parsed(words);
      QCOMPARE(arguments.subcommand, Subcommand::run);
      QCOMPARE(arguments.text("FILE"), std::string("a.csv"));
      QCOMPARE(arguments.count("--k", 16, 1, 100), std::uint64_t{3});
      QVERIFY(arguments.given("--quiet"));
    }
  }

  void lettersAreShortForOptions() {
    QCOMPARE(parsed({"run", "a.csv", "-k", "3"}).count("--k", 16, 1, 100), std::uint64_t{3});
    for (const char* word : {"-h", "-V"}) {
      const std::array<const char*, 2> words{"lloydscope", word};
      QVERIFY(std::holds_alternative<std::string>(parseArguments(2, words.data())));
    }
  }

  void twoDashesEndTheOptions() {
    const Arguments arguments = parsed({"run", "--k", "3", "--", "--odd.csv"});
    QCOMPARE(arguments.text("FILE"), std::string("--odd.csv"));
    QCOMPARE(arguments.count("--k", 16, 1, 100), std::uint64_t{3});
    QCOMPARE(parsed({"--", "-a.csv"}).text("FILE"), std::string("-a.csv"));
    const std::vector<std::string> both{"--odd.csv", "-b.csv"};
    QVERIFY(parsed({"run", "--", "--odd.csv", "-b.csv"}).files() == both);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(parsed({"bench", "--", "a.csv", "b.csv"})), RequestError);
  }

  void aFirstWordThatIsNothingGetsOneSentence() {
    for (const char* display : {"", ":99999"}) {
      QProcessEnvironment environment;
      environment.insert("DISPLAY", display);
      const Outcome outcome = runProgram({"frobnicate"}, environment);
      QCOMPARE(outcome.status, 2);
      QCOMPARE(outcome.err, QByteArray("lloydscope: there is no subcommand and no file 'frobnicate'; "
                                       "lloydscope --help lists the subcommands\n"));
    }
    QVERIFY(runProgram({"rnu", sampleData("iris.csv")}).err.contains("no subcommand and no file 'rnu'"));
    QCOMPARE(runProgram({"shot", "nofile.csv"}).err,
             QByteArray("lloydscope: nofile.csv: there is no such file\n"));
    QCOMPARE(runProgram({"no/such.csv"}).err, QByteArray("lloydscope: no/such.csv: there is no such file\n"));
  }

  void withoutASubcommandItIsTheWindow() {
    QCOMPARE(parsed({}).subcommand, Subcommand::window);
    const Arguments arguments = parsed({"a.csv", "--backend", "cpu"});
    QCOMPARE(arguments.subcommand, Subcommand::window);
    QCOMPARE(arguments.text("FILE"), std::string("a.csv"));
    QCOMPARE(arguments.text("--backend"), std::string("cpu"));
  }

  void reportsGoToStandardOutputUnlessNamed() {
    QCOMPARE(parsed({"list", "devices", "--json"}).text("--json"), std::string("-"));
    QCOMPARE(parsed({"run", "a.csv", "--json", "-"}).text("--json"), std::string("-"));
    QCOMPARE(parsed({"run", "a.csv", "--json", "--quiet"}).text("--json"), std::string("-"));
    QCOMPARE(parsed({"run", "a.csv", "--json", "b.json"}).text("--json"), std::string("b.json"));
    QVERIFY(!parsed({"run", "a.csv"}).given("--json"));
  }

  void wrongWordsAreRefused() {
    for (const auto& words :
         {std::vector<const char*>{"run", "--nosuch"}, std::vector<const char*>{"bench", "a", "b"},
          std::vector<const char*>{"run", "a", "--k"},
          std::vector<const char*>{"run", "a", "--k", "--seed", "1"},
          std::vector<const char*>{"run", "a", "--k", "1", "--k", "2"},
          std::vector<const char*>{"--k", "1", "run", "a", "--k", "2"},
          std::vector<const char*>{"verify", "a"}, std::vector<const char*>{"--theme", "dark", "run", "a"}})
      QVERIFY_EXCEPTION_THROWN(static_cast<void>(parsed(words)), RequestError);
  }

  void numbersOutOfRangeNameTheOption() {
    try {
      static_cast<void>(
          parsed({"run", "--k", "0"}).count("--k", 16, 1, std::numeric_limits<std::uint64_t>::max()));
      QFAIL("k = 0 was accepted");
    } catch (const RequestError& error) {
      QVERIFY(std::string(error.what()).find("--k is '0'") != std::string::npos);
    }
    QVERIFY_EXCEPTION_THROWN(
        static_cast<void>(parsed({"run", "--tolerance", "nan"}).number("--tolerance", 0)), RequestError);
  }

  /// What "bench" measures a second time is what looked different, and no more.
  void aCommandIsNarrowedToSomeCandidates() {
    const Arguments all =
        parsed({"bench", "points.csv", "--variants", "classify.*,update.v1", "--block", "64,128",
                "--arithmetic", "pow,powf", "--json", "a.json", "--compare", "b.json"});
    const Variant* classify = Registry::instance().find("classify.v1");
    Tuning tuning = classify->complete({});
    tuning.block = 128;
    tuning.arithmetic = Arithmetic::powf;
    const auto words = [](const Arguments& arguments) {
      QStringList line;
      for (const std::string& word : benchArguments(arguments))
        line << QString::fromStdString(word);
      return line.join(u' ');
    };
    QCOMPARE(words(narrowedTo({{classify, Stage::classify, tuning}}, all)),
             "bench points.csv --seed 1 --arithmetic powf --block 128 --variants classify.v1");
    const Variant* update = Registry::instance().find("update.v1");
    QCOMPARE(words(narrowedTo({{update, Stage::update, {}}}, all)),
             "bench points.csv --seed 1 --variants update.v1");
    QCOMPARE(words(parsed({"bench", "--seed", "3", "--", "-odd.csv"})), "bench --seed 3 -- -odd.csv");
  }
};

QTEST_GUILESS_MAIN(TestArguments)
#include "tst_cli_arguments.moc"
