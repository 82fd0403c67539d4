// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/issue_panel.hpp"
#include "app/ui/compare/planner_pages.hpp"
#include "app/ui/compare/planner_panel.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/plot/issue_plot.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>
#include <qcustomplot.h>

using namespace lloyd;

namespace {

/// The panel as it stands in Compare in a window of 1366 x 768 pixels.
struct Shown {
  IssuePanel panel;
  QSlider* latency = panel.findChild<QSlider*>(QStringLiteral("issueLatency"));
  QSpinBox* latencyBox = panel.findChild<QSpinBox*>(QStringLiteral("issueLatencyBox"));
  QSpinBox* warps = panel.findChild<QSpinBox*>(QStringLiteral("issueWarps"));
  QComboBox* items = panel.findChild<QComboBox*>(QStringLiteral("issueItems"));

  explicit Shown(bool dark = true) {
    UiTheme::apply(*qApp, dark);
    panel.resize(588, 380);
    panel.show();
    panel.refresh();
    QTest::qWait(20); // the layout is queued
  }
  [[nodiscard]] QString text(const char* label) const {
    return panel.findChild<QLabel*>(QString::fromLatin1(label))->text();
  }
  [[nodiscard]] QImage drawn() const { return panel.plot().exported().picture(1); }
};

} // namespace

/// Warps on a scheduler: the controls change the picture and what is said of it.
class TestIssuePanel : public QObject {
  Q_OBJECT

private slots:
  void nothingIsRunBeforeItIsSeen() {
    IssuePanel panel;
    QVERIFY(panel.pictures().empty() && panel.numbers().isEmpty());
    panel.refresh();
    QCOMPARE(panel.pictures().size(), IssuePanel::itemsPictured.size());
  }

  void theThreePicturesStandOnOneAxis() {
    const Shown shown;
    const NamedTimelines& seen = shown.panel.plot().seen();
    QCOMPARE(seen.size(), std::size_t{3});
    QCOMPARE(seen[0].name, QStringLiteral("1 point a thread"));
    QCOMPARE(seen[2].name, QStringLiteral("4 points a thread"));
    for (const NamedTimeline& one : seen)
      QCOMPARE(one.timeline->rows().size(), std::size_t{5}); // four warps and the scheduler
    QVERIFY(shown.panel.plot().emptyText().isEmpty());
    QCOMPARE(shown.panel.numbers().split(u'\n').size(), 3);
    const auto& pictures = shown.panel.pictures();
    QVERIFY(pictures[0].idle() > pictures[1].idle() && pictures[1].idle() > pictures[2].idle());
    QVERIFY(shown.panel.plot().plot().xAxis->range().upper >= static_cast<double>(pictures[2].cycles));
  }

  void whatIsAModelIsCalledSo() {
    const Shown shown;
    QVERIFY(shown.text("issueSource").contains("a model's, not a card's"));
    QVERIFY(shown.text("issueSource").contains("classify.v8"));
    QVERIFY(shown.panel.plot().plot().xAxis->label().contains("model"));
    QVERIFY(shown.panel.plot().title().contains("the model's latencies, not a card's"));
    QVERIFY(shown.panel.plot().summary().contains("of a model"));
    QVERIFY(!shown.panel.numbers().contains("µs"));
    QVERIFY(shown.panel.plot().table().headings.contains("begin (cycle)"));
  }

  void theLatencyChangesNumbersAndPicture() {
    Shown shown;
    const QImage before = shown.drawn();
    const QString numbers = shown.panel.numbers();
    const QString finding = shown.text("issueFinding");
    const double idle = shown.panel.pictures()[0].idle();
    const std::uint64_t cycles = shown.panel.pictures()[0].cycles;
    shown.latency->setFocus();
    QTest::keyClick(shown.latency, Qt::Key_PageUp);
    QCOMPARE(shown.latency->value(), 500);
    QCOMPARE(shown.latencyBox->value(), 500);
    QVERIFY(shown.panel.numbers() != numbers && shown.text("issueFinding") != finding);
    const QWidget* table = shown.panel.findChild<QWidget*>(QStringLiteral("issueNumbers"));
    QCOMPARE(table->accessibleDescription(), shown.panel.numbers());
    QStringList cells;
    for (const QLabel* label : table->findChildren<QLabel*>())
      if (!label->isHidden()) cells << label->text();
    QCOMPARE(cells.size(), 4 * 6); // headings and three rows
    QVERIFY(cells.contains(countText(shown.panel.pictures()[2].cycles)));
    QVERIFY(shown.panel.pictures()[0].idle() > idle);
    // Points, then old labels: two waits that nothing covers.
    QCOMPARE(shown.panel.pictures()[0].cycles, cycles + 200);
    QVERIFY(shown.drawn() != before);
    shown.latencyBox->setValue(IssuePanel::leastLatency);
    QCOMPARE(shown.latency->value(), IssuePanel::leastLatency);
    QVERIFY(shown.panel.pictures()[0].idle() < idle);
  }

  void moreWarpsHideMore() {
    const Shown shown;
    const double idle = shown.panel.pictures()[1].idle();
    shown.warps->setValue(8);
    QVERIFY(shown.panel.pictures()[1].idle() < idle);
    QCOMPARE(shown.panel.plot().seen()[1].timeline->rows().size(), std::size_t{9});
    shown.warps->setValue(1);
    QVERIFY(shown.panel.pictures()[1].idle() > idle);
  }

  void onePictureAlone() {
    const Shown shown;
    shown.items->setCurrentIndex(shown.items->findData(4));
    QCOMPARE(shown.panel.plot().seen().size(), std::size_t{1});
    QCOMPARE(shown.panel.plot().seen()[0].name, QStringLiteral("4 points a thread"));
    QVERIFY(shown.panel.numbers().startsWith("points a thread 4, cycles 1,"));
    QCOMPARE(shown.panel.numbers().split(u'\n').size(), 1);
    QCOMPARE(shown.panel.pictures().size(), std::size_t{3});
    shown.items->setCurrentIndex(shown.items->findData(1)); // and the sentence is of what is seen
    QVERIFY2(shown.text("issueFinding").startsWith("With 1 point a thread") &&
                 !shown.text("issueFinding").contains("to 4"),
             qPrintable(shown.text("issueFinding")));
  }

  void aPersonsViewStaysWhileTheLatencyMoves() {
    const Shown shown;
    shown.panel.plot().zoom(0.25);
    const QCPRange seen = shown.panel.plot().plot().xAxis->range();
    shown.latency->setValue(420);
    QCOMPARE(shown.panel.plot().plot().xAxis->range(), seen);
    shown.warps->setValue(5); // other rows
    QVERIFY(shown.panel.plot().plot().xAxis->range() != seen);
  }

  void theKeyboardReachesAllAndAllHasNames() {
    for (const bool dark : {true, false}) {
      const Shown shown(dark);
      for (QWidget* control :
           std::initializer_list<QWidget*>{shown.latency, shown.latencyBox, shown.warps, shown.items}) {
        QVERIFY(control->focusPolicy() & Qt::TabFocus);
        QVERIFY(!control->accessibleName().isEmpty() && !control->toolTip().isEmpty());
        QVERIFY(control->visibleRegion().boundingRect().size() == control->size());
      }
      QVERIFY(shown.panel.plot().plot().height() >= 200);
      for (const QLabel* label : shown.panel.findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap())
          QVERIFY(label->height() >= label->heightForWidth(label->width()));
      QVERIFY(!shown.drawn().isNull());
    }
  }

  /// What is refused above is refused in the table, in the same words.
  void aBlockThatTheKernelRefusesIsRefusedInTheTable() {
    Session session;
    PlannerPanel planner(session);
    planner.resize(620, 600);
    planner.setVisible(true);
    planner.refresh();
    QVERIFY(planner.choose("classify.v8"));
    const auto set = [&](const char* parameter, int value) {
      for (auto* box : planner.findChildren<QComboBox*>())
        if (box->accessibleName() == QLatin1String(parameter)) {
          box->setCurrentIndex(box->findData(value));
          Q_EMIT box->activated(box->currentIndex());
        }
    };
    set("items", 8);
    set("vector", 1);
    set("block", 128);
    const auto* blocks = planner.findChild<QTableWidget*>("plannerBlocks");
    QCOMPARE(blocks->item(5, 0)->text(), QString("1,024"));
    const QString refusal = blocks->item(5, 3)->text();
    QVERIFY2(refusal.contains("a block of 512 can"), qPrintable(refusal));
    QCOMPARE(blocks->item(5, 1)->text(), QString("–"));
    QVERIFY2(blocks->item(4, 1)->text() == "2", qPrintable(blocks->item(4, 3)->text()));
    set("block", 1024);
    QCOMPARE(planner.sentence(), refusal);
  }

  /// In the width that a small window leaves, nothing lies beyond the edge, and the wheel moves the page
  /// alone.
  void theConstraintsAreReadWithoutScrollingSideways() {
    Session session;
    PlannerPanel planner(session);
    planner.resize(420, 500);
    planner.setVisible(true);
    planner.refresh();
    QVERIFY(QTest::qWaitForWindowExposed(&planner));
    auto* table = planner.findChild<QTableWidget*>("plannerConstraints");
    QTRY_VERIFY(table->isVisible());
    QCoreApplication::processEvents();
    QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
    QCOMPARE(table->verticalScrollBar()->maximum(), 0);
    QCOMPARE(table->item(4, 2)->text(), QString("does not bind"));
    for (int row = 0; row < table->rowCount(); ++row)
      for (int column = 0; column < table->columnCount(); ++column) {
        const QRect cell = table->visualItemRect(table->item(row, column));
        const QRect text = table->fontMetrics().boundingRect(
            QRect(0, 0, cell.width() - 6, 1000), Qt::TextWordWrap, table->item(row, column)->text());
        QVERIFY2(text.height() <= cell.height(), qPrintable(table->item(row, column)->text()));
      }
    QWheelEvent wheel(QPointF(50, 50), table->mapToGlobal(QPointF(50, 50)), {}, {0, -120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(table->viewport(), &wheel);
    QCOMPARE(table->horizontalScrollBar()->value(), 0);
    QVERIFY(!wheel.isAccepted()); // the page around the table gets it
  }

  void thePlannerHasTwoPages() {
    Session session;
    DeviceLease lease;
    RaceRunner races(session, lease);
    PlotsPanel plots(session, races, lease);
    plots.resize(660, 600);
    plots.show();
    QVERIFY(plots.showTab(QStringLiteral("planner")));
    QVERIFY(plots.planner().isVisible() && !plots.issue().isVisible());
    QVERIFY(plots.issue().pictures().empty()); // nobody has seen it
    QVERIFY(plots.showTab(QStringLiteral("issue")));
    QVERIFY(plots.issue().isVisible() && !plots.planner().isVisible());
    QCOMPARE(plots.issue().pictures().size(), std::size_t{3});
    QVERIFY(plots.showTab(QStringLiteral("planner")));
    QVERIFY(plots.planner().isVisible());
    QVERIFY(!plots.showTab(QStringLiteral("residency")));
    // By hand.
    auto* pages = plots.findChild<PlannerPages*>();
    for (QAbstractButton* button : pages->findChildren<QAbstractButton*>())
      if (button->accessibleName() == QLatin1String("Issue")) button->click();
    QVERIFY(plots.issue().isVisible());
  }
};

QTEST_MAIN(TestIssuePanel)
#include "tst_issue_panel.moc"
