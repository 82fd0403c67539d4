// SPDX-License-Identifier: GPL-3.0-or-later
// How long a frame of a timeline of 100,000 bars takes while it is dragged from end to end, in a window of
// 1600 x 600 on the screen: one PASS or FAIL line.
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/timeline_plot.hpp"
#include "gpu/core/timeline/timeline.hpp"

#include <QApplication>
#include <qcustomplot.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

using namespace lloyd;

namespace {

constexpr std::size_t count = 100'000;
constexpr std::size_t queues = 4;
constexpr int frames = 240;
constexpr double limitMs = 1000.0 / 60;

NamedTimelines manyBars() {
  std::vector<TimelineRow> rows{{TimelineRow::Kind::host, "host"}};
  for (std::size_t queue = 1; queue <= queues; ++queue)
    rows.push_back({TimelineRow::Kind::queue, "queue " + std::to_string(queue)});
  std::vector<TimelineBar> bars;
  for (std::size_t i = 0; i < count; ++i)
    bars.push_back({.row = 1 + i % queues,
                    .begin = static_cast<double>(i),
                    .end = static_cast<double>(i) + 0.7,
                    .what = i % 2 == 0 ? "classify.v7" : "reduce.v7",
                    .set = i % queues});
  return {{QStringLiteral("many"),
           std::make_shared<const Timeline>(std::move(rows), std::move(bars), TimelineClock::events)}};
}

/// The slowest of twenty frames and the median, in milliseconds, of a part as wide as that in moments.
bool pan(TimelinePlot& plot, double width) {
  std::vector<double> times;
  for (int frame = 0; frame < frames; ++frame) {
    const double begin = (static_cast<double>(count) - width) * frame / (frames - 1);
    const auto before = std::chrono::steady_clock::now();
    plot.plot().xAxis->setRange(begin, begin + width);
    plot.plot().replot(QCustomPlot::rpImmediateRefresh);
    QApplication::processEvents();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count());
  }
  std::ranges::sort(times);
  const double slow = times[times.size() * 19 / 20];
  const bool passed = slow <= limitMs;
  std::printf("%s  a drag over 100,000 bars, %.0f seen at once: 95 %% of the frames take at most %.1f ms "
              "(median %.1f; 60 a second "
              "are %.1f)\n",
              passed ? "PASS" : "FAIL", width, slow, times[times.size() / 2], limitMs);
  return passed;
}

} // namespace

int main(int argc, char** argv) {
  const QApplication app(argc, argv);
  TimelinePlot plot;
  plot.resize(1600, 600);
  plot.show(manyBars());
  plot.QWidget::show();
  QApplication::processEvents();
  bool passed = true;
  for (const double width : {200.0, 5'000.0, 90'000.0})
    passed = pan(plot, width) && passed;
  return passed ? 0 : 1;
}
