// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/menus.hpp"

#include "app/model/compute/load_points.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/window/file_actions.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <initializer_list>
#include <map>

namespace lloyd {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("Menus", text); }

/// A name beside what it is, as it stands: & would make a letter the key of the entry.
QString entry(const QString& name, const QString& what) {
  return QStringLiteral("%1   %2").arg(name, what).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

void addRecent(QMenu& file, FileActions& files) {
  QMenu* menu = file.addMenu(translated("Open &recent"));
  menu->setObjectName(QStringLiteral("recent"));
  menu->setToolTipsVisible(true);
  const auto renew = [menu, &files] {
    menu->clear();
    for (const QString& path : files.recent()) {
      const QFileInfo info(path);
      QAction* action = menu->addAction(entry(info.fileName(), info.path()));
      action->setToolTip(path);
      QObject::connect(action, &QAction::triggered, &files, [&files, path] { files.openFirst({path}); });
    }
    menu->setEnabled(!menu->isEmpty());
  };
  // Queued: a file that is gone goes from the menu whose action asked for it.
  QObject::connect(&files, &FileActions::recentChanged, menu, renew, Qt::QueuedConnection);
  renew();
}

void addSamples(QMenu& file, FileActions& files) {
  QMenu* menu = file.addMenu(translated("Sa&mples"));
  menu->setObjectName(QStringLiteral("samples"));
  menu->setToolTipsVisible(true);
  for (const Sample& sample : samples()) {
    QAction* action = menu->addAction(entry(sample.name, sample.idea));
    action->setToolTip(sample.idea);
    QObject::connect(action, &QAction::triggered, &files,
                     [&files, request = sample.request] { files.openSample(request); });
  }
  if (const QString why = whyNoSampleFiles(); !why.isEmpty()) menu->addAction(why)->setEnabled(false);
}

/// Groups of actions with a line between them, behind a right click and the menu key.
void offer(QWidget& widget, const Actions& actions,
           std::initializer_list<std::initializer_list<ActionId>> groups) {
  for (const auto& group : groups) {
    if (!widget.actions().isEmpty()) {
      auto* line = new QAction(&widget);
      line->setSeparator(true);
      widget.addAction(line);
    }
    for (const ActionId id : group)
      widget.addAction(actions[id]);
  }
  widget.setContextMenuPolicy(Qt::ActionsContextMenu);
}

} // namespace

void fillMenuBar(QMenuBar& bar, const Actions& actions, FileActions& files) {
  std::map<QString, QMenu*> menus;
  for (QAction* action : actions.all()) {
    const QString group = Actions::group(*action);
    QMenu*& menu = menus[group];
    if (!menu) {
      // Its first letter with Alt opens a menu; Centroids has the C.
      QString title = group;
      title.insert(group == Actions::tr("Compare") ? 2 : 0, QLatin1Char('&'));
      menu = bar.addMenu(title);
      menu->setToolTipsVisible(true);
    }
    menu->addAction(action);
    if (action != actions[ActionId::open]) continue;
    addRecent(*menu, files);
    addSamples(*menu, files);
  }
}

void offerPointActions(QWidget& points, const Actions& actions) {
  using enum ActionId;
  offer(points, actions,
        {{play, step, halfStep, stepBack, restart},
         {fit, resetView, axisX, axisY, axisZ, components, orthographic},
         {lasso, box, selectByRule, hideSelected, showSelectedAlone, showAllPoints, clusterSelected,
          clusterAll},
         {nextCentroid, addCentroid, removeCentroid},
         {trails, regions, smallerPoints, largerPoints, theme},
         {exportTable, exportLabels, exportCentroids, exportPicture, screenshot, copyCommand}});
}

void offerVariantActions(QWidget& list, const Actions& actions) {
  using enum ActionId;
  offer(list, actions, {{measure, previousVariant, nextVariant}, {race, copyCommand}});
}

} // namespace lloyd
