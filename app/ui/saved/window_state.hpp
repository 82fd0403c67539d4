// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/edit_history.hpp"
#include "app/model/saved/saved_session.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QAction;

namespace lloyd {

class AppearancePanel;
class AxesFinder;
class ClusterColours;
class ClusterWatch;
class CompareWorkspace;
class MomentRestorer;
class Session;
class TeachWorkspace;
class Viewport;

/// The parts of a window that a session file tells of. The window owns all of them.
struct StateParts {
  Session& session;
  AxesFinder& axes;
  MomentRestorer& restorer;
  ClusterColours& colours;
  CompareWorkspace& compare;
  TeachWorkspace& teach;
  AppearancePanel& appearance;
  QAction& orthographic;
  QAction& trails;
  QAction& regions;
  ClusterWatch& clusters;
  Viewport* viewport; ///< null where nothing is drawn
  std::function<QString()> workspace;
  std::function<void(const QString& name)> setWorkspace; ///< nothing happens for an unknown one
};

/// What a window shows as a session file holds it, and the window brought back to that. Made after all else
/// that listens to the session, so that its word is the last. GUI thread.
class WindowState : public QObject {
  Q_OBJECT
public:
  explicit WindowState(const StateParts& parts, QObject* parent = nullptr);

  /// All but what is known of the file of points.
  [[nodiscard]] SavedSession taken() const;
  /// Ends with restored() or dropped(). A run that was played to its end counts as playing again; any other
  /// rests where it was.
  void restore(const SavedSession& session);
  /// The part of it that undo brings back; and back to that, with all else as it is, in silence.
  [[nodiscard]] EditState takenEdit() const;
  void restoreEdit(const EditState& edit);
  [[nodiscard]] ViewChoices choices() const;
  /// Whether a session is on its way.
  [[nodiscard]] bool restoring() const { return coming_; }

Q_SIGNALS:
  void sessionComing();      ///< restore() begins
  void restored(bool whole); ///< as MomentRestorer has it
  void dropped();

private:
  void begin();
  void arrange();
  void restoreChoices();
  void restorePair();
  void tryCamera();

  StateParts parts_;
  SavedSession saved_;
  bool coming_ = false;
  bool whole_ = false;                ///< all of saved_, and not its edit alone
  std::optional<SavedCamera> camera_; ///< that waits for its points to be drawn by their axes
};

} // namespace lloyd
