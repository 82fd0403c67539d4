// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/window/window_settings.hpp"

#include <QList>
#include <QObject>

#include <array>
#include <limits>

class QDockWidget;
class QMainWindow;
class QSplitter;
class QWidget;

namespace lloyd {

class Actions;
class CompareWorkspace;
class TeachWorkspace;

/// Which panels stand around the points in each workspace, and how large. The points themselves never move: a
/// view that changes its parent loses its context. GUI thread.
class WorkspaceLayout : public QObject {
  Q_OBJECT
public:
  /// What is arranged. The window owns all of it.
  struct Parts {
    QList<QWidget*> bars; ///< menu, tools and status; hidden while presenting
    QWidget* side;        ///< settings, left of the points
    QWidget* bottom;      ///< ladder, plots and times of Explore
    QWidget* presentBar;
    QSplitter* column;     ///< views, and the metrics of A and B beneath
    QSplitter* views;      ///< the points, and beside them B's while there is a B
    QList<QWidget*> notes; ///< that come and go above the points
    TeachWorkspace* teach;
    CompareWorkspace* compare;
    bool draws; ///< whether there is an OpenGL view
  };
  WorkspaceLayout(QMainWindow& window, const Actions& actions, Parts parts);

  /// Puts window and panels where they were last time.
  void restore(const WindowSettings& past);
  /// Fills in what restore() reads.
  void remember(WindowSettings& settings) const;

  void setWorkspace(Workspace workspace);
  [[nodiscard]] Workspace workspace() const { return workspace_; }
  void setPresenting(bool on);
  [[nodiscard]] bool presenting() const { return presenting_; }
  /// Hides all but the points.
  void setViewOnly();
  /// Gives the panels their first sizes, once the window is on the screen.
  void windowShown();
  /// Gives every panel its share of the window again. A panel that had to give way, because the window was
  /// small or a message stood above the points, would stay as small otherwise.
  void shareSizes();

  /// A share that a person drags is kept.
  bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
  void changed(); ///< other panels are seen

private:
  [[nodiscard]] QDockWidget* dock(const char* name, const QString& title, QWidget* panel,
                                  Qt::DockWidgetArea area);
  void connectActions();
  [[nodiscard]] WorkspacePanels& panels() { return panels_[static_cast<std::size_t>(workspace_)]; }
  void enableActions();
  void showPanels();
  /// A panel's part of the window.
  struct Share {
    QDockWidget* dock;
    Qt::Orientation along;
    double part;
    int most;            ///< pixels; a person's drag lifts it
    bool byHand = false; ///< a person gave it
  };
  [[nodiscard]] int lengthOf(Qt::Orientation along) const;
  void setDockSize(QDockWidget& dock, int size, Qt::Orientation orientation);
  void keepShare(Share& share);
  static void setShare(Share& share, double part);
  void moveBorder(Share& share, double by);
  void keepTitleOnScreen();
  void shareSizesLater();

  QMainWindow& window_;
  const Actions& actions_;
  Parts parts_;
  QDockWidget* side_;
  QDockWidget* lower_;
  QDockWidget* teachSide_;
  QDockWidget* teachBelow_;
  QDockWidget* compareAbove_;
  QDockWidget* compareSide_;
  Workspace workspace_ = Workspace::explore;
  std::array<WorkspacePanels, 3> panels_ = WindowSettings().panels;
  bool presenting_ = false;
  bool wasMaximized_ = false;
  bool arranged_ = false; ///< as the last time
  bool shown_ = false;
  bool columnMoved_ = false; ///< a person gave views and metrics their heights
  bool viewsMoved_ = false;  ///< or the two views their widths
  bool sharing_ = false;     ///< shareSizes() comes
  std::array<Share, 5> shares_;
};

} // namespace lloyd
