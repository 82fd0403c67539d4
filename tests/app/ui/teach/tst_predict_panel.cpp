// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/teach/counter_table.hpp"
#include "app/ui/teach/lesson_view.hpp"
#include "app/ui/teach/predict_panel.hpp"
#include "app/ui/teach/source_view.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

namespace {

std::unique_ptr<MainWindow> teaching(const std::string& id) {
  auto window = windowOn("blobs:n=4096,d=2,k=16", 16);
  window->session().pause();
  press(*window, ActionId::teach);
  window->teach().choose(id);
  auto* measures = window->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
  measures->setCurrentWidget(&window->teach().predict());
  window->resize(1600, 1000); // source and counters beside each other
  return window;
}

bool counted(MainWindow& window) {
  return QTest::qWaitFor([&] { return window.teach().trace().complete() && window.teach().trace().counts(); },
                         30000);
}

/// The fields of the questions that are seen, in their order.
QList<QLineEdit*> fields(MainWindow& window) {
  QList<QLineEdit*> seen;
  for (auto* field : window.teach().predict().findChildren<QLineEdit*>())
    if (field->isVisible()) seen << field;
  return seen;
}

QStringList verdicts(MainWindow& window) {
  QStringList seen;
  for (const auto* label : window.teach().predict().findChildren<QLabel*>(QStringLiteral("verdict")))
    if (label->isVisible()) seen << label->text();
  return seen;
}

QString answer(MainWindow& window, std::size_t at) {
  const TeachCounts& counts = *window.teach().trace().counts();
  return answerTo(questionsOf(*counts.subject.variant).all.at(at), counts)->text;
}

QString score(MainWindow& window) { return window.teach().predict().score().text(); }

/// What the table shows of both versions and the card.
QString shownNumbers(MainWindow& window) {
  const CounterModel& model = window.teach().counters().model();
  QString all;
  for (int row = 0; row < model.rowCount(); ++row)
    for (int column = 1; column < model.columnCount(); ++column)
      for (const int role : {int(Qt::DisplayRole), int(CounterModel::numberRole)})
        all += model.index(row, column).data(role).toString();
  return all;
}

} // namespace

class TestPredictPanel : public QObject {
  Q_OBJECT
private slots:
  void aPredictionIsJudgedAndScored() {
    auto window = teaching("classify.v3");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    const QList<QLineEdit*> all = fields(*window);
    all[0]->setFocus();
    QTest::keyClicks(all[0], answer(*window, 0));
    QTest::keyClick(all[0], Qt::Key_Return);
    QCOMPARE(verdicts(*window), QStringList("\u2713 Right: " + answer(*window, 0)));
    QCOMPARE(score(*window), QString("1 of 1 right"));
    QVERIFY(all[1]->hasFocus()); // the next question
    QTest::keyClicks(all[1], "31");
    QTest::keyClick(all[1], Qt::Key_Return);
    QVERIFY2(verdicts(*window).value(1).startsWith("\u2717 It is " + answer(*window, 1)),
             qPrintable(verdicts(*window).join('|')));
    QCOMPARE(score(*window), QString("1 of 2 right"));
    QTest::keyClicks(all[2], "many");
    QTest::keyClick(all[2], Qt::Key_Return);
    QVERIFY(verdicts(*window).value(2).startsWith("Type a number"));
    QCOMPARE(score(*window), QString("1 of 2 right"));
    QVERIFY(window->teach().predict().open());

    // Asked again, a question whose number is known counts no more.
    auto* again = window->teach().predict().findChild<QPushButton*>(QStringLiteral("predictAgain"));
    QVERIFY(again->isVisible());
    again->click();
    QVERIFY(verdicts(*window).isEmpty() && all[0]->text().isEmpty() && all[0]->hasFocus());
    QTest::keyClicks(all[1], answer(*window, 1));
    QTest::keyClick(all[1], Qt::Key_Return);
    QVERIFY(verdicts(*window).value(0).startsWith("\u2713"));
    QCOMPARE(score(*window), QString("1 of 2 right"));
  }

  void whatWasAnsweredStaysWithItsLaunch() {
    auto window = teaching("reduce.v2");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    QTest::keyClicks(fields(*window)[0], answer(*window, 0));
    QTest::keyClick(fields(*window)[0], Qt::Key_Return);
    QCOMPARE(verdicts(*window).size(), 1);
    const QString before = answer(*window, 0);
    window->teach().choose("reduce.v3");
    QTRY_VERIFY_WITH_TIMEOUT(fields(*window).size() == 3 && verdicts(*window).isEmpty(), 30000);
    window->teach().choose("reduce.v2");
    QTRY_COMPARE_WITH_TIMEOUT(verdicts(*window).size(), 1, 30000);
    Settings settings = window->session().settings();
    settings.k = 8;
    window->session().setSettings(settings);
    QTRY_VERIFY_WITH_TIMEOUT(verdicts(*window).isEmpty() && fields(*window).size() == 3, 30000);
    QVERIFY(answer(*window, 0) != before);
  }

  void hiddenCountersShowNoNumberUntilTheyArePredicted() {
    auto window = teaching("classify.v3");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    static const QRegularExpression digit(QStringLiteral("\\d"));
    const SourceView& source = window->teach().source();
    const QList<QLineEdit*> all = fields(*window);
    press(*window, ActionId::countersTab);
    const int width = source.badgeWidth();
    QVERIFY(shownNumbers(*window).contains(digit) && width > 0);
    auto* measures = window->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    const int memory = 1;
    QVERIFY(measures->isTabEnabled(memory));
    press(*window, ActionId::hideCounters);
    QVERIFY2(!shownNumbers(*window).contains(digit), qPrintable(shownNumbers(*window)));
    QVERIFY(shownNumbers(*window).contains('?'));
    QVERIFY(source.badgeWidth() > 0 && source.badgeWidth() < width / 2);
    QVERIFY(!measures->isTabEnabled(memory));
    press(*window, ActionId::countAgain);
    QVERIFY(counted(*window));
    QVERIFY(!shownNumbers(*window).contains(digit));

    press(*window, ActionId::predictTab);
    for (qsizetype at = 0; at < all.size(); ++at) {
      QVERIFY(!shownNumbers(*window).contains(digit));
      QTest::keyClicks(all[at], "3");
      QTest::keyClick(all[at], Qt::Key_Return);
    }
    QVERIFY(!window->teach().predict().open());
    QVERIFY(shownNumbers(*window).contains(digit));
    QCOMPARE(source.badgeWidth(), width);
    QVERIFY(measures->isTabEnabled(memory));

    window->teach().choose("classify.v4");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    press(*window, ActionId::countersTab);
    QVERIFY(!shownNumbers(*window).contains(digit));
    press(*window, ActionId::hideCounters);
    QVERIFY(shownNumbers(*window).contains(digit));
  }

  /// Without the switch, too, which stays as it is.
  void noAnswerStandsBesideAnOpenQuestion() {
    auto window = teaching("classify.v3");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    static const QRegularExpression digit(QStringLiteral("\\d"));
    const auto shown = [&] { return shownNumbers(*window).contains(digit); };
    const auto hiding = [&] {
      const auto labels = window->teach().predict().findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains("Counters are hidden until all are answered");
      });
    };
    const SourceView& source = window->teach().source();
    const int hidden = source.badgeWidth();
    QVERIFY(!shown() && hiding());
    auto* measures = window->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    QVERIFY(measures->isTabEnabled(1) && measures->isTabEnabled(2)); // where a person may turn to
    const QList<int> panes = window->findChild<QSplitter*>(QStringLiteral("teachPanes"))->sizes();
    press(*window, ActionId::memoryTab);
    QVERIFY(shown() && source.badgeWidth() > 2 * hidden);
    press(*window, ActionId::predictTab);
    QVERIFY(!shown() && source.badgeWidth() == hidden);
    QCOMPARE(window->findChild<QSplitter*>(QStringLiteral("teachPanes"))->sizes(), panes);
    press(*window, ActionId::countersPane); // hidden, and nobody reads the questions
    QTRY_VERIFY(shown());
    press(*window, ActionId::countersPane);
    QTRY_VERIFY(!shown());
    window->teach().choose("classify.v4");
    QVERIFY(!shown());
    QVERIFY(counted(*window));
    QVERIFY(!shown());
    window->teach().choose("classify.v3");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    for (QLineEdit* field : fields(*window)) {
      QVERIFY(!shown() && hiding());
      QTest::keyClicks(field, "3");
      QTest::keyClick(field, Qt::Key_Return);
    }
    QVERIFY(shown() && !hiding() && source.badgeWidth() > 2 * hidden);
    QVERIFY(!window->actions()[ActionId::hideCounters]->isChecked());
  }

  void itsKeyLeadsToTheFirstOpenField() {
    auto window = teaching("classify.v3");
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const auto key = [&] {
      QTest::keyClick(window->focusWidget(), Qt::Key_P, Qt::AltModifier | Qt::ShiftModifier);
    };
    press(*window, ActionId::countersTab);
    key(); // perhaps before anything is counted
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    QTRY_COMPARE(window->focusWidget(), fields(*window)[0]);
    window->teach().source().setFocus();
    key(); // which is in front
    QCOMPARE(window->focusWidget(), fields(*window)[0]);
    // From field to field, then to the buttons, and only then away.
    QList<QLineEdit*> all = fields(*window);
    for (const qsizetype at : {1, 2}) {
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
      QCOMPARE(window->focusWidget(), all[at]);
    }
    for (int at = 1; at <= 3; ++at) {
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
      QCOMPARE(window->focusWidget()->accessibleName(), QStringLiteral("Check question %1").arg(at));
    }
    for (int at = 1; at <= 3; ++at)
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab, Qt::ShiftModifier);
    QCOMPARE(window->focusWidget(), all[2]);
    for (int at = 1; at <= 4; ++at)
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
    QVERIFY(!window->teach().predict().isAncestorOf(window->focusWidget()));
    // Those of another variant stand in the same place of the order.
    QTest::keyClicks(all[0], "3");
    QTest::keyClick(all[0], Qt::Key_Return);
    window->teach().source().setFocus();
    key();
    QCOMPARE(window->focusWidget(), all[1]);
    window->teach().choose("classify.v4");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    all = fields(*window);
    key();
    for (QLineEdit* field : all) {
      QCOMPARE(window->focusWidget(), field);
      QTest::keyClick(window->focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(window->focusWidget()->accessibleName(), QString("Check question 1"));
  }

  /// What no launch on the simulator answers: four sets are dealt to four queues, and an iteration of V2
  /// takes each point to label it and to add it up.
  void runsOfSchedulesAndProcessorsAreAsked_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("question");
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("setting");
    QTest::newRow("schedule") << "schedule.multi" << 0 << "4"
                              << "4 sets of 4,096 points, D = 2, K = 16, streams\u00a04, late\u00a00";
    QTest::newRow("loop") << "schedule.graph" << 0 << "1"
                          << "4,096 points, D = 2, K = 16, which are on the card";
    QTest::newRow("processor") << "cpu.v2" << 2 << "8,192"
                               << "The first iteration on 4,096 points, D = 2, K = 16";
  }
  void runsOfSchedulesAndProcessorsAreAsked() {
    QFETCH(QString, id);
    QFETCH(int, question);
    QFETCH(QString, answer);
    QFETCH(QString, setting);
    auto window = teaching(id.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(fields(*window).size(), 3, 30000);
    const auto labels = window->teach().predict().findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(setting);
    }));
    // Points that no question is of are not named.
    const auto head = std::ranges::find_if(labels, [](const QLabel* label) {
      return label->accessibleName() == "What the questions are about";
    });
    QVERIFY(head != labels.end());
    QCOMPARE((*head)->text().count(" points"), 1);
    QLineEdit* field = fields(*window)[question];
    QTest::keyClicks(field, answer);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(verdicts(*window), QStringList("\u2713 Right: " + answer));
    QCOMPARE(score(*window), QString("1 of 1 right"));
    // An iteration more of the same points changes no run, and takes no answer away.
    press(*window, ActionId::countAgain);
    QVERIFY(counted(*window));
    QCOMPARE(verdicts(*window).size(), 1);
    Settings settings = window->session().settings();
    settings.k = 8;
    window->session().setSettings(settings);
    QTRY_VERIFY_WITH_TIMEOUT(verdicts(*window).isEmpty() && fields(*window).size() == 3, 30000);
  }

  void theLessonOnDataAsksWhileItIsShown() {
    auto window = teaching("reduce.v1");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    QTest::keyClicks(fields(*window)[0], answer(*window, 0));
    QTest::keyClick(fields(*window)[0], Qt::Key_Return);
    press(*window, ActionId::dataLesson);
    QTRY_VERIFY_WITH_TIMEOUT(verdicts(*window).isEmpty() && fields(*window).size() == 3, 30000);
    QTest::keyClicks(fields(*window)[0], "32"); // sorted: all lanes of a warp want one sum
    QTest::keyClick(fields(*window)[0], Qt::Key_Return);
    QCOMPARE(verdicts(*window), QStringList("\u2713 Right: 32.00"));
    QCOMPARE(score(*window), QString("2 of 2 right"));
    // The page of words asks nothing, and hides nothing that was asked.
    window->teach().lesson().showPage(QStringLiteral("words"));
    QVERIFY(window->teach().lesson().toPlainText().contains("Words of the lessons"));
    QTRY_COMPARE_WITH_TIMEOUT(verdicts(*window), QStringList("\u2713 Right: " + answer(*window, 0)), 30000);
    window->teach().lesson().showPage({});
    QTRY_COMPARE_WITH_TIMEOUT(verdicts(*window), QStringList("\u2713 Right: " + answer(*window, 0)), 30000);
  }

  void everyControlIsNamed() {
    auto window = teaching("fused.v1");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    for (const auto* field : fields(*window))
      QVERIFY(!field->accessibleName().isEmpty() && !field->toolTip().isEmpty());
    for (const auto* button : window->teach().predict().findChildren<QPushButton*>()) {
      QVERIFY(!(button->accessibleName() + button->text()).isEmpty() && !button->toolTip().isEmpty());
      QVERIFY(button->focusPolicy() & Qt::TabFocus);
    }
    const QString pictures = qEnvironmentVariable("LLOYD_PICTURES");
    if (pictures.isEmpty()) return;
    window->teach().choose("classify.v4");
    QVERIFY(counted(*window));
    QTRY_COMPARE(fields(*window).size(), 3);
    press(*window, ActionId::hideCounters);
    QTest::keyClicks(fields(*window)[0], answer(*window, 0));
    QTest::keyClick(fields(*window)[0], Qt::Key_Return);
    QTest::keyClicks(fields(*window)[1], "77");
    QTest::keyClick(fields(*window)[1], Qt::Key_Return);
    auto* measures = window->findChild<QTabWidget*>(QStringLiteral("teachMeasures"));
    for (const char* name : {"one", "two"}) {
      QTest::qWait(500);
      window->grab().save(pictures + "/" + name + ".png");
      measures->setCurrentIndex(0);
      QTest::qWait(300);
      window->grab().save(pictures + "/" + name + "-table.png");
      measures->setCurrentWidget(&window->teach().predict());
      press(*window, ActionId::theme);
    }
  }
};

int main(int argc, char** argv) { return runWindowTest<TestPredictPanel>(argc, argv); }
#include "tst_predict_panel.moc"
