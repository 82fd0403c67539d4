// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/generators.hpp"
#include "app/data/generate/sampler.hpp"
#include "app/data/input/wording.hpp"
#include "tests/app/data/data_support.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <thread>

using namespace lloyd;
using namespace lloyd::test;

namespace {

/// FNV-1a, 64 bits.
std::uint64_t hashOf(std::span<const float> values) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const float value : values) {
    const auto word = std::bit_cast<std::uint32_t>(value);
    for (unsigned shift = 0; shift < 32; shift += 8)
      hash = (hash ^ (word >> shift & 0xFFU)) * 0x100000001b3u;
  }
  return hash;
}

PointSet made(const std::string& text) {
  auto points = generatePoints(text);
  if (!points) qFatal("%s", points.error().sentence().c_str());
  return std::move(*points);
}

std::string refusal(const std::string& text) {
  const auto points = generatePoints(text);
  return points ? std::string("points were made") : points.error().sentence();
}

/// All points as rows, in an order that does not depend on theirs.
std::vector<std::vector<float>> asSet(const PointSet& points) {
  std::vector<std::vector<float>> rows;
  for (std::size_t i = 0; i < points.n; ++i)
    rows.push_back(row(points, i));
  std::sort(rows.begin(), rows.end());
  return rows;
}

} // namespace

class TestGenerators : public QObject {
  Q_OBJECT
private slots:
  void goldenBytes_data();
  void goldenBytes();
  void orderKeepsThePoints_data();
  void orderKeepsThePoints();
  void skewMakesSizesUnequal();
  void seedsDiffer();
  void threadsDoNotMatter();
  void bandsAreTheArticles();
  void blobsLieAroundTheirHomes();
  void anisotropicCloudsAreStretched();
  void ringsHaveTheirRadii();
  void uniformFillsTheBox();
  void driftComponents();
  void driftPaths();
  void writtenInFull();
  void defaultsComeFromTheCaller();
  void refusals();
  void progressRises();
  void cancel();
};

void TestGenerators::goldenBytes_data() {
  QTest::addColumn<quint64>("hash");
  QTest::newRow("drift:n=10007") << quint64{0xdf593c42b9a0b637};
  QTest::newRow("drift:n=10007,d=3,k=5,seed=7") << quint64{0x3533aee8d1c57348};
  QTest::newRow("blobs:n=10007") << quint64{0xd6174b3bd57ec62b};
  QTest::newRow("blobs:n=10007,d=5,k=37,seed=99,order=sorted") << quint64{0x855ca4cfc7fea9e9};
  QTest::newRow("uniform:n=10007,d=3") << quint64{0x0d2dbff4242a1846};
  QTest::newRow("rings:n=10007") << quint64{0x4d7b204002a6946b};
  QTest::newRow("rings:n=10007,d=3,k=4") << quint64{0x3e62028b58ce2a81};
  QTest::newRow("moons:n=10007") << quint64{0x5024595050bb7ab5};
  QTest::newRow("anisotropic:n=10007") << quint64{0xdd8467ae5c3ab232};
  QTest::newRow("bands:n=10007") << quint64{0x256c296b1aa006f3};
  QTest::newRow("bands:n=10007,spread=3,order=shuffled") << quint64{0xe9d9dc38dd3a4244};
}

/// The same bytes on every machine, and in every version: people quote results with a generator and a seed.
void TestGenerators::goldenBytes() {
  QFETCH(quint64, hash);
  const PointSet points = made(QTest::currentDataTag());
  QCOMPARE(points.n, 10007U);
  QCOMPARE(points.values.size(), points.n * static_cast<std::size_t>(points.d));
  QCOMPARE(QString::number(hashOf(points.values), 16), QString::number(hash, 16));
}

void TestGenerators::orderKeepsThePoints_data() {
  QTest::addColumn<int>("unused");
  for (const Generator& generator : generators())
    QTest::newRow(std::string(generator.name).c_str()) << 0;
}

void TestGenerators::orderKeepsThePoints() {
  const std::string name = QTest::currentDataTag();
  for (const char* n : {"1", "2", "3", "1000", "1024", "1025"}) {
    const PointSet sorted = made(name + ":order=sorted,n=" + n);
    const PointSet shuffled = made(name + ":order=shuffled,n=" + n);
    QVERIFY(asSet(sorted) == asSet(shuffled));
    if (sorted.n > 100) QVERIFY(sorted.values != shuffled.values);
    QVERIFY(
        std::all_of(sorted.values.begin(), sorted.values.end(), [](float x) { return std::isfinite(x); }));
  }
  // A share of the points changes places among themselves, and the rest stays.
  for (const char* n : {"1", "2", "1000", "4099"}) {
    const PointSet sorted = made(name + ":order=0,n=" + n);
    for (const double share : {0.1, 0.5, 0.9}) {
      const PointSet mixed = made(name + ":order=" + std::to_string(share) + ",n=" + n);
      QVERIFY(asSet(sorted) == asSet(mixed));
      std::size_t moved = 0;
      for (std::size_t i = 0; i < sorted.n; ++i)
        for (int j = 0; j < sorted.d; ++j)
          if (sorted.row(j)[i] != mixed.row(j)[i]) {
            ++moved;
            break;
          }
      QVERIFY(static_cast<double>(moved) <= share * static_cast<double>(sorted.n));
      // Points of one place without spread cannot be told apart.
      if (sorted.n > 100 && name != "bands")
        QVERIFY(static_cast<double>(moved) >= 0.95 * share * static_cast<double>(sorted.n) - 2);
    }
  }
  const PointSet byFirst = made("uniform:n=5000,order=sorted");
  QVERIFY(std::is_sorted(byFirst.row(0), byFirst.row(0) + byFirst.n));
}

/// Cluster c has (c + 1)^-skew times the first one's points.
void TestGenerators::skewMakesSizesUnequal() {
  const PointSet points = made("bands:n=11000,k=4,skew=1");
  std::array<std::size_t, 4> sizes{};
  for (std::size_t i = 0; i < points.n; ++i)
    ++sizes.at(static_cast<std::size_t>(points.row(0)[i] / 100));
  constexpr std::array expected{5280, 2640, 1760, 1320};
  for (std::size_t c = 0; c < expected.size(); ++c)
    QVERIFY(std::abs(static_cast<int>(sizes.at(c)) - expected.at(c)) <= 1); // whole points
  const auto spec = parseGenerator("blobs:skew=0.5", {});
  QVERIFY(spec && spec->text().ends_with(",skew=0.5"));
  QVERIFY(made("blobs:n=100,skew=0").values == made("blobs:n=100").values);
}

void TestGenerators::seedsDiffer() {
  for (const Generator& generator : generators()) {
    const std::string name(generator.name);
    if (name == "bands") continue; // without spread there is nothing random in sorted bands
    QVERIFY2(made(name + ":n=100,seed=1").values != made(name + ":n=100,seed=2").values, name.c_str());
    QVERIFY2(made(name + ":n=100,seed=5").values == made(name + ":n=100,seed=5").values, name.c_str());
  }
}

/// A longer run is spread over all cores; its points are those that one thread would have made.
void TestGenerators::threadsDoNotMatter() {
  const std::string text = "blobs:n=100000,order=sorted,k=4";
  const PointSet points = made(text);
  const auto spec = parseGenerator(text, {});
  QVERIFY(spec.has_value());
  const Sampler sampler = blobs(*spec);
  std::vector<double> x(2);
  for (std::size_t i = 0; i < points.n; ++i) {
    sampler.point(i, x);
    if (points.row(0)[i] != static_cast<float>(x[0]) || points.row(1)[i] != static_cast<float>(x[1]))
      QFAIL("differs");
  }
}

void TestGenerators::bandsAreTheArticles() {
  const PointSet points = made("bands:n=1600,k=16");
  QCOMPARE(points.d, 1);
  for (std::size_t i = 0; i < points.n; ++i) {
    const std::size_t band = i / 100;
    QCOMPARE(points.values[i], 100.0F * static_cast<float>(band) + 0.5F);
  }
  const PointSet spread = made("bands:n=160000,k=16,spread=2");
  double squares = 0;
  for (std::size_t i = 0; i < spread.n; ++i) {
    const std::size_t band = i / 10000;
    const double off = spread.values[i] - (100.0 * static_cast<double>(band) + 0.5);
    squares += off * off;
  }
  QVERIFY(std::abs(std::sqrt(squares / 160000) - 2) < 0.02);
}

void TestGenerators::blobsLieAroundTheirHomes() {
  const PointSet homes = made("blobs:n=16,k=16,d=3,spread=0,order=sorted");
  const PointSet points = made("blobs:n=160000,k=16,d=3,order=sorted");
  for (std::size_t c = 0; c < 16; ++c) {
    for (int j = 0; j < 3; ++j) {
      const std::span run(points.row(j) + 10000 * c, 10000);
      double mean = 0;
      for (const float x : run)
        mean += x / 10000.0;
      double variance = 0;
      for (const float x : run)
        variance += (x - mean) * (x - mean) / 10000.0;
      QVERIFY(std::abs(mean - homes.row(j)[c]) < 0.2);
      QVERIFY(std::abs(std::sqrt(variance) - 4) < 0.15);
    }
  }
}

void TestGenerators::anisotropicCloudsAreStretched() {
  const PointSet points = made("anisotropic:n=20000,k=1,order=sorted");
  double xx = 0;
  double yy = 0;
  double xy = 0;
  const auto mean = [&](int j) {
    return std::accumulate(points.row(j), points.row(j) + points.n, 0.0) / 20000;
  };
  const double mx = mean(0);
  const double my = mean(1);
  for (std::size_t i = 0; i < points.n; ++i) {
    const double x = points.row(0)[i] - mx;
    const double y = points.row(1)[i] - my;
    xx += x * x / 20000;
    yy += y * y / 20000;
    xy += x * y / 20000;
  }
  const double half = std::sqrt((xx - yy) * (xx - yy) / 4 + xy * xy);
  const double ratio = std::sqrt(((xx + yy) / 2 + half) / ((xx + yy) / 2 - half));
  QVERIFY(std::abs(ratio - 5) < 0.2);
}

void TestGenerators::ringsHaveTheirRadii() {
  for (const char* text : {"rings:n=6000,noise=0", "rings:n=6000,noise=0,d=3"}) {
    const PointSet points = made(text);
    std::map<int, int> counts;
    for (std::size_t i = 0; i < points.n; ++i) {
      double square = 0;
      for (int j = 0; j < points.d; ++j)
        square += std::pow(points.row(j)[i] - 50.0, 2);
      const double ring = std::sqrt(square) * 3 / 50;
      QVERIFY(std::abs(ring - std::round(ring)) < 1e-5);
      ++counts[static_cast<int>(std::round(ring))];
    }
    QCOMPARE(counts.size(), 3U);
    QCOMPARE(counts[3], points.d == 2 ? 3000 : 6000 - 6000 * 5 / 14);
  }
}

void TestGenerators::uniformFillsTheBox() {
  const PointSet points = made("uniform:n=100000,d=2");
  std::vector<int> cells(100);
  for (std::size_t i = 0; i < points.n; ++i) {
    QVERIFY(points.row(0)[i] >= 0 && points.row(0)[i] <= 100 && points.row(1)[i] >= 0 &&
            points.row(1)[i] <= 100);
    const auto cell = [&](int j) {
      return std::min(std::size_t{9}, static_cast<std::size_t>(points.row(j)[i] / 10));
    };
    ++cells[cell(0) * 10 + cell(1)];
  }
  for (const int count : cells)
    QVERIFY(count > 850 && count < 1150);
}

void TestGenerators::driftComponents() {
  const PointSet points = made("drift:n=50000,k=5,spread=0");
  QVERIFY(points.drift.has_value());
  QCOMPARE(points.drift->component.size(), points.n);
  QCOMPARE(points.drift->components, 5);
  std::map<int, std::vector<float>> homes;
  std::map<int, int> sizes;
  for (std::size_t i = 0; i < points.n; ++i) {
    const int c = points.drift->component[i];
    const auto [home, first] = homes.try_emplace(c, row(points, i));
    QCOMPARE(home->second, row(points, i));
    ++sizes[c];
  }
  QCOMPARE(homes.size(), 5U);
  const auto [least, most] = std::minmax_element(
      sizes.begin(), sizes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  QVERIFY(2 * least->second < 3 * most->second);
}

void TestGenerators::driftPaths() {
  const PointSet points = made("drift:n=16,d=3,seed=4");
  const Drift& drift = *points.drift;
  for (const float shift : drift.shifts(0, 3))
    QCOMPARE(shift, 0.0F);
  double farthest = 0;
  auto last = drift.shifts(0, 3);
  QCOMPARE(last.size(), 48U);
  for (int t = 1; t <= 3000; ++t) {
    const auto now = drift.shifts(t, 3);
    for (std::size_t c = 0; c < 16; ++c) {
      double square = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        square += std::pow(now[c * 3 + j], 2);
        QVERIFY2(std::abs(now[c * 3 + j] - last[c * 3 + j]) < 0.5, "a path has a jump in it");
      }
      farthest = std::max(farthest, std::sqrt(square));
    }
    last = now;
  }
  QVERIFY(farthest <= drift.reach);
  QVERIFY(farthest > 0.6 * drift.reach);
  QVERIFY(drift.shifts(100, 3) == drift.shifts(100, 3));
  Drift other = drift;
  other.seed = 5;
  QVERIFY(drift.shifts(100, 3) != other.shifts(100, 3));
  const auto hash = QString::number(hashOf(drift.shifts(1234.5, 3)), 16);
  QCOMPARE(hash, QString("712b43687db48b22"));
}

void TestGenerators::writtenInFull() {
  const auto spec = parseGenerator("blobs:n=2^10", {.n = 5, .k = 7, .seed = 3});
  QVERIFY(spec.has_value());
  QCOMPARE(spec->text(), std::string("blobs:n=1024,d=2,k=7,seed=3,spread=4,order=shuffled"));
  for (const Generator& generator : generators()) {
    const auto first = parseGenerator(generator.name, {.n = 50, .k = 3, .seed = 9});
    QVERIFY(first.has_value());
    const auto second = parseGenerator(first->text(), {});
    QVERIFY2(second.has_value(), second ? "" : second.error().c_str());
    QCOMPARE(second->text(), first->text());
  }
}

void TestGenerators::defaultsComeFromTheCaller() {
  const auto points = generatePoints("blobs:", {.n = 77, .k = 3, .seed = 5});
  REQUIRE_POINTS(points);
  QCOMPARE(points->n, 77U);
  QVERIFY(points->values == made("blobs:n=77,k=3,seed=5").values);
  QVERIFY(points->values == made("blobs:n=7.7e1,k=3,seed=5").values);
  const auto many = generatePoints("drift:n=10", {.k = 1000});
  REQUIRE_POINTS(many);
  QCOMPARE(many->drift->components, 256);
}

void TestGenerators::refusals() {
  QCOMPARE(refusal("spiral:n=10"),
           std::string("there is no generator \"spiral\"; the generators are drift, blobs, "
                       "uniform, rings, moons, anisotropic, bands"));
  QCOMPARE(refusal("moons:k=3"),
           std::string("moons: there is no key \"k\"; the keys are n, d, seed, noise, order"));
  QCOMPARE(refusal("blobs:n=0"),
           std::string("blobs: n is \"0\"; expected a whole number from 1 to 4294967295"));
  QVERIFY(refusal("blobs:d=0").ends_with("d is \"0\"; expected a whole number from 1 to 1024"));
  QVERIFY(refusal("blobs:order=up")
              .ends_with("order is \"up\"; expected sorted, shuffled or a number from 0 to 1"));
  QVERIFY(refusal("blobs:spread=nan").ends_with("spread is \"nan\"; expected a number from 0 to 1e+06"));
  QVERIFY(refusal("blobs:n=5,n=6").ends_with("n is given twice"));
  QVERIFY(refusal("blobs:n").ends_with("expected key=value, found \"n\""));
  QVERIFY(refusal("blobs:n=5,").ends_with("expected key=value, found \"\""));
  QVERIFY(refusal("blobs:n=4294967295,d=1024").find("of memory would be needed") != std::string::npos);
  // Free memory counts, not what the machine has in all.
  QVERIFY(availableMemory() > 0 && availableMemory() <= installedMemory());
  try {
    refuseTooLarge(16e9, 4e9);
    QFAIL("more than is free was granted");
  } catch (const ReadFailure& failure) {
    QCOMPARE(failure.error.message, std::string("16 GB of memory would be needed, and 4.0 GB are free"));
  }
  refuseTooLarge(4e9, 4e9); // as much as is free
  QVERIFY(refusal("").find("there is no generator") != std::string::npos);
  for (const char* bad : {"blobs:n=-1", "blobs:n=1e12", "blobs:n=1.5", "blobs:k=2^63", "blobs:seed=-1"}) {
    QVERIFY2(refusal(bad).find("expected a whole number") != std::string::npos, bad);
  }
  QVERIFY(refusal("bands:d=2").ends_with("expected 1"));
}

void TestGenerators::progressRises() {
  const std::thread::id caller = std::this_thread::get_id();
  std::vector<double> fractions;
  bool elsewhere = false;
  ReadControl control;
  control.progress = [&](std::uint64_t rows, double fraction) {
    elsewhere = elsewhere || std::this_thread::get_id() != caller || rows > std::uint64_t{1} << 20;
    fractions.push_back(fraction);
  };
  QVERIFY(generatePoints("blobs:n=2^20", {}, control));
  QVERIFY(!elsewhere);
  QVERIFY(!fractions.empty());
  QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
  QVERIFY(fractions.front() < 1);
  QCOMPARE(fractions.back(), 1.0);
}

void TestGenerators::cancel() {
  std::atomic<bool> stop{false};
  ReadControl control;
  control.cancel = &stop;
  control.progress = [&](std::uint64_t, double) { stop = true; };
  const auto points = generatePoints("blobs:n=2^20", {}, control);
  QVERIFY(!points);
  QVERIFY(points.error().cancelled);
}

QTEST_GUILESS_MAIN(TestGenerators)
#include "tst_generators.moc"
