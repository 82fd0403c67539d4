// SPDX-License-Identifier: GPL-3.0-or-later
// A table of people's own in the window: its columns, their roles by mouse and keyboard, hints and colours.
#include "app/data/table/table.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/columns/colour_legend.hpp"
#include "app/ui/select/shown_colours.hpp"
#include "app/ui/view/overlay.hpp"
#include "app/ui/window/selecting.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <ranges>

using namespace lloyd;
using namespace lloyd::test;

class TestColumnsView : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  DataRequest written(const QString& name, const QByteArray& bytes) const {
    QFile out(folder_.filePath(name));
    if (out.open(QIODevice::WriteOnly)) out.write(bytes);
    DataRequest request;
    request.path = out.fileName().toStdString();
    return request;
  }
  /// Ten columns, one of which spreads 100 times as widely as the others that are clustered.
  static QByteArray people() {
    QByteArray text = "id,name,age,income,city,height_m,score,label,email,rating\n";
    for (int i = 0; i < 30; ++i)
      text += QByteArray::number(i + 1) + ",person " + QByteArray::number(i) + ',' +
              QByteArray::number(20 + i) + ',' + QByteArray::number(30000 + 17000 * i) +
              (i % 3 == 0 ? ",Bonn,1." : ",Ulm,1.") + QByteArray::number(60 + i) + ',' +
              QByteArray::number(i % 7) + ',' + QByteArray::number(i % 2) + ",p" + QByteArray::number(i) +
              "@example.org," + QByteArray::number(i % 5) + ".5\n";
    return text;
  }
  static bool shows(MainWindow& window, const DataRequest& request) {
    window.files().open(request);
    return QTest::qWaitFor(
        [&] { return window.session().data() && window.session().data()->source == request.path; }, 20000);
  }
  /// Takes a role from the menu that comes next, by the keyboard: so many steps down.
  static void chooseNext(int down) {
    QTimer::singleShot(200, [down] {
      QWidget* menu = QApplication::activePopupWidget();
      if (!menu) return;
      QTest::keyClick(menu, Qt::Key_Home);
      for (int i = 0; i < down; ++i)
        QTest::keyClick(menu, Qt::Key_Down);
      QTest::keyClick(menu, Qt::Key_Return);
    });
  }
  /// The same by the mouse.
  static void clickNext(const QString& role) {
    QTimer::singleShot(200, [role] {
      auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
      if (!menu) return;
      for (QAction* action : menu->actions())
        if (action->text() == role)
          return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
      menu->close();
    });
  }
  static QStringList features(MainWindow& window) {
    QStringList names;
    for (const std::string& column : window.session().data()->columns)
      names << QString::fromStdString(column);
    return names;
  }

private slots:
  void rolesChangeByKeyboardAndMouse() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QVERIFY(shows(*window, written("people.csv", people())));
    auto* table = window->findChild<QTableView*>("columns");
    QVERIFY(table && table->isVisible());
    QCOMPARE(table->model()->rowCount(), 10);
    QCOMPARE(features(*window), (QStringList{"age", "income", "height_m", "score", "rating"}));

    // The keyboard: income is left out.
    table->setFocus();
    table->setCurrentIndex(table->model()->index(3, 0));
    chooseNext(3);
    QTest::keyClick(table, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(features(*window), (QStringList{"age", "height_m", "score", "rating"}), 20000);
    QCOMPARE(table->currentIndex().row(), 3);

    // The mouse: city is the class.
    const QModelIndex city = table->model()->index(4, 1);
    table->scrollTo(city);
    clickNext("class");
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(city).center());
    QTRY_COMPARE_WITH_TIMEOUT(classNames(*window->session().data()),
                              (std::vector<std::string>{"Bonn", "Ulm"}), 20000);
    QCOMPARE(features(*window), (QStringList{"age", "height_m", "score", "rating"}));
  }

  void textIsNoFeatureAndThePanelSaysWhy() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QVERIFY(shows(*window, written("people.csv", people())));
    auto* table = window->findChild<QTableView*>("columns");
    const auto* why = window->findChild<QLabel*>("roleRefusal");
    QVERIFY(why && !why->isVisible());
    const QStringList before = features(*window);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(8, 0)); // email
    clickNext("feature");
    QTest::keyClick(table, Qt::Key_Space);
    QTRY_VERIFY(why->isVisible());
    QVERIFY2(why->text().startsWith("email is no feature"), qPrintable(why->text()));
    QCOMPARE(features(*window), before);
    // A choice that is taken ends the sentence.
    table->setCurrentIndex(table->model()->index(3, 0)); // income
    chooseNext(3);
    QTest::keyClick(table, Qt::Key_Space);
    QTRY_COMPARE_WITH_TIMEOUT(features(*window), (QStringList{"age", "height_m", "score", "rating"}), 20000);
    QVERIFY(!why->isVisible());
    // Everything but a feature, for all columns at once.
    table->selectAll();
    clickNext("ignore");
    QTest::keyClick(table, Qt::Key_Space);
    QTRY_VERIFY(why->isVisible());
    QVERIFY2(why->text().contains("stays a feature"), qPrintable(why->text()));
  }

  void theHintAboutScalingComesWhereItIsDue() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    auto* standard = window->findChild<QPushButton*>("standard");
    QVERIFY(standard && !standard->isVisible());
    QVERIFY(shows(*window, written("people.csv", people())));
    QTRY_VERIFY(standard->isVisible());
    standard->click();
    QTRY_COMPARE_WITH_TIMEOUT(window->session().request().scaling, Scale::standard, 20000);
    QTRY_VERIFY(!standard->isVisible());
  }

  /// Whatever comes and goes beside them, and with the scroll bar that comes with it.
  void textsOfThePanelAreWhole() {
    auto window = windowOn("iris.csv", 3);
    window->resize(1366, 768);
    QVERIFY(converges(*window));
    const auto whole = [&] {
      int looked = 0;
      for (const QLabel* label : window->findChildren<QLabel*>()) {
        if (!label->isVisible() || !label->wordWrap() || !label->property("dim").toBool()) continue;
        if (label->height() < label->heightForWidth(label->width())) return 0;
        ++looked;
      }
      return looked;
    };
    QByteArray rows = "id,name,age,income\n";
    for (int i = 0; i < 300; ++i)
      rows += QByteArray::number(i + 1) + ",person " + QByteArray::number(i) + ',' +
              QByteArray::number(18 + i * 7 % 62) + ',' + QByteArray::number(2000000 + i * 60000) + '\n';
    QVERIFY(shows(*window, written("salaries.csv", rows)));
    auto* standard = window->findChild<QPushButton*>("standard");
    QTRY_VERIFY(standard->isVisible());
    QTRY_VERIFY(whole() >= 3); // the points, the columns, the hint
    standard->click();
    QTRY_VERIFY_WITH_TIMEOUT(!standard->isVisible(), 20000);
    QTRY_VERIFY(whole() >= 2);
  }

  void rowsOfAnotherLengthAreDroppedOnRequest() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window));
    auto* drop = window->findChild<QPushButton*>("dropRagged");
    QVERIFY(drop && !drop->isVisible());
    window->files().open(written("ragged.csv", "x,y\n1,2\n3\n5,6\n7,8\n"));
    QTRY_VERIFY_WITH_TIMEOUT(drop->isVisible(), 20000);
    QCOMPARE(window->session().data()->n, 150U); // the present data stay
    drop->click();
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->n, 3U, 20000);
    QVERIFY(!drop->isVisible());
    QCOMPARE(window->session().data()->dropped.size(), 1U);
  }

  void pointsAreColouredByAColumn() {
    auto window = windowOn("iris.csv", 3);
    QVERIFY(converges(*window) && settles(*window));
    auto* colours = window->findChild<QComboBox*>("colours");
    QVERIFY(colours);
    const int species = colours->findText("by species");
    QVERIFY(species >= 0);
    colours->setCurrentIndex(species);
    Q_EMIT colours->activated(species);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->groups() != nullptr, 20000);
    QCOMPARE(window->viewport()->groups()->at(0), 0);
    QCOMPARE(window->viewport()->groups()->at(149), 2);
    // Other workspaces have colours of their own; the choice waits.
    press(*window, ActionId::teach);
    QVERIFY(!window->viewport()->groups());
    press(*window, ActionId::explore);
    QVERIFY(window->viewport()->groups());
    const int number = colours->findText("by petal_length_cm");
    colours->setCurrentIndex(number);
    Q_EMIT colours->activated(number);
    QTRY_COMPARE_WITH_TIMEOUT(window->viewport()->groups()->at(118), 63, 20000); // 6.9, the longest
    colours->setCurrentIndex(0);
    Q_EMIT colours->activated(0);
    QVERIFY(!window->viewport()->groups());
  }

  /// A flower whose species and cluster go together keeps its colour.
  void aClassHasTheColourOfItsCluster() {
    auto window = windowOn("iris.csv", 3);
    Settings settings = window->session().settings();
    settings.seed = 5;
    window->session().setSettings(settings);
    QVERIFY(converges(*window) && settles(*window));
    auto* colours = window->findChild<QComboBox*>("colours");
    const auto* key = window->findChild<ColourLegend*>();
    QVERIFY(colours && key);
    const int species = colours->findText("by species");
    colours->setCurrentIndex(species);
    Q_EMIT colours->activated(species);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->groups() != nullptr, 20000);
    const std::vector<Rgb>& ofClusters = window->selecting().colours().clusterColours();
    const auto agrees = [&] {
      const ShownLabels shown = window->session().labels();
      const auto& classes = *window->viewport()->groups();
      const std::vector<Rgb>& ofClasses = key->key().colours;
      return std::ranges::count_if(std::views::iota(std::size_t{0}, classes.size()), [&](std::size_t i) {
        return ofClasses[static_cast<std::size_t>(classes[i])] ==
               ofClusters[static_cast<std::size_t>(shown.labels[i])];
      });
    };
    QTRY_VERIFY_WITH_TIMEOUT(agrees() >= 130, 20000); // of 150
    // The markers of the centroids mean none of the classes.
    const std::vector<Rgb>& markers = window->viewport()->colours();
    QCOMPARE(markers.size(), std::size_t{3});
    for (const Rgb marker : markers) {
      QCOMPARE(toQColor(marker), UiTheme::current().text);
      QVERIFY(std::ranges::find(key->key().colours, marker) == key->key().colours.end());
    }
    // A class keeps its colour when k and the run are others.
    const std::vector<Rgb> kept = key->key().colours;
    for (const int k : {5, 2}) {
      settings.k = k;
      settings.seed = 3;
      window->session().setSettings(settings);
      QTRY_COMPARE_WITH_TIMEOUT(window->session().last() ? int(window->session().last()->sizes.size()) : 0, k,
                                20000);
      QVERIFY(converges(*window) && settles(*window));
      QTest::qWait(200); // for what a thread might find
      QVERIFY(key->key().colours == kept);
    }
    // By cluster again, markers have the colours of their clusters again.
    colours->setCurrentIndex(0);
    Q_EMIT colours->activated(0);
    QTRY_VERIFY_WITH_TIMEOUT(window->viewport()->colours() == window->selecting().colours().clusterColours(),
                             20000);
  }

  void hoverNamesTheRow() {
    auto window = windowOn("faithful.csv", 2);
    QVERIFY(converges(*window));
    QVERIFY(shows(*window, written("people.csv", people())));
    QVERIFY(converges(*window));
    const SharedPointSet points = window->session().data();
    std::vector<float> position;
    for (int j = 0; j < points->d; ++j)
      position.push_back(points->row(j)[4]);
    const QStringList lines = pointText(*points, position, 4, -1, CentroidTrails()).split('\n');
    QCOMPARE(lines[0], QStringLiteral("person 4"));
    QCOMPARE(lines[1], QStringLiteral("row 5 of the data"));
    for (const char* line :
         {"id: 5", "income: 98,000", "city: Ulm", "height_m: 1.64", "email: p4@example.org"})
      QVERIFY2(lines.contains(QString::fromLatin1(line)), qPrintable(lines.join('|')));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestColumnsView>(argc, argv); }
#include "tst_columns_view.moc"
