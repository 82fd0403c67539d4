// SPDX-License-Identifier: GPL-3.0-or-later
// What Explore shows is so: of a seed that nobody chose, of points that come next, of a part, and of a rule.
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/k_curve_panel.hpp"
#include "app/ui/select/select_panel.hpp"
#include "app/ui/take_away/clustering_export.hpp"
#include "app/ui/window/adopted_runs.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/window_settings.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

constexpr int patience = 20000; ///< milliseconds

void open(MainWindow& window, const char* name) {
  window.files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/") + QLatin1String(name)});
}

bool has(MainWindow& window, std::size_t points) {
  return QTest::qWaitFor([&] { return window.session().data()->n == points; }, patience);
}

/// That other starts were tried of the run of this k.
bool tried(MainWindow& window, const QSignalSpy& tries, qsizetype times) {
  return QTest::qWaitFor([&] { return tries.size() >= times && window.session().converged(); }, patience);
}

QSpinBox& number(MainWindow& window, const char* name) {
  return *window.findChild<QSpinBox*>(QString::fromLatin1(name));
}

QComboBox& scalingOf(MainWindow& window) {
  for (QComboBox* box : window.findChildren<QComboBox*>())
    if (box->findData(static_cast<int>(Scale::minmax)) >= 0 && box->itemText(0) == "none") return *box;
  qFatal("no chooser of the scaling");
}

void choose(QComboBox& box, Scale scale) {
  box.setCurrentIndex(box.findData(static_cast<int>(scale)));
  Q_EMIT box.activated(box.currentIndex());
}

} // namespace

class TestExploreSays : public QObject {
  Q_OBJECT

  /// A window as the program's own, which tries other starts.
  static std::unique_ptr<MainWindow> windowThatTries(const char* data, int k) {
    auto window = windowOn(data, k);
    WindowSettings past;
    past.otherStarts = true;
    window->adopted().restore(past, true);
    return window;
  }

private slots:
  /// One step back brings a seed that the program found, and takes nothing away for good.
  void undoLeavesTheBestOfStartsOn() {
    auto window = windowThatTries("iris.csv", 4);
    Session& session = window->session();
    const QSignalSpy tries(&window->adopted().otherStarts(), &OtherStarts::tried);
    const auto* box = window->findChild<QCheckBox*>(QStringLiteral("otherStarts"));
    QVERIFY(converges(*window) && tried(*window, tries, 1));
    QTRY_VERIFY_WITH_TIMEOUT(session.settings().seed != 1, patience);
    open(*window, "faithful.csv");
    QVERIFY(has(*window, 272));
    QCOMPARE(session.settings().seed, std::uint64_t{1}); // afresh
    QVERIFY(converges(*window) && tried(*window, tries, 2));
    number(*window, "k").setValue(3);
    QTRY_COMPARE_WITH_TIMEOUT(session.settings().k, 3, patience);
    QVERIFY(converges(*window) && tried(*window, tries, 3));
    press(*window, ActionId::undo);
    QTRY_COMPARE_WITH_TIMEOUT(session.settings().k, 4, patience);
    QTest::qWait(100);
    QVERIFY(!window->adopted().otherStarts().seedIsChosen());
    QVERIFY(box->isChecked() && box->isEnabled());
    open(*window, "iris.csv");
    QVERIFY(has(*window, 150));
    QVERIFY(converges(*window));
    QVERIFY(tried(*window, tries, 4));
    QTRY_VERIFY_WITH_TIMEOUT(window->statusLine().lastMessage().startsWith("Best of 10 starts"), patience);
    QVERIFY(box->isChecked());
  }

  /// What looks ticked is done, and a tick hands the seed back.
  void aSeedThatIsTypedUnticksTheBox() {
    auto window = windowThatTries("iris.csv", 3);
    const QSignalSpy tries(&window->adopted().otherStarts(), &OtherStarts::tried);
    QVERIFY(converges(*window) && tried(*window, tries, 1));
    auto* box = window->findChild<QCheckBox*>(QStringLiteral("otherStarts"));
    QVERIFY(box->isChecked() && box->toolTip().contains("seeds 1 to 10"));
    number(*window, "seed").setValue(1);
    QVERIFY(converges(*window));
    QVERIFY(!box->isChecked() && box->isEnabled());
    QVERIFY2(box->toolTip().contains("Seed 1 was chosen"), qPrintable(box->toolTip()));
    QTest::qWait(300);
    QCOMPARE(tries.size(), qsizetype{1});
    WindowSettings now;
    window->adopted().remember(now);
    QVERIFY(now.otherStarts); // the next window tries as this one did
    box->click();
    QVERIFY(tried(*window, tries, 2));
    QTRY_VERIFY_WITH_TIMEOUT(window->session().last()->inertia.value_or(100) < 79, patience);
    QVERIFY(box->isChecked());
    // Where chance has no part nothing is tried, and the box says so.
    Settings settings = window->session().settings();
    settings.init.kind = InitKind::first;
    window->session().setSettings(settings);
    QVERIFY(!box->isChecked() && !box->isEnabled() && box->toolTip().contains("chance"));
  }

  /// Scaling is of the points that it was chosen for.
  void anotherFileBeginsUnscaled() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    QComboBox& scaling = scalingOf(*window);
    choose(scaling, Scale::standard);
    QTRY_COMPARE_WITH_TIMEOUT(window->session().request().scaling, Scale::standard, patience);
    open(*window, "faithful.csv");
    QVERIFY(has(*window, 272));
    QCOMPARE(window->session().request().scaling, Scale::none);
    QCOMPARE(scaling.currentData().toInt(), static_cast<int>(Scale::none));
    // Beside points that cannot be scaled it is for the next, and for these alone.
    DataRequest drift;
    drift.generator = "drift:n=2000,k=2";
    window->files().open(drift);
    QVERIFY(has(*window, 2000));
    choose(scaling, Scale::minmax);
    open(*window, "iris.csv");
    QVERIFY(has(*window, 150));
    QCOMPARE(window->session().request().scaling, Scale::minmax);
    open(*window, "faithful.csv");
    QVERIFY(has(*window, 272));
    QCOMPARE(window->session().request().scaling, Scale::none);
  }

  void theScalingOfTheCommandLineIsOfEveryFile() {
    WindowOptions options;
    options.settings.backend = BackendRequest::cpu;
    options.settings.k = 2;
    options.request.emplace();
    options.request->path = LLOYD_SOURCE_DIR "/resources/data/iris.csv";
    options.request->scaling = Scale::minmax;
    MainWindow window(options, false);
    window.show();
    window.begin();
    QVERIFY(converges(window));
    open(window, "faithful.csv");
    QVERIFY(has(window, 272));
    QCOMPARE(window.session().request().scaling, Scale::minmax);
  }

  /// A file is offered without its ragged rows as long as the error stands that says why.
  void whatWasRefusedGoesWithItsError() {
    const QTemporaryDir folder;
    const auto written = [&folder](const char* name, const char* bytes) {
      QFile file(folder.filePath(QString::fromLatin1(name)));
      if (file.open(QIODevice::WriteOnly)) file.write(bytes);
      return file.fileName();
    };
    const QString ragged = written("rag.csv", "x,y\n1,2\n3,4,5\n6,7\n");
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    const auto* drop = window->findChild<QPushButton*>(QStringLiteral("dropRagged"));
    window->files().openFirst({ragged});
    QTRY_VERIFY_WITH_TIMEOUT(!drop->isHidden(), patience);
    window->files().openFirst({folder.filePath("nowhere.csv")});
    QVERIFY2(window->messageBar().text().contains("nowhere"), qPrintable(window->messageBar().text()));
    QVERIFY(drop->isHidden());
    window->files().openFirst({ragged});
    QTRY_VERIFY_WITH_TIMEOUT(!drop->isHidden(), patience);
    window->messageBar().findChild<QPushButton*>()->click(); // Dismiss
    QVERIFY(drop->isHidden());
    QVERIFY(window->messageBar().text().isEmpty());
  }

  /// What is hidden is not meant, as with a box.
  void invertingLeavesTheHiddenAlone() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    PointSelection& selection = window->selecting().panel().selection();
    const auto found = [&selection] { return QTest::qWaitFor([&] { return !selection.busy(); }, patience); };
    selection.meeting("species == setosa", Combine::replace);
    QVERIFY(found());
    press(*window, ActionId::hideSelected);
    QVERIFY(found());
    press(*window, ActionId::invertSelection); // of nothing: all that is shown
    QVERIFY(found());
    QCOMPARE(selection.summary().count, std::size_t{100});
    selection.meeting("species == virginica", Combine::replace);
    QVERIFY(found());
    press(*window, ActionId::invertSelection);
    QVERIFY(found());
    QCOMPARE(selection.summary().count, std::size_t{50});
    QVERIFY(selection.rule().empty()); // the rule and its opposite share the hidden
    const PointMarks marks = selection.marks();
    for (std::size_t i = 0; i < 150; ++i)
      QCOMPARE((*marks)[i] != 0, i >= 50 && i < 100);
    press(*window, ActionId::showAllPoints);
    selection.meeting("species == virginica", Combine::replace);
    QVERIFY(found());
    press(*window, ActionId::invertSelection);
    QVERIFY(found());
    QCOMPARE(selection.summary().count, std::size_t{100});
    QCOMPARE(selection.rule(), std::string("!(species == virginica)"));
  }

  /// A rule beside a selection that is none of its answer says that it is not applied.
  void aRuleThatIsNotAppliedSaysSo() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    SelectPanel& panel = window->selecting().panel();
    window->bottom().pages().setCurrentWidget(&panel);
    const auto found = [&panel] {
      return QTest::qWaitFor([&] { return !panel.selection().busy(); }, patience);
    };
    const auto* name = panel.findChild<QLabel*>(QStringLiteral("ruleName"));
    panel.rule().setText("petal_length_cm > 5");
    QTest::keyClick(&panel.rule(), Qt::Key_Return);
    QVERIFY(found());
    QCOMPARE(name->text(), QString("Rule"));
    press(*window, ActionId::invertSelection);
    QVERIFY(found());
    QCOMPARE(name->text(), QString("Rule, not applied"));
    QCOMPARE(panel.rule().text(), QString("petal_length_cm > 5")); // to be applied again
    QTest::keyClick(&panel.rule(), Qt::Key_Return);
    QVERIFY(found());
    QCOMPARE(name->text(), QString("Rule"));
  }

  /// While a part is clustered the panel and the title say of how many rows.
  void aPartIsSaid() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    PointSelection& selection = window->selecting().panel().selection();
    selection.meeting("species != setosa", Combine::replace);
    QVERIFY(QTest::qWaitFor([&] { return !selection.busy(); }, patience));
    press(*window, ActionId::clusterSelected);
    QVERIFY(has(*window, 100));
    QVERIFY2(window->windowTitle().startsWith("iris.csv (100 of 150 rows)"),
             qPrintable(window->windowTitle()));
    const auto labels = window->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(
        labels, [](const QLabel* label) { return label->text() == "iris.csv, 100 of 150 rows"; }));
  }

  /// The k that is shown again has the colours that it has.
  void theSameKKeepsItsColours() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    KCurvePanel& panel = window->bottom().kCurve();
    window->bottom().pages().setCurrentWidget(&panel);
    panel.runner().start({.low = 3, .high = 5, .restarts = 3});
    QVERIFY(QTest::qWaitFor([&] { return !panel.runner().running(); }, patience));
    const auto shows = [&](int k) {
      return QTest::qWaitFor(
                 [&] {
                   const IterationPtr last = window->session().last();
                   return last && last->centroids == panel.runner().best(k)->result.centroids;
                 },
                 patience) &&
             settles(*window);
    };
    panel.take(5);
    QVERIFY(shows(5));
    // Colours as a person has come to know them, in no order of the program's.
    const auto before = window->viewport()->colours();
    window->adopted().renumber({4, 3, 2, 1, 0});
    window->session().adoptState(*window->session().runState());
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->colours() != before, patience);
    const auto colours = window->viewport()->colours();
    QCOMPARE(colours.size(), std::size_t{5});
    const QSignalSpy adopted(&window->session(), &Session::stateAdopted);
    panel.take(5);
    QTRY_COMPARE_WITH_TIMEOUT(adopted.size(), qsizetype{1}, patience);
    QVERIFY(shows(5));
    QVERIFY(window->viewport()->colours() == colours);
  }

  /// The report calls clusters what a person does.
  void theReportHasTheNames() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    window->selecting().clusters().setNames({QString(), QStringLiteral("Al\"pha, <one>")});
    auto* exporter = window->findChild<ClusteringExport*>();
    QVERIFY(exporter);
    const QTemporaryDir folder;
    const QString path = folder.filePath("report.html");
    const QSignalSpy said(exporter, &ClusteringExport::message);
    exporter->report(path);
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), qsizetype{1}, patience);
    QVERIFY2(!said[0][1].toBool(), qPrintable(said[0][0].toString()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QString page = QString::fromUtf8(file.readAll());
    QVERIFY(!page.contains("<one>"));
    page.replace("&quot;", "\"");
    const QString name = "Al\"pha, &lt;one&gt;";
    QVERIFY(page.contains('>' + name + "</td>"));   // the table of clusters
    QVERIFY(page.contains("1, " + name + "</td>")); // and of classes
    QVERIFY(page.contains("centroid of cluster 1, " + name));
    QVERIFY(page.contains("cluster 1, " + name + ": ")); // points and sizes
    QVERIFY(!page.contains("cluster 0, "));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestExploreSays>(argc, argv); }
#include "tst_explore_says.moc"
