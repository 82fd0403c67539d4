// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/saved/session_files.hpp"
#include "app/ui/select/clusters_panel.hpp"
#include "app/ui/select/lasso.hpp"
#include "app/ui/select/select_panel.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <numeric>

using namespace lloyd;
using namespace lloyd::test;

namespace {

PointSelection& selectionOf(MainWindow& window) { return window.selecting().panel().selection(); }

bool found(MainWindow& window) {
  return QTest::qWaitFor([&] { return !selectionOf(window).busy(); }, 20000);
}

void enter(MainWindow& window, const char* rule, Qt::KeyboardModifiers with = {}) {
  window.selecting().panel().rule().setText(QString::fromUtf8(rule));
  QTest::keyClick(&window.selecting().panel().rule(), Qt::Key_Return, with);
}

/// A drag over the sheet, from one place of the view to another.
void drag(Lasso& lasso, const std::vector<QPoint>& path, Qt::KeyboardModifiers with = {}) {
  QTest::mousePress(&lasso, Qt::LeftButton, with, path.front());
  for (const QPoint at : path)
    QTest::mouseMove(&lasso, at);
  QTest::mouseRelease(&lasso, Qt::LeftButton, with, path.back());
}

/// How many points are drawn in a rectangle of logical pixels, one point after another.
std::size_t drawnIn(Viewport& view, QRectF box) {
  const PickSource source = view.drawnOnHost();
  std::size_t count = 0;
  for (std::size_t i = 0; i < source.n; ++i) {
    const auto at =
        projectToPixel(view.camera().view(), drawnPosition(source.values, i, source.d, source.stride));
    const double ratio = view.devicePixelRatioF();
    if (at && at->x / ratio > box.left() && at->x / ratio < box.right() && at->y / ratio > box.top() &&
        at->y / ratio < box.bottom())
      ++count;
  }
  return count;
}

} // namespace

class TestSelectPanel : public QObject {
  Q_OBJECT
private slots:
  void rulesSelect() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    SelectPanel& panel = window->selecting().panel();
    press(*window, ActionId::selectByRule);
    QVERIFY(panel.isVisible() && panel.rule().hasFocus());
    enter(*window, "species == setosa");
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{50});
    QCOMPARE(panel.sentence(), QStringLiteral("50 of 150 points (33.3 %) selected"));
    const QAbstractItemModel& rows = *panel.table().model();
    QCOMPARE(rows.rowCount(), 51);
    QCOMPARE(rows.index(0, 3).data().toString(), QStringLiteral("1.462")); // the mean of the petals' length
    QCOMPARE(rows.index(1, 1).data().toString(), QStringLiteral("5.1"));
    QCOMPARE(rows.index(1, 5).data().toString(), QStringLiteral("setosa"));
    enter(*window, "species == virginica", Qt::ControlModifier);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{100});
    enter(*window, "petal_width_cm > 2", Qt::AltModifier);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{77});
    press(*window, ActionId::invertSelection);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{73});
    // A mistake says where, and leaves what is selected.
    enter(*window, "petal > 2");
    QVERIFY(panel.sentence().startsWith(QStringLiteral("Character 1: expected a column, found petal")));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{73});
    QVERIFY2(panel.sentence().endsWith(QStringLiteral("; still selected are 73 of 150 points")),
             qPrintable(panel.sentence()));
    QVERIFY(!panel.table().isEnabled()); // its rows are no answer
    // Whatever is selected next is the answer again.
    press(*window, ActionId::invertSelection);
    QVERIFY(found(*window));
    QCOMPARE(panel.sentence(), QStringLiteral("77 of 150 points (51.3 %) selected"));
    QVERIFY(panel.table().isEnabled());
    press(*window, ActionId::selectNone);
    QVERIFY(found(*window));
    QVERIFY(!selectionOf(*window).marks());
    QVERIFY(!window->actions()[ActionId::hideSelected]->isEnabled());
    QVERIFY(panel.sentence().startsWith(QStringLiteral("Nothing is selected")));
  }

  /// What is selected is shown and written as it stands in the file, however many digits its column has.
  void rowsAreVerbatim() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("digits.csv"));
    QFile data(path);
    QVERIFY(data.open(QIODevice::WriteOnly));
    data.write("x,who,north\n0.6229016948897019,a,5400155.642\n1,\"b,c\",5400156\n2.50,d,5400155.6\n"
               "7.25,e,5400100.1\n");
    data.close();
    auto window = windowOn("iris.csv", 2);
    window->files().openFirst({path});
    QVERIFY(
        QTest::qWaitFor([&] { return window->session().data() && window->session().data()->n == 4; }, 20000));
    QVERIFY(converges(*window));
    press(*window, ActionId::selectByRule);
    enter(*window, "x < 3");
    QVERIFY(found(*window));
    const QAbstractItemModel& rows = *window->selecting().panel().table().model();
    QCOMPARE(rows.index(1, 1).data().toString(), QStringLiteral("0.6229016948897019"));
    QCOMPARE(rows.index(2, 1).data().toString(), QStringLiteral("1"));
    QCOMPARE(rows.index(2, 2).data().toString(), QStringLiteral("b,c"));
    QCOMPARE(rows.index(3, 1).data().toString(), QStringLiteral("2.50"));
    // The mean has the digits of a centroid: of the file, and those that single precision holds.
    QVERIFY2(rows.index(0, 3).data().toString().startsWith(QStringLiteral("5,400,155.74")),
             qPrintable(rows.index(0, 3).data().toString()));
    const QString mean = rows.index(0, 1).data().toString();
    QVERIFY2(mean.startsWith(QStringLiteral("1.37430")) && mean.size() <= 9, qPrintable(mean));
    const QString to = folder.filePath(QStringLiteral("rows.csv"));
    QSignalSpy written(&selectionOf(*window), &PointSelection::written);
    selectionOf(*window).exportRows(to);
    QVERIFY(written.wait(20000));
    QFile file(to);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype{4});
    QCOMPARE(lines[0], QByteArray("x,who,north,cluster"));
    QVERIFY(lines[1].startsWith("0.6229016948897019,a,5400155.642,"));
    QVERIFY(lines[2].startsWith("1,\"b,c\",5400156,"));
    QVERIFY(lines[3].startsWith("2.50,d,5400155.6,"));
  }

  /// A part of the points is told by its rule, where it has one, and its table has every row of the file.
  void aPartIsExportedAndRepeated() {
    const QTemporaryDir folder;
    auto window = windowOn("iris.csv", 2);
    QVERIFY(converges(*window));
    enter(*window, "species == setosa");
    enter(*window, "species == virginica", Qt::ControlModifier);
    QVERIFY(found(*window));
    const auto whole = window->session().data();
    press(*window, ActionId::clusterSelected);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data() != whole; }, 20000));
    QVERIFY(converges(*window));
    QVERIFY2(window->commandLine().contains(
                 QStringLiteral("--where '(species == setosa) | (species == virginica)'")),
             qPrintable(window->commandLine()));
    const QString path = folder.filePath(QStringLiteral("table.csv"));
    QSignalSpy said(&window->files().exporter(), &ResultExporter::said);
    window->files().exporter().table(path);
    QVERIFY(said.wait(20000));
    const QString sentence = said.front().front().toString();
    QVERIFY2(!said.front().at(1).toBool(), qPrintable(sentence));
    QVERIFY2(sentence.contains(QStringLiteral("all 150 rows, of which the 50")), qPrintable(sentence));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArrayList lines = file.readAll().trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype{151});
    for (const QByteArray& line : lines.mid(1))
      QCOMPARE(line.trimmed().endsWith(",-1,"), line.contains("versicolor"));
    // Nobody can say by a rule what a lasso found, or a cluster.
    press(*window, ActionId::clusterAll);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data() == whole; }, 20000));
    QVERIFY(converges(*window));
    QTRY_COMPARE_WITH_TIMEOUT(window->session().labels().labels.size(), std::size_t{150}, 20000);
    enter(*window, "cluster == 1");
    QVERIFY(found(*window));
    QVERIFY(selectionOf(*window).marks());
    press(*window, ActionId::clusterSelected);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data() != whole; }, 20000));
    QVERIFY(!window->commandLine().contains("--where"));
    QVERIFY(QTest::qWaitFor([&] { return window->session().data()->selected; }, 20000));
    press(*window, ActionId::copyCommand);
    QVERIFY2(window->statusLine().lastMessage().startsWith("Copied, without what was selected by hand: "),
             qPrintable(window->statusLine().lastMessage()));
  }

  /// Nothing that meets a rule is an answer, too.
  void rulesThatMeetNothingSaySo() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    const SelectPanel& panel = window->selecting().panel();
    const QString none = QStringLiteral("The rule meets none of the 150 points");
    enter(*window, "cluster == 9");
    QVERIFY(found(*window));
    QCOMPARE(panel.sentence(), none);
    press(*window, ActionId::invertSelection);
    QVERIFY(found(*window));
    enter(*window, "cluster == 9", Qt::ControlModifier);
    QVERIFY(found(*window));
    QCOMPARE(panel.sentence(), QStringLiteral("150 of 150 points (100 %) selected"));
    enter(*window, "cluster < 9", Qt::AltModifier); // all are taken away
    QVERIFY(found(*window));
    QVERIFY2(panel.sentence().startsWith(QStringLiteral("Nothing is selected")),
             qPrintable(panel.sentence()));
    enter(*window, "cluster == 9");
    QVERIFY(found(*window));
    QCOMPARE(panel.sentence(), none);
    selectionOf(*window).none();
    QVERIFY(found(*window));
    QVERIFY(panel.sentence().startsWith(QStringLiteral("Nothing is selected")));
  }

  /// How to draw is said while somebody can.
  void theHintGoesWithTheLasso() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    const auto said = [&] { return window->statusLine().lastMessage(); };
    press(*window, ActionId::box);
    QVERIFY2(said().startsWith("Drag a box around points; Ctrl adds"), qPrintable(said()));
    press(*window, ActionId::lasso);
    QVERIFY2(said().startsWith("Drag around points; Ctrl adds"), qPrintable(said()));
    QTest::keyClick(window->viewport(), Qt::Key_Escape);
    QCOMPARE(said(), QString());
    // What was said meanwhile stays.
    press(*window, ActionId::lasso);
    window->statusLine().tell("something else");
    QTest::keyClick(window->viewport(), Qt::Key_Escape);
    QCOMPARE(said(), QString("something else"));
  }

  /// A mistake is not the answer to the lasso that follows.
  void aLassoReplacesAMistake() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QVERIFY(settles(*window));
    const SelectPanel& panel = window->selecting().panel();
    enter(*window, "nonsense > 1");
    QVERIFY(panel.sentence().contains(QStringLiteral("expected a column")));
    press(*window, ActionId::box);
    const Viewport& view = *window->viewport();
    drag(*window->selecting().lasso(), {{1, 1}, {view.width() - 2, view.height() - 2}});
    QVERIFY(found(*window));
    QVERIFY2(panel.sentence().endsWith(QStringLiteral("selected")), qPrintable(panel.sentence()));
  }

  void clustersAreSelected() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    ClustersPanel& clusters = window->bottom().clusters();
    window->bottom().pages().setCurrentWidget(&clusters);
    QVERIFY(QTest::qWaitFor([&] { return clusters.watch().numbers() != nullptr; }, 20000));
    clusters.table().setFocus();
    clusters.table().setCurrentIndex(clusters.table().model()->index(1, 0));
    QTest::keyClick(&clusters.table(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{window->session().last()->sizes[1]});
  }

  void boxesAndLassosSelect_data() {
    QTest::addColumn<QString>("data");
    QTest::addColumn<bool>("components");
    QTest::newRow("flat") << "blobs:n=3000,d=2,k=4" << false;
    QTest::newRow("space") << "blobs:n=3000,d=3,k=4" << false;
    QTest::newRow("components") << "blobs:n=3000,d=6,k=4" << true;
  }
  void boxesAndLassosSelect() {
    QFETCH(QString, data);
    QFETCH(bool, components);
    auto window = windowOn(data.toStdString(), 4);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    if (components) {
      press(*window, ActionId::components);
      QVERIFY(QTest::qWaitFor([&] { return window->viewport()->projection() != nullptr; }, 20000));
    }
    QVERIFY(settles(*window));
    Viewport& view = *window->viewport();
    Lasso& lasso = *window->selecting().lasso();
    press(*window, ActionId::box);
    QVERIFY(lasso.isVisible() && window->actions()[ActionId::box]->isChecked());
    const int x = view.width() / 2, y = view.height() / 2;
    const int dx = view.width() / 3, dy = view.height() / 3;
    const CameraView before = view.camera().view();
    drag(lasso, {{x - dx, y - dy}, {x, y}, {x + dx, y + dy}});
    QVERIFY(found(*window));
    const std::size_t inBox = drawnIn(view, QRectF(x - dx, y - dy, 2 * dx, 2 * dy));
    QVERIFY(inBox > 0);
    QCOMPARE(selectionOf(*window).summary().count, inBox);
    QVERIFY(view.camera().view() == before); // the drag turned nothing
    // The other key takes the place of the first. A lasso around a part of the box, taken away.
    press(*window, ActionId::lasso);
    QVERIFY(!window->actions()[ActionId::box]->isChecked());
    const std::vector<QPoint> left{{x - dx, y - dy}, {x, y - dy}, {x, y + dy}, {x - dx, y + dy}};
    drag(lasso, left, Qt::AltModifier);
    QVERIFY(found(*window));
    const std::size_t within = drawnIn(view, QRectF(x - dx, y - dy, dx, 2 * dy));
    QVERIFY(within > 0 && within < inBox);
    QCOMPARE(selectionOf(*window).summary().count, inBox - within);
    drag(lasso, left, Qt::ControlModifier);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, inBox);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(lasso.shape() == Lasso::Shape::none && !lasso.isVisible());
    QVERIFY(selectionOf(*window).marks()); // what is selected stays
  }

  /// What is hidden is not drawn, not found by a lasso, and back when it is asked for.
  void hiddenPointsAreNotDrawn() {
    auto window = windowOn("blobs:n=3000,d=2,k=4", 4);
    QVERIFY(converges(*window));
    if (!window->viewport()) QSKIP("no OpenGL here: nothing is drawn");
    QVERIFY(settles(*window));
    Viewport& view = *window->viewport();
    press(*window, ActionId::trails);
    const QColor ground(0x10, 0x12, 0x16);
    const int all = inked(view.grabFramebuffer(), ground);
    press(*window, ActionId::invertSelection);
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, std::size_t{3000});
    enter(*window, "cluster == 0 | cluster == 1");
    QVERIFY(found(*window));
    const std::size_t two = selectionOf(*window).summary().count;
    press(*window, ActionId::hideSelected);
    QVERIFY(found(*window));
    QVERIFY(!selectionOf(*window).marks());
    const auto hidden = [&view] {
      return view.groups()
                 ? std::size_t(std::count(view.groups()->begin(), view.groups()->end(), hiddenGroup))
                 : std::size_t{0};
    };
    QTRY_COMPARE_WITH_TIMEOUT(hidden(), two, 20000);
    QVERIFY(settles(*window));
    QTRY_COMPARE_WITH_TIMEOUT(view.drawn().hidden, two, 20000); // as the view's line says
    const int rest = inked(view.grabFramebuffer(), ground);
    QVERIFY2(rest < all * 3 / 4, qPrintable(QStringLiteral("%1 of %2").arg(rest).arg(all)));
    press(*window, ActionId::box);
    // Qt Test takes the place 0, 0 for the middle.
    drag(*window->selecting().lasso(), {{1, 1}, {view.width() - 2, view.height() - 2}});
    QVERIFY(found(*window));
    QCOMPARE(selectionOf(*window).summary().count, 3000 - two);
    press(*window, ActionId::selectNone);
    press(*window, ActionId::showAllPoints);
    QVERIFY(QTest::qWaitFor([&] { return view.groups() == nullptr; }, 20000));
    QTRY_COMPARE_WITH_TIMEOUT(view.drawn().hidden, std::size_t{0}, 20000);
    QVERIFY(settles(*window));
    QVERIFY(inked(view.grabFramebuffer(), ground) > rest);
  }

  /// A part is clustered alone, by its own name, and all points again.
  void aPartIsClustered() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    const SharedPointSet all = window->session().data();
    enter(*window, "species != setosa");
    QVERIFY(found(*window));
    QVERIFY(!window->actions()[ActionId::clusterAll]->isEnabled());
    press(*window, ActionId::clusterSelected);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data()->n == 100; }, 20000));
    QVERIFY(QString::fromStdString(window->session().data()->title()).endsWith(" (100 of 150 rows)"));
    QCOMPARE(window->session().data()->inputRow(0), std::uint64_t{50});
    const auto clustered = [&window] {
      const IterationPtr last = window->session().last();
      return last ? std::accumulate(last->sizes.begin(), last->sizes.end(), 0U) : 0U;
    };
    QTRY_COMPARE_WITH_TIMEOUT(clustered(), 100U, 20000);
    QVERIFY(converges(*window));
    // A session's file asks for its points anew and has no word for a part; nor has a step of undo.
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("part.lloyd"));
    const QSignalSpy said(&window->savedSessions(), &SessionFiles::message);
    window->savedSessions().saveTo(file);
    QCOMPARE(said.size(), 1);
    QVERIFY(said[0][0].toString().contains(QStringLiteral("a part of them is clustered")));
    QVERIFY(!QFile::exists(file));
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    // A part of the part is still a part of all.
    enter(*window, "species == virginica");
    QVERIFY(found(*window));
    press(*window, ActionId::clusterSelected);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data()->n == 50; }, 20000));
    press(*window, ActionId::clusterAll);
    QVERIFY(QTest::qWaitFor([&] { return window->session().data() == all; }, 20000));
    QVERIFY(!window->actions()[ActionId::clusterAll]->isEnabled());
    QVERIFY(!selectionOf(*window).marks());
    QVERIFY(!window->actions()[ActionId::undo]->isEnabled());
    window->savedSessions().saveTo(file);
    QVERIFY(QTest::qWaitFor([&] { return QFile::exists(file); }, 20000));
  }

  void rowsAreExported() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    enter(*window, "petal_length_cm > 6.5");
    QVERIFY(found(*window));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("selected.csv"));
    bool written = false;
    connect(&selectionOf(*window), &PointSelection::written, this, [&] { written = true; });
    selectionOf(*window).exportRows(path);
    QVERIFY(QTest::qWaitFor([&] { return written; }, 20000));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 5);
    QCOMPARE(lines[0],
             QStringLiteral("sepal_length_cm,sepal_width_cm,petal_length_cm,petal_width_cm,species,cluster"));
    QVERIFY2(lines[1].startsWith(QStringLiteral("7.6,3.0,6.6,2.1,virginica,")), qPrintable(lines[1]));
    const ShownLabels labels = window->session().labels();
    QCOMPARE(lines[1].section(',', -1).toInt(), labels.labels[105]); // the 106th flower
  }
};

int main(int argc, char** argv) { return runWindowTest<TestSelectPanel>(argc, argv); }
#include "tst_select_panel.moc"
