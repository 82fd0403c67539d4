// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/core/contract/registry.hpp"
#include "gpu/kernels/kernel.hpp"

#include <QTest>

using namespace lloyd;

namespace {

VariantInfo info(std::string_view family, std::string_view tag, std::string_view name = "a name") {
  VariantInfo described;
  described.family = family;
  described.tag = tag;
  described.name = name;
  return described;
}

void nothing(const ClassifyArgs&, LaunchContext&) {}
void nothing(const ReduceArgs&, LaunchContext&) {}

} // namespace

LLOYD_REGISTER_ON(
    ::lloyd::Backend::cpu, own,
    {.family = "classify", .tag = "v1", .name = "registered by a file", .idea = "Does nothing."},
    {.classify = nothing})

/// One variant, one file: what registering gives, and what it refuses.
class TestRegistry : public QObject {
  Q_OBJECT

private slots:
  void aFileRegistersItself() {
    const Variant* own = Registry::instance().find("classify.v1");
    QVERIFY(own);
    QVERIFY(own->runsOn(Backend::cpu));
    QVERIFY(!own->runsOn(Backend::cuda));
    QVERIFY(QString::fromUtf8(own->info.source.data(), static_cast<qsizetype>(own->info.source.size()))
                .endsWith("tst_registry.cpp"));
    QVERIFY(Registry::instance().problems().empty());
  }

  void aVariantMayHaveSeveralBackends() {
    Registry registry;
    QVERIFY(registry.add(info("classify", "v1"), Backend::cuda, {.classify = nothing}));
    QVERIFY(registry.add(info("classify", "v1"), Backend::simt, {.classify = nothing}));
    QCOMPARE(registry.all().size(), std::size_t{1});
    QVERIFY(registry.all().front()->runsOn(Backend::cuda));
    QVERIFY(registry.all().front()->runsOn(Backend::simt));
    QVERIFY(registry.problems().empty());
  }

  void whatIsCapturedIsNotAdded() {
    Registry& registry = Registry::instance();
    const std::size_t before = registry.all().size();
    const std::vector<Registration> captured = Registry::capture(
        [&] { QVERIFY(registry.add(info("classify", "own"), Backend::simt, {.classify = nothing})); });
    QCOMPARE(captured.size(), std::size_t{1});
    QVERIFY(captured.front().info.tag == "own" && captured.front().launchers.classify);
    QCOMPARE(registry.all().size(), before);
    try { // what fails to load leaves nothing behind
      static_cast<void>(Registry::capture([] { throw 1; }));
      QFAIL("nothing was thrown");
    } catch (int) {
    }
    Registry other;
    QVERIFY(other.add(info("classify", "v1"), Backend::cpu, {.classify = nothing}));
    QCOMPARE(other.all().size(), std::size_t{1});
  }

  void aNewerVersionTakesTheOlderOnesPlace() {
    Registry registry;
    QVERIFY(registry.add(info("classify", "v1"), Backend::simt, {.classify = nothing}));
    const Variant& old = registry.adopt({info("classify", "own", "old"), {}});
    QCOMPARE(registry.find("classify.own"), &old);
    const Variant& fresh = registry.adopt({info("classify", "own", "new"), {}}, &old);
    QCOMPARE(registry.find("classify.own"), &fresh);
    QCOMPARE(registry.all().size(), std::size_t{2});
    QVERIFY(old.info.name == "old"); // it may still be running
    QVERIFY(registry.problems().empty());
  }

  void theSameIdTwiceIsAProblem() {
    Registry registry;
    QVERIFY(registry.add(info("classify", "v1"), Backend::cuda, {.classify = nothing}));
    QVERIFY(!registry.add(info("classify", "v1"), Backend::cuda, {.classify = nothing}));
    QVERIFY(!registry.add(info("classify", "v1", "another name"), Backend::simt, {.classify = nothing}));
    QCOMPARE(registry.problems().size(), std::size_t{2});
    QVERIFY(registry.problems().front().find("classify.v1") != std::string::npos);
  }

  void orderIsThatOfALesson() {
    Registry registry;
    for (const auto& [family, tag] : {std::pair{"cpu", "v1"},
                                      {"update", "v1"},
                                      {"classify", "v10"},
                                      {"reduce", "v2"},
                                      {"layout", "v1"},
                                      {"classify", "general"},
                                      {"classify", "v2"},
                                      {"fused", "v1"}})
      registry.add(info(family, tag), Backend::cpu, {.classify = nothing});
    QStringList ids;
    for (const Variant* variant : registry.all())
      ids << QString::fromStdString(variant->id());
    QCOMPARE(ids, (QStringList{"classify.v2", "classify.v10", "classify.general", "reduce.v2", "fused.v1",
                               "update.v1", "layout.v1", "cpu.v1"}));
  }

  void listsByStageAndBackend() {
    Registry registry;
    registry.add(info("cpu", "v1"), Backend::cpu, {.classify = nothing, .reduce = nothing});
    registry.add(info("classify", "v1"), Backend::cuda, {.classify = nothing});
    QCOMPARE(registry.of(Stage::classify, Backend::cpu).size(), std::size_t{1});
    QCOMPARE(registry.of(Stage::reduce, Backend::cpu).front()->id(), std::string("cpu.v1"));
    QCOMPARE(registry.of(Stage::classify, Backend::cuda).front()->id(), std::string("classify.v1"));
    QVERIFY(registry.of(Stage::fused, Backend::cpu).empty());
    QVERIFY(registry.find("cpu.v9") == nullptr);
  }
};

QTEST_GUILESS_MAIN(TestRegistry)
#include "tst_registry.moc"
