// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>

class QWidget;

namespace lloyd {

class Actions;
class ApartRunner;
class ApartWindow;
class DeviceLease;
class Session;
class TeachWorkspace;

/// Has the action take apart the step to the version that is taught. The first use makes the window. GUI
/// thread.
class ApartActions : public QObject {
  Q_OBJECT
public:
  /// window: the parent of the other one. All must outlive it.
  ApartActions(Session& session, DeviceLease& lease, const Actions& actions, const TeachWorkspace& teach,
               QWidget* window);

private:
  void takeApart();

  Session& session_;
  DeviceLease& lease_;
  const TeachWorkspace& teach_;
  QWidget* window_;
  ApartRunner* runner_ = nullptr;
  ApartWindow* shown_ = nullptr;
};

} // namespace lloyd
