// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/run_window.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/restarts/other_starts.hpp"
#include "app/model/selection/cluster_watch.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/saved/session_files.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "app/ui/take_away/view_recorder.hpp"
#include "app/ui/teach/teach_workspace.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/actions/workshop_actions.hpp"
#include "app/ui/window/bands.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/workshop/kernel_folders.hpp"

#include <QApplication>
#include <QSocketNotifier>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace lloyd {

namespace {

constexpr std::array endings{SIGTERM, SIGINT, SIGHUP};

/// A handler may only write: the event loop reads at the other end.
std::array<int, 2> ends{-1, -1};

extern "C" void onTermination(int signal) {
  std::signal(signal, SIG_DFL);
  const char byte = 0;
  [[maybe_unused]] const auto written = ::write(ends[0], &byte, 1);
}

constexpr int patienceMs = 120'000; ///< without any frame
constexpr int lookMs = 40;

void print(std::FILE* to, const QString& text) {
  const QByteArray bytes = printable(text, true).toUtf8();
  std::fwrite(bytes.constData(), 1, static_cast<std::size_t>(bytes.size()), to);
  std::fflush(to);
}

/// Exactly this many pixels, whatever the screen's scale rounds to.
QImage exactly(const QImage& picture, QSize size, bool transparent) {
  QImage image = picture.convertToFormat(picture.hasAlphaChannel() && transparent ? QImage::Format_ARGB32
                                                                                  : QImage::Format_RGB32);
  image.setDevicePixelRatio(1);
  return image.size() == size ? image : image.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
}

/// What the window shows, or the points alone. Throws std::runtime_error with a sentence.
QImage pictureOf(MainWindow& window, const ScreenshotOptions& options) {
  Viewport* const points = options.viewOnly ? window.viewport() : nullptr;
  if (!points) {
    if (options.wish.scale > 1 || options.wish.transparent)
      throw std::runtime_error(window.whyNoDrawing().toStdString());
    return window.grab().toImage();
  }
  if (options.wish.scale == 1 && !options.wish.transparent) return points->grabFramebuffer();
  QImage picture = pictureOf(*points, options.wish);
  if (picture.isNull()) throw std::runtime_error(points->failure().toStdString());
  return picture;
}

/// What there is to say of what was written; of what could not be, why, and the exit status.
struct Taken {
  QString text;
  int status = 0;
};

constexpr int cancelledStatus = 130; // as of a shell's command that SIGINT ended

/// Throws std::runtime_error as pictureOf().
Taken takePicture(MainWindow& window, const ScreenshotOptions& options) {
  const QSize size = options.size * options.wish.scale;
  QString remark;
  QString wrong;
  if (isSvgName(options.out)) {
    if (!window.viewport()) throw std::runtime_error(window.whyNoDrawing().toStdString());
    const QByteArray svg = svgOf(*window.viewport(), options.wish);
    const auto written =
        writeWholeFile(options.out.toStdString(), {svg.constData(), static_cast<std::size_t>(svg.size())});
    if (!written) wrong = QString::fromStdString(written.error());
    remark = svgRemark(*window.viewport());
  } else {
    wrong = savePicture(exactly(pictureOf(window, options), size, options.wish.transparent), options.out);
  }
  if (!wrong.isEmpty()) return {wrong, 2};
  const QString text =
      QStringLiteral("%1: %2 x %3 pixels").arg(options.out).arg(size.width()).arg(size.height());
  return {remark.isEmpty() ? text : text + QStringLiteral("; ") + remark};
}

/// A picture of each iteration.
Taken takeFrames(MainWindow& window, const ScreenshotOptions& options, const Termination& termination) {
  if (!window.viewport()) return {window.whyNoDrawing(), 3};
  Taken taken;
  QEventLoop loop;
  bool cancelled = false;
  ViewRecorder recorder(window.session(), *window.viewport());
  QObject::connect(&recorder, &ViewRecorder::ended, &loop, [&](const QString& text, bool error) {
    taken = {text, error ? 3 : cancelled ? cancelledStatus : 0};
    loop.quit();
  });
  QObject::connect(&termination, &Termination::asked, &recorder, [&] {
    cancelled = true;
    recorder.cancel();
  });
  recorder.start({.picture = options.wish, .frames = options.frames, .filmRate = options.filmRate},
                 options.record);
  if (recorder.busy()) loop.exec();
  return taken;
}

/// The labels of the present centroids, and what they belong to; null when they could not be computed.
std::pair<IterationPtr, std::vector<Label>> finished(Session& session) {
  std::pair<IterationPtr, std::vector<Label>> all;
  bool answered = false;
  QEventLoop loop;
  session.fetchLabels([&](std::vector<Label> labels, IterationPtr result) {
    all = {std::move(result), std::move(labels)};
    answered = true;
    loop.quit();
  });
  if (!answered) loop.exec();
  return all;
}

} // namespace

int runWindow(WindowOptions options) {
  const QString watch = options.watch;
  MainWindow window(std::move(options), true);
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/lloydscope.svg")));
  QGuiApplication::setDesktopFileName(QStringLiteral("lloydscope")); // by which Wayland finds the icon
  const Termination termination;
  QObject::connect(&termination, &Termination::asked, &window, &QWidget::close);
  window.begin(); // reads while the window is made
  window.show();
  if (!watch.isEmpty()) {
    KernelFolders::allow(watch);
    window.workshop().open(watch);
  }
  return QApplication::exec();
}

Termination::Termination(QObject* parent) : QObject(parent) {
  // Without it signals keep their usual effect, which ends the program.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0) return;
  auto* notifier = new QSocketNotifier(ends[1], QSocketNotifier::Read, this);
  connect(notifier, &QSocketNotifier::activated, this, [this, notifier] {
    notifier->setEnabled(false);
    Q_EMIT asked();
  });
  for (const int signal : endings)
    std::signal(signal, onTermination);
}

Termination::~Termination() {
  if (ends[0] < 0) return;
  for (const int signal : endings)
    std::signal(signal, SIG_DFL);
  for (int& end : ends) {
    ::close(end);
    end = -1;
  }
}

ScreenshotWait::ScreenshotWait(MainWindow& window, int frames) : window_(window), left_(frames) {
  patience_.setSingleShot(true);
  patience_.setInterval(patienceMs);
  look_.setInterval(lookMs);
  connect(&patience_, &QTimer::timeout, this, [this] {
    error_ = tr("nothing was drawn for %1 seconds").arg(patienceMs / 1000);
    loop_.quit();
  });
  connect(&look_, &QTimer::timeout, this, &ScreenshotWait::look);
  connect(&window_.session(), &Session::message, this, [this](const QString& text, bool error) {
    if (!error) return;
    said_ = text;
    if (window_.session().data()) return; // it may go on another way
    error_ = text;
    loop_.quit();
  });
  connect(&termination_, &Termination::asked, this, [this] {
    error_ = tr("cancelled; no picture was written");
    cancelled_ = true;
    loop_.quit();
  });
  connect(&window_.savedSessions(), &SessionFiles::message, this, [this](const QString& text, bool error) {
    if (!error || window_.session().data()) return;
    error_ = text;
    wrongRequest_ = true;
    loop_.quit();
  });
  // A picture by other axes than were asked for is none.
  connect(&window_.axes(), &AxesFinder::failed, this, [this](const QString& sentence) {
    error_ = sentence;
    wrongRequest_ = true;
    loop_.quit();
  });
  if (window_.viewport()) {
    connect(window_.viewport(), &Viewport::shown, this, &ScreenshotWait::frame);
  } else {
    connect(&window_.session(), &Session::iterated, this, &ScreenshotWait::frame);
  }
}

void ScreenshotWait::frame() {
  patience_.start();
  if (left_ > 0) --left_;
}

void ScreenshotWait::look() {
  Session& session = window_.session();
  if (!session.data()) return;
  if (!session.last()) {
    const bool gaveUp =
        !said_.isEmpty() && !session.playing() && session.state() != Session::State::preparing;
    if (!gaveUp) return;
    error_ = said_;
    loop_.quit();
    return;
  }
  if (left_ > 0 && !session.converged()) return;
  if (window_.liveBenchmark().running()) return;
  if (window_.lease().held()) {
    patience_.start(); // a race draws nothing
    return;
  }
  if (!pausing_) {
    pausing_ = true;
    session.pause();
    patience_.start();
    return; // the last iteration may still be on its way
  }
  if (window_.axes().busy()) {
    patience_.start();
    return;
  }
  if (window_.arrangement().workspace() == Workspace::teach && !window_.teach().trace().complete()) return;
  const Viewport* viewport = window_.viewport();
  if (session.state() == Session::State::preparing) return;
  if (viewport && viewport->failure().isEmpty() && !viewport->settled()) return;
  look_.stop();
  loop_.quit();
}

QString ScreenshotWait::wait() {
  patience_.start();
  look_.start();
  loop_.exec();
  return error_;
}

int runShot(const ScreenshotOptions& options) {
  WindowOptions start = options.window;
  if (!start.theme) start.theme = QStringLiteral("dark");
  MainWindow window(start, false);
  if (options.viewOnly) window.arrangement().setViewOnly();
  const double ratio = window.devicePixelRatioF();
  window.resize((QSizeF(options.size) / ratio).toSize());
  window.savedSessions().setAsking(false);
  // A session is shown as it was saved, not played on; the frames of a recording begin anew, with its first.
  const int frames = options.record.isEmpty() ? std::max(1, options.frames) : 1;
  ScreenshotWait wait(window, start.session.isEmpty() ? frames : 0);
  window.begin(); // reads while the window is made
  window.show();
  const QString wrong = wait.wait();
  if (!wrong.isEmpty()) {
    print(stderr, QStringLiteral("lloydscope: %1\n").arg(wrong));
    if (wait.cancelled()) return cancelledStatus;
    return window.session().data() && !wait.wrongRequest() ? 3 : 2;
  }
  if (options.window.settings.interop == InteropRequest::shared &&
      window.session().sharing() != Sharing::shared) {
    print(stderr,
          QStringLiteral("lloydscope: shared buffers cannot be had: %1\n").arg(window.session().why()));
    return 3;
  }
  window.refreshNow();
  QApplication::processEvents();
  Taken taken;
  try {
    taken = options.record.isEmpty() ? takePicture(window, options)
                                     : takeFrames(window, options, wait.termination());
  } catch (const std::runtime_error& error) {
    taken = {QString::fromUtf8(error.what()), 3};
  }
  if (taken.status != 0) {
    print(stderr, QStringLiteral("lloydscope: %1\n").arg(taken.text));
    return taken.status;
  }
  if (!options.quiet) print(stderr, taken.text + QLatin1Char('\n'));
  if (options.remark && window.arrangement().workspace() == Workspace::explore &&
      OtherStarts::suits(window.session()))
    options.remark(ScreenshotWait::tr("one start, seed %1; the window takes the best of %2")
                       .arg(window.session().settings().seed)
                       .arg(OtherStarts::starts));
  if (options.report) {
    const auto [result, labels] = finished(window.session());
    if (!result) {
      print(stderr, QStringLiteral("lloydscope: %1\n").arg(window.messageBar().text()));
      return 3;
    }
    RunReport report = reportOf(window.session(), *result);
    for (const QString& name : window.selecting().clusters().names())
      report.clusterNames.push_back(name.toStdString());
    options.report(report, labels);
  }
  if (options.printTimings) print(stdout, window.bottom().timings().text());
  return 0;
}

} // namespace lloyd
