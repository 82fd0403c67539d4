// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a race's verdicts can be believed on this machine: a variant is raced against itself, where every
// difference that is called is a mistake, and against itself with some more points to go through, a slowdown
// of known size that must be found.
#include "app/data/generate/generators.hpp"
#include "app/model/measure/measure_candidates.hpp"
#include "app/model/measure/stage_harness.hpp"
#include "app/text/numbers.hpp"
#include "gpu/core/contract/registry.hpp"
#include "gpu/engine/device_choice.hpp"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

using namespace lloyd;

namespace {

PointSet uniform(std::size_t n) {
  auto points = generatePoints("uniform:d=2,n=" + std::to_string(n));
  if (!points) throw std::runtime_error(points.error().sentence());
  return std::move(*points);
}

/// One variant at its first stage on points of its own.
struct Entrant {
  Entrant(Device& device, const Variant& variant, std::size_t n)
      : points(uniform(n)), bench(device, points, 16, {}, 1) {
    for (const Stage stage : {Stage::fused, Stage::classify, Stage::reduce})
      if (variant.on(device.backend()).has(stage)) candidate = {&variant, stage, variant.complete({})};
    if (const auto reason = bench.whyNot(candidate)) throw std::runtime_error(*reason);
  }
  [[nodiscard]] TimedOperation operation() {
    return {[this] { bench.clear(); }, [this] { bench.launch(candidate); }};
  }

  PointSet points;
  StageHarness bench;
  Candidate candidate;
};

/// How many of the trials called the second entrant what; each is a whole race of so many pairs.
int count(Device& device, Entrant& first, Entrant& second, int trials, std::size_t pairs,
          const std::vector<Verdict>& verdicts) {
  int called = 0;
  for (int trial = 0; trial < trials; ++trial) {
    KernelTimer sampler(device, RaceOptions{}.sampleUs, CacheState::hot);
    static_cast<void>(sampler.add(first.operation()));
    static_cast<void>(sampler.add(second.operation()));
    const std::vector<int> together{0, 0};
    const RaceSamples found = race(sampler, together,
                                   {.rounds = pairs,
                                    .analyses = 1,
                                    .budgetSeconds = 600,
                                    .seed = static_cast<std::uint64_t>(trial) + 1});
    const Verdict verdict = comparePaired(found.series[1], found.series[0], found.conditions.rules).verdict;
    called += std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end() ? 1 : 0;
    std::fprintf(stderr, "\r%d of %d races, %d called  ", trial + 1, trials, called);
  }
  std::fprintf(stderr, "\n");
  return called;
}

int check(const QCommandLineParser& words) {
  const ChosenDevice chosen =
      chooseDevice(words.isSet(QStringLiteral("cuda")) ? BackendRequest::cuda : BackendRequest::cpu);
  Device& device = *chosen.device;
  const std::string id = words.value(QStringLiteral("variant")).toStdString();
  const Variant* variant = Registry::instance().find(id);
  if (!variant) throw std::runtime_error("there is no variant " + id);
  const auto number = [&](const char* option) { return words.value(QString::fromLatin1(option)).toDouble(); };
  const auto n = static_cast<std::size_t>(
      parseCounts("--n", words.value(QStringLiteral("n")).toStdString(), 1, 1u << 30).front());
  const auto pairs = static_cast<std::size_t>(number("pairs"));
  const double slower = number("slower") / 100;
  Entrant entrant(device, *variant, n);
  Entrant slow(device, *variant,
               static_cast<std::size_t>(std::llround(static_cast<double>(n) * (1 + slower))));
  std::printf("      %s, %s, %zu points, %zu pairs a race\n", device.info().name.c_str(), id.c_str(), n,
              pairs);

  bool right = true;
  const auto say = [&](bool passed, const std::string& what, int found, int trials) {
    std::printf("%s  %s in %d of %d races\n", passed ? "PASS" : "FAIL", what.c_str(), found, trials);
    std::fflush(stdout);
    right = right && passed;
  };
  if (const int trials = static_cast<int>(number("equal")); trials > 0) {
    const int mistakes = count(device, entrant, entrant, trials, pairs, {Verdict::faster, Verdict::slower});
    say(mistakes * 1000 <= trials, "a variant against itself is called different", mistakes, trials);
  }
  if (const int trials = static_cast<int>(number("planted")); trials > 0) {
    const int found = count(device, entrant, slow, trials, pairs, {Verdict::slower});
    say(found * 100 >= trials * 95,
        "a planted slowdown of " + words.value(QStringLiteral("slower")).toStdString() + " % is found", found,
        trials);
  }
  return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  QCommandLineParser words;
  words.addHelpOption();
  words.addOptions(
      {{QStringLiteral("cuda"), QStringLiteral("on the GPU instead of the CPU")},
       {QStringLiteral("variant"), QStringLiteral("what is raced"), QStringLiteral("id"),
        QStringLiteral("cpu.v3")},
       {QStringLiteral("n"), QStringLiteral("points"), QStringLiteral("n"), QStringLiteral("2^18")},
       {QStringLiteral("pairs"), QStringLiteral("of samples in a race"), QStringLiteral("pairs"),
        QStringLiteral("200")},
       {QStringLiteral("equal"), QStringLiteral("races of a variant against itself"), QStringLiteral("races"),
        QStringLiteral("1000")},
       {QStringLiteral("planted"), QStringLiteral("races against a slower one"), QStringLiteral("races"),
        QStringLiteral("100")},
       {QStringLiteral("slower"), QStringLiteral("by how much, per cent"), QStringLiteral("percent"),
        QStringLiteral("5")}});
  words.process(application);
  try {
    return check(words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
