// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare/compare_workspace.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/model/report/html/html_report.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/compare/plots_panel.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>

namespace lloyd {

CompareWorkspace::CompareWorkspace(Session& session, DeviceLease& lease, const Actions& actions,
                                   Viewport* viewport, QWidget* window)
    : QObject(window), session_(session), window_(window), races_(session, lease),
      racePanel_(new RacePanel(session, races_, window)),
      plotsPanel_(new PlotsPanel(session, races_, lease, window)),
      pair_(new PairViews(session, races_, lease, viewport, window)) {
  connect(racePanel_, &RacePanel::compared, this, [this](const Candidate& a, const Candidate& b) {
    plotsPanel_->setCompared(a, b);
    pair_->setCompared(a, b, racePanel_->pairByHand());
  });
  connect(racePanel_, &RacePanel::followed, plotsPanel_, &PlotsPanel::setCompared);
  connect(pair_, &PairViews::sidesChanged, this, [this] {
    const Session* b = pair_->other();
    if (!b) return;
    racePanel_->followRuns({session_.settings().selection, session_.plan()},
                           {pair_->run().side().selection, b->plan()});
  });
  connect(pair_, &PairViews::otherChanged, this, [this] { plotsPanel_->setOther(pair_->other()); });
  connect(&races_, &RaceRunner::message, this, &CompareWorkspace::message);
  connect(racePanel_, &RacePanel::message, this, &CompareWorkspace::message);
  connect(plotsPanel_, &PlotsPanel::message, this, &CompareWorkspace::message);
  connect(pair_, &PairViews::message, this, &CompareWorkspace::message);

  const auto on = [&](ActionId id, auto work) { connect(actions[id], &QAction::triggered, this, work); };
  on(ActionId::saveReport, [this] { chooseReport(); });
  racePanel_->addTool(actions[ActionId::saveReport], tr("Report..."));
  on(ActionId::race, [this] { racePanel_->race(); });
  on(ActionId::pinBaseline, [this] { racePanel_->pinCurrent(); });
  on(ActionId::markA, [this] { racePanel_->compareCurrentAs(u'A'); });
  on(ActionId::markB, [this] { racePanel_->compareCurrentAs(u'B'); });
  on(ActionId::nextPairing, [this] { pair_->nextMode(); });
}

void CompareWorkspace::chooseReport() {
  if (!races_.last())
    return Q_EMIT message(tr("There is no race to report yet: race the variants first"), false);
  SaveDialog::ask(window_, tr("Save the race as a report"), QStringLiteral("race.html"),
                  {tr("Web page (*.html)"), tr("JSON, to compare with later (*.json)"), tr("CSV (*.csv)"),
                   tr("Markdown (*.md)")},
                  [this](const QString& path) { saveReport(path); });
}

void CompareWorkspace::saveReport(const QString& path) {
  const RaceResultPtr& race = races_.last();
  if (!race) return;
  const auto text = reportAs(path, raceReport(race, session_.request(), session_.settings(), session_.why(),
                                              racePanel_->baseline()));
  if (!text)
    return Q_EMIT message(tr("%1: a report's name ends in .html, .json, .csv or .md").arg(path), true);
  const auto written =
      writeWholeFile(path.toStdString(), {text->constData(), static_cast<std::size_t>(text->size())});
  Q_EMIT message(written ? tr("Report written to %1").arg(path) : QString::fromStdString(written.error()),
                 !written);
}

QWidget* CompareWorkspace::ladder() const { return racePanel_; }
QWidget* CompareWorkspace::plots() const { return plotsPanel_; }
QWidget* CompareWorkspace::bar() const { return pair_->bar(); }
QWidget* CompareWorkspace::beside() const { return pair_->beside(); }
QWidget* CompareWorkspace::metrics() const { return pair_->metrics(); }

void CompareWorkspace::setShown(bool shown) {
  shown_ = shown;
  racePanel_->setShown(shown);
  plotsPanel_->setShown(shown);
  pair_->setShown(shown);
}

void CompareWorkspace::refresh() {
  if (!shown_) return;
  racePanel_->refresh();
  plotsPanel_->refresh();
  pair_->refresh();
}

void CompareWorkspace::renewColours() {
  racePanel_->renewColours();
  plotsPanel_->renewColours();
  pair_->renewColours();
}

} // namespace lloyd
