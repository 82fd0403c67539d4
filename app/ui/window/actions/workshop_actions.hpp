// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/latest_work.hpp"

#include <QObject>
#include <QString>

namespace lloyd {

class Actions;
class OwnKernels;
class Session;
class TeachWorkspace;
class WorkshopWindow;

/// Has the actions open kernels of a person's own: a copy of the one that is taught, one with a bug to be
/// found, or a file. The first use makes the window, so that whoever never edits a kernel pays nothing. GUI
/// thread.
class WorkshopActions : public QObject {
  Q_OBJECT
public:
  /// window: the parent of dialogs and of the workshop's window. program: the path of lloydscope, which tries
  /// kernels. All must outlive it.
  WorkshopActions(const Actions& actions, Session& session, TeachWorkspace& teach, QString program,
                  QWidget* window);

  /// Opens the file, once its folder is allowed.
  void open(const QString& file);
  /// Whether the window may close: asks about a kernel that is not saved, whose window closes before.
  [[nodiscard]] bool mayClose();
  /// Null before the first file.
  [[nodiscard]] WorkshopWindow* workshop() const { return workshop_; }

Q_SIGNALS:
  void said(const QString& text, bool error);

private:
  void editCopy();
  void findBug();
  /// Asks where the text is to be saved, saves it and opens it.
  void editText(const QString& title, const QString& fileName, const QString& text);
  void openOther();
  void makeWorkshop();
  /// What iterates on the processors makes room for the trial of a kernel there, and goes on slowly.
  void makeRoom(bool room);
  void leaveWrong();
  /// The file's last version, which is wrong, in Teach. comes: its Block tab comes to the front.
  void showWrong(const QString& file, bool comes);

  const Actions& actions_;
  Session& session_;
  TeachWorkspace& teach_;
  QString program_;
  QWidget* window_;
  OwnKernels* kernels_ = nullptr;
  WorkshopWindow* workshop_ = nullptr;
  LatestWork looking_; ///< for what is wrong; last: ended before what it uses is gone
};

} // namespace lloyd
