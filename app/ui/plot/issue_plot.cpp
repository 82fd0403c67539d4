// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/issue_plot.hpp"

#include "app/model/plot/timeline_figure.hpp"
#include "app/model/timeline/trace_events.hpp"

#include <utility>

namespace lloyd {

namespace {

constexpr int aroundRows = 120; ///< pixels for the title, the axis and the legend

std::size_t rowsOf(const NamedTimelines& pictures) {
  std::size_t rows = 0;
  for (const NamedTimeline& one : pictures)
    rows += one.timeline->rows().size() + 1;
  return rows;
}

} // namespace

IssuePlot::IssuePlot(QWidget* parent) : PlotPane(tr("Issue picture"), parent) {
  useLegend();
  useToolTips();
  addFormat(tr("Trace events (*.json)"), QStringLiteral("json"), [this] { return traceEvents(seen_); });
  show({});
}

/// Other rows are another axis: a person's view was of those before.
void IssuePlot::show(const NamedTimelines& pictures, const QString& whyNone) {
  const bool others = rowsOf(pictures) != rowsOf(seen_) || pictures.size() != seen_.size();
  seen_ = pictures;
  Figure figure = timelineFigure(seen_);
  figure.title = tr("Issue picture: the model's latencies, not a card's");
  figure.note = tr("The model's cycles. The wheel zooms, dragging moves, R shows all again.");
  if (seen_.empty()) figure.empty = whyNone;
  setFigure(std::move(figure));
  // Names of rows do not stand in one another.
  setMinimumHeight(aroundRows + static_cast<int>(rowsOf(seen_)) * (fontMetrics().height() - 2));
  if (others) reset();
}

PlotTable IssuePlot::table() const { return timelineTable(seen_); }

} // namespace lloyd
