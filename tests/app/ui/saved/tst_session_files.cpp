// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data/table/table.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/saved/session_files.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"
#include "tests/app/cli/program.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QFile>
#include <QFileDialog>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

using namespace lloyd;
using namespace lloyd::test;

/// What a window shows, saved and opened again.
class TestSessionFiles : public QObject {
  Q_OBJECT

  static std::vector<Label> labelsOf(MainWindow& window) {
    std::vector<Label> labels;
    bool answered = false;
    window.session().fetchLabels([&](std::vector<Label> all, const IterationPtr&) {
      labels = std::move(all);
      answered = true;
    });
    return QTest::qWaitFor([&] { return answered; }, 20000) ? labels : std::vector<Label>();
  }
  static bool saved(MainWindow& window, const QString& path) {
    QSignalSpy kept(&window.savedSessions(), &SessionFiles::kept);
    window.savedSessions().saveTo(path);
    return !kept.isEmpty() || kept.wait(20000);
  }
  static bool opened(MainWindow& window, const QString& path) {
    QSignalSpy kept(&window.savedSessions(), &SessionFiles::kept);
    window.files().openFirst({path});
    return (!kept.isEmpty() || kept.wait(20000)) && settles(window);
  }
  /// A paused window on a copy of a sample, in the middle of a run, looked at from somewhere.
  std::unique_ptr<MainWindow> turned(const QString& data) {
    auto window = windowOn("blobs:n=100", 3);
    DataRequest request;
    request.path = data.toStdString();
    request.scaling = Scale::standard;
    window->files().open(request);
    if (!QTest::qWaitFor([&] { return window->session().request() == request && window->session().last(); },
                         20000))
      return nullptr;
    window->session().pause();
    const IterationPtr played = window->session().last(); // which may be a first iteration as well
    window->session().restart();
    window->session().step();
    const auto stepped = [&] {
      const IterationPtr now = window->session().last();
      return now && now != played && now->iteration == 1;
    };
    if (!QTest::qWaitFor(stepped, 20000)) return nullptr;
    window->viewport()->orbit({70, 30});
    window->viewport()->zoom(1.7);
    window->viewport()->pan({11, 5});
    return window;
  }
  /// On this test's own screen.
  static Outcome runShown(const QStringList& arguments) {
    QProcess program;
    program.start(programPath(), arguments);
    const bool ended = program.waitForFinished(60000);
    return {.status = ended ? program.exitCode() : -1,
            .out = program.readAllStandardOutput(),
            .err = program.readAllStandardError()};
  }
  static QPushButton* button(const char* box, const char* name) {
    for (QWidget* top : QApplication::topLevelWidgets())
      if (top->objectName() == QLatin1String(box) && top->isVisible())
        return top->findChild<QPushButton*>(QLatin1String(name));
    return nullptr;
  }

  static constexpr std::size_t species = 4; ///< the column of iris.csv
  QTemporaryDir folder_;
  QString data_; ///< a copy of iris.csv
  QString session_;

private slots:
  void init() {
    QVERIFY(QDir(folder_.path()).mkpath("a") && QDir(folder_.path()).mkpath("b"));
    data_ = folder_.filePath("a/iris.csv");
    session_ = folder_.filePath("a/it.lloyd");
    for (const QString& path : {data_, folder_.filePath("b/iris.csv")})
      QFile::remove(path);
    QVERIFY(QFile::copy(LLOYD_SOURCE_DIR "/resources/data/iris.csv", data_));
    QVERIFY(QFile::setPermissions(data_, QFile::ReadOwner | QFile::WriteOwner));
  }

  void everythingIsAsItWas() {
    auto first = turned(data_);
    QVERIFY(first);
    press(*first, ActionId::components);
    QTRY_VERIFY_WITH_TIMEOUT(!first->axes().busy() && settles(*first), 20000);
    press(*first, ActionId::orthographic);
    first->viewport()->orbit({-40, 12});
    press(*first, ActionId::trails);
    first->actions()[ActionId::regions]->setChecked(true);
    press(*first, ActionId::largerPoints);
    auto* look = first->findChild<AppearancePanel*>();
    look->chooseColours(ClusterColours::By::palette, species);
    QCOMPARE(look->column(), std::optional(species));
    CompareWorkspace& compare = first->compare();
    SideChoice side;
    side.backend = BackendRequest::cpu;
    side.selection.classify = "cpu.v1";
    side.selection.reduce = "cpu.v1";
    first->arrangement().setWorkspace(Workspace::compare);
    compare.pair().setMode(PairMode::split);
    QTRY_VERIFY_WITH_TIMEOUT(compare.pair().run().inStep() && compare.racePanel().b(), 20000);
    compare.pair().setSideB(side);
    QTRY_VERIFY_WITH_TIMEOUT(compare.pair().run().inStep() && compare.racePanel().pairByHand(), 20000);
    QVERIFY(compare.pair().run().side() == side);
    compare.pair().setDivider(0.3);
    compare.racePanel().setBaseline(Baseline::ofFirst());
    first->selecting().clusters().setName(1, "long petals");
    QVERIFY(settles(*first));
    QVERIFY(saved(*first, session_));
    QVERIFY2(first->windowTitle().startsWith("it.lloyd: iris.csv"), qPrintable(first->windowTitle()));
    QCOMPARE(first->files().recent().value(0), session_);

    auto second = windowOn("drift:n=1000,k=4", 4);
    QTRY_VERIFY_WITH_TIMEOUT(second->session().last(), 20000);
    QVERIFY(opened(*second, session_));
    QVERIFY2(second->windowTitle().startsWith("it.lloyd: iris.csv"), qPrintable(second->windowTitle()));
    QCOMPARE(second->files().recent().value(0), session_);
    const Session &a = first->session(), &b = second->session();
    QVERIFY(a.request() == b.request());
    QVERIFY(a.settings() == b.settings());
    QCOMPARE(b.last()->iteration, 1);
    QVERIFY(a.last()->centroids == b.last()->centroids && a.last()->usedCentroids == b.last()->usedCentroids);
    QVERIFY(a.last()->inertia == b.last()->inertia && a.last()->sizes == b.last()->sizes);
    QVERIFY(!b.playing());
    QVERIFY(first->axes().axes() == second->axes().axes() && !second->axes().axes().empty());
    QTRY_VERIFY_WITH_TIMEOUT(first->viewport()->camera().pose() == second->viewport()->camera().pose(),
                             20000);
    QVERIFY(second->viewport()->camera().orthographic());
    QVERIFY(first->viewport()->trails() == second->viewport()->trails() && !second->viewport()->trails());
    QVERIFY(second->viewport()->regions() && second->actions()[ActionId::regions]->isChecked());
    QCOMPARE(second->viewport()->sizeFactor(), 1.25);
    QCOMPARE(second->findChild<AppearancePanel*>()->column(), std::optional(species));
    QVERIFY(hasClass(*b.data())); // whose role is guessed again
    QVERIFY(second->arrangement().workspace() == Workspace::compare);
    QVERIFY(second->compare().pair().mode() == PairMode::split);
    second->refreshNow(); // the ladder chooses no pair of its own
    QVERIFY(second->compare().pair().run().side() == side);
    QCOMPARE(second->viewport()->divider(), 0.3);
    QVERIFY(second->compare().racePanel().baseline().kind == Baseline::Kind::first);
    QVERIFY(first->viewport()->colours() == second->viewport()->colours());
    QCOMPARE(second->selecting().clusters().name(1), QString("long petals"));
    QTRY_VERIFY_WITH_TIMEOUT(second->compare().pair().run().inStep(), 20000);
    QCOMPARE(second->session().last()->iteration, 1); // side B has begun nothing anew
    QCOMPARE(labelsOf(*first), labelsOf(*second));
  }

  void aFileThatMovedWithItsSessionIsFound() {
    auto first = turned(data_);
    QVERIFY(first && saved(*first, session_));
    const QString moved = folder_.filePath("b/it.lloyd");
    QFile::remove(moved);
    QVERIFY(QFile::rename(session_, moved) && QFile::rename(data_, folder_.filePath("b/iris.csv")));
    auto second = windowOn("blobs:n=100", 3);
    QVERIFY(opened(*second, moved));
    QCOMPARE(second->session().data()->n, std::size_t{150});
    QVERIFY(first->session().last()->centroids == second->session().last()->centroids);
    QCOMPARE(labelsOf(*first), labelsOf(*second));
  }

  void aMissingFileIsAskedFor() {
    auto first = turned(data_);
    const QString above = folder_.filePath("above.lloyd"); // beside which the file never was
    QVERIFY(first && saved(*first, above));
    const QString elsewhere = folder_.filePath("b/flowers.csv");
    QFile::remove(elsewhere);
    QVERIFY(QFile::rename(data_, elsewhere));
    auto second = windowOn("blobs:n=100", 3);
    QVERIFY(converges(*second));
    second->savedSessions().open(above);
    QTRY_VERIFY_WITH_TIMEOUT(button("missingData", "chooseData"), 20000);
    QCOMPARE(second->session().data()->n, std::size_t{100});
    const auto* box = qobject_cast<QMessageBox*>(button("missingData", "chooseData")->window());
    QCOMPARE(box->informativeText(), QString("It was %1. Where is it now?").arg(data_));
    QTest::mouseClick(button("missingData", "chooseData"), Qt::LeftButton);
    auto* dialog = second->findChild<QFileDialog*>(QStringLiteral("findData"));
    QVERIFY(dialog);
    QSignalSpy kept(&second->savedSessions(), &SessionFiles::kept);
    Q_EMIT dialog->fileSelected(elsewhere);
    QVERIFY(kept.wait(20000));
    dialog->close();
    QTRY_COMPARE_WITH_TIMEOUT(second->session().data()->n, std::size_t{150}, 20000);
    QCOMPARE(labelsOf(*first), labelsOf(*second));
  }

  /// Of an archive that is elsewhere the same member is meant.
  void aMissingArchiveKeepsItsMember() {
    const QString archive = folder_.filePath("a/two.npz"), elsewhere = folder_.filePath("b/2.npz");
    QFile::remove(elsewhere);
    QVERIFY(QFile::copy(LLOYD_SOURCE_DIR "/tests/fixtures/odd/two_arrays.npz", archive));
    auto first = turned(archive + ":points");
    QVERIFY(first && saved(*first, session_));
    QVERIFY(QFile::rename(archive, elsewhere));
    auto second = windowOn("blobs:n=100", 3);
    QVERIFY(converges(*second));
    second->savedSessions().open(session_);
    QTRY_VERIFY_WITH_TIMEOUT(button("missingData", "chooseData"), 20000);
    QTest::mouseClick(button("missingData", "chooseData"), Qt::LeftButton);
    auto* dialog = second->findChild<QFileDialog*>(QStringLiteral("findData"));
    QVERIFY(dialog);
    QSignalSpy kept(&second->savedSessions(), &SessionFiles::kept);
    Q_EMIT dialog->fileSelected(elsewhere);
    QVERIFY(kept.wait(20000));
    dialog->close();
    QCOMPARE(second->session().request().path, (elsewhere + ":points").toStdString());
    QCOMPARE(labelsOf(*first), labelsOf(*second));
  }

  void aChangedFileIsSaid() {
    auto first = turned(data_);
    QVERIFY(first && saved(*first, session_));
    QFile file(data_);
    QVERIFY(file.open(QIODevice::Append) && file.write("9.9,3.1,9.9,2.2,setosa\n") > 0);
    file.close();
    auto second = windowOn("blobs:n=100", 3);
    QVERIFY(converges(*second));
    // Left alone, nothing has happened.
    second->savedSessions().open(session_);
    QTRY_VERIFY_WITH_TIMEOUT(button("changedData", "asItIs"), 20000);
    auto* box = qobject_cast<QMessageBox*>(button("changedData", "asItIs")->window());
    QTest::mouseClick(box->button(QMessageBox::Cancel), Qt::LeftButton);
    QCOMPARE(second->session().data()->n, std::size_t{100});
    QTRY_VERIFY_WITH_TIMEOUT(!button("changedData", "asItIs"), 20000);
    second->savedSessions().open(session_);
    QTRY_VERIFY_WITH_TIMEOUT(button("changedData", "asItIs"), 20000);
    QTest::mouseClick(button("changedData", "asItIs"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(second->messageBar().text().contains("iris.csv has changed"), 20000);
    QCOMPARE(second->session().data()->n, std::size_t{151});
    QTRY_COMPARE_WITH_TIMEOUT(second->session().last()->iteration, 0, 20000);
    QVERIFY(first->session().last()->centroids == second->session().last()->centroids);
  }

  void damagedAndNewerOnesChangeNothing() {
    auto window = turned(data_);
    QVERIFY(window && saved(*window, session_));
    const IterationPtr before = window->session().last();
    const Settings settings = window->session().settings();
    QFile file(session_);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    QByteArray newer = good;
    newer.replace("\"version\": 1", "\"version\": 2");
    for (const QByteArray& bytes : {good.left(good.size() / 2), newer, QByteArray("x,y\n1,2\n")}) {
      QFile bad(folder_.filePath("bad.lloyd"));
      QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write(bytes) == bytes.size());
      bad.close();
      QSignalSpy said(&window->savedSessions(), &SessionFiles::message);
      window->files().openFirst({bad.fileName()});
      QVERIFY(said.wait(20000));
      QVERIFY(said[0][1].toBool());
      QVERIFY2(said[0][0].toString().startsWith(bad.fileName()), qPrintable(said[0][0].toString()));
      QCOMPARE(window->session().last(), before);
      QVERIFY(window->session().settings() == settings);
      QCOMPARE(window->savedSessions().path(), session_);
    }
  }

  /// A folder that takes no file: a sentence, and the session that is kept stays as it is.
  void whereNothingCanBeWrittenNothingIsLost() {
    auto window = turned(data_);
    QVERIFY(window && saved(*window, session_));
    const QByteArray kept = readFile(session_);
    const IterationPtr shown = window->session().last();
    const QString shut = folder_.filePath("shut");
    QVERIFY(QDir().mkpath(shut));
    QVERIFY(QFile::setPermissions(shut, QFile::ReadOwner | QFile::ExeOwner));
    QStringList places{data_ + "/it.lloyd", "/proc/it.lloyd", folder_.filePath("nowhere/it.lloyd")};
    if (!QFileInfo(shut).isWritable()) places << shut + "/it.lloyd"; // the superuser may write anywhere
    for (const QString& place : places) {
      QSignalSpy said(&window->savedSessions(), &SessionFiles::message);
      window->savedSessions().saveTo(place);
      QVERIFY(said.wait(20000));
      QCOMPARE(said.count(), 1);
      QVERIFY(said[0][1].toBool());
      QVERIFY2(said[0][0].toString().contains("it.lloyd"), qPrintable(said[0][0].toString()));
      QVERIFY(!said[0][0].toString().contains(QLatin1Char('\n')));
      QVERIFY(!QFile::exists(place));
    }
    QVERIFY(QFile::setPermissions(shut, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(window->savedSessions().path(), session_);
    QCOMPARE(readFile(session_), kept);
    QCOMPARE(window->session().last(), shown);
  }

  /// Another process, twice: both write the labels that the window has.
  void theProgramStartedAgainShowsTheSame() {
    auto window = turned(data_);
    QVERIFY(window);
    window->selecting().clusters().setName(1, "long, wide");
    QVERIFY(saved(*window, session_));
    QByteArray labels = "label\n";
    const std::vector<Label> all = labelsOf(*window);
    const auto named = std::ranges::count(all, 1);
    for (const Label label : all)
      labels += QByteArray::number(label) + '\n';
    const QString picture = folder_.filePath("it.png"), written = folder_.filePath("labels.csv"),
                  centroids = folder_.filePath("centroids.csv"), table = folder_.filePath("table.csv");
    QImage before;
    for (int start = 0; start < 2; ++start) {
      QProcess program;
      program.start(programPath(), {"shot", session_, "--size", "900x700", "--out", picture, "--labels-out",
                                    written, "--centroids-out", centroids, "--table-out", table});
      QVERIFY(program.waitForFinished(60000));
      QVERIFY2(program.exitCode() == 0, program.readAllStandardError());
      QCOMPARE(readFile(written), labels);
      const QByteArrayList rows = readFile(centroids).split('\n');
      const auto size = QByteArray::number(qlonglong{named});
      QVERIFY2(rows[0].endsWith(",size,name") && rows[2].endsWith(',' + size + ",\"long, wide\""), rows[2]);
      const QByteArrayList lines = readFile(table).split('\n');
      QVERIFY2(lines[0].trimmed().endsWith("species,cluster,distance,cluster_name"), lines[0]);
      QCOMPARE(readFile(table).count("\"long, wide\""), qsizetype{named});
      QVERIFY(!program.readAllStandardError().contains("best of")); // it is as it was saved
      const QImage shown(picture);
      QVERIFY(!shown.isNull() && (start == 0 || shown.size() == before.size()));
      before = shown;
    }
    // A session has everything of its own.
    const Outcome refused = runProgram({"shot", session_, "--k", "5"});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("--k"), refused.err);
    const Outcome run = runProgram({"run", session_});
    QCOMPARE(run.status, 2);
    QVERIFY2(run.err.contains("session"), run.err);
  }

  /// What is wrong with a session is said before what is wrong with the words beside it.
  void whatCannotBeShownIsSaidByTheProgram() {
    auto window = turned(data_);
    QVERIFY(window && saved(*window, session_));
    const QString elsewhere = folder_.filePath("c");
    QVERIFY(QDir().mkpath(elsewhere));
    const QString moved = elsewhere + "/it.lloyd", bad = elsewhere + "/bad.lloyd";
    QFile::remove(moved);
    QVERIFY(QFile::copy(session_, moved));
    QVERIFY(QFile::rename(data_, folder_.filePath("a/gone.csv")));
    const Outcome missing = runShown({"shot", moved, "--out", folder_.filePath("no.png")});
    QVERIFY(QFile::rename(folder_.filePath("a/gone.csv"), data_));
    QCOMPARE(missing.status, 2);
    QVERIFY2(missing.err.contains(data_.toUtf8() + ", whose points"), missing.err);
    const QByteArray good = readFile(session_);
    QVERIFY(writeFile(bad, good.left(good.size() / 2)));
    for (const QStringList& more : {QStringList(), QStringList{"--frames", "2"}}) {
      const Outcome outcome = runShown(QStringList{"shot", bad} + more);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(outcome.err.startsWith("lloydscope: " + bad.toUtf8() + " is damaged: line "), outcome.err);
    }
  }

  /// A picture has one start, where the window would have taken the best of several.
  void oneStartIsSaidOfAPicture() {
    const QString picture = folder_.filePath("one.png");
    const QByteArray remark = "lloydscope: one start, seed 1; the window takes the best of 10\n";
    const QStringList shot{"shot", data_,    "-k",      "3",     "--backend",
                           "cpu",  "--size", "500x400", "--out", picture};
    const auto said = [&](const QStringList& more) { return runShown(shot + more).err.count(remark); };
    QCOMPARE(said({}), 1);
    for (const QStringList& more :
         {QStringList{"--seed", "1"}, QStringList{"--quiet"}, QStringList{"--init", "first"},
          QStringList{"--log-level", "warning"}, QStringList{"--workspace", "compare"}})
      QVERIFY2(said(more) == 0, qPrintable(more.join(' ')));
  }

  /// The keys: the picture has given its own to the session.
  void everyFileHasAKeyOfItsOwn() {
    auto window = windowOn("faithful.csv", 2);
    const auto key = [&](ActionId id) { return window->actions()[id]->shortcut().toString(); };
    QCOMPARE(key(ActionId::save), QString("Ctrl+S"));
    QCOMPARE(key(ActionId::screenshot), QString("Ctrl+Shift+S"));
    QCOMPARE(key(ActionId::saveReport), QString("Ctrl+Shift+R"));
    QVERIFY(converges(*window));
    // A session that is not kept yet asks for its name.
    press(*window, ActionId::save);
    auto* dialog = window->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->close();
    QSignalSpy said(&window->savedSessions(), &SessionFiles::message);
    window->savedSessions().saveTo(data_); // the points' own file
    QCOMPARE(said.count(), 1);
    QVERIFY(said[0][1].toBool());
    QVERIFY(saved(*window, session_));
    QVERIFY(window->close());
  }

  /// Other points are no longer the session's.
  void otherPointsEndTheSession() {
    auto window = turned(data_);
    QVERIFY(window && saved(*window, session_));
    DataRequest scaled = window->session().request();
    scaled.scaling = Scale::minmax;
    window->files().open(scaled);
    QTRY_VERIFY_WITH_TIMEOUT(window->session().request() == scaled, 20000);
    QCOMPARE(window->savedSessions().path(), session_);
    window->files().openFirst({QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/faithful.csv")});
    QTRY_COMPARE_WITH_TIMEOUT(window->session().data()->n, std::size_t{272}, 20000);
    QVERIFY(window->savedSessions().path().isEmpty());
    QVERIFY2(window->windowTitle().startsWith("faithful.csv"), qPrintable(window->windowTitle()));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestSessionFiles>(argc, argv); }
#include "tst_session_files.moc"
