// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/frame_time_plot.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/plot_ticks.hpp"
#include "gpu/core/stats/statistics.hpp"

#include <QCheckBox>
#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lloyd {

namespace {

/// From the axis upwards: what computes first, because that is what is compared; waiting last, because it is
/// as long as one likes.
constexpr std::array stack{Stage::classify, Stage::reduce, Stage::fused,       Stage::labels, Stage::update,
                           Stage::inertia,  Stage::order,  Stage::advance,     Stage::map,    Stage::unmap,
                           Stage::upload,   Stage::draw,   Stage::unaccounted, Stage::wait};

QString words(Stage stage) { return QString::fromUtf8(name(stage).data()); }

} // namespace

FrameTimePlot::FrameTimePlot(QWidget* parent) : PlotPane(tr("Time per stage"), parent) {
  useLegend();
  QCustomPlot& p = plot();
  for (std::size_t i = 0; i < stack.size(); ++i) {
    QCPGraph* area = p.addGraph();
    area->setName(words(stack[i]));
    area->setLineStyle(QCPGraph::lsStepCenter);
    if (i > 0) area->setChannelFillGraph(areas_.back());
    areas_.push_back(area);
  }
  setScale(p.xAxis, false, 6, NumberTicker::Values::whole);
  setScale(p.yAxis, false, 5);
  waiting_ = addCheck(tr("waiting"), tr("Show how long the window waited for the screen as well"),
                      [this](bool) { fill(); });
  renewColours();
  setEmpty(tr("Press play: the time of each frame, stage by stage, appears here."));
}

bool FrameTimePlot::shown(Stage stage) const { return stage != Stage::wait || waiting_->isChecked(); }

double FrameTimePlot::shownUs(const FrameTimes& frame) const {
  double sum = 0;
  for (const Stage stage : stack)
    if (shown(stage)) sum += frame.us[stage].value_or(0);
  return sum;
}

void FrameTimePlot::show(const FrameLog& record, bool simulated) {
  const bool same =
      !fresh_ && record.entries().size() == record_.entries().size() && simulated == simulated_ &&
      record.wholeFrames() == record_.wholeFrames() &&
      (record.entries().empty() || record.entries().back().number == record_.entries().back().number);
  if (same) return;
  fresh_ = false;
  record_ = record;
  simulated_ = simulated;
  waiting_->setVisible(record_.wholeFrames());
  if (record_.entries().empty()) {
    return setEmpty(tr("Press play: the time of each frame, stage by stage, appears here."));
  }
  setEmpty({});
  fill();
  describe();
  dataChanged();
}

void FrameTimePlot::fill() {
  QVector<double> x;
  for (const FrameTimes& frame : record_.entries())
    x << static_cast<double>(frame.number);
  QVector<double> height(x.size(), 0.0);
  std::vector<QCPAbstractPlottable*> named;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    bool takesPlace = false;
    if (shown(stack[i])) {
      for (qsizetype f = 0; f < x.size(); ++f) {
        const auto us = record_.entries()[static_cast<std::size_t>(f)].us[stack[i]];
        takesPlace = takesPlace || us;
        height[f] += us.value_or(0);
      }
    }
    areas_[i]->setData(x, height, true);
    areas_[i]->setVisible(takesPlace);
    if (takesPlace) named.push_back(areas_[i]);
  }
  setLegend(named);
  const bool frames = record_.wholeFrames();
  plot().xAxis->setLabel(frames ? tr("frame") : tr("iteration"));
  plot().yAxis->setLabel(simulated_ ? (frames ? tr("simulated µs a frame") : tr("simulated µs an iteration"))
                                    : (frames ? tr("µs a frame") : tr("µs an iteration")));
}

void FrameTimePlot::describe() {
  const bool frames = record_.wholeFrames();
  const QString what =
      frames ? tr("Time per stage, each frame with one iteration") : tr("Time per stage of each iteration");
  setTitle(simulated_ ? tr("%1: simulated").arg(what) : what,
           frames
               ? tr("Microseconds. Drawing and iterating take turns, so the stages of a frame add up to it.")
               : tr("Microseconds. Iterations run on a thread beside the frames, so drawing and waiting "
                    "are no part of them."));
  QString parts;
  double whole = 0;
  for (const Stage stage : stack) {
    std::vector<double> us;
    for (const FrameTimes& frame : record_.entries())
      if (frame.us[stage]) us.push_back(*frame.us[stage]);
    if (us.empty()) continue;
    const double median = summarise(us).median;
    whole += median;
    parts += (parts.isEmpty() ? QString() : QStringLiteral(", ")) +
             QStringLiteral("%1 %2").arg(words(stage), microsecondsText(median));
  }
  const QString count = countText(record_.entries().size());
  setSummary((frames ? tr("Last %1 frames, medians in microseconds: %2; together %3.%4")
                     : tr("Last %1 iterations, medians in microseconds: %2; together %3.%4"))
                 .arg(count, parts, microsecondsText(whole),
                      simulated_ ? tr(" These are times of the SIMT simulator, not of a GPU.") : QString()));
}

/// One late frame must not flatten three hundred: the axis ends a little above nearly all of them, and the
/// note says how many are higher.
void FrameTimePlot::fit() {
  std::vector<double> sums;
  for (const FrameTimes& frame : record_.entries())
    sums.push_back(shownUs(frame));
  if (sums.empty()) return;
  const auto first = static_cast<double>(record_.entries().front().number);
  const auto last = static_cast<double>(record_.entries().back().number);
  plot().xAxis->setRange(first - 0.5, std::max(last, first + 4) + 0.5);
  const double most = *std::max_element(sums.begin(), sums.end());
  double top = most;
  std::sort(sums.begin(), sums.end());
  const double nearly = sums[static_cast<std::size_t>(0.96 * static_cast<double>(sums.size() - 1))];
  if (most > 2 * nearly && nearly > 0) top = 1.25 * nearly;
  plot().yAxis->setRange(0, top > 0 ? top * 1.06 : 1);
  const auto higher = std::count_if(sums.begin(), sums.end(), [&](double us) { return us > top * 1.06; });
  const QString where = record_.wholeFrames()
                            ? tr("Iteration and frame take turns: the stages add up to the frame")
                            : tr("Iterations run beside the frames: drawing and waiting are not in them");
  setNote(higher > 0 ? tr("%1 of %2 are higher, the highest %3 µs")
                           .arg(higher)
                           .arg(sums.size())
                           .arg(microsecondsText(most))
                     : where);
}

std::optional<PlotHover> FrameTimePlot::hover(QPointF at) const {
  const QCPAxisRect* rect = plot().axisRect();
  if (record_.entries().empty() || !rect->rect().contains(at.toPoint())) return std::nullopt;
  const QCPAxis* x = rect->axis(QCPAxis::atBottom);
  const QCPAxis* y = rect->axis(QCPAxis::atLeft);
  const double number = std::round(x->pixelToCoord(at.x()));
  const auto& entries = record_.entries();
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const FrameTimes& frame) {
    return static_cast<double>(frame.number) == number;
  });
  if (found == entries.end()) return std::nullopt;
  QString text;
  for (const Stage stage : stack)
    if (found->us[stage])
      text += QStringLiteral("%1 %2, ").arg(words(stage), microsecondsText(*found->us[stage]));
  const QString what = record_.wholeFrames() ? tr("Frame %1") : tr("Iteration %1");
  return PlotHover{QStringLiteral("%1: %2 %3")
                       .arg(what.arg(countText(found->number)), text + tr("together"),
                            tr("%1 µs").arg(microsecondsText(found->us.sumUs()))),
                   {x->coordToPixel(number), y->coordToPixel(shownUs(*found))}};
}

void FrameTimePlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  for (std::size_t i = 0; i < areas_.size(); ++i) {
    QColor colour = stageColour(stack[i], theme);
    areas_[i]->setPen(QPen(colour, 1));
    colour.setAlpha(190);
    areas_[i]->setBrush(colour);
  }
}

} // namespace lloyd
