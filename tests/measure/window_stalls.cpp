// SPDX-License-Identifier: GPL-3.0-or-later
// How long the window answers nobody while points of many dimensions are opened, played, seeded anew, given
// other clusters and raced on the CPU. A timer of the GUI thread is late by as long as that is busy.
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/window/main_window.hpp"

#include <QAction>
#include <QApplication>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

using namespace lloyd;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double limitMs = 100;
constexpr int tickMs = 5;

double millisecondsSince(Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

/// The longest time between two turns of the event loop.
class Stalls : public QObject {
public:
  Stalls() {
    connect(&timer_, &QTimer::timeout, this, [this] {
      longest_ = std::max(longest_, millisecondsSince(last_));
      last_ = Clock::now();
    });
    timer_.setTimerType(Qt::PreciseTimer);
    timer_.start(tickMs);
  }
  [[nodiscard]] double take() {
    longest_ = std::max(longest_, millisecondsSince(last_));
    last_ = Clock::now();
    return std::exchange(longest_, 0);
  }

private:
  QTimer timer_;
  Clock::time_point last_ = Clock::now();
  double longest_ = 0;
};

/// Turns the event loop until done, or for as long as it may take.
bool wait(const std::function<bool()>& done, double mostMs = 60'000) {
  const auto start = Clock::now();
  while (!done() && millisecondsSince(start) < mostMs)
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 10);
  return done();
}

} // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const std::string points = argc > 1 ? argv[1] : "uniform:n=65536,d=784";
  WindowOptions options;
  options.settings.backend = BackendRequest::cpu;
  options.settings.k = argc > 2 ? std::atoi(argv[2]) : 64;
  Stalls stalls;
  bool good = true;
  const auto report = [&](const char* what, Clock::time_point since) {
    const double ms = stalls.take();
    good = good && ms < limitMs;
    std::printf("%s  %-28s longest stall %6.1f ms, all of it %8.0f ms\n", ms < limitMs ? "PASS" : "FAIL",
                what, ms, millisecondsSince(since));
    std::fflush(stdout);
  };
  auto start = Clock::now();
  const auto step = [&](const char* what, const std::function<void()>& work,
                        const std::function<bool()>& done, double mostMs = 60'000) {
    start = Clock::now();
    static_cast<void>(stalls.take());
    work();
    const bool ended = wait(done, mostMs);
    report(ended ? what : (std::string(what) + " (no end)").c_str(), start);
  };
  MainWindow window(options, false);
  window.resize(1366, 768);
  window.show();
  Session& session = window.session();
  const auto iterated = [&](int more) {
    const int from = session.last() ? session.last()->iteration : 0;
    return [&session, from, more] {
      return session.last() && (session.last()->iteration >= from + more ||
                                session.last()->iteration < from || session.converged());
    };
  };
  wait([] { return false; }, 1500);
  step(
      "opening",
      [&] {
        session.open(requestFor(points));
        session.play();
      },
      [&] { return session.data() != nullptr; });
  step(
      "the first iteration", [] {}, [&] { return session.last() && session.last()->iteration >= 1; });
  step(
      "playing", [] {}, iterated(5));
  Settings settings = session.settings();
  step(
      "another k",
      [&] {
        settings.k += 16;
        session.setSettings(settings);
      },
      [&] { return session.last() && session.last()->sizes.size() == static_cast<std::size_t>(settings.k); });
  step(
      "restart",
      [&] {
        session.restart();
        session.play();
      },
      [] { return false; }, 3000);
  step(
      "another seed",
      [&] {
        settings.seed += 1;
        session.setSettings(settings);
      },
      [] { return false; }, 3000);
  step(
      "a centroid moved",
      [&] {
        const std::vector<float> to(static_cast<std::size_t>(session.data()->d), 0.5F);
        session.moveCentroid(0, to);
      },
      iterated(1), 20000);
  step(
      "pause", [&] { session.pause(); }, [&] { return !session.playing(); });
  for (const ActionId id : {ActionId::teach, ActionId::compare, ActionId::explore, ActionId::compare})
    step(
        qPrintable(window.actions()[id]->text()), [&] { window.actions()[id]->trigger(); },
        [] { return false; }, 4000);
  step(
      "a race begins", [&] { window.actions()[ActionId::race]->trigger(); },
      [&] { return window.lease().held(); }, 10000);
  step(
      "a race", [] {}, [] { return false; }, 6000);
  step(
      "a race is cancelled", [&] { window.compare().racePanel().cancel(); },
      [&] { return !window.lease().held(); }, 30000);
  step(
      "the simulator",
      [&] {
        settings = session.settings();
        settings.backend = BackendRequest::simt;
        session.setSettings(settings);
      },
      [] { return false; }, 5000);
  step(
      "back to the CPU",
      [&] {
        settings = session.settings();
        settings.backend = BackendRequest::cpu;
        session.setSettings(settings);
      },
      [] { return false; }, 5000);
  step(
      "opening is cancelled", [&] { session.open(requestFor(points + ",seed=2")); }, [] { return false; },
      50);
  step(
      "after cancelling", [&] { session.cancelLoading(); }, [&] { return !session.loading(); });
  start = Clock::now();
  window.close();
  report("closing", start);
  return good ? 0 : 1;
}
