// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/selecting.hpp"

#include "app/ui/common/actions.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/explore/bottom_panel.hpp"
#include "app/ui/select/clusters_panel.hpp"
#include "app/ui/select/lasso.hpp"
#include "app/ui/select/select_panel.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/column_colours.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace lloyd {

Selecting::Selecting(Session& session, const Parts& parts, QWidget& window)
    : QObject(&window), session_(session), parts_(parts), window_(window), colours_(session, parts.viewport),
      panel_(new SelectPanel(session, parts.actions, &window)) {
  QTabWidget& pages = parts_.bottom.pages();
  const int at = pages.insertTab(pages.indexOf(&parts_.bottom.clusters()) + 1, panel_, tr("Se&lect"));
  pages.setTabToolTip(at,
                      tr("Points singled out by a lasso, a box or a rule: how many, their means and rows, "
                         "and what can be done with them"));
  window.installEventFilter(this);
  new ColumnColours(session_, parts_.appearance, colours_, this);
  connect(&parts_.arrangement, &WorkspaceLayout::changed, this, [this] {
    const bool explore = parts_.arrangement.workspace() == Workspace::explore;
    colours_.setActive(explore);
    if (!explore && lasso_) lasso_->setShape(Lasso::Shape::none);
    enable();
  });
  connectClusters();
  connectSelection();
  connectLasso();
  enable();
}

void Selecting::connectClusters() {
  ClustersPanel& clusters = parts_.bottom.clusters();
  connect(&clusters, &ClustersPanel::focusWanted, this, &Selecting::setFocus);
  connect(&clusters, &ClustersPanel::selectWanted, this,
          [this](int cluster) { panel_->selection().cluster(cluster, Combine::replace); });
  // Another run has other clusters by the same numbers.
  connect(&session_, &Session::dataChanged, this, [this] { setFocus(std::nullopt); });
  connect(&session_, &Session::settingsChanged, this, [this] {
    if (const auto& focus = colours_.focus(); focus && focus->cluster >= session_.settings().k)
      setFocus(std::nullopt);
  });
  if (!parts_.viewport) return;
  Viewport& view = *parts_.viewport;
  view.setCentroidText([&clusters](int cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    const QString known = clusterText(clusters.watch(), at);
    return known.isEmpty() ? clusters.watch().title(at) : known;
  });
  connect(&view, &Viewport::centroidPointed, &clusters,
          [&clusters](std::optional<int> cluster) { clusters.setPointed(cluster.has_value()); });
  connect(&clusters.watch(), &ClusterWatch::changed, &view, qOverload<>(&QWidget::update));
}

void Selecting::connectSelection() {
  PointSelection& selection = panel_->selection();
  const auto renew = [this] {
    const PointSelection& now = panel_->selection();
    colours_.setMarks(now.marks(), now.hidden());
    enable();
  };
  connect(&selection, &PointSelection::changed, this, renew);
  connect(&selection, &PointSelection::hiddenChanged, this, renew);
  connect(&session_, &Session::dataChanged, this, &Selecting::enable);
  connect(&session_, &Session::pathChanged, this, &Selecting::enable);
  connect(&selection, &PointSelection::failed, this, [this](const QString& sentence) {
    // A rule's mistake stands beside the rule; what else fails has no place of its own.
    if (!panel_->isVisible()) Q_EMIT message(sentence, true);
  });
  connect(&selection, &PointSelection::written, this,
          [this](const QString& sentence) { Q_EMIT message(sentence, false); });
  const auto on = [this](ActionId id, auto work) {
    connect(parts_.actions[id], &QAction::triggered, this, work);
  };
  on(ActionId::selectByRule, [this] {
    parts_.actions[ActionId::bottomPanel]->setChecked(true);
    parts_.bottom.pages().setCurrentWidget(panel_);
    panel_->rule().setFocus(Qt::ShortcutFocusReason);
    panel_->rule().selectAll();
  });
  on(ActionId::selectNone, [&selection] { selection.none(); });
  on(ActionId::invertSelection, [this, &selection] { selection.invert(besideOneAlone()); });
  on(ActionId::hideSelected, [&selection] { selection.hideSelected(); });
  on(ActionId::showSelectedAlone, [&selection] { selection.hideOthers(); });
  on(ActionId::showAllPoints, [&selection] { selection.showAll(); });
  on(ActionId::clusterSelected, [&selection] { selection.clusterSelected(); });
  on(ActionId::clusterAll, [&selection] { selection.clusterAll(); });
  on(ActionId::exportSelected, [this] { askWhereToExport(); });
}

void Selecting::connectLasso() {
  QAction* lasso = parts_.actions[ActionId::lasso];
  QAction* box = parts_.actions[ActionId::box];
  if (!parts_.viewport) return;
  lasso_ = new Lasso(*parts_.viewport);
  const auto choose = [this](QAction* action, Lasso::Shape shape) {
    connect(action, &QAction::triggered, this,
            [this, shape](bool on) { lasso_->setShape(on ? shape : Lasso::Shape::none); });
  };
  choose(lasso, Lasso::Shape::lasso);
  choose(box, Lasso::Shape::box);
  connect(lasso_, &Lasso::shapeChanged, this, [this, lasso, box] {
    lasso->setChecked(lasso_->shape() == Lasso::Shape::lasso);
    box->setChecked(lasso_->shape() == Lasso::Shape::box);
    if (!hint_.isEmpty()) Q_EMIT outdated(std::exchange(hint_, {}));
    if (lasso_->shape() == Lasso::Shape::none) return;
    hint_ = (lasso_->shape() == Lasso::Shape::box ? tr("Drag a box around points; %1")
                                                  : tr("Drag around points; %1"))
                .arg(tr("Ctrl adds to what is selected, Alt takes away, Esc ends"));
    Q_EMIT message(hint_, false);
  });
  connect(lasso_, &Lasso::drawn, this, [this](const std::vector<ScreenPlace>& places, Combine combine) {
    std::shared_ptr<const void> owner;
    const auto rows = drawnRowsOf(*parts_.viewport, owner);
    if (!rows)
      return Q_EMIT message(tr("Where these moving points are is known to the GPU alone: set Sharing to "
                               "staged to select them"),
                            true);
    panel_->selection().inside(Polygon(places), *rows, owner, combine, besideOneAlone());
  });
}

/// Null where no cluster is shown alone.
PointMarks Selecting::besideOneAlone() const {
  const auto& focus = colours_.focus();
  if (!focus || !focus->alone || !parts_.viewport) return nullptr;
  const auto& groups = parts_.viewport->groups();
  if (!groups) return nullptr;
  auto marks = std::make_shared<std::vector<std::uint8_t>>(groups->size());
  std::ranges::transform(*groups, marks->begin(),
                         [](std::int32_t group) { return static_cast<std::uint8_t>(group == hiddenGroup); });
  return marks;
}

/// What cannot be done says why.
void Selecting::enable() {
  const Actions& actions = parts_.actions;
  const PointSelection& selection = panel_->selection();
  const bool explore = parts_.arrangement.workspace() == Workspace::explore;
  const bool points = session_.data() != nullptr && explore;
  const bool some = points && selection.marks() != nullptr;
  for (const ActionId id : {ActionId::lasso, ActionId::box})
    actions[id]->setEnabled(points && lasso_);
  for (const ActionId id : {ActionId::selectByRule, ActionId::invertSelection})
    actions[id]->setEnabled(points);
  for (const ActionId id :
       {ActionId::selectNone, ActionId::hideSelected, ActionId::showSelectedAlone, ActionId::exportSelected})
    actions[id]->setEnabled(some);
  actions[ActionId::showAllPoints]->setEnabled(points && selection.hidden());
  const QString why = selection.whyNotCluster();
  actions[ActionId::clusterSelected]->setEnabled(some && why.isEmpty());
  actions[ActionId::clusterSelected]->setToolTip(why.isEmpty() ? tr("Cluster only what is selected (Ctrl+K)")
                                                               : why);
  actions[ActionId::clusterAll]->setEnabled(points && selection.partial());
}

void Selecting::setFocus(std::optional<ClusterFocus> focus) {
  colours_.setFocus(focus);
  parts_.bottom.clusters().showFocus(focus);
}

ClusterWatch& Selecting::clusters() { return parts_.bottom.clusters().watch(); }

void Selecting::renumber(const std::vector<int>& before) {
  std::optional<ClusterFocus> focus = colours_.focus();
  if (!focus) return;
  const auto now = std::ranges::find(before, focus->cluster);
  if (now == before.end()) return setFocus(std::nullopt);
  focus->cluster = static_cast<int>(now - before.begin());
  setFocus(focus);
}

void Selecting::askWhereToExport() {
  SaveDialog::ask(&window_, tr("Export the selected rows"), QStringLiteral("selected.csv"),
                  {tr("CSV (*.csv)")}, [this](const QString& path) { panel_->selection().exportRows(path); });
}

bool Selecting::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
    return QObject::eventFilter(watched, event);
  if (lasso_ && lasso_->shape() != Lasso::Shape::none) {
    lasso_->setShape(Lasso::Shape::none);
    return true;
  }
  if (!colours_.focus()) return QObject::eventFilter(watched, event);
  setFocus(std::nullopt);
  return true;
}

} // namespace lloyd
