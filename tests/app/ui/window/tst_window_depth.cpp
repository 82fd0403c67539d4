// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/ui/window/window_fixture.hpp"

#include <QLabel>
#include <QProcess>

using namespace lloyd;
using namespace lloyd::test;

/// A display of 16-bit colour, on which points would be black: the window says so, and all but the drawing
/// works.
class TestWindowDepth : public QObject {
  Q_OBJECT
private slots:
  void aDisplayOfTooFewColoursIsSaid() {
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
      QSKIP("Xvfb, which has displays of 16-bit colour, does not start");
    auto window = windowOn("iris.csv", 3);
    QVERIFY(!window->viewport());
    const auto* label = window->findChild<QLabel*>("noDrawing");
    QVERIFY(label && label->isVisible());
    const QString sentence = label->text().section(QLatin1Char('\n'), 0, 0);
    QVERIFY2(sentence.contains("16-bit colour") && sentence.contains("24-bit colour"), qPrintable(sentence));
    QCOMPARE(sentence.count(QLatin1Char('.')), 1);
    QVERIFY(converges(*window));
  }
};

/// The display is this test's own, and has to be there before the application that is shown on it.
int main(int argc, char** argv) {
  QProcess server;
  qunsetenv("DISPLAY");
  qunsetenv("WAYLAND_DISPLAY");
  server.start("Xvfb",
               {"-displayfd", "1", "-screen", "0", "1280x1024x16", "+extension", "GLX", "-nolisten", "tcp"});
  QByteArray number;
  while (!number.endsWith('\n') && server.waitForReadyRead(20000))
    number += server.readAllStandardOutput();
  if (!number.isEmpty()) qputenv("DISPLAY", ':' + number.trimmed());
  qputenv("QT_QPA_PLATFORM", number.isEmpty() ? "offscreen" : "xcb");
  const int status = runWindowTest<TestWindowDepth>(argc, argv);
  server.kill();
  server.waitForFinished();
  return status;
}
#include "tst_window_depth.moc"
