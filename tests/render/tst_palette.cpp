// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/palette.hpp"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace lloyd {

namespace {

double leastDistance(const std::vector<Rgb>& colours) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < colours.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, distance(toOklab(colours[i]), toOklab(colours[j])));
  return least;
}

std::vector<Rgb> firstOf(Theme theme, std::size_t count) {
  const std::vector<Rgb>& all = palette(theme);
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

} // namespace

class TestPalette : public QObject {
  Q_OBJECT
private slots:
  void knownColours() {
    // Ottosson's own table: white is lightness 1 without hue.
    const Oklab white = toOklab({255, 255, 255});
    QVERIFY(std::abs(white.lightness - 1) < 1e-3 && std::abs(white.a) < 1e-3 && std::abs(white.b) < 1e-3);
    QVERIFY(std::abs(contrast({0, 0, 0}, {255, 255, 255}) - 21) < 1e-9);
    QVERIFY(!fromOklch(0.9, 0.4, 0));
    const Oklab lab = toOklab({0x56, 0xB4, 0xE9});
    const auto back = fromOklch(lab.lightness, std::hypot(lab.a, lab.b), std::atan2(lab.b, lab.a));
    QVERIFY(back && *back == (Rgb{0x56, 0xB4, 0xE9}));
  }

  void themes_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("dark") << true;
    QTest::newRow("light") << false;
  }

  void legibleOnItsBackground_data() { themes_data(); }
  void legibleOnItsBackground() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    QVERIFY(contrast(unlabelledOf(theme), backgroundOf(theme)) >= kLeastContrast);
    // Past the table too, where colours come again.
    for (std::size_t i = 0; i < 700; ++i)
      QVERIFY2(contrast(paletteColour(theme, i), backgroundOf(theme)) >= kLeastContrast,
               qPrintable(QString::number(i)));
  }

  void firstSixteenDiffer_data() { themes_data(); }
  void firstSixteenDiffer() {
    QFETCH(bool, dark);
    const double least = leastDistance(firstOf(dark ? Theme::dark : Theme::light, 16));
    QVERIFY2(least >= kLeastDistanceOf16, qPrintable(QString::number(least)));
  }

  void allDiffer_data() { themes_data(); }
  void allDiffer() {
    QFETCH(bool, dark);
    const double least = leastDistance(palette(dark ? Theme::dark : Theme::light));
    QVERIFY2(least > 0.02, qPrintable(QString::number(least)));
  }

  void firstSevenWithoutRedOrGreen_data() { themes_data(); }
  void firstSevenWithoutRedOrGreen() {
    QFETCH(bool, dark);
    for (const Deficiency deficiency : {Deficiency::protanopia, Deficiency::deuteranopia}) {
      std::vector<Rgb> seen = firstOf(dark ? Theme::dark : Theme::light, 7);
      for (Rgb& colour : seen)
        colour = simulate(colour, deficiency);
      const double least = leastDistance(seen);
      QVERIFY2(least >= kLeastDistanceDeficient, qPrintable(QString::number(least)));
    }
  }

  void beyondTheTableColoursComeAgainInAnotherLightness() {
    int changed = 0;
    for (std::size_t i = 0; i < 256; ++i)
      changed += paletteColour(Theme::dark, i) == paletteColour(Theme::dark, i + 256) ? 0 : 1;
    QVERIFY2(changed > 200, qPrintable(QString::number(changed)));
  }

  void neighboursContrast() {
    // A row of sixteen: colours in the order of the palette put blue beside blue.
    constexpr std::size_t k = 16;
    std::vector<float> centroids;
    for (std::size_t i = 0; i < k; ++i) {
      centroids.push_back(static_cast<float>(i));
      centroids.push_back(0.0F);
    }
    const auto assignment = assignColours(centroids, k, 2);
    for (const Theme theme : {Theme::dark, Theme::light}) {
      const auto colours = coloursOf(theme, assignment);
      const double apart = leastDistance(firstOf(theme, k));
      for (std::size_t i = 1; i < k; ++i) {
        const double here = distance(toOklab(colours[i]), toOklab(colours[i - 1]));
        QVERIFY2(here > 1.5 * apart, qPrintable(QString::number(here)));
      }
    }
  }

  void assignmentIsAPermutationAndAlwaysTheSame_data() {
    QTest::addColumn<int>("k");
    for (const int k : {0, 1, 2, 3, 16, 256, 257})
      QTest::addRow("%d", k) << k;
  }
  void assignmentIsAPermutationAndAlwaysTheSame() {
    QFETCH(int, k);
    const auto count = static_cast<std::size_t>(k);
    std::vector<float> centroids;
    for (std::size_t i = 0; i < 3 * count; ++i)
      centroids.push_back(static_cast<float>((i * 2654435761U) % 1000));
    const auto assignment = assignColours(centroids, count, 3);
    QCOMPARE(assignment, assignColours(centroids, count, 3));
    const std::set<std::size_t> used(assignment.begin(), assignment.end());
    QCOMPARE(used.size(), count);
    QVERIFY(used.empty() || *used.rbegin() == count - 1);
  }

  void equalCentroidsAreNoTrouble() {
    const std::vector<float> centroids(20, 1.0F);
    QCOMPARE(assignColours(centroids, 10, 2).size(), std::size_t{10});
  }

  void inkCanBeRead() {
    for (std::size_t i = 0; i < 256; ++i)
      QVERIFY(contrast(inkOn(palette(Theme::dark)[i]), palette(Theme::dark)[i]) >= 4.5);
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestPalette)
#include "tst_palette.moc"
