// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>

namespace lloyd {

class Actions;
class OwnKernels;
class TeachWorkspace;
class WorkshopWindow;

/// Has the actions open kernels of a person's own: a copy of the one that is taught, one with a bug to be
/// found, or a file. The first use makes the window, so that whoever never edits a kernel pays nothing. GUI
/// thread.
class WorkshopActions : public QObject {
  Q_OBJECT
public:
  /// window: the parent of dialogs and of the workshop's window. Both must outlive it.
  WorkshopActions(const Actions& actions, TeachWorkspace& teach, QWidget* window);

  /// Opens the file, once its folder is allowed.
  void open(const QString& file);
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

  TeachWorkspace& teach_;
  QWidget* window_;
  OwnKernels* kernels_ = nullptr;
  WorkshopWindow* workshop_ = nullptr;
};

} // namespace lloyd
