// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/take_away.hpp"

#include "app/data/write/recoloured.hpp"
#include "app/model/session/session.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/take_away/clustering_export.hpp"
#include "app/ui/take_away/record_dialog.hpp"
#include "app/ui/take_away/view_export.hpp"
#include "app/ui/view/viewport.hpp"

#include <QAction>
#include <QMenu>

namespace lloyd {
namespace {

void connectPicture(const Actions& actions, Session& session, Viewport* viewport, QWidget& window,
                    const Say& say) {
  auto* view = new ViewExport(session, viewport, window);
  QObject::connect(view, &ViewExport::message, &window, say);
  QAction* picture = actions[ActionId::exportPicture];
  QObject::connect(picture, &QAction::triggered, view, &ViewExport::choose);
  const auto enable = [picture, &session, drawn = viewport] {
    picture->setEnabled(drawn && drawn->failure().isEmpty() && session.data() != nullptr);
  };
  QObject::connect(&session, &Session::dataChanged, picture, enable);
  if (viewport)
    QObject::connect(viewport, &Viewport::failed, picture, enable, Qt::QueuedConnection);
  else
    picture->setToolTip(Actions::tr("No points are drawn here"));
  enable();
}

/// An entry of the menu that has the picture of the points, below another.
QAction* entryBelow(QAction* above, const char* name, const QString& text, const QString& tip) {
  auto* entry = new QAction(text, above->parent());
  entry->setObjectName(QString::fromLatin1(name));
  entry->setToolTip(tip);
  for (QObject* owner : above->associatedObjects()) {
    auto* menu = qobject_cast<QMenu*>(owner);
    if (!menu) continue;
    const QList<QAction*> entries = menu->actions();
    menu->insertAction(entries.value(entries.indexOf(above) + 1), entry);
  }
  return entry;
}

/// Returns its entry.
QAction* connectRecording(const Actions& actions, Session& session, Viewport* viewport, QWidget& window,
                          const Say& say) {
  QAction* record = entryBelow(actions[ActionId::exportPicture], "recordRun", Actions::tr("Recor&d the run"),
                               Actions::tr("A picture of the points after each iteration, as numbered PNGs"));
  const auto enable = [record, &session, viewport] {
    record->setEnabled(viewport && viewport->failure().isEmpty() && session.data() != nullptr);
  };
  QObject::connect(&session, &Session::dataChanged, record, enable);
  enable();
  if (!viewport) return record;
  QObject::connect(viewport, &Viewport::failed, record, enable, Qt::QueuedConnection);
  auto* recording = new Recording(session, *viewport, window);
  QObject::connect(recording, &Recording::message, &window, say);
  QObject::connect(record, &QAction::triggered, recording, &Recording::choose);
  return record;
}

void connectClustering(QAction* above, Session& session, const AxesFinder& axes, const ClusterWatch& clusters,
                       QWidget& window, const Say& say) {
  auto* clustering = new ClusteringExport(session, axes, clusters, window);
  QObject::connect(clustering, &ClusteringExport::message, &window, say);
  QAction* report =
      entryBelow(above, "exportReport", Actions::tr("Export a re&port of the clustering"),
                 Actions::tr("Settings, clusters, plots and the command that repeats it, as one "
                             "HTML file that needs nothing else"));
  QAction* photograph =
      entryBelow(report, "exportPhotograph", Actions::tr("Export the recoloured p&hotograph"),
                 Actions::tr("Each pixel in the colour of its centroid, as a PNG"));
  QAction* palette = entryBelow(photograph, "exportPalette", Actions::tr("Export the photograph's pa&lette"),
                                Actions::tr("The colours of the centroids, for GIMP, as CSV or as "
                                            "hexadecimal numbers"));
  QObject::connect(report, &QAction::triggered, clustering, &ClusteringExport::chooseReport);
  QObject::connect(photograph, &QAction::triggered, clustering, &ClusteringExport::choosePhotograph);
  QObject::connect(palette, &QAction::triggered, clustering, &ClusteringExport::choosePalette);
  const auto enable = [report, photograph, palette, &session] {
    const SharedPointSet points = session.data();
    report->setEnabled(points != nullptr);
    for (QAction* entry : {photograph, palette})
      entry->setEnabled(points && isPhotograph(*points));
  };
  QObject::connect(&session, &Session::dataChanged, report, enable);
  enable();
}

} // namespace

void connectTakeAway(const Actions& actions, Session& session, const AxesFinder& axes,
                     const ClusterWatch& clusters, Viewport* viewport, QWidget& window, const Say& say) {
  connectPicture(actions, session, viewport, window, say);
  QAction* record = connectRecording(actions, session, viewport, window, say);
  connectClustering(record, session, axes, clusters, window, say);
}

} // namespace lloyd
