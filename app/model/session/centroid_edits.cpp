// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/centroid_edits.hpp"

#include "app/model/compute/centroid_edit.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lloyd {

CentroidEdits::CentroidEdits(Session& session, const DeviceLease& lease, QObject* parent)
    : QObject(parent), session_(session), lease_(lease) {}

QString CentroidEdits::whyNot() const {
  if (!session_.data()) return tr("There are no points yet, and no centroids.");
  if (QString why = lease_.whyNot(); !why.isEmpty()) return why;
  const auto run = session_.runState();
  const auto values =
      static_cast<std::size_t>(session_.settings().k) * static_cast<std::size_t>(session_.data()->d);
  if (!run || run->result.centroids.size() != values)
    return tr("There are no centroids yet: the run is about to begin.");
  return {};
}

Settings CentroidEdits::settingsFor(int k) const {
  Settings settings = session_.settings();
  settings.k = k;
  if (settings.init.kind == InitKind::given) settings.init = {};
  return settings;
}

QString CentroidEdits::whyNotAdd() const {
  if (QString why = whyNot(); !why.isEmpty()) return why;
  const SharedPointSet points = session_.data();
  const int k = session_.settings().k + 1;
  if (static_cast<std::size_t>(k) > points->n)
    return tr("There are as many centroids as points, %1: no other can be added.").arg(countText(points->n));
  try {
    const Problem problem{.n = points->n, .d = points->d, .k = k};
    if (!session_.device().name.empty())
      static_cast<void>(makePlan(settingsFor(k).selection, problem, session_.device()));
  } catch (const RequestError& error) {
    return tr("With k = %1 the chosen variants cannot run: %2").arg(k).arg(QString::fromUtf8(error.what()));
  }
  return {};
}

QString CentroidEdits::whyNotRemove() const {
  if (QString why = whyNot(); !why.isEmpty()) return why;
  if (session_.settings().k == 1) return tr("The last centroid stays: k is at least 1.");
  return {};
}

void CentroidEdits::add(const std::vector<float>& position) {
  if (const QString why = whyNotAdd(); !why.isEmpty()) return Q_EMIT refused(why);
  const int d = session_.data()->d, k = session_.settings().k;
  const bool finite = std::ranges::all_of(position, [](float value) { return std::isfinite(value); });
  if (position.size() != static_cast<std::size_t>(d) || !finite)
    return Q_EMIT refused(tr("There is no place for a centroid: it has %1 coordinates.").arg(d));
  const RunState now = withMoves(*session_.runState(), d, session_.moves());
  give(withCentroid(now, position), numbersWithCentroid(k), tr("add centroid %1").arg(k),
       tr("Centroid %1 added: k = %2").arg(k).arg(k + 1));
}

void CentroidEdits::remove(int cluster) {
  if (const QString why = whyNotRemove(); !why.isEmpty()) return Q_EMIT refused(why);
  const int d = session_.data()->d, k = session_.settings().k;
  if (cluster < 0 || cluster >= k)
    return Q_EMIT refused(tr("No centroid is selected: point at one, or select one with N."));
  const RunState now = withMoves(*session_.runState(), d, session_.moves());
  give(withoutCentroid(now, d, cluster), numbersWithoutCentroid(k, cluster),
       tr("remove centroid %1").arg(cluster),
       cluster == k - 1 ? tr("Centroid %1 removed: k = %2").arg(cluster).arg(k - 1)
                        : tr("Centroid %1 removed: k = %2, and those after it are one number lower")
                              .arg(cluster)
                              .arg(k - 1));
}

void CentroidEdits::give(const RunState& state, const std::vector<int>& before, const QString& step,
                         QString said) {
  const Settings settings = settingsFor(static_cast<int>(before.size()));
  if (settings.init != session_.settings().init)
    said += tr("; a restart begins with %1, because the file of first centroids has another number of them")
                .arg(qtext(name(settings.init.kind)));
  Q_EMIT renumbering(before, settings);
  session_.adoptState(state, settings);
  Q_EMIT edited(step, said);
}

} // namespace lloyd
