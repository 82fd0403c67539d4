// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults from measurements: what a table says, and whose rows fit.
#include "tests/gpu/engine/defaults/tuning_makers.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// A table as it was written before there were tiles: its lines without the values of two columns.
std::string withoutTiles(const std::string& text) {
  std::string kept;
  std::size_t commas = 0;
  for (const char c : text) {
    if (c == '\n') commas = 0;
    if (c == ',') ++commas;
    if (commas != 10 && commas != 11) kept += c;
  }
  return kept;
}

/// A table's one line with one of its values replaced.
std::string lineWith(const std::string& column, const std::string& value) {
  std::string text = writeTuning({withTiles(fusedEntry(usual))});
  const auto headings = text.find("backend,");
  const auto begin = text.find('\n', headings) + 1;
  std::vector<std::string> fields(1);
  for (const char c : text.substr(begin, text.size() - begin - 1))
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  const std::string names = "," + text.substr(headings, begin - 1 - headings);
  const auto at =
      std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(names.find("," + column)), ',');
  fields[static_cast<std::size_t>(at)] = value;
  text.resize(begin);
  for (const std::string& field : fields)
    text += field + (&field == &fields.back() ? "\n" : ",");
  return text;
}

} // namespace

class TestTuningTable : public QObject {
  Q_OBJECT

private slots:
  void whatIsWrittenIsRead() {
    std::vector<TuningEntry> choices{tunedEntry(usual), apartChoice({4096, 3, 4}),
                                     withTiles(fusedEntry({8192, 3, 4}))};
    choices[1].device.name = "A \"fast\", quiet one";
    choices[1].fused = {};
    const std::vector<TuningEntry> read = readTuning(writeTuning(choices), "table");
    QCOMPARE(read.size(), std::size_t{3});
    QVERIFY(std::is_permutation(read.begin(), read.end(), choices.begin()));
    // As an editor on another system writes it, with remarks.
    std::string other = "# mine\n\n";
    for (const char c : writeTuning(choices))
      other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    QCOMPARE(readTuning(other, "table").size(), std::size_t{3});
  }

  void aTableWithoutTilesIsRead() {
    const std::string text = withoutTiles(writeTuning({withTiles(fusedEntry(usual))}));
    QVERIFY(text.find("fused_us,classify,") != std::string::npos);
    const std::vector<TuningEntry> read = readTuning(text, "table");
    QCOMPARE(read.size(), std::size_t{1});
    QVERIFY(read.front() == fusedEntry(usual)); // and with no tiles
    // What is missing then is counted without them, and one of the two alone is no table of ours.
    const auto sentence = [](const std::string& damaged) -> std::string {
      try {
        static_cast<void>(readTuning(damaged, "mine.csv"));
      } catch (const RequestError& error) {
        return error.what();
      }
      return {};
    };
    const std::string cut = sentence(text.substr(0, text.size() - 15));
    QVERIFY2(cut.starts_with("mine.csv:4: 17 values separated by commas were expected, but there are 16"),
             cut.c_str());
    std::string half = writeTuning({fusedEntry(usual)});
    half.erase(half.find(",tiled_us"), std::string(",tiled_us").size());
    QVERIFY(sentence(half).starts_with("mine.csv:3: the names of a tuning table's columns were expected"));
  }

  void ofTwoMeasurementsTheNewerStays() {
    TuningEntry newer = apartChoice(usual);
    newer.date = "2026-06-01";
    const auto merged = mergedTuning({fusedEntry(usual), fusedEntry({4096, 2, 16})}, {newer});
    QCOMPARE(merged.size(), std::size_t{2});
    QVERIFY(std::find(merged.begin(), merged.end(), newer) != merged.end());
    QVERIFY(std::find(merged.begin(), merged.end(), fusedEntry(usual)) == merged.end());
  }

  void damageIsASentence_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("sentence");
    const auto row = [](const char* name, const std::string& text, const std::string& sentence) {
      QTest::newRow(name) << text << "mine.csv:" + sentence;
    };
    row("empty", "", "1: the file ends where the names of a tuning table's columns were expected");
    row("another file", "x,y\n1,2\n", "1: the names of a tuning table's columns were expected");
    row("cut off", writeTuning({fusedEntry(usual)}).substr(0, 330),
        "4: 19 values separated by commas were expected, but there are");
    row("open quote", lineWith("device", "\"Some"),
        "4: 19 values separated by commas were expected, but a quote");
    row("backend", lineWith("backend", "gpu"), "4: backend is 'gpu', but cpu or cuda was expected");
    row("n", lineWith("n,", "many"), "4: n is 'many', but a whole number from 1 was expected");
    row("no n", lineWith("n,", ""), "4: n is missing, but a whole number from 1 was expected");
    row("d", lineWith("d,", "0"), "4: d is '0', but a whole number from 1 was expected");
    row("k", lineWith("k,", "-3"), "4: k is '-3', but a whole number from 1 was expected");
    row("iteration", lineWith("iteration", "both"),
        "4: iteration is 'both', but fused or apart was expected");
    row("no variant", lineWith("fused,", ""),
        "4: fused is missing, but a variant, as in classify.v7 block=512,");
    row("tuning parameter", lineWith("fused,", "cpu.v3 speed=9"),
        "4: fused is 'cpu.v3 speed=9', but a variant and its tuning parameters");
    row("tuning parameter's value", lineWith("fused,", "cpu.v3 block"),
        "4: fused is 'cpu.v3 block', but a variant and");
    row("tiles' tuning parameter", lineWith("tiled,", "fused.v3 items"),
        "4: tiled is 'fused.v3 items', but a variant and its tuning parameters");
    row("no tiles", lineWith("tiled,", " items=128"),
        "4: tiled is ' items=128', but a variant, as in classify.v7 block=512,");
    row("tiles' time", lineWith("tiled_us", "soon"),
        "4: tiled_us is 'soon', but a time in microseconds was expected");
    row("no time of tiles", lineWith("tiled_us", ""), "4: tiled_us is missing, but a time in microseconds");
    row("time", lineWith("fused_us", "nan"), "4: fused_us is 'nan', but a time in microseconds was expected");
    row("no time", lineWith("update_us", ""), "4: update_us is missing, but a time in microseconds");
    row("date", lineWith("measured", "May"),
        "4: measured is 'May', but a date as in 2026-05-31 was expected");
  }

  void damageIsASentence() {
    QFETCH(std::string, text);
    QFETCH(std::string, sentence);
    try {
      static_cast<void>(readTuning(text, "mine.csv"));
      QFAIL("a damaged table was read");
    } catch (const RequestError& error) {
      QVERIFY2(std::string(error.what()).starts_with(sentence), error.what());
    }
  }

  void whatIsShippedCanBeRead() {
    for (const ShippedTable& file : shippedTables())
      for (const TuningEntry& choice : readTuning(file.text, file.name))
        for (const MeasuredVariant* one :
             {&choice.fused, &choice.tiled, &choice.classify, &choice.reduce, &choice.update}) {
          if (one->id.empty()) continue;
          const Variant* variant = Registry::instance().find(one->id);
          if (!variant) QFAIL((std::string(file.name) + " names " + one->id).c_str());
          for (const std::string_view parameterName : tuningParameters)
            if (const int value = one->tuning.value(parameterName); value != 0)
              QVERIFY2(variant->parameter(parameterName) && variant->parameter(parameterName)->allows(value),
                       (std::string(file.name) + ": " + describe(*one)).c_str());
        }
  }

  void theNearestFitsBest() {
    const TuningTable table =
        tableOf({fusedEntry({1 << 14, 2, 16}), fusedEntry({1 << 20, 2, 16}), fusedEntry({1 << 20, 2, 256}),
                 fusedEntry({1 << 20, 8, 16}), fusedEntry({1 << 24, 1, 16})});
    const auto nearest = [&](const Problem& problem) {
      return table.ranked(problem, processor()).front().entry->problem;
    };
    // All but the eight dimensions: at many, other variants are fast than at few.
    QCOMPARE(table.ranked(usual, processor()).size(), std::size_t{4});
    QVERIFY(table.ranked({1 << 20, 64, 16}, processor()).empty());
    QVERIFY((nearest({1 << 20, 2, 16}) == Problem{1 << 20, 2, 16}));
    QVERIFY((nearest({30'000, 2, 10}) == Problem{1 << 14, 2, 16}));
    QVERIFY((nearest({1 << 27, 2, 100}) == Problem{1 << 20, 2, 256}));
    // The same d before any number of points; where it is not there, the nearest by its logarithm.
    QVERIFY((nearest({1 << 24, 8, 16}) == Problem{1 << 20, 8, 16}));
    QVERIFY((nearest({1 << 24, 5, 16}) == Problem{1 << 20, 8, 16}));
    QVERIFY((nearest({1 << 24, 3, 16}) == Problem{1 << 20, 2, 16}));
  }

  void theUsersOwnGoesFirst() {
    TuningTable table =
        tableOf({fusedEntry(usual), fusedEntry({1 << 24, 2, 16})}, TuningTable::Owner::shipped);
    table.add({apartChoice(usual)}, TuningTable::Owner::user);
    const auto ranked = table.ranked(usual, processor());
    QCOMPARE(ranked.size(), std::size_t{3});
    QVERIFY(ranked[0].origin == TuningOrigin::here && !ranked[0].entry->fuses);
    QVERIFY(ranked[1].origin == TuningOrigin::shipped && ranked[1].entry->fuses);
    // A measurement of the size itself before the user's own of a size far off.
    QVERIFY(table.ranked({1 << 24, 2, 16}, processor()).front().origin == TuningOrigin::shipped);
  }

  void anUnknownDeviceTakesTheNearest() {
    const TuningTable table =
        tableOf({fusedEntry(usual, processor("A", "AVX2", 2)), fusedEntry(usual, processor("B", "AVX2", 64)),
                 fusedEntry(usual, processor("C", "AVX512", 12))},
                TuningTable::Owner::shipped);
    const auto ranked = table.ranked(usual, processor("D", "AVX2", 32));
    QCOMPARE(ranked[0].entry->device.name, std::string("B"));
    QVERIFY(ranked[0].origin == TuningOrigin::similar);
    QCOMPARE(ranked[1].entry->device.name, std::string("A"));
    QVERIFY(table.ranked(usual, processor("A", "AVX2", 2)).front().origin == TuningOrigin::shipped);
    DeviceInfo card = processor();
    card.backend = Backend::cuda;
    QVERIFY(table.ranked(usual, card).empty());
  }
};

QTEST_GUILESS_MAIN(TestTuningTable)
#include "tst_tuning_table.moc"
