// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lloyd {

class Actions;
class Session;

/// Has the actions of the run say what they would do next, and why what cannot be done cannot.
void showRunActions(Actions& actions, const Session& session);

} // namespace lloyd
