// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/plots_panel.hpp"

#include "app/ui/compare/issue_panel.hpp"
#include "app/ui/compare/planner_pages.hpp"
#include "app/ui/compare/planner_panel.hpp"
#include "app/ui/compare/sweep_panel.hpp"
#include "app/ui/compare/timeline_panel.hpp"
#include "app/ui/plot/issue_plot.hpp"
#include "app/ui/plot/plot_kinds.hpp"
#include "app/ui/plot/timeline_plot.hpp"

#include <QTabWidget>
#include <QVBoxLayout>

#include <utility>

namespace lloyd {

PlotsPanel::PlotsPanel(Session& session, RaceRunner& races, DeviceLease& lease, QWidget* parent)
    : QWidget(parent), session_(session), sweeps_(session, lease), stages_(new FrameTimePlot(this)),
      distribution_(new DistributionPlot(this)), roofline_(new RooflinePlot(this)),
      run_(new ConvergencePlot(this)), timeline_(new TimelinePanel(this)),
      sweep_(new SweepPanel(session, sweeps_, this)), planner_(new PlannerPages(session, this)),
      tabs_(new QTabWidget(this)) {
  const auto add = [this](QWidget* page, const char* name, const QString& title, const QString& toolTip) {
    page->setObjectName(QString::fromLatin1(name));
    const int tab = tabs_->addTab(page, title);
    tabs_->setTabToolTip(tab, toolTip);
  };
  add(stages_, "stages", tr("&Stages"), tr("Where the time of each frame goes"));
  add(distribution_, "distribution", tr("&Distribution"), tr("The samples of A and B, one over the other"));
  add(roofline_, "roofline", tr("Roof&line"), tr("What memory and arithmetic allow"));
  add(run_, "convergence", tr("Con&vergence"), tr("Inertia, points that changed, and shift"));
  add(timeline_, "timeline", tr("Timeli&ne"),
      tr("What queues, copy engines and the host did, and when, in a run of each schedule"));
  add(sweep_, "sweep", tr("S&weep"), tr("Times over sizes and tuning parameters"));
  add(planner_, "planner", tr("&Planner"),
      tr("How many blocks of a kernel live on a multiprocessor, and how their warps hide a load's latency"));
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Plots"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(tabs_);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);

  for (PlotPane* pane : std::initializer_list<PlotPane*>{stages_, distribution_, roofline_, run_,
                                                         &timeline_->plot(), &planner_->issue().plot()})
    connect(pane, &PlotPane::said, this, &PlotsPanel::message);
  connect(sweep_, &SweepPanel::said, this, &PlotsPanel::message);
  connect(&sweeps_, &SweepRunner::message, this, &PlotsPanel::message);
  connect(&races, &RaceRunner::updated, this, &PlotsPanel::takeRace);
  connect(tabs_, &QTabWidget::currentChanged, this, &PlotsPanel::drawCurrent);
  if (races.last()) takeRace(races.last());
}

/// A race without schedules, or one that goes on, leaves the timelines of the one before.
void PlotsPanel::takeRace(const RaceResultPtr& race) {
  race_ = race;
  if (race && !race->recorded.empty()) recordedRace_ = race;
  distributionDue_ = rooflineDue_ = timelineDue_ = true;
  drawCurrent();
}

void PlotsPanel::setCompared(const Candidate& a, const Candidate& b) {
  a_ = a;
  b_ = b;
  distributionDue_ = timelineDue_ = true;
  drawCurrent();
}

void PlotsPanel::setOther(const Session* other) {
  other_ = other;
  drawCurrent();
}

void PlotsPanel::setShown(bool shown) {
  shown_ = shown;
  drawCurrent();
}

void PlotsPanel::refresh() { drawCurrent(); }

void PlotsPanel::drawCurrent() {
  if (!shown_) return;
  const QWidget* seen = tabs_->currentWidget();
  if (seen == stages_) stages_->show(session_.record(), session_.simulated());
  if (seen == run_) run_->show(session_.history(), other_ ? &other_->history() : nullptr);
  if (seen == sweep_) sweep_->refresh();
  if (seen == planner_) planner_->refresh();
  if (seen == distribution_ && std::exchange(distributionDue_, false)) distribution_->show(race_, a_, b_);
  if (seen == timeline_ && std::exchange(timelineDue_, false)) timeline_->showRuns(recordedRace_, a_, b_);
  if (seen == roofline_ && std::exchange(rooflineDue_, false)) roofline_->show(race_);
}

void PlotsPanel::renewColours() {
  for (PlotPane* pane : std::initializer_list<PlotPane*>{stages_, distribution_, roofline_, run_})
    pane->renewColours();
  timeline_->renewColours();
  sweep_->renewColours();
  planner_->renewColours();
}

PlannerPanel& PlotsPanel::planner() { return planner_->planner(); }
IssuePanel& PlotsPanel::issue() { return planner_->issue(); }

bool PlotsPanel::showTab(const QString& name) {
  const bool issue = name == QLatin1String("issue");
  for (int i = 0; i < tabs_->count(); ++i) {
    if (tabs_->widget(i) == planner_ && (issue || name == QLatin1String("planner")))
      planner_->showPage(issue ? QStringLiteral("issue") : QStringLiteral("residency"));
    else if (tabs_->widget(i)->objectName() != name)
      continue;
    tabs_->setCurrentIndex(i);
    return true;
  }
  return false;
}

} // namespace lloyd
