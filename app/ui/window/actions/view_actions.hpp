// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

class Actions;
class AppearancePanel;
class Viewport;

/// What the actions of the groups View and Centroids do with the points. Without a viewport, null, they are
/// disabled and say so. GUI thread.
void connectViewActions(const Actions& actions, Viewport* viewport, AppearancePanel& appearance);

} // namespace lloyd
