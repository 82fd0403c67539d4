// SPDX-License-Identifier: GPL-3.0-or-later
// The race's panel, driven by keyboard. Nothing here depends on how fast this machine is.
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/compare/race_table.hpp"
#include "gpu/core/contract/registry.hpp"
#include "tests/app/model/race/race_support.hpp"
#include "tests/app/model/session/session_support.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDoubleSpinBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace lloyd;
using namespace lloyd::test;

Q_DECLARE_METATYPE(lloyd::Candidate)

namespace {

constexpr int patience = 20000; ///< milliseconds

/// As WCAG 2.1 defines relative luminance and contrast.
double luminance(const QColor& colour) {
  const auto linear = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double brighter = std::max(luminance(a), luminance(b));
  const double darker = std::min(luminance(a), luminance(b));
  return (brighter + 0.05) / (darker + 0.05);
}

} // namespace

class TestRacePanel : public QObject {
  Q_OBJECT

  /// A panel on a session whose points are there.
  struct Shown {
    Session session;
    DeviceLease lease;
    RaceRunner runner{session, lease};
    RacePanel panel{session, runner};
    bool ready = false;
    explicit Shown(BackendRequest backend = BackendRequest::cpu) {
      Settings settings = cpuSettings(4);
      settings.backend = backend;
      session.setSettings(settings);
      session.open(generator("blobs:n=1500,d=2,k=4"));
      panel.resize(1100, 420);
      panel.show();
      panel.activateWindow();
      ready = QTest::qWaitFor([&] { return session.data() && session.last(); }, patience);
      panel.refresh();
    }
    QPushButton& button() { return *panel.findChild<QPushButton*>("race"); }
    QString text(const char* label) { return panel.findChild<QLabel*>(label)->text(); }
    bool over() {
      return QTest::qWaitFor([&] { return !runner.running(); }, patience);
    }
    bool raced() {
      panel.findChild<QDoubleSpinBox*>()->setValue(1);
      button().setFocus();
      QTest::keyClick(&button(), Qt::Key_Space);
      return runner.running() && over() && runner.last() && runner.last()->finished;
    }
    /// Puts the keyboard on the first row of a state.
    int toRow(RaceEntry::State state) {
      panel.table().setFocus();
      for (int row = 0; row < panel.model().rowCount(); ++row) {
        const RaceEntry* entry = panel.model().entryAt(row);
        if (!entry || entry->state != state) continue;
        panel.table().setCurrentIndex(panel.model().index(row, 0));
        return row;
      }
      return -1;
    }
  };

private slots:
  void initTestCase() {
    qRegisterMetaType<Candidate>();
    UiTheme::apply(*qApp, true);
  }

  void beforeARaceTheVariantsAreThere() {
    Shown shown;
    QVERIFY(shown.ready);
    QCOMPARE(shown.button().text(), QStringLiteral("Race all"));
    QVERIFY(shown.button().isEnabled());
    QCOMPARE(shown.panel.headline(), QStringLiteral("No race yet"));
    QVERIFY(shown.panel.model().rowCount() > 5);
    QVERIFY(shown.panel.a() && shown.panel.b());
    QVERIFY(!shown.panel.grab().isNull());
  }

  void aRaceByKeyboard() {
    Shown shown;
    QVERIFY(shown.ready);
    QVERIFY(shown.raced());
    QVERIFY2(shown.panel.headline().contains(QStringLiteral(" here")), qPrintable(shown.panel.headline()));
    QVERIFY2(shown.text("raceConditions").contains(QStringLiteral("rounds")),
             qPrintable(shown.text("raceConditions")));
    QVERIFY(shown.toRow(RaceEntry::State::ranked) > 0);
    QVERIFY(!shown.panel.grab().isNull());
  }

  void theSameButtonCancels() {
    Shown shown;
    QVERIFY(shown.ready);
    shown.button().setFocus();
    QTest::keyClick(&shown.button(), Qt::Key_Space);
    QVERIFY(shown.runner.running());
    QCOMPARE(shown.button().text(), QStringLiteral("Cancel"));
    QTest::keyClick(&shown.button(), Qt::Key_Space);
    QVERIFY(shown.over());
    QCOMPARE(shown.button().text(), QStringLiteral("Race all"));
    QVERIFY(shown.button().hasFocus());
    QVERIFY(!shown.runner.last() || !shown.runner.last()->finished);
  }

  void ticksByKeyboardRaceThoseAlone() {
    Shown shown;
    QVERIFY(shown.ready);
    const int row = shown.toRow(RaceEntry::State::waiting);
    QVERIFY(row > 0);
    QTest::keyClick(&shown.panel.table(), Qt::Key_Space);
    QCOMPARE(shown.button().text(), QStringLiteral("Race 1 ticked"));
    QVERIFY(shown.raced());
    QCOMPARE(shown.runner.last()->rows.size(), std::size_t{1});
    shown.toRow(RaceEntry::State::ranked);
    QTest::keyClick(&shown.panel.table(), Qt::Key_Space);
    QCOMPARE(shown.button().text(), QStringLiteral("Race all"));
  }

  void bPinsTheCurrentRow() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    QCOMPARE(shown.panel.baseline().kind, Baseline::Kind::first);
    const QSignalSpy changed(&shown.panel, &RacePanel::baselineChanged);
    const int row = shown.toRow(RaceEntry::State::ranked);
    const Candidate pinned = shown.panel.model().entryAt(row)->candidate;
    QTest::keyClick(&shown.panel.table(), Qt::Key_B);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(shown.panel.baseline().kind, Baseline::Kind::variant);
    QVERIFY(sameCandidate(shown.panel.baseline().candidate, pinned));
    const int now = shown.panel.model().rowOf(pinned.stage, pinned.variant);
    const auto verdict = shown.panel.model().index(now, static_cast<int>(RaceColumn::verdict));
    QCOMPARE(verdict.data().toString(), QStringLiteral("baseline"));
    QVERIFY(shown.panel.findChild<QToolButton*>("baseline")->text().contains(shown.panel.baseline().title));
    QTest::keyClick(&shown.panel.table(), Qt::Key_B); // and lets go again
    QCOMPARE(shown.panel.baseline().kind, Baseline::Kind::first);
    shown.panel.table().setCurrentIndex(shown.panel.model().index(0, 0)); // a heading cannot be pinned
    const QSignalSpy said(&shown.panel, &RacePanel::message);
    shown.panel.pinCurrent();
    QCOMPARE(said.count(), 1);
    QCOMPARE(shown.panel.baseline().kind, Baseline::Kind::first);
  }

  void theLastRaceMayBeTheBaselineOfTheNext() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    shown.panel.setBaseline(Baseline::ofMoment(shown.runner.last()));
    QVERIFY(shown.text("raceConditions").contains(QStringLiteral("nothing here can be held against")));
    QVERIFY(shown.raced());
    QVERIFY(!shown.text("raceConditions").contains(QStringLiteral("nothing here")));
    const int row = shown.toRow(RaceEntry::State::ranked);
    QVERIFY(shown.panel.model().entryAt(row)->delta);
  }

  void aReportThatIsNoneIsSaid() {
    Shown shown;
    const QSignalSpy said(&shown.panel, &RacePanel::message);
    shown.panel.openReport(QStringLiteral("/nowhere/old.json"));
    QCOMPARE(said.count(), 1);
    QVERIFY(said.first().at(1).toBool());
    QCOMPARE(shown.panel.baseline().kind, Baseline::Kind::first);
  }

  void aAndBAreChosenByKeyboard() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    const QSignalSpy compared(&shown.panel, &RacePanel::compared);
    RaceTableModel& model = shown.panel.model();
    const Variant* update = Registry::instance().find("update.v1");
    shown.panel.table().setFocus();
    shown.panel.table().showVariant(Stage::update, update);
    QTest::keyClick(&shown.panel.table(), Qt::Key_B, Qt::ShiftModifier);
    QCOMPARE(compared.count(), 1);
    QCOMPARE(shown.panel.b()->variant, update);
    QTest::keyClick(&shown.panel.table(), Qt::Key_A, Qt::ShiftModifier);
    QCOMPARE(compared.count(), 2);
    const auto variant = model.index(model.rowOf(Stage::update, update), 0);
    QCOMPARE(variant.data(RaceTableModel::markRole).toString(), QStringLiteral("A B"));
    QVERIFY(shown.text("racePair").contains(QStringLiteral("update.v1")));
    QVERIFY(shown.raced()); // what a person chose outlives a race
    QCOMPARE(shown.panel.b()->variant, update);
  }

  void aFoldedLineOpensByKeyboard() {
    Shown shown;
    QVERIFY(shown.ready);
    RaceTableModel& model = shown.panel.model();
    const int last = model.rowCount() - 1;
    const auto kind =
        static_cast<RaceTableModel::Kind>(model.index(last, 0).data(RaceTableModel::kindRole).toInt());
    if (kind != RaceTableModel::Kind::reason) QSKIP("every variant of this build runs on the CPU");
    shown.panel.table().setFocus();
    shown.panel.table().setCurrentIndex(model.index(last, 0));
    QTest::keyClick(&shown.panel.table(), Qt::Key_Return);
    QVERIFY(model.rowCount() > last + 2);
    QVERIFY(!shown.panel.grab().isNull());
  }

  void otherSettingsAreSaidPlainly() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    QVERIFY(!shown.panel.findChild<QLabel*>("raceStale")->isVisible());
    Settings settings = shown.session.settings();
    settings.k = 3;
    shown.session.setSettings(settings);
    shown.panel.refresh();
    QVERIFY(shown.panel.findChild<QLabel*>("raceStale")->isVisible());
    QVERIFY(shown.text("raceStale").contains(QStringLiteral("k was 4")));
  }

  void theSimulatorIsRefusedWithItsReason() {
    Shown shown(BackendRequest::simt);
    QVERIFY(shown.ready);
    QVERIFY(!shown.button().isEnabled());
    QVERIFY(shown.button().toolTip().contains(QStringLiteral("simulator")));
    QVERIFY(shown.text("raceConditions").contains(QStringLiteral("simulator")));
  }

  void theMostTellingColumnsStayInNarrowWindows() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    RaceTable& table = shown.panel.table();
    for (const int width : {620, 1024, 1440, 2200}) {
      shown.panel.resize(width, 420);
      QVERIFY(QTest::qWaitFor([&] { return table.width() == width; }, patience));
      for (const auto column :
           {RaceColumn::variant, RaceColumn::bar, RaceColumn::median, RaceColumn::verdict})
        QVERIFY(!table.isColumnHidden(static_cast<int>(column)));
      QVERIFY2(table.horizontalHeader()->length() <= table.viewport()->width(),
               qPrintable(QString::number(width)));
    }
    QVERIFY(!table.isColumnHidden(static_cast<int>(RaceColumn::p95)));
    QVERIFY(table.isColumnHidden(static_cast<int>(RaceColumn::registers))); // a processor tells none
    table.setShowsAll(true);
    for (int column = 0; column < raceColumns; ++column)
      QVERIFY(!table.isColumnHidden(column));
  }

  void theTableIsCopied() {
    Shown shown;
    QVERIFY(shown.ready && shown.raced());
    shown.panel.table().setFocus();
    QTest::keyClick(&shown.panel.table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), shown.panel.model().text());
  }

  void enterUsesTheVariant() {
    Shown shown;
    QVERIFY(shown.ready);
    const Variant* other = Registry::instance().find("cpu.v1");
    shown.panel.table().setFocus();
    shown.panel.table().showVariant(Stage::classify, other);
    QTest::keyClick(&shown.panel.table(), Qt::Key_Return);
    QCOMPARE(shown.session.settings().selection.classify, std::string("cpu.v1"));
  }

  void anArrowHeadMarksWhatGoesOnBeyondTheAxis() {
    const Variant fast = paperVariant("classify", "v1");
    const Variant slow = paperVariant("classify", "v2");
    std::vector<double> wide = samplesAround(20);
    for (std::size_t i = 0; i < wide.size(); i += 8)
      wide[i] = 80;
    DeviceInfo device;
    device.name = "a test's processor";
    device.usable = true;
    const auto atTheEnd = [&](const std::vector<double>& samples) {
      RaceTableModel model;
      model.setField({{&fast, Stage::classify, {}}, {&slow, Stage::classify, {}}}, paperProblem, device, {});
      model.setRace(raceOf({measuredAs(fast, Stage::classify, samplesAround(10)),
                            measuredAs(slow, Stage::classify, samples)}));
      RaceTable table(model);
      table.resize(1000, 240);
      table.show();
      const int column = static_cast<int>(RaceColumn::bar);
      const QRect cell = table.visualRect(model.index(model.rowOf(Stage::classify, &slow), column));
      const QImage picture = table.viewport()->grab(cell).toImage();
      int inked = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = picture.width() - 16; x < picture.width(); ++x)
          inked += picture.pixelColor(x, y) == UiTheme::current().text;
      return inked;
    };
    QCOMPARE(atTheEnd(samplesAround(20)), 0);
    constexpr int line = 10; // pixels of it without a head
    QVERIFY2(atTheEnd(wide) > 2 * line, qPrintable(QString::number(atTheEnd(wide))));
  }

  void coloursAreLegibleInBothThemes() {
    for (const bool dark : {true, false}) {
      UiTheme::apply(*qApp, dark);
      const UiTheme& theme = UiTheme::current();
      for (const QColor& ground : {theme.panel, theme.control}) {
        QVERIFY(contrast(fasterColour(), ground) >= 4.5);
        QVERIFY(contrast(slowerColour(), ground) >= 4.5);
      }
    }
    UiTheme::apply(*qApp, true);
  }
};

QTEST_MAIN(TestRacePanel)
#include "tst_race_panel.moc"
