// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

class Actions;
class AxesFinder;
class AxesPanel;
class Session;
class Viewport;

/// Has the panel and the keys choose what the axes of the drawing show, and the viewport, which may be null,
/// draw it. All of them must outlive the window's event loop.
void connectAxes(const Actions& actions, Session& session, AxesFinder& axes, AxesPanel& panel,
                 Viewport* viewport);

} // namespace lloyd
