// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/film.hpp"
#include "app/ui/take_away/record_dialog.hpp"
#include "tests/app/ui/window/window_fixture.hpp"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QImage>
#include <QProcess>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace lloyd;
using namespace lloyd::test;

/// A run as numbered pictures in a folder.
class TestViewRecorder : public QObject {
  Q_OBJECT

  static std::unique_ptr<MainWindow> shown(const QString& data, int k = 4) {
    auto window = windowOn(data.toStdString(), k);
    window->resize(500, 400);
    const bool there = QTest::qWaitFor([&] { return window->session().last() != nullptr; }, 20000);
    window->session().pause();
    return there && settles(*window) ? std::move(window) : nullptr;
  }

  static QStringList framesIn(const QString& folder) {
    return QDir(folder).entryList({"frame-*.png"}, QDir::Files, QDir::Name);
  }

private slots:
  /// Points that move differ from frame to frame, and so do their pictures.
  void eachIterationIsAFrame() {
    QTemporaryDir folder;
    auto window = shown("drift:n=3000,k=4");
    QVERIFY(window);
    ViewRecorder recorder(window->session(), *window->viewport());
    QSignalSpy ended(&recorder, &ViewRecorder::ended);
    RecordingWish wish;
    wish.frames = 60;
    recorder.start(wish, folder.filePath("run"));
    QVERIFY(ended.wait(60000));
    QVERIFY2(!ended.front()[1].toBool(), qPrintable(ended.front()[0].toString()));
    const QStringList frames = framesIn(folder.filePath("run"));
    QCOMPARE(frames.size(), 60);
    QCOMPARE(frames.front(), QStringLiteral("frame-0001.png"));
    QCOMPARE(frames.back(), QStringLiteral("frame-0060.png"));
    QCOMPARE(window->session().last()->iteration, 59);
    QVERIFY(!window->session().playing());
    QImage before;
    for (const QString& name : frames) {
      const QImage frame(folder.filePath("run/" + name));
      QCOMPARE(frame.size(), window->viewport()->size() * window->viewport()->devicePixelRatioF());
      QVERIFY(before.isNull() || difference(before, frame) > 0);
      before = frame;
    }
  }

  /// Centroids are where the iteration left them, and not on their way there.
  void theLastFrameIsTheViewAtRest() {
    QTemporaryDir folder;
    auto window = shown("faithful.csv");
    QVERIFY(window);
    ViewRecorder recorder(window->session(), *window->viewport());
    QSignalSpy ended(&recorder, &ViewRecorder::ended);
    RecordingWish wish;
    wish.frames = 500;
    recorder.start(wish, folder.path());
    QVERIFY(ended.wait(60000));
    const QString text = ended.front()[0].toString();
    QVERIFY2(!ended.front()[1].toBool() && text.contains("converged"), qPrintable(text));
    const QStringList frames = framesIn(folder.path());
    QCOMPARE(frames.size(), window->session().last()->iteration + 1); // the first has the first centroids
    QVERIFY(settles(*window));
    QTest::qWait(50);
    RecordingWish now;
    now.fromStart = false;
    now.frames = 1;
    ended.clear();
    recorder.start(now, folder.filePath("now"));
    QVERIFY(ended.wait(20000));
    QCOMPARE(
        difference(QImage(folder.filePath(frames.back())), QImage(folder.filePath("now/frame-0001.png"))),
        0.0);
  }

  void cancelKeepsWhatIsWritten() {
    QTemporaryDir folder;
    auto window = shown("drift:n=3000,k=4");
    QVERIFY(window);
    ViewRecorder recorder(window->session(), *window->viewport());
    QSignalSpy ended(&recorder, &ViewRecorder::ended);
    connect(&recorder, &ViewRecorder::advanced, &recorder, [&](int frames) {
      if (frames == 3) recorder.cancel();
    });
    recorder.start({}, folder.path());
    QVERIFY(ended.wait(20000));
    QVERIFY(!ended.front()[1].toBool());
    QVERIFY2(ended.front()[0].toString().contains("3 frames"), qPrintable(ended.front()[0].toString()));
    QTest::qWait(100);
    QCOMPARE(framesIn(folder.path()).size(), 3);
    QVERIFY(!QImage(folder.filePath("frame-0003.png")).isNull());
    // Its frames would mix with those of another.
    QVERIFY(ViewRecorder::whyNotInto(folder.path()).contains("another recording"));
    ended.clear();
    recorder.start({}, folder.path());
    QCOMPARE(ended.size(), 1);
    QVERIFY(ended.front()[1].toBool());
    QCOMPARE(framesIn(folder.path()).size(), 3);
  }

  void foldersThatCannotBe() {
    QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(ViewRecorder::whyNotInto(file.fileName()).contains("is a file"));
    QVERIFY(ViewRecorder::whyNotInto(folder.filePath("no/such")).contains("cannot be made"));
    QVERIFY(!QDir(folder.filePath("no")).exists());
    QVERIFY(ViewRecorder::whyNotInto(folder.filePath("new")).isEmpty());
    QVERIFY(QDir(folder.filePath("new")).exists());
  }

  void theMenuAsks() {
    QTemporaryDir folder;
    auto window = shown("faithful.csv");
    QVERIFY(window);
    auto* action = window->findChild<QAction*>("recordRun");
    QVERIFY(action && action->isEnabled());
    action->trigger();
    auto* dialog = window->findChild<RecordDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->wish().frames, 60);
    dialog->findChild<QSpinBox*>("recordFrames")->setValue(2);
    dialog->findChild<QSpinBox*>("recordScale")->setValue(2);
    dialog->findChild<QCheckBox*>("recordTransparent")->setChecked(true);
    const RecordingWish wish = dialog->wish();
    dialog->accept();
    auto* folders = window->findChild<QFileDialog*>();
    QVERIFY(folders);
    QCOMPARE(folders->fileMode(), QFileDialog::Directory);
    delete folders;
    auto* recording = window->findChild<Recording*>();
    QVERIFY(recording);
    QSignalSpy said(recording, &Recording::message);
    recording->record(wish, folder.path());
    QVERIFY(said.wait(20000));
    QVERIFY2(!said.front()[1].toBool(), qPrintable(said.front()[0].toString()));
    const QImage frame(folder.filePath("frame-0002.png"));
    QCOMPARE(frame.size(), window->viewport()->size() * window->viewport()->devicePixelRatioF() * 2);
    QVERIFY(frame.hasAlphaChannel());
    QCOMPARE(framesIn(folder.path()).size(), 2);
  }

  /// As many pictures as were written, at the rate that was asked for, in the size of the frames.
  void aFilmIsMadeOfTheFrames() {
    if (const QString why = Film::whyNot(); !why.isEmpty()) QSKIP(qPrintable(why));
    auto window = windowOn("blobs:n=3000,d=2,k=4", 4);
    QVERIFY(converges(*window));
    const QTemporaryDir folder;
    ViewRecorder recorder(window->session(), *window->viewport());
    QSignalSpy ended(&recorder, &ViewRecorder::ended);
    RecordingWish wish;
    wish.frames = 3;
    wish.filmRate = 2;
    recorder.start(wish, folder.path());
    QVERIFY(ended.wait(30000));
    QVERIFY2(!ended[0][1].toBool() && ended[0][0].toString().contains("run.mp4"),
             qPrintable(ended[0][0].toString()));
    QProcess probe;
    probe.start("ffprobe", {"-v", "error", "-count_frames", "-show_entries",
                            "stream=nb_read_frames,r_frame_rate,codec_name", "-of", "csv=p=0",
                            Film::pathIn(folder.path())});
    QVERIFY(probe.waitForFinished());
    const QString said = QString::fromUtf8(probe.readAllStandardOutput()).trimmed();
    QVERIFY2(said.startsWith("h264,2/1,") && said.endsWith(QString::number(recorder.written())),
             qPrintable(said));
  }

  /// What cannot be made into a film says so, and leaves nothing half done.
  void aFilmOfNothingIsNone() {
    if (const QString why = Film::whyNot(); !why.isEmpty()) QSKIP(qPrintable(why));
    const QTemporaryDir folder;
    Film film;
    QSignalSpy ended(&film, &Film::ended);
    film.make(folder.path(), 20);
    QVERIFY(ended.wait(30000));
    QVERIFY2(ended[0][0].toString().contains("ffmpeg says"), qPrintable(ended[0][0].toString()));
    QVERIFY(!QFile::exists(Film::pathIn(folder.path())));
  }
};

int main(int argc, char** argv) { return runWindowTest<TestViewRecorder>(argc, argv); }
#include "tst_view_recorder.moc"
