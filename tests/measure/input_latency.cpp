// SPDX-License-Identifier: GPL-3.0-or-later
// How long a turn of the wheel takes to be handled, and to be seen, while a million points iterate on the
// CPU. Another thread posts the events at uneven moments, so that they meet every phase of a frame.
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/main_window.hpp"
#include "gpu/core/math/random.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QApplication>
#include <QWheelEvent>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

using namespace lloyd;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int turns = 200;
constexpr double limitMs = 100;

/// Stamps each turn of the wheel when it is handled, and when the next frame after that is on the screen.
class Stamps : public QObject {
public:
  explicit Stamps(Viewport& view) {
    view.installEventFilter(this);
    connect(&view, &QOpenGLWidget::frameSwapped, this, [this] {
      if (handled_) seen.push_back(since(posted.load()));
      handled_ = false;
      if (seen.size() == handled.size()) waiting = false;
    });
  }

  std::atomic<Clock::time_point> posted{};
  std::atomic<bool> waiting{false};
  std::vector<double> handled; ///< microseconds
  std::vector<double> seen;

protected:
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::Wheel) {
      handled.push_back(since(posted.load()));
      handled_ = true;
    }
    return false;
  }

private:
  static double since(Clock::time_point then) {
    return std::chrono::duration<double, std::micro>(Clock::now() - then).count();
  }
  bool handled_ = false;
};

void turnTheWheel(Viewport& view, Stamps& stamps) {
  for (int i = 0; i < turns; ++i) {
    std::this_thread::sleep_for(
        std::chrono::milliseconds(20 + randomBits(1, 0, static_cast<std::uint64_t>(i)) % 97));
    const QPointF at(400, 300);
    stamps.waiting = true;
    stamps.posted = Clock::now();
    QCoreApplication::postEvent(&view,
                                new QWheelEvent(at, at, {}, QPoint(0, i % 2 == 0 ? 120 : -120), Qt::NoButton,
                                                Qt::NoModifier, Qt::NoScrollPhase, false));
    while (stamps.waiting)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

bool report(const char* what, const std::vector<double>& us) {
  const Summary summary = summarise(us);
  const bool good = summary.p95 < limitMs * 1000;
  std::printf("%s  %-8s median %6.1f ms, p95 %6.1f ms of %.0f, %zu turns\n", good ? "PASS" : "FAIL", what,
              summary.median / 1000, summary.p95 / 1000, limitMs, summary.samples);
  return good;
}

} // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  WindowOptions options;
  options.request.emplace();
  options.request->generator = "drift:n=1e6,d=2,k=16";
  options.settings.backend = BackendRequest::cpu;
  MainWindow window(options, false);
  if (!window.viewport()) {
    std::fprintf(stderr, "input_latency: %s\n", qPrintable(window.whyNoDrawing()));
    return 3;
  }
  window.resize(1440, 900);
  window.show();
  window.begin();
  Stamps stamps(*window.viewport());
  std::thread wheel;
  int firstIteration = 0;
  Clock::time_point start;
  QObject::connect(&window.session(), &Session::iterated, &window, [&](const IterationPtr& result) {
    if (wheel.joinable() || result->iteration < 20) return;
    firstIteration = result->iteration;
    start = Clock::now();
    wheel = std::thread([&] {
      turnTheWheel(*window.viewport(), stamps);
      QMetaObject::invokeMethod(&app, &QCoreApplication::quit);
    });
  });
  QApplication::exec();
  if (wheel.joinable()) wheel.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const int iterations = window.session().last() ? window.session().last()->iteration - firstIteration : 0;
  std::printf("%zu points, k = %d, %.1f iterations a second meanwhile\n", window.session().data()->n,
              window.session().settings().k, iterations / seconds);
  const bool handled = report("handled", stamps.handled);
  const bool seen = report("seen", stamps.seen);
  return handled && seen ? 0 : 1;
}
