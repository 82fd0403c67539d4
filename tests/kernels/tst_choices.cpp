// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults from measurements: what a table says, whose rows fit, and what a plan makes of them.
#include "gpu/core/registry.hpp"
#include "gpu/engine/choice_text.hpp"
#include "gpu/engine/plan.hpp"
#include "tests/support/tile_pass.hpp"

#include <QTest>

#include <algorithm>

using namespace lloyd;

namespace {

constexpr Problem usual{.n = 1 << 20, .d = 2, .k = 16};

DeviceInfo processor(const char* name = "Some Processor", const char* target = "AVX2", int cores = 8) {
  DeviceInfo device;
  device.backend = Backend::cpu;
  device.name = name;
  device.runtime = target;
  device.multiprocessors = cores;
  return device;
}

MeasuredChoice fusedChoice(const Problem& problem, const DeviceInfo& device = processor()) {
  return {.device = measuredDevice(device),
          .problem = problem,
          .fuses = true,
          .fused = {.id = "cpu.v3", .tuning = {}, .us = 100},
          .tiled = {},
          .classify = {.id = "cpu.v2", .tuning = {}, .us = 70},
          .reduce = {.id = "cpu.v1", .tuning = {}, .us = 60},
          .update = {.id = "update.v1", .tuning = {}, .us = 2},
          .date = "2026-05-31"};
}

MeasuredChoice apartChoice(const Problem& problem, const DeviceInfo& device = processor()) {
  MeasuredChoice choice = fusedChoice(problem, device);
  choice.fuses = false;
  return choice;
}

Selection asked(const std::string& classify, const std::string& reduce, const std::string& fused) {
  Selection selection;
  selection.classify = classify;
  selection.reduce = reduce;
  selection.fused = fused;
  return selection;
}

ChoiceTable tableOf(std::vector<MeasuredChoice> choices,
                    ChoiceTable::Owner owner = ChoiceTable::Owner::user) {
  ChoiceTable table;
  table.add(std::move(choices), owner);
  return table;
}

/// A variant with knobs, and with a limit, which none of the processor's own has.
const Variant& tunable() {
  Registry& registry = Registry::instance();
  if (!registry.find("tunable.v1")) {
    VariantInfo info;
    info.family = "tunable";
    info.tag = "v1";
    info.name = "has knobs";
    info.changed = Changed::points;
    info.parameters = {{"block", {64, 128, 256}, 128}, {"items", {1, 4}, 4}};
    info.canRun = [](const Problem& problem, const DeviceInfo&, const Tuning&) -> std::optional<std::string> {
      if (problem.k <= 32) return std::nullopt;
      return "tunable.v1 has room for 32 clusters";
    };
    static_cast<void>(registry.add(info, Backend::cpu, {.fused = [](const FusedArgs&, LaunchContext&) {}}));
  }
  return *registry.find("tunable.v1");
}

MeasuredChoice tunedChoice(const Problem& problem) {
  static_cast<void>(tunable());
  MeasuredChoice choice = fusedChoice(problem);
  choice.fused.id = "tunable.v1";
  choice.fused.tuning.block = 256;
  return choice;
}

/// The same with tiles, for points that stand still.
MeasuredChoice withTiles(MeasuredChoice choice) {
  choice.tiled.id = test::tileVariant("v1").id();
  choice.tiled.tuning.items = 128;
  choice.tiled.us = 20;
  return choice;
}

Plan planWithOrder(const Selection& selection, const Problem& problem, const ChoiceTable& table) {
  return makePlan(selection, problem, processor(), table, Ordering::once);
}

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
  std::string text = writeChoices({withTiles(fusedChoice(usual))});
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

class TestChoices : public QObject {
  Q_OBJECT

private slots:
  void whatIsWrittenIsRead() {
    std::vector<MeasuredChoice> choices{tunedChoice(usual), apartChoice({4096, 3, 4}),
                                        withTiles(fusedChoice({8192, 3, 4}))};
    choices[1].device.name = "A \"fast\", quiet one";
    choices[1].fused = {};
    const std::vector<MeasuredChoice> read = readChoices(writeChoices(choices), "table");
    QCOMPARE(read.size(), std::size_t{3});
    QVERIFY(std::is_permutation(read.begin(), read.end(), choices.begin()));
    // As an editor on another system writes it, with remarks.
    std::string other = "# mine\n\n";
    for (const char c : writeChoices(choices))
      other += c == '\n' ? std::string("\r\n") : std::string(1, c);
    QCOMPARE(readChoices(other, "table").size(), std::size_t{3});
  }

  void aTableWithoutTilesIsRead() {
    const std::string text = withoutTiles(writeChoices({withTiles(fusedChoice(usual))}));
    QVERIFY(text.find("fused_us,classify,") != std::string::npos);
    const std::vector<MeasuredChoice> read = readChoices(text, "table");
    QCOMPARE(read.size(), std::size_t{1});
    QVERIFY(read.front() == fusedChoice(usual)); // and with no tiles
    // What is missing then is counted without them, and one of the two alone is no table of ours.
    const auto sentence = [](const std::string& damaged) -> std::string {
      try {
        static_cast<void>(readChoices(damaged, "mine.csv"));
      } catch (const RequestError& error) {
        return error.what();
      }
      return {};
    };
    const std::string cut = sentence(text.substr(0, text.size() - 15));
    QVERIFY2(cut.starts_with("mine.csv:4: 17 values separated by commas were expected, but there are 16"),
             cut.c_str());
    std::string half = writeChoices({fusedChoice(usual)});
    half.erase(half.find(",tiled_us"), std::string(",tiled_us").size());
    QVERIFY(sentence(half).starts_with("mine.csv:3: the names of a tuning table's columns were expected"));
  }

  void ofTwoMeasurementsTheNewerStays() {
    MeasuredChoice newer = apartChoice(usual);
    newer.date = "2026-06-01";
    const auto merged = mergedChoices({fusedChoice(usual), fusedChoice({4096, 2, 16})}, {newer});
    QCOMPARE(merged.size(), std::size_t{2});
    QVERIFY(std::find(merged.begin(), merged.end(), newer) != merged.end());
    QVERIFY(std::find(merged.begin(), merged.end(), fusedChoice(usual)) == merged.end());
  }

  void damageIsASentence_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("sentence");
    const auto row = [](const char* name, const std::string& text, const std::string& sentence) {
      QTest::newRow(name) << text << "mine.csv:" + sentence;
    };
    row("empty", "", "1: the file ends where the names of a tuning table's columns were expected");
    row("another file", "x,y\n1,2\n", "1: the names of a tuning table's columns were expected");
    row("cut off", writeChoices({fusedChoice(usual)}).substr(0, 330),
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
    row("knob", lineWith("fused,", "cpu.v3 speed=9"),
        "4: fused is 'cpu.v3 speed=9', but a variant and its knobs");
    row("knob's value", lineWith("fused,", "cpu.v3 block"), "4: fused is 'cpu.v3 block', but a variant and");
    row("tiles' knob", lineWith("tiled,", "fused.v3 items"),
        "4: tiled is 'fused.v3 items', but a variant and its knobs");
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
      static_cast<void>(readChoices(text, "mine.csv"));
      QFAIL("a damaged table was read");
    } catch (const RequestError& error) {
      QVERIFY2(std::string(error.what()).starts_with(sentence), error.what());
    }
  }

  void whatIsShippedCanBeRead() {
    for (const ShippedTable& file : shippedTables())
      for (const MeasuredChoice& choice : readChoices(file.text, file.name))
        for (const MeasuredVariant* one :
             {&choice.fused, &choice.tiled, &choice.classify, &choice.reduce, &choice.update}) {
          if (one->id.empty()) continue;
          const Variant* variant = Registry::instance().find(one->id);
          if (!variant) QFAIL((std::string(file.name) + " names " + one->id).c_str());
          for (const std::string_view knob : tuningKnobs)
            if (const int value = one->tuning.value(knob); value != 0)
              QVERIFY2(variant->parameter(knob) && variant->parameter(knob)->allows(value),
                       (std::string(file.name) + ": " + inWords(*one)).c_str());
        }
  }

  void theNearestFitsBest() {
    const ChoiceTable table =
        tableOf({fusedChoice({1 << 14, 2, 16}), fusedChoice({1 << 20, 2, 16}), fusedChoice({1 << 20, 2, 256}),
                 fusedChoice({1 << 20, 8, 16}), fusedChoice({1 << 24, 1, 16})});
    const auto nearest = [&](const Problem& problem) {
      return table.ranked(problem, processor()).front().choice->problem;
    };
    QCOMPARE(table.ranked(usual, processor()).size(), std::size_t{5});
    QVERIFY((nearest({1 << 20, 2, 16}) == Problem{1 << 20, 2, 16}));
    QVERIFY((nearest({30'000, 2, 10}) == Problem{1 << 14, 2, 16}));
    QVERIFY((nearest({1 << 27, 2, 100}) == Problem{1 << 20, 2, 256}));
    // The same d before any number of points; where it is not there, the nearest by its logarithm.
    QVERIFY((nearest({1 << 24, 8, 16}) == Problem{1 << 20, 8, 16}));
    QVERIFY((nearest({1 << 24, 5, 16}) == Problem{1 << 20, 8, 16}));
    QVERIFY((nearest({1 << 24, 3, 16}) == Problem{1 << 20, 2, 16}));
  }

  void theUsersOwnGoesFirst() {
    ChoiceTable table =
        tableOf({fusedChoice(usual), fusedChoice({1 << 24, 2, 16})}, ChoiceTable::Owner::shipped);
    table.add({apartChoice(usual)}, ChoiceTable::Owner::user);
    const auto ranked = table.ranked(usual, processor());
    QCOMPARE(ranked.size(), std::size_t{3});
    QVERIFY(ranked[0].origin == ChoiceOrigin::here && !ranked[0].choice->fuses);
    QVERIFY(ranked[1].origin == ChoiceOrigin::shipped && ranked[1].choice->fuses);
    // A measurement of the size itself before the user's own of a size far off.
    QVERIFY(table.ranked({1 << 24, 2, 16}, processor()).front().origin == ChoiceOrigin::shipped);
  }

  void anUnknownDeviceTakesTheNearest() {
    const ChoiceTable table = tableOf({fusedChoice(usual, processor("A", "AVX2", 2)),
                                       fusedChoice(usual, processor("B", "AVX2", 64)),
                                       fusedChoice(usual, processor("C", "AVX512", 12))},
                                      ChoiceTable::Owner::shipped);
    const auto ranked = table.ranked(usual, processor("D", "AVX2", 32));
    QCOMPARE(ranked[0].choice->device.name, std::string("B"));
    QVERIFY(ranked[0].origin == ChoiceOrigin::similar);
    QCOMPARE(ranked[1].choice->device.name, std::string("A"));
    QVERIFY(table.ranked(usual, processor("A", "AVX2", 2)).front().origin == ChoiceOrigin::shipped);
    DeviceInfo card = processor();
    card.backend = Backend::cuda;
    QVERIFY(table.ranked(usual, card).empty());
  }

  void aPlanFollowsTheTable() {
    Plan plan = makePlan({}, usual, processor(), tableOf({fusedChoice(usual)}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QVERIFY(plan.source.origin == ChoiceOrigin::here);
    QCOMPARE(plan.source.date, std::string("2026-05-31"));
    QVERIFY(plan.source.problem == usual);
    plan = makePlan({}, usual, processor(), tableOf({apartChoice(usual)}));
    QVERIFY(!plan.fused);
    QCOMPARE(plan.classify->id(), std::string("cpu.v2"));
    QCOMPARE(plan.reduce->id(), std::string("cpu.v1"));
    QCOMPARE(plan.update->id(), std::string("update.v1"));
  }

  void measuredKnobsAreUsedAndAPersonsGoFirst() {
    const ChoiceTable table = tableOf({tunedChoice(usual)});
    const Plan plan = makePlan({}, usual, processor(), table);
    QVERIFY(plan.fused == &tunable());
    QCOMPARE(plan.tuningOf(Stage::fused).block, 256);
    QCOMPARE(plan.tuningOf(Stage::fused).items, 0);
    Selection selection;
    selection.tuning.block = 64;
    QCOMPARE(makePlan(selection, usual, processor(), table).tuningOf(Stage::fused).block, 64);
    // A variant that a person names has its own knobs.
    QCOMPARE(makePlan(asked("", "", "tunable.v1"), usual, processor(), table).tuningOf(Stage::fused).block,
             0);
    selection.tuning.block = 65;
    QVERIFY_THROWS_EXCEPTION(RequestError, static_cast<void>(makePlan(selection, usual, processor(), table)));
  }

  void tilesAreForPointsThatMayBePutInOrder() {
    for (const bool fuses : {true, false}) {
      MeasuredChoice choice = withTiles(fusedChoice(usual));
      choice.fuses = fuses;
      const ChoiceTable table = tableOf({choice});
      const Plan ordered = planWithOrder({}, usual, table);
      QVERIFY(ordered.fused == &test::tileVariant("v1") && !ordered.classify && !ordered.reduce);
      QCOMPARE(ordered.update->id(), std::string("update.v1"));
      QCOMPARE(ordered.tuningOf(Stage::fused).items, 128);
      QCOMPARE(ordered.tileSize(usual), 128U);
      QVERIFY(ordered.source.origin == ChoiceOrigin::here && ordered.source.problem == usual);
      const Plan asGiven = makePlan({}, usual, processor(), table);
      QCOMPARE(asGiven.fused ? asGiven.fused->id() : std::string(), std::string(fuses ? "cpu.v3" : ""));
      QCOMPARE(asGiven.tuningOf(Stage::fused), Tuning());
      QCOMPARE(asGiven.tileSize(usual), 0U);
    }
    // Where tiles were not faster, leave to put points in order changes nothing.
    const ChoiceTable table = tableOf({apartChoice(usual)});
    QVERIFY(planWithOrder({}, usual, table) == makePlan({}, usual, processor(), table));
  }

  void tilesThatCannotBeHadLeaveTheOtherForms() {
    const Problem flat{.n = 1 << 20, .d = 4, .k = 16};
    const Plan plan = planWithOrder({}, flat, tableOf({withTiles(fusedChoice(flat))}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QCOMPARE(plan.source.problem.d, 4);
    MeasuredChoice unknown = withTiles(apartChoice(usual));
    unknown.tiled.id = "fused.v99";
    QCOMPARE(planWithOrder({}, usual, tableOf({unknown})).classify->id(), std::string("cpu.v2"));
    MeasuredChoice misfit = withTiles(apartChoice(usual));
    misfit.tiled.tuning.items = 100;
    QCOMPARE(planWithOrder({}, usual, tableOf({misfit})).classify->id(), std::string("cpu.v2"));
  }

  void tilesAreNeverPutOverAPersonsChoice() {
    const ChoiceTable table = tableOf({withTiles(fusedChoice(usual))});
    QCOMPARE(planWithOrder(asked("", "", "cpu.v3"), usual, table).fused->id(), std::string("cpu.v3"));
    QCOMPARE(planWithOrder(asked("", "", "cpu.v3"), usual, table).tuningOf(Stage::fused), Tuning());
    const Plan half = planWithOrder(asked("cpu.v1", "", ""), usual, table);
    QVERIFY(!half.fused);
    QCOMPARE(half.classify->id(), std::string("cpu.v1"));
    // Who names it has it wherever its points are, with its own knobs.
    const Plan named = makePlan(asked("", "", "tiles.v1"), usual, processor(), table);
    QCOMPARE(named.tileSize(usual), 256U);
    // An update or a schedule leaves the rest to the program.
    Selection selection;
    selection.update = "update.v1";
    QCOMPARE(planWithOrder(selection, usual, table).tileSize(usual), 128U);
    selection.schedule = "schedule.graph";
    const Plan repeated = planWithOrder(selection, usual, table);
    QVERIFY(repeated.schedule && repeated.fused == &test::tileVariant("v1"));
    QCOMPARE(makePlan(selection, usual, processor(), table).fused->id(), std::string("cpu.v3"));
    selection.tuning.items = 256;
    QCOMPARE(planWithOrder(selection, usual, table).tileSize(usual), 256U);
    // A knob that tiles do not have, or a value that they do not allow, is meant for something else.
    const ChoiceTable tunables = tableOf({withTiles(tunedChoice(usual))});
    QCOMPARE(planWithOrder({}, usual, tunables).tileSize(usual), 128U);
    Selection knobs;
    knobs.tuning.block = 64;
    QVERIFY(planWithOrder(knobs, usual, tunables).fused == &tunable());
    knobs.tuning = {};
    knobs.tuning.items = 1;
    QVERIFY(planWithOrder(knobs, usual, tunables).fused == &tunable());
  }

  void whatCannotRunIsPassedOver() {
    const Problem many{.n = 1 << 20, .d = 2, .k = 64};
    MeasuredChoice unknown = fusedChoice(many);
    unknown.fused.id = "cpu.v99";
    MeasuredChoice refused = tunedChoice(many); // for at most 32 clusters
    MeasuredChoice misfit = tunedChoice({1 << 20, 2, 32});
    misfit.fused.tuning.block = 96;
    const Plan plan =
        makePlan({}, many, processor(), tableOf({unknown, refused, misfit, apartChoice(usual)}));
    QVERIFY(!plan.fused);
    QVERIFY(plan.source.problem == usual);
    // Nothing is left: the fixed order.
    const Plan ordered = makePlan({}, many, processor(), tableOf({unknown, refused, misfit}));
    QVERIFY(ordered.source.origin == ChoiceOrigin::order);
    QVERIFY(ordered.fused == preferred(Stage::fused, many, processor()));
    QVERIFY(makePlan({}, many, processor(), {}).source.origin == ChoiceOrigin::order);
  }

  void whatAPersonNamesAlwaysWins() {
    const ChoiceTable table = tableOf({fusedChoice(usual)});
    Plan plan = makePlan(asked("cpu.v1", "cpu.v2", ""), usual, processor(), table);
    QVERIFY(!plan.fused);
    QCOMPARE(plan.classify->id(), std::string("cpu.v1"));
    QCOMPARE(plan.reduce->id(), std::string("cpu.v2"));
    QVERIFY(plan.source.origin == ChoiceOrigin::asked);
    // Half of it: the other half is the measured one.
    plan = makePlan(asked("cpu.v1", "", ""), usual, processor(), table);
    QVERIFY(!plan.fused);
    QCOMPARE(plan.reduce->id(), std::string("cpu.v1"));
    QVERIFY(plan.source.origin == ChoiceOrigin::here);
    plan = makePlan(asked("", "", "cpu.v3"), usual, processor(), tableOf({apartChoice(usual)}));
    QCOMPARE(plan.fused->id(), std::string("cpu.v3"));
    QVERIFY(plan.source.origin == ChoiceOrigin::asked);
  }
};

QTEST_GUILESS_MAIN(TestChoices)
#include "tst_choices.moc"
