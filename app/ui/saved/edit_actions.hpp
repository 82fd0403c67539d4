// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>

namespace lloyd {

class Actions;
class AppearancePanel;
class AxesFinder;
class ClusterWatch;
class EditRecorder;
class MomentRestorer;
class PairViews;
class Session;
class Viewport;
class WindowState;

/// The parts of a window whose changes are steps.
struct EditParts {
  Session& session;
  AxesFinder& axes;
  MomentRestorer& restorer;
  WindowState& state;
  const Actions& actions;
  const AppearancePanel& appearance;
  const PairViews& pair;
  const ClusterWatch& clusters;
  const Viewport* viewport;        ///< null where nothing is drawn
  std::function<bool()> isNobodys; ///< what changes now was chosen by no person
};

/// Makes steps of what a person changes, and has undo and redo name them. Called when all else of the window
/// listens to its parts. The state owns what it returns.
EditRecorder* connectEdits(const EditParts& parts);

} // namespace lloyd
