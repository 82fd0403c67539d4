// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

class Actions;
class AppearancePanel;
class AxesFinder;
class Session;
class Viewport;

/// Has the panel and the keys choose what is drawn beside the points and how large they are, and the
/// viewport, which may be null, draw it. Where the drawing has no regions, the action and the panel say why.
/// All must outlive the window's event loop.
void connectLook(const Actions& actions, Session& session, AxesFinder& axes, AppearancePanel& panel,
                 Viewport* viewport);

} // namespace lloyd
