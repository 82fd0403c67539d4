// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
class QWidget;

namespace lloyd {

class AdoptedRuns;
class CentroidEdits;
class DeviceLease;
class PairViews;
class Selecting;
class Session;
class StatusLine;
class Viewport;

/// The parts of a window that centroids are added and removed in, and those that tell of clusters by number.
struct CentroidParts {
  Session& session;
  const DeviceLease& lease;
  AdoptedRuns& adopted;
  Selecting& selecting;
  PairViews& pair;
  StatusLine& status;
  Viewport* viewport; ///< null where nothing is drawn
  QWidget& window;
};

/// Has keys and clicks add and remove centroids, in the views of both sides, with names, colours and what
/// stands out going on with their clusters. The window owns what it returns; all parts must outlive its event
/// loop.
CentroidEdits* connectCentroids(const CentroidParts& parts);

} // namespace lloyd
