// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

#include <functional>

class QWidget;

namespace lloyd {

class Actions;
class AxesFinder;
class ClusterWatch;
class Session;
class Viewport;

using Say = std::function<void(const QString& text, bool error)>;

/// Makes what a person takes away beside labels and centroids: a picture of the points, a report, and of a
/// photograph the recoloured picture and its palette. The menus must be filled. axes: of the drawing.
/// clusters: for their names. viewport: null where nothing is drawn.
void connectTakeAway(const Actions& actions, Session& session, const AxesFinder& axes,
                     const ClusterWatch& clusters, Viewport* viewport, QWidget& window, const Say& say);

} // namespace lloyd
