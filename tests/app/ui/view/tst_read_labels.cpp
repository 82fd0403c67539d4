// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view/overlay.hpp"
#include "tests/app/render/gl/gl_fixture.hpp"

#include <QtTest>

#include <vector>

namespace lloyd {

/// What a person is told about points that lie in OpenGL's buffers, and about how they are drawn.
class TestReadLabels : public QObject {
  Q_OBJECT
private slots:
  void labelsOfEveryWidthAreReadAsTheyWere() {
    const GlFixture fixture({8, 8});
    const std::vector<float> values{0, 1, 2, 3, 4};
    PointBuffers buffers(5, 1, values.data(), false);
    QCOMPARE(buffers.readLabels(), std::vector<Label>(5, -1));
    const std::vector<Label> four{7, -1, 70000, 0, 3};
    buffers.upload({four.data(), LabelWidth::four});
    QCOMPARE(buffers.readLabels(), four);
    const std::vector<std::uint8_t> one{7, 255, 0, 128, 3};
    buffers.upload({one.data(), LabelWidth::one});
    QCOMPARE(buffers.readLabels(), (std::vector<Label>{7, 255, 0, 128, 3}));
    const std::vector<std::uint16_t> two{7, 65535, 0, 40000, 256};
    buffers.upload({two.data(), LabelWidth::two});
    QCOMPARE(buffers.readLabels(), (std::vector<Label>{7, 65535, 0, 40000, 256}));
    QCOMPARE(buffers.readLabel(1), 65535);
    QCOMPARE(buffers.readLabel(4), 256);
    buffers.setFront(1 - buffers.frontLabels(), LabelWidth::one);
    QCOMPARE(buffers.readLabel(3), 128);
  }

  void whatACrowdsColourMeansIsSaid() {
    PointSet data;
    data.d = 2;
    Drawn drawn{10, 10, false, false};
    QVERIFY(!drawnText(data, drawn).contains(QLatin1String("lightness")));
    drawn.density = drawn.majority = true;
    QVERIFY(drawnText(data, drawn).contains(QLatin1String("lightness is their number")));
    QVERIFY(!drawnText(data, drawn).contains(QLatin1String("OpenGL")));
    drawn.majority = false;
    QVERIFY(drawnText(data, drawn).contains(QLatin1String("needs OpenGL 4.3")));
  }

  void hiddenPointsAreNotCountedAsDrawn() {
    PointSet data;
    data.d = 2;
    Drawn drawn{.points = 150, .total = 150};
    QCOMPARE(drawnText(data, drawn), QStringLiteral("150 points drawn"));
    QVERIFY(drawnTextIn({100, 50}, data, drawn).isEmpty());
    drawn.hidden = 51;
    QCOMPARE(drawnText(data, drawn), QStringLiteral("99 of 150 points drawn, 51 hidden"));
    QCOMPARE(drawnTextIn({100, 50}, data, drawn), QStringLiteral("99 of 150 drawn"));
    drawn.points = 40;
    QCOMPARE(drawnText(data, drawn), QStringLiteral("40 of 150 points drawn, 51 hidden; all are clustered"));
  }
};

} // namespace lloyd

QTEST_MAIN(lloyd::TestReadLabels)
#include "tst_read_labels.moc"
