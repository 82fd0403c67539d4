// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/points/palette.hpp"

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

  void fewGroupsDifferForEveryone_data() { themes_data(); }
  void fewGroupsDifferForEveryone() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    for (const std::size_t count : {2U, 7U, 32U}) {
      const std::vector<Rgb> colours = groupColours(count, theme);
      QCOMPARE(colours.size(), count);
      QVERIFY(leastDistance(colours) > (count <= 7 ? kLeastDistanceOf16 : 0.05));
      for (const Rgb colour : colours)
        QVERIFY(contrast(colour, backgroundOf(theme)) >= kLeastContrast);
      if (count > 7) continue;
      for (const Deficiency deficiency : {Deficiency::protanopia, Deficiency::deuteranopia}) {
        std::vector<Rgb> seen = colours;
        for (Rgb& colour : seen)
          colour = simulate(colour, deficiency);
        QVERIFY(leastDistance(seen) >= kLeastDistanceDeficient);
      }
    }
    QVERIFY(groupColours(0, theme).empty());
  }

  void neighboursAmongManyGroupsDifferForEveryone_data() { themes_data(); }
  void neighboursAmongManyGroupsDifferForEveryone() {
    QFETCH(bool, dark);
    const std::vector<Rgb> colours = groupColours(1000, dark ? Theme::dark : Theme::light);
    QCOMPARE(colours.size(), std::size_t{1000});
    for (std::size_t i = 1; i < colours.size(); ++i) {
      for (const Deficiency deficiency : {Deficiency::protanopia, Deficiency::deuteranopia}) {
        const Oklab here = toOklab(simulate(colours[i], deficiency));
        const Oklab before = toOklab(simulate(colours[i - 1], deficiency));
        QVERIFY2(distance(here, before) >= kLeastDistanceDeficient, qPrintable(QString::number(i)));
      }
    }
  }

  void theRampShowsItsOrder_data() { themes_data(); }
  void theRampShowsItsOrder() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const std::vector<Rgb> ramp = rampColours(32, theme);
    QCOMPARE(ramp.size(), std::size_t{32});
    for (std::size_t i = 0; i < ramp.size(); ++i) {
      const Oklab lab = toOklab(ramp[i]);
      QVERIFY(contrast(ramp[i], backgroundOf(theme)) >= kLeastContrast);
      for (std::size_t j = 0; j < i; ++j) {
        const Oklab before = toOklab(ramp[j]);
        QVERIFY(lab.lightness > before.lightness);
        // One step is hardly seen, and no two places of the ramp come near each other again.
        const double apart = distance(lab, before);
        if (i == j + 1) QVERIFY2(apart > 0.01 && apart < 0.03, qPrintable(QString::number(apart)));
        QVERIFY2(apart > 0.008 * static_cast<double>(i - j), qPrintable(QString::number(apart)));
      }
    }
    QVERIFY(distance(toOklab(ramp.front()), toOklab(ramp.back())) > 0.4);
    for (const Deficiency deficiency : {Deficiency::protanopia, Deficiency::deuteranopia}) {
      for (std::size_t i = 8; i < ramp.size(); ++i) {
        const Oklab here = toOklab(simulate(ramp[i], deficiency));
        const Oklab before = toOklab(simulate(ramp[i - 8], deficiency));
        QVERIFY(here.lightness > before.lightness);
        QVERIFY2(distance(here, before) > 0.06, qPrintable(QString::number(distance(here, before))));
      }
    }
  }

  void rampsOfAnyLength() {
    QVERIFY(rampColours(0, Theme::dark).empty());
    QCOMPARE(rampColours(1, Theme::light).size(), std::size_t{1});
    const std::vector<Rgb> two = rampColours(2, Theme::dark);
    const std::vector<Rgb> all = rampColours(1024, Theme::dark);
    QVERIFY(two.front() == all.front() && two.back() == all.back());
  }

  void whatChangedStandsOut_data() { themes_data(); }
  void whatChangedStandsOut() {
    QFETCH(bool, dark);
    const Theme theme = dark ? Theme::dark : Theme::light;
    const std::vector<Rgb> colours = changeColours(theme);
    QCOMPARE(colours.size(), std::size_t{2});
    const Oklab calm = toOklab(colours[0]), accent = toOklab(colours[1]);
    QVERIFY(std::hypot(calm.a, calm.b) < 0.02);
    QVERIFY(std::hypot(accent.a, accent.b) > 0.14);
    QVERIFY(contrast(colours[0], backgroundOf(theme)) >= kLeastContrast);
    QVERIFY(contrast(colours[1], backgroundOf(theme)) >= 4.5);
    for (const Deficiency deficiency : {Deficiency::protanopia, Deficiency::deuteranopia})
      QVERIFY(distance(toOklab(simulate(colours[0], deficiency)), toOklab(simulate(colours[1], deficiency))) >
              0.15);
  }

  void inkCanBeRead() {
    for (std::size_t i = 0; i < 256; ++i)
      QVERIFY(contrast(inkOn(palette(Theme::dark)[i]), palette(Theme::dark)[i]) >= 4.5);
  }
};

} // namespace lloyd

QTEST_GUILESS_MAIN(lloyd::TestPalette)
#include "tst_palette.moc"
