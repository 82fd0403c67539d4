// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/plot/convergence_plot.hpp"

#include "app/text/numbers.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/plot/plot_colours.hpp"
#include "app/ui/plot/plot_ticks.hpp"

#include <QCheckBox>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lloyd {

namespace {

constexpr std::size_t fewMarked = 40; ///< iterations that each get a mark

std::optional<double> valueOf(const IterationStats& entry, std::size_t quantity) {
  if (quantity == 0) return entry.inertia;
  if (quantity == 2) return entry.shift;
  if (entry.changed) return static_cast<double>(*entry.changed);
  return std::nullopt;
}

QString nameOf(std::size_t quantity) {
  return quantity == 0   ? ConvergencePlot::tr("inertia (squared units of the data)")
         : quantity == 1 ? ConvergencePlot::tr("points that changed")
                         : ConvergencePlot::tr("largest shift of a centroid (units of the data)");
}

const IterationStats* entryOf(const std::deque<IterationStats>& run, int iteration) {
  const auto found = std::find_if(run.begin(), run.end(),
                                  [&](const IterationStats& entry) { return entry.iteration == iteration; });
  return found == run.end() ? nullptr : &*found;
}

/// A run grows at its end, and is begun again.
bool sameRun(const std::deque<IterationStats>& a, const std::deque<IterationStats>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || (a.back().iteration == b.back().iteration && a.back().inertia == b.back().inertia &&
                       a.front().inertia == b.front().inertia);
}

/// Four digits that fit a line: 178,200,000 reads 1.782e8.
QString inertiaText(double inertia) {
  return inertia < 1e7 ? significantText(inertia, 4) : tickText(inertia);
}

QString entryText(const IterationStats& entry) {
  return ConvergencePlot::tr("inertia %1, %2 changed, shift %3")
      .arg(inertiaText(entry.inertia), entry.changed ? countText(*entry.changed) : unknownText(),
           significantText(entry.shift));
}

} // namespace

ConvergencePlot::ConvergencePlot(QWidget* parent, Extent extent)
    : PlotPane(tr("Convergence"), parent), extent_(extent) {
  const bool small = extent == Extent::inertia;
  QCustomPlot& p = plot();
  p.plotLayout()->clear();
  p.plotLayout()->setRowSpacing(0);
  const std::size_t quantities = small ? 1 : 3;
  for (std::size_t i = 0; i < quantities; ++i)
    addTrack(i, quantities);
  auto* margins = new QCPMarginGroup(&p);
  for (const Track& track : tracks_)
    track.rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
  for (const Track& from : tracks_)
    for (const Track& to : tracks_)
      if (from.rect != to.rect)
        connect(from.rect->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::rangeChanged),
                to.rect->axis(QCPAxis::atBottom), qOverload<const QCPRange&>(&QCPAxis::setRange));
  const QString toolTip =
      small ? tr("Inertia on a logarithmic axis") : tr("Logarithmic axes; what is 0 is not on them");
  logarithmic_ = addCheck(tr("log"), toolTip, [this](bool on) {
    for (Track& track : tracks_)
      setScale(track.rect->axis(QCPAxis::atLeft), on, 3);
    fill();
  });
  if (small) setSmall();
  renewColours();
  take({}, nullptr);
}

void ConvergencePlot::addTrack(std::size_t quantity, std::size_t quantities) {
  QCustomPlot& p = plot();
  Track& track = tracks_.emplace_back();
  track.rect = new QCPAxisRect(&p);
  p.plotLayout()->addElement(static_cast<int>(quantity), 0, track.rect);
  track.rect->setMinimumMargins(QMargins(4, quantity == 0 ? 4 : 3, 12, 3));
  QCPAxis* x = track.rect->axis(QCPAxis::atBottom);
  QCPAxis* y = track.rect->axis(QCPAxis::atLeft);
  const bool lowest = quantity + 1 == quantities;
  setScale(x, false, 8, NumberTicker::Values::whole);
  setScale(y, false, 3);
  x->setTickLabels(lowest);
  if (lowest) x->setLabel(tr("iteration"));
  for (QCPAxis* axis : {x, y}) {
    axis->setLayer(QStringLiteral("axes"));
    axis->grid()->setLayer(QStringLiteral("grid"));
  }
  track.run = p.addGraph(x, y);
  track.other = p.addGraph(x, y);
  track.caption = new QCPItemText(&p);
  track.caption->setClipAxisRect(track.rect);
  track.caption->position->setAxisRect(track.rect);
  track.caption->position->setType(QCPItemPosition::ptAxisRectRatio);
  track.caption->position->setCoords(1, 0);
  track.caption->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
  track.caption->setPadding(QMargins(4, 1, 4, 1));
  track.caption->setText(nameOf(quantity));
  track.caption->setVisible(quantities > 1); // else the title names it
}

void ConvergencePlot::show(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other) {
  if (!emptyText().isEmpty() || !sameRun(run, run_) || other_.has_value() != (other != nullptr) ||
      (other && !sameRun(*other, *other_)))
    take(run, other);
}

void ConvergencePlot::take(const std::deque<IterationStats>& run, const std::deque<IterationStats>* other) {
  run_ = run;
  other_ = other ? std::optional(*other) : std::nullopt;
  fill();
  describe();
  const bool empty = run_.empty() && (!other_ || other_->empty());
  setEmpty(empty ? tr("Press play: how fast the run converges appears here.") : QString());
  dataChanged();
}

void ConvergencePlot::fill() {
  const bool log = logarithmic_->isChecked();
  const auto put = [&](QCPGraph* graph, const std::deque<IterationStats>& run, std::size_t quantity) {
    QVector<double> x;
    QVector<double> y;
    for (const IterationStats& entry : run) {
      const auto value = valueOf(entry, quantity);
      x << entry.iteration;
      y << (value && (!log || *value > 0) ? *value : std::numeric_limits<double>::quiet_NaN());
    }
    graph->setData(x, y, true);
  };
  static const std::deque<IterationStats> none;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    put(tracks_[i].run, run_, i);
    put(tracks_[i].other, other_ ? *other_ : none, i);
    tracks_[i].other->setVisible(other_.has_value());
  }
  ConvergencePlot::paintTheme(); // the constructor fills the plot too
}

void ConvergencePlot::describe() {
  if (extent_ == Extent::inertia) return describeInertia();
  const auto say = [](const std::deque<IterationStats>& run) {
    return run.empty() ? tr("not begun")
                       : tr("iteration %1: %2").arg(run.back().iteration).arg(entryText(run.back()));
  };
  setTitle(other_ ? tr("Convergence of A (solid) and B (dashed)") : tr("Convergence"));
  const QString text = other_ ? tr("A at %1; B at %2").arg(say(run_), say(*other_)) : say(run_);
  setNote(text.left(1).toUpper() + text.mid(1));
  setSummary(tr("Convergence. %1.").arg(text));
}

void ConvergencePlot::describeInertia() {
  const QString text = run_.empty() ? tr("Inertia") : tr("Inertia %1").arg(inertiaText(run_.back().inertia));
  setTitle(text,
           tr("Sum of squared distances of the points to their centroids, in squared units of the data"));
  setSummary(tr("%1 over iterations.").arg(text));
}

void ConvergencePlot::fit() {
  double first = std::numeric_limits<double>::max();
  double last = 0;
  for (const auto* run : {&run_, other_ ? &*other_ : nullptr}) {
    if (!run || run->empty()) continue;
    first = std::min(first, static_cast<double>(run->front().iteration));
    last = std::max(last, static_cast<double>(run->back().iteration));
  }
  if (!(last >= first)) return;
  const double room = std::max(last - first, 4.0) * 0.02;
  tracks_[0].rect->axis(QCPAxis::atBottom)->setRange(first - room, std::max(last, first + 4) + room);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    QCPAxis* y = tracks_[i].rect->axis(QCPAxis::atLeft);
    bool any = false;
    bool other = false;
    QCPRange range = tracks_[i].run->getValueRange(any);
    const QCPRange second = tracks_[i].other->getValueRange(other);
    if (other) range = any ? range.expanded(second) : second;
    if (!any && !other) {
      y->setRange(y->scaleType() == QCPAxis::stLogarithmic ? QCPRange(1, 10) : QCPRange(0, 1));
    } else if (y->scaleType() == QCPAxis::stLogarithmic) {
      const double part = std::pow(std::max(range.upper / range.lower, 1.02), 0.12);
      y->setRange(range.lower / part, range.upper * part * part);
    } else {
      // What counts how much is left has its zero at the foot; inertia is far from its own.
      const double foot = i == 0 ? range.lower : 0.0;
      const double size = std::max(range.upper - foot, std::max(std::abs(range.upper) * 1e-3, 1e-9));
      y->setRange(foot - (i == 0 ? 0.06 : 0.0) * size, range.upper + 0.3 * size);
    }
  }
}

std::vector<QCPAxis*> ConvergencePlot::axes() const {
  std::vector<QCPAxis*> all{tracks_[0].rect->axis(QCPAxis::atBottom)};
  for (const Track& track : tracks_)
    all.push_back(track.rect->axis(QCPAxis::atLeft));
  return all;
}

std::optional<PlotHover> ConvergencePlot::hover(QPointF at) const {
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[i];
    if (!track.rect->rect().contains(at.toPoint())) continue;
    const QCPAxis* x = track.rect->axis(QCPAxis::atBottom);
    const QCPAxis* y = track.rect->axis(QCPAxis::atLeft);
    const int iteration = static_cast<int>(std::lround(x->pixelToCoord(at.x())));
    const IterationStats* a = entryOf(run_, iteration);
    const IterationStats* b = other_ ? entryOf(*other_, iteration) : nullptr;
    if (!a && !b) return std::nullopt;
    const double value = valueOf(a ? *a : *b, i).value_or(0);
    QString text = tr("Iteration %1").arg(iteration);
    if (a) text += (other_ ? tr("; A: %1") : QStringLiteral(": %1")).arg(entryText(*a));
    if (b) text += tr("; B: %1").arg(entryText(*b));
    const double height = y->scaleType() == QCPAxis::stLogarithmic && !(value > 0) ? y->range().lower : value;
    return PlotHover{text, {x->coordToPixel(iteration), y->coordToPixel(height)}};
  }
  return std::nullopt;
}

PlotTable ConvergencePlot::table() const { return convergenceTable(run_, other_ ? &*other_ : nullptr); }

void ConvergencePlot::paintTheme() {
  const UiTheme& theme = UiTheme::current();
  const bool few = std::max(run_.size(), other_ ? other_->size() : 0) < fewMarked;
  for (Track& track : tracks_) {
    track.run->setPen(QPen(firstColour(theme), 1.6));
    track.other->setPen(QPen(secondColour(theme), 1.6, Qt::DashLine));
    track.run->setScatterStyle(few ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4) : QCPScatterStyle());
    track.other->setScatterStyle(
        few ? QCPScatterStyle(QCPScatterStyle::ssSquare, QPen(secondColour(theme)), Qt::NoBrush, 4)
            : QCPScatterStyle());
    track.caption->setColor(theme.text);
    track.caption->setFont(font());
    QColor ground = theme.panel;
    ground.setAlpha(200);
    track.caption->setBrush(ground);
    track.caption->setPen(Qt::NoPen);
  }
}

} // namespace lloyd
