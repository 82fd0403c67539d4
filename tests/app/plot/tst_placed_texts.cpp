// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot/placed_texts.hpp"

#include <QTest>

#include <cmath>
#include <limits>

using namespace lloyd;

namespace {

/// 300 pixels each way for values from 0 to 10; every letter is 6 pixels wide.
PlotPixels pixels() {
  return {[](QPointF value) { return QPointF(30 * value.x(), 300 - 30 * value.y()); }, QRectF(0, 0, 300, 300),
          [](const QString& text) { return QSizeF(6.0 * static_cast<double>(text.size()), 12); }};
}

} // namespace

/// Words among marks and along lines, with no painter.
class TestPlacedTexts : public QObject {
  Q_OBJECT

private slots:
  void linesAreCutAtTheArea() {
    const QRectF area(0, 0, 100, 100);
    QCOMPARE(clipped({-50, 50, 150, 50}, area), QLineF(0, 50, 100, 50));
    QCOMPARE(clipped({20, 20, 80, 60}, area), QLineF(20, 20, 80, 60));
    QCOMPARE(clipped({50, -1e9, 50, 1e9}, area), QLineF(50, 0, 50, 100));
    QVERIFY(!clipped({-50, 150, 150, 150}, area));
    QVERIFY(!clipped({-10, 10, 10, -20}, area));
    constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!clipped({noNumber, 1, 2, noNumber}, area));
  }

  void everyMarkIsNamedBesideIt() {
    PlotPanel panel;
    PlotSeries marks{.style = PlotSeries::Style::marks, .points = {{5, 5}, {5, 5.1}, {5, 5.2}, {20, 5}}};
    marks.labels = {"V1", "V2", "V3", "outside"};
    panel.series.push_back(marks);
    const auto texts = placedTexts(panel, pixels());
    QCOMPARE(texts.size(), std::size_t{3});
    QCOMPARE(texts.front().text, QString("V3")); // from above
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        QVERIFY(std::abs(texts[i].at.x() - texts[j].at.x()) >= 12 ||
                std::abs(texts[i].at.y() - texts[j].at.y()) >= 12);
  }

  void aLineIsNamedAlongItsVisiblePart() {
    PlotPanel panel;
    panel.series.push_back({.points = {{-1000, -1000}, {1000, 1000}}, .along = "slope"});
    panel.series.push_back({.points = {{9, 2}, {1000, 2}}, .along = "the level part", .alongEnd = true});
    panel.series.push_back({.points = {{0, 20}, {10, 20}}, .along = "out of sight"});
    const auto texts = placedTexts(panel, pixels());
    QCOMPARE(texts.size(), std::size_t{2});
    QCOMPARE(texts[0].degrees, -45.0);
    QVERIFY(pixels().area.contains(texts[0].at));
    // Longer than the line: it ends where the line does.
    QCOMPARE(texts[1].degrees, 0.0);
    QVERIFY(texts[1].at.x() < 270 && texts[1].at.x() + 6 * 14 <= 300);
  }
};

QTEST_GUILESS_MAIN(TestPlacedTexts)
#include "tst_placed_texts.moc"
