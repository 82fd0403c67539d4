// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/generate/generators.hpp"
#include "app/data/read/read_points.hpp"
#include "app/render/overlay/axes_frame.hpp"
#include "app/ui/view/axis_texts.hpp"
#include "app/ui/view/overlay.hpp"

#include <QFontDatabase>
#include <QGuiApplication>
#include <QTest>

#include <cmath>

using namespace lloyd;

namespace {

constexpr QSize sizes[] = {{200, 100}, {260, 120}, {200, 200}, {400, 130},  {300, 400},
                           {406, 195}, {640, 300}, {800, 600}, {1100, 420}, {1600, 900}};

/// Of a sample that ships with the program, or of a generator.
PointSet pointsOf(const QString& source, const std::vector<std::string>& columns = {}) {
  const auto points =
      source.contains(QLatin1Char(':'))
          ? generatePoints(source.toStdString())
          : readPoints(LLOYD_SOURCE_DIR "/resources/data/" + source.toStdString(), {.columns = columns});
  return points ? *points : PointSet{};
}

struct View {
  PointSet points;
  Camera camera;
  QSize size;
  Drawn drawn;
  QFont font = QGuiApplication::font();

  View(PointSet shown, QSize of, bool all) : points(std::move(shown)), size(of) {
    drawn = {.points = all ? points.n : points.n / 2, .total = points.n};
    camera.setViewport(size.width(), size.height());
    camera.setData(drawnDimensions(points.d),
                   drawnBounds(points.values.data(), points.n, points.d, points.n));
    // As the widget does it.
    camera.setFootroom(static_cast<int>(axisTextsRoom(font)));
    camera.setHeadroom(static_cast<int>(plate().bottom()) + 4);
  }
  [[nodiscard]] QRectF plate() const {
    return cornerPlate(font, size.width(), drawnTextIn(size, points, drawn));
  }
  [[nodiscard]] std::vector<AxisText> texts() const {
    AxisTextsWanted wanted{.camera = camera, .pixelRatio = 1, .view = size, .font = font, .names = {}};
    for (int axis = 0; axis < 3; ++axis)
      wanted.names[static_cast<std::size_t>(axis)] = axisName(points, axis);
    if (!plate().isEmpty()) wanted.taken.push_back(plate());
    return axisTexts(wanted);
  }
};

/// Of the edges of the box along an axis that lie in the view, below the words at its top. Pixels.
double longestEdge(const View& view, int axis) {
  const Bounds& box = view.camera.bounds();
  const QRectF inside(4, 4 + view.camera.headroom(), view.size.width() - 8,
                      view.size.height() - 8 - view.camera.headroom());
  double longest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    glm::dvec3 low(corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                   corner & 4 ? box.high.z : box.low.z);
    glm::dvec3 high = low;
    low[axis] = box.low[axis];
    high[axis] = box.high[axis];
    const auto from = view.camera.project(low);
    const auto to = view.camera.project(high);
    if (from && to && inside.contains({from->x, from->y}) && inside.contains({to->x, to->y}))
      longest = std::max(longest, glm::length(*to - *from));
  }
  return longest;
}

/// What is wrong with the words of a view; empty: nothing.
QStringList faults(const View& view, const QString& where) {
  QStringList found;
  const std::vector<AxisText> texts = view.texts();
  for (int axis = 0; axis < (view.points.d < 3 ? 2 : 3); ++axis) {
    int numbers = 0;
    int names = 0;
    for (const AxisText& text : texts)
      if (text.axis == axis) ++(text.name ? names : numbers);
    bool seen = longestEdge(view, axis) >= 40;
    for (const FrameLabel& label : axesFrame(view.camera, 1).labels)
      seen = seen || label.axis == axis;
    if (!seen && view.points.d > 2) continue; // end on
    if (numbers < 3) found << QStringLiteral("%1: axis %2 has %3 numbers").arg(where).arg(axis).arg(numbers);
    if (names != 1) found << QStringLiteral("%1: axis %2 has %3 names").arg(where).arg(axis).arg(names);
  }
  const QRectF inside(QPointF(0, 0), QSizeF(view.size));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!inside.contains(texts[i].box)) found << where + QStringLiteral(": outside: ") + texts[i].text;
    if (texts[i].box.intersects(view.plate()))
      found << where + QStringLiteral(": under the plate: ") + texts[i].text;
    for (std::size_t j = 0; j < i; ++j)
      if (texts[i].box.intersects(texts[j].box))
        found << where + QStringLiteral(": %1 over %2").arg(texts[i].text, texts[j].text);
  }
  return found;
}

} // namespace

/// What is written of the axes over the points, in views of every size that the window can have.
class TestAxisTexts : public QObject {
  Q_OBJECT
private slots:
  void threeNumbersAndANameOnEachAxis_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QStringList>("columns");
    QTest::newRow("quakes, the map") << "quakes.csv" << QStringList{"lat", "long", "depth"};
    QTest::newRow("quakes") << "quakes.csv" << QStringList{};
    QTest::newRow("iris") << "iris.csv" << QStringList{};
    QTest::newRow("iris, flat") << "iris.csv" << QStringList{"sepal_length_cm", "petal_width_cm"};
    QTest::newRow("faithful") << "faithful.csv" << QStringList{};
    QTest::newRow("on a line") << "blobs:n=50000,d=1,k=4" << QStringList{};
    QTest::newRow("flat") << "drift:n=50000,d=2" << QStringList{};
    QTest::newRow("flat and slanted") << "anisotropic:n=50000,d=2" << QStringList{};
    QTest::newRow("in space") << "blobs:n=50000,d=3" << QStringList{};
  }
  void threeNumbersAndANameOnEachAxis() {
    QFETCH(QString, source);
    QFETCH(QStringList, columns);
    std::vector<std::string> names;
    for (const QString& column : columns)
      names.push_back(column.toStdString());
    const PointSet points = pointsOf(source, names);
    QVERIFY(points.n > 0);
    QStringList found;
    const auto look = [&](const View& view, const QString& how) {
      found << faults(view,
                      QStringLiteral("%1 x %2, %3").arg(view.size.width()).arg(view.size.height()).arg(how));
    };
    for (const QSize size : sizes) {
      for (const bool all : {true, false}) {
        View view(points, size, all);
        const glm::dvec2 middle(size.width() / 2.0, size.height() / 2.0);
        look(view, "fitted");
        for (const double factor : {1.6, 3.0, 20.0, 1e3}) {
          View closer = view;
          closer.camera.zoom(factor, middle * 0.9);
          look(closer, QStringLiteral("zoomed %1").arg(factor));
        }
        View farther = view;
        farther.camera.zoom(0.8, middle);
        look(farther, "zoomed out");
        if (points.d < 3) continue;
        for (int axis = 0; axis < 3; ++axis) {
          view.camera.axisView(axis);
          look(view, QStringLiteral("along axis %1").arg(axis));
        }
        for (int turn = 0; turn < 24; ++turn) {
          view.camera.reset();
          view.camera.orbit({turn * 97.0, (turn % 7 - 3) * 60.0});
          look(view, QStringLiteral("turned %1").arg(turn));
          if (turn % 8 != 0) continue;
          view.camera.zoom(2.5, middle);
          look(view, QStringLiteral("turned %1 and near").arg(turn));
        }
      }
    }
    QVERIFY2(found.isEmpty(), qPrintable(found.mid(0, 12).join(QLatin1Char('\n'))));
  }
};

QTEST_MAIN(TestAxisTexts)
#include "tst_axis_texts.moc"
