// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/centroid_actions.hpp"

#include "app/model/selection/cluster_watch.hpp"
#include "app/model/session/centroid_edits.hpp"
#include "app/ui/compare/pair_views.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/adopted_runs.hpp"
#include "app/ui/window/selecting.hpp"
#include "app/ui/window/status_line.hpp"

#include <QCoreApplication>
#include <QPointer>

#include <algorithm>

namespace lloyd {
namespace {

/// What keys move is the new centroid, or the same as before by its number of now.
void selectAfter(Viewport& viewport, const std::vector<int>& before) {
  if (const auto added = std::ranges::find(before, -1); added != before.end())
    return viewport.selectCentroid(static_cast<int>(added - before.begin()));
  const auto selected = viewport.selectedCentroid();
  if (!selected) return;
  const auto now = std::ranges::find(before, *selected);
  viewport.selectCentroid(now == before.end() ? std::nullopt
                                              : std::optional(static_cast<int>(now - before.begin())));
}

/// The view of side B asks as that of A does; its clusters are those of A by number, unless it has a seed of
/// its own.
void connectOther(PairViews& pair, CentroidEdits& edits) {
  const auto connectView = [&pair, &edits, known = QPointer<Viewport>()]() mutable {
    Viewport* view = pair.otherView();
    if (!view || view == known) return;
    known = view;
    QObject::connect(view, &Viewport::centroidWanted, &edits, &CentroidEdits::add);
    QObject::connect(view, &Viewport::centroidUnwanted, &edits, [&pair, &edits](int cluster) {
      if (pair.run().side().seed)
        return Q_EMIT edits.refused(QCoreApplication::translate(
            "CentroidEdits", "Side B has a seed of its own: centroids are removed in side A."));
      edits.remove(cluster);
    });
  };
  QObject::connect(&pair, &PairViews::sidesChanged, &edits, connectView);
}

} // namespace

CentroidEdits* connectCentroids(const CentroidParts& parts) {
  auto* edits = new CentroidEdits(parts.session, parts.lease, &parts.window);
  QObject::connect(edits, &CentroidEdits::renumbering, &parts.adopted, &AdoptedRuns::renumber);
  QObject::connect(edits, &CentroidEdits::renumbering, &parts.selecting, &Selecting::renumber);
  QObject::connect(edits, &CentroidEdits::renumbering, &parts.selecting.clusters(), &ClusterWatch::renumber);
  StatusLine* status = &parts.status;
  QObject::connect(edits, &CentroidEdits::refused, status, &StatusLine::answer);
  // Queued: others take back what they said of the settings before.
  QObject::connect(
      edits, &CentroidEdits::edited, status,
      [status](const QString&, const QString& said) { status->answer(said); }, Qt::QueuedConnection);
  connectOther(parts.pair, *edits);
  if (!parts.viewport) return edits;
  Viewport* view = parts.viewport;
  QObject::connect(view, &Viewport::centroidWanted, edits, &CentroidEdits::add);
  QObject::connect(view, &Viewport::centroidUnwanted, edits, &CentroidEdits::remove);
  QObject::connect(edits, &CentroidEdits::renumbering, view,
                   [view](const std::vector<int>& before) { selectAfter(*view, before); });
  return edits;
}

} // namespace lloyd
