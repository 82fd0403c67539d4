// SPDX-License-Identifier: GPL-3.0-or-later
// Who tells whom: signals of the session, the actions and the view.
#include "app/ui/common/theme.hpp"
#include "app/ui/compare/compare_workspace.hpp"
#include "app/ui/compare/race_panel.hpp"
#include "app/ui/explore/appearance_panel.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/explore/data_panel.hpp"
#include "app/ui/explore/variant_list_view.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/main_window.hpp"
#include "app/ui/window/message_bar.hpp"
#include "app/ui/window/present_bar.hpp"
#include "app/ui/window/shortcuts_dialog.hpp"
#include "app/ui/window/status_line.hpp"
#include "app/ui/window/tool_bar.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenuBar>

namespace lloyd {

namespace {

constexpr double sizeStep = 1.25;
constexpr double zoomStep = 1.25;
constexpr double keyPixels = 40;   ///< of a pan or orbit by key
constexpr double nudgePixels = 12; ///< of a centroid by key
constexpr int tourAfter = 24;      ///< iterations of the first picture

} // namespace

void MainWindow::connectSession() {
  connect(&session_, &Session::message, this, &MainWindow::say);
  connect(&exporter_, &ResultExporter::said, this, &MainWindow::say);
  connect(&session_, &Session::iterated, this, &MainWindow::showResult);
  connect(&session_, &Session::stateChanged, this, &MainWindow::showState);
  connect(&session_, &Session::dataChanged, this, &MainWindow::showData);
  const auto newProblem = [this] {
    const SharedPointSet points = session_.data();
    if (!points || session_.device().name.empty()) return;
    ladder_.setProblem({points->n, points->d, session_.settings().k}, session_.device(),
                       session_.settings().selection.tuning);
    refreshNow();
  };
  connect(&session_, &Session::pathChanged, this, newProblem);
  connect(&session_, &Session::settingsChanged, this, newProblem);
  connect(&session_, &Session::seeded, this, [this] {
    colours_.startRun();
    if (viewport_) viewport_->forgetRun();
    if (!refreshTimer_.isActive()) refreshTimer_.start();
  });
  connect(&session_, &Session::convergedNow, this, [this](int iterations) {
    status_->say(tr("Converged after %n iteration(s): no label changed any more", nullptr, iterations));
    showState();
    refreshNow();
  });
  connect(&tour_, &LiveBenchmark::progressed, this, [this](int number, int total, const QString& variant) {
    status_->say(tr("Timing each variant: %1 of %2, %3").arg(number).arg(total).arg(variant));
  });
  connect(&tour_, &LiveBenchmark::ended, this, [this] {
    status_->say(tr("Every variant that can run here was timed on these data"));
    refreshNow();
  });
}

void MainWindow::showResult(const IterationPtr& result) {
  if (!session_.data()) return;
  renewColours();
  if (viewport_) viewport_->setResult(result, session_.playing() ? session_.rate() : 1.0);
  if (std::exchange(raceDue_, false)) compare_->racePanel().race();
  if (tourDue_ && result->iteration >= tourAfter && workspace_ != Workspace::compare) {
    tourDue_ = false;
    tour_.start();
  }
  if (!session_.playing()) {
    refreshNow();
  } else if (!refreshTimer_.isActive()) {
    refreshTimer_.start();
  }
}

void MainWindow::renewColours() {
  const IterationPtr last = session_.last();
  const SharedPointSet points = session_.data();
  if (!last || !points) return;
  const std::vector<Rgb>& colours = colours_.take(*last, *points, dark_);
  if (viewport_) viewport_->setColours(colours);
}

void MainWindow::showData() {
  const SharedPointSet points = session_.data();
  const bool colours = points && points->colours && points->d == 3;
  colours_.startRun();
  colours_.setBy(colours ? ClusterColours::By::centroid : ClusterColours::By::palette);
  viewPanel_->showColours(colours_.by(), colours);
  const bool space = points && points->d >= 3;
  for (const ActionId id : {ActionId::axisX, ActionId::axisY, ActionId::axisZ, ActionId::orbitLeft,
                            ActionId::orbitRight, ActionId::orbitUp, ActionId::orbitDown}) {
    (*actions_)[id]->setEnabled(space);
  }
  for (const ActionId id : {ActionId::exportLabels, ActionId::exportCentroids, ActionId::copyCommand})
    (*actions_)[id]->setEnabled(points != nullptr);
  enableRunning();
  if (!points) return;
  messages_->hide();
  setWindowTitle(tr("%1 - Lloydscope").arg(QString::fromStdString(points->source)));
}

/// What iterates would disturb a race, and be disturbed by it.
void MainWindow::enableRunning() {
  if (compare_->busy()) tour_.stop();
  const bool can = session_.data() != nullptr && !compare_->busy();
  for (const ActionId id :
       {ActionId::play, ActionId::step, ActionId::halfStep, ActionId::restart, ActionId::measure})
    (*actions_)[id]->setEnabled(can);
}

void MainWindow::connectActions() {
  const auto on = [this](ActionId id, auto work) {
    connect((*actions_)[id], &QAction::triggered, this, work);
  };
  on(ActionId::open, [this] { chooseFile(); });
  on(ActionId::screenshot, [this] { takeScreenshot(); });
  on(ActionId::exportLabels, [this] { chooseExport(true); });
  on(ActionId::exportCentroids, [this] { chooseExport(false); });
  on(ActionId::quit, [this] { close(); });
  on(ActionId::copyCommand, [this] {
    QApplication::clipboard()->setText(commandLine());
    status_->say(tr("Copied: %1").arg(commandLine()));
  });
  on(ActionId::play, [this] { session_.togglePlay(); });
  on(ActionId::step, [this] { session_.step(); });
  on(ActionId::halfStep, [this] { session_.halfStep(); });
  on(ActionId::stepBack, [this] { session_.stepBack(); });
  on(ActionId::restart, [this] { session_.restart(); });
  on(ActionId::measure, [this] { tour_.running() ? tour_.stop() : tour_.start(); });
  on(ActionId::slower, [this] { tools_->changeRate(-1); });
  on(ActionId::faster, [this] { tools_->changeRate(1); });
  on(ActionId::previousVariant, [this] { stepVariant(-1); });
  on(ActionId::nextVariant, [this] { stepVariant(1); });
  on(ActionId::theme, [this] { setDark(!dark_); });
  on(ActionId::present, [this] { setPresenting(!presenting_); });
  on(ActionId::endPresent, [this] { setPresenting(false); });
  on(ActionId::help, [this] { ShortcutsDialog(*actions_, this).exec(); });
  (*actions_)[ActionId::endPresent]->setEnabled(false);
  const auto view = [this, on](ActionId id, auto work) {
    on(id, [this, work] {
      if (viewport_) work(*viewport_);
    });
    if (viewport_) return;
    (*actions_)[id]->setEnabled(false);
    (*actions_)[id]->setToolTip(tr("No points are drawn here"));
  };
  view(ActionId::fit, [](Viewport& v) { v.fit(); });
  view(ActionId::resetView, [](Viewport& v) { v.resetView(); });
  view(ActionId::axisX, [](Viewport& v) { v.axisView(0); });
  view(ActionId::axisY, [](Viewport& v) { v.axisView(1); });
  view(ActionId::axisZ, [](Viewport& v) { v.axisView(2); });
  view(ActionId::zoomIn, [](Viewport& v) { v.zoom(zoomStep); });
  view(ActionId::zoomOut, [](Viewport& v) { v.zoom(1 / zoomStep); });
  view(ActionId::panLeft, [](Viewport& v) { v.pan({keyPixels, 0}); });
  view(ActionId::panRight, [](Viewport& v) { v.pan({-keyPixels, 0}); });
  view(ActionId::panUp, [](Viewport& v) { v.pan({0, keyPixels}); });
  view(ActionId::panDown, [](Viewport& v) { v.pan({0, -keyPixels}); });
  view(ActionId::orbitLeft, [](Viewport& v) { v.orbit({-keyPixels, 0}); });
  view(ActionId::orbitRight, [](Viewport& v) { v.orbit({keyPixels, 0}); });
  view(ActionId::orbitUp, [](Viewport& v) { v.orbit({0, -keyPixels}); });
  view(ActionId::orbitDown, [](Viewport& v) { v.orbit({0, keyPixels}); });
  view(ActionId::centre, [](Viewport& v) { v.centreUnderPointer(); });
  view(ActionId::inspect, [](Viewport& v) { v.inspectUnderPointer(); });
  view(ActionId::nextCentroid, [](Viewport& v) { v.selectNextCentroid(); });
  view(ActionId::moveLeft, [](Viewport& v) { v.nudgeCentroid({-nudgePixels, 0}); });
  view(ActionId::moveRight, [](Viewport& v) { v.nudgeCentroid({nudgePixels, 0}); });
  view(ActionId::moveUp, [](Viewport& v) { v.nudgeCentroid({0, -nudgePixels}); });
  view(ActionId::moveDown, [](Viewport& v) { v.nudgeCentroid({0, nudgePixels}); });
  const auto resized = [this](Viewport& v, double factor) {
    v.setSizeFactor(v.sizeFactor() * factor);
    viewPanel_->showSize(v.sizeFactor());
  };
  view(ActionId::smallerPoints, [resized](Viewport& v) { resized(v, 1 / sizeStep); });
  view(ActionId::largerPoints, [resized](Viewport& v) { resized(v, sizeStep); });
}

void MainWindow::connectView() {
  connect(dataPanel_, &DataPanel::openWanted, this, &MainWindow::chooseFile);
  connect(dataPanel_, &DataPanel::requested, this, &MainWindow::open);
  connect(&bottom_->ladderView(), &VariantListView::chosen, this,
          [this](Stage stage, const Variant* variant) { chooseVariant(stage, *variant); });
  connect(viewPanel_, &AppearancePanel::darkWanted, this, &MainWindow::setDark);
  connect(viewPanel_, &AppearancePanel::coloursWanted, this, [this](ClusterColours::By by) {
    colours_.setBy(by);
    renewColours();
    refreshNow();
  });
  QAction* trails = (*actions_)[ActionId::trails];
  connect(viewPanel_, &AppearancePanel::trailsWanted, trails, &QAction::setChecked);
  connect(trails, &QAction::toggled, viewPanel_, &AppearancePanel::showTrails);
  if (!viewport_) {
    return;
  }
  connect(trails, &QAction::toggled, viewport_, &Viewport::setTrails);
  connect(viewPanel_, &AppearancePanel::sizeWanted, viewport_, &Viewport::setSizeFactor);
  connect(viewport_, &Viewport::ready, this, [this] { session_.setSurface(viewport_); });
  connect(viewport_, &Viewport::lost, this, [this] {
    // Only buffers that CUDA writes must come back; copies survive on the host side.
    if (session_.sharing() == Sharing::shared) session_.setSurface(nullptr);
  });
  connect(viewport_, &Viewport::shown, &session_, &Session::frameShown);
  connect(viewport_, &Viewport::centroidMoved, &session_, &Session::moveCentroid);
  // Queued: it is said in the middle of a paint, whose context must stay current.
  connect(
      viewport_, &Viewport::failed, this,
      [this](const QString& reason) {
        session_.setSurface(nullptr);
        explainDrawing(reason);
      },
      Qt::QueuedConnection);
}

} // namespace lloyd
