// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/ui/window/window_fixture.hpp"

#include <QComboBox>
#include <QDrag>
#include <QElapsedTimer>
#include <QFile>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>
#include <QWheelEvent>

#include <array>
#include <cstdio>
#include <random>

using namespace lloyd;
using namespace lloyd::test;

namespace {

QStringList complaints;

/// Whatever Qt or the program complains of on standard error.
void collect(QtMsgType type, const QMessageLogContext& /*context*/, const QString& text) {
  if (type != QtDebugMsg && type != QtInfoMsg) complaints << text;
}

/// Keys, clicks, drags, wheels, resizes and other data, all by one seed. Dialogs and menus that open are
/// closed again, so that nothing waits for a person.
class RandomPerson {
public:
  RandomPerson(MainWindow& window, const QString& folder, std::uint64_t seed)
      : window_(window), folder_(folder), random_(seed) {
    QObject::connect(&closer_, &QTimer::timeout, [] {
      if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
      if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
      QDrag::cancel(); // of selected text: its own loop waits for a button that was never down
    });
    closer_.start(40);
  }

  [[nodiscard]] const QStringList& did() const { return did_; }

  void act() {
    // What asks where to write does not wait: nobody may press its buttons before it is closed.
    while (QWidget* dialog = QApplication::activeModalWidget())
      if (!dialog->close()) break;
    switch (below(12)) {
    case 0:
    case 1:
    case 2:
      return pressKey();
    case 3:
    case 4:
      return triggerAction();
    case 5:
    case 6:
      return click();
    case 7:
    case 8:
      return drag();
    case 9:
      return turnWheel();
    case 10:
      return below(4) == 0 ? resize() : choose();
    default:
      return below(3) == 0 ? openData() : wait();
    }
  }

private:
  int below(int most) { return std::uniform_int_distribution<int>(0, most - 1)(random_); }
  void note(const QString& what) {
    did_ << what;
    if (did_.size() > 40) did_.removeFirst();
    if (qEnvironmentVariableIsSet("LLOYD_RANDOM_LOG")) std::fprintf(stderr, "%s\n", qPrintable(what));
  }

  /// Any part of the window that is shown and can be used.
  QWidget* part() {
    QList<QWidget*> parts;
    for (QWidget* widget : window_.findChildren<QWidget*>())
      if (widget->isVisible() && widget->isEnabled() && widget->width() > 0 && widget->height() > 0)
        parts << widget;
    return parts.isEmpty() ? &window_ : parts[below(static_cast<int>(parts.size()))];
  }
  QPoint placeIn(const QWidget& widget) {
    return {below(std::max(1, widget.width())), below(std::max(1, widget.height()))};
  }

  void pressKey() {
    constexpr std::array keys{Qt::Key_Space,  Qt::Key_Left,     Qt::Key_Right, Qt::Key_Up,     Qt::Key_Down,
                              Qt::Key_Home,   Qt::Key_Tab,      Qt::Key_Enter, Qt::Key_Plus,   Qt::Key_Minus,
                              Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_1,     Qt::Key_9,      Qt::Key_B,
                              Qt::Key_V,      Qt::Key_T,        Qt::Key_L,     Qt::Key_N,      Qt::Key_I,
                              Qt::Key_F,      Qt::Key_R,        Qt::Key_F5,    Qt::Key_F6,     Qt::Key_F8,
                              Qt::Key_F9,     Qt::Key_F10,      Qt::Key_F11,   Qt::Key_Escape, Qt::Key_Period,
                              Qt::Key_Delete, Qt::Key_Backspace};
    constexpr std::array<Qt::KeyboardModifiers, 4> modifiers{Qt::NoModifier, Qt::ShiftModifier,
                                                             Qt::ControlModifier, Qt::AltModifier};
    const Qt::Key key = keys[static_cast<std::size_t>(below(keys.size()))];
    const Qt::KeyboardModifiers with = modifiers[static_cast<std::size_t>(below(below(2) == 0 ? 1 : 4))];
    note(QStringLiteral("key %1").arg(QKeySequence(QKeyCombination(with, key)).toString()));
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : &window_, key, with);
  }

  void triggerAction() {
    const auto all = window_.actions().all();
    QAction* action = all[below(static_cast<int>(all.size()))];
    if (action == window_.actions()[ActionId::quit] || !action->isEnabled()) return;
    note(QStringLiteral("action %1").arg(action->text()));
    action->trigger();
  }

  void click() {
    QWidget* widget = part();
    note(QStringLiteral("click %1 %2")
             .arg(QLatin1String(widget->metaObject()->className()), widget->objectName()));
    const Qt::MouseButton button = below(5) == 0 ? Qt::RightButton : Qt::LeftButton;
    below(5) == 0 ? QTest::mouseDClick(widget, button, {}, placeIn(*widget))
                  : QTest::mouseClick(widget, button, {}, placeIn(*widget));
  }

  void drag() {
    QWidget* widget = window_.viewport() && below(2) == 0 ? window_.viewport() : part();
    if (!widget->isVisible()) return;
    note(QStringLiteral("drag %1").arg(QLatin1String(widget->metaObject()->className())));
    QTest::mousePress(widget, Qt::LeftButton, below(4) == 0 ? Qt::ShiftModifier : Qt::NoModifier,
                      placeIn(*widget));
    const QPointer<QWidget> there = widget;
    for (int i = 0; i < 4 && there; ++i)
      QTest::mouseMove(widget, placeIn(*widget));
    if (there) QTest::mouseRelease(widget, Qt::LeftButton, {}, placeIn(*widget));
  }

  void turnWheel() {
    QWidget* widget = window_.viewport() && below(2) == 0 ? window_.viewport() : part();
    const int notches = (below(2) == 0 ? 120 : -120) * (1 + below(20));
    note(QStringLiteral("wheel %1").arg(notches));
    const QPoint at = placeIn(*widget);
    QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
  }

  void resize() {
    const QSize size(1 + below(1900), 1 + below(1000));
    note(QStringLiteral("resize %1x%2").arg(size.width()).arg(size.height()));
    window_.resize(size);
  }

  void choose() {
    const auto boxes = window_.findChildren<QComboBox*>();
    if (boxes.isEmpty()) return;
    QComboBox* box = boxes[below(static_cast<int>(boxes.size()))];
    if (!box->isVisible() || !box->isEnabled() || box->count() == 0) return;
    const int index = below(box->count());
    note(QStringLiteral("choose %1").arg(box->itemText(index)));
    box->setCurrentIndex(index);
    Q_EMIT box->activated(index);
  }

  void openData() {
    DataRequest request;
    switch (below(8)) {
    case 0:
      request.generator = "uniform:n=1,d=2";
      break;
    case 1:
      request.generator = "blobs:n=2000,d=64,k=8";
      break;
    case 2:
      request.generator = "uniform:n=5000,d=3";
      setClusters(2000);
      break;
    case 3:
      request.path = huge_.toStdString();
      request.scaling = below(2) == 0 ? Scale::none : Scale::standard;
      break;
    case 4:
      request.path = LLOYD_SOURCE_DIR "/resources/data/china.jpg";
      break;
    case 5:
      request.path = LLOYD_SOURCE_DIR "/resources/data/iris.csv";
      setClusters(3);
      break;
    case 6:
      request.generator = "drift:n=3000";
      setBackend(BackendRequest::simt);
      break;
    default:
      request.generator = "drift:n=20000";
      setBackend(BackendRequest::cpu);
    }
    note(QStringLiteral("open %1%2")
             .arg(QString::fromStdString(request.path), QString::fromStdString(request.generator)));
    window_.files().open(request);
  }
  void setClusters(int k) {
    Settings settings = window_.session().settings();
    settings.k = k;
    window_.session().setSettings(settings);
  }
  void setBackend(BackendRequest backend) {
    Settings settings = window_.session().settings();
    settings.backend = backend;
    window_.session().setSettings(settings);
  }

  void wait() { QTest::qWait(below(60)); }

  MainWindow& window_;
  QString folder_;
  QString huge_ = [this] {
    QFile file(folder_ + QStringLiteral("/huge.csv"));
    if (file.open(QIODevice::WriteOnly)) file.write("x,y\n-3e38,1\n3e38,2\n");
    return file.fileName();
  }();
  std::mt19937_64 random_;
  QTimer closer_;
  QStringList did_;
};

/// Milliseconds in which the window has to answer. The address sanitizer makes a change of the theme, which
/// takes half a second of the processor, ten times as slow.
#if defined(__SANITIZE_ADDRESS__)
constexpr qint64 longestAnswer = 30'000;
#else
constexpr qint64 longestAnswer = 10'000;
#endif

} // namespace

/// A person who knows no rules. LLOYD_RANDOM_SECONDS and LLOYD_RANDOM_SEED make another one of it, and
/// LLOYD_RANDOM_ROUND begins where one of them complained.
class TestRandomInput : public QObject {
  Q_OBJECT
private slots:
  void whateverIsDoneTheWindowAnswersAndEnds() {
    const int seconds = qEnvironmentVariableIntValue("LLOYD_RANDOM_SECONDS");
    const int seed = qEnvironmentVariableIntValue("LLOYD_RANDOM_SEED");
    const qint64 budget = qint64{1000} * (seconds > 0 ? seconds : 60);
    const QTemporaryDir folder;
    QElapsedTimer all;
    all.start();
    const QtMessageHandler before = qInstallMessageHandler(collect);
    const auto first = static_cast<std::uint64_t>(qEnvironmentVariableIntValue("LLOYD_RANDOM_ROUND"));
    for (std::uint64_t round = first; all.elapsed() < budget; ++round) {
      auto window = windowOn("drift:n=5000,k=4", 4);
      RandomPerson person(*window, folder.path(), static_cast<std::uint64_t>(seed) * 1000 + round);
      QElapsedTimer one;
      one.start();
      while (all.elapsed() < budget && one.elapsed() < 15'000 && complaints.isEmpty()) {
        QElapsedTimer act;
        act.start();
        person.act();
        QApplication::processEvents();
        if (act.elapsed() > longestAnswer)
          complaints << QStringLiteral("an answer took %1 ms").arg(act.elapsed());
      }
      if (!complaints.isEmpty()) {
        qInstallMessageHandler(before);
        QFAIL(qPrintable(QStringLiteral("round %1: %2\nafter: %3")
                             .arg(round)
                             .arg(complaints.join(u'\n'), person.did().join(QStringLiteral("; ")))));
      }
      window->actions()[ActionId::quit]->trigger();
      QVERIFY(!window->isVisible());
    }
    qInstallMessageHandler(before);
  }
};

int main(int argc, char** argv) {
  // Qt Test ends a function after five minutes, where nobody says otherwise.
  if (const int seconds = qEnvironmentVariableIntValue("LLOYD_RANDOM_SECONDS"); seconds > 0)
    qputenv("QTEST_FUNCTION_TIMEOUT", QByteArray::number(1000 * (qint64{seconds} + 120)));
  return runWindowTest<TestRandomInput>(argc, argv);
}
#include "tst_random_input.moc"
