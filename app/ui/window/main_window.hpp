// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/projection/axes_finder.hpp"
#include "app/model/session/device_lease.hpp"
#include "app/model/session/live_benchmark.hpp"
#include "app/model/session/session.hpp"
#include "app/model/session/variant_list_model.hpp"
#include "app/ui/common/actions.hpp"
#include "app/ui/view/cluster_colours.hpp"
#include "app/ui/window/file_actions.hpp"
#include "app/ui/window/run_window.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <QMainWindow>
#include <QTimer>

class QLabel;
class QSplitter;

namespace lloyd {

class AdoptedRuns;
class BottomPanel;
class ClusteringPanel;
class CompareWorkspace;
class DataPanel;
class MessageBar;
class PresentBar;
class RestartsStrip;
class SessionFiles;
class Selecting;
class StartPage;
class StatusLine;
class TeachWorkspace;
class ToolBar;
class AppearancePanel;
class AxesPanel;
class Viewport;
class WorkshopActions;

/// The window with its workspaces, Explore, Teach and Compare: puts the parts together and passes requests
/// on to the session, which decides.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  /// remembers: reads and writes the person's settings (theme, size, panels).
  MainWindow(WindowOptions options, bool remembers);
  ~MainWindow() override;

  /// Opens what the options ask for, or the moving first picture, and plays.
  void begin();
  void setDark(bool dark);
  [[nodiscard]] bool isDark() const { return dark_; }
  /// Shows the newest numbers at once instead of at the next beat.
  void refreshNow();
  [[nodiscard]] QString commandLine() const;

  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] const DeviceLease& lease() const { return lease_; }
  [[nodiscard]] FileActions& files() { return files_; }
  [[nodiscard]] SessionFiles& savedSessions() { return *savedSessions_; }
  [[nodiscard]] WorkspaceLayout& arrangement() { return *arrangement_; }
  [[nodiscard]] const AxesFinder& axes() const { return axes_; }
  [[nodiscard]] const LiveBenchmark& liveBenchmark() const { return liveBenchmark_; }
  /// Null where there is no OpenGL.
  [[nodiscard]] Viewport* viewport() { return viewport_; }
  [[nodiscard]] BottomPanel& bottom() { return *bottom_; }
  [[nodiscard]] RestartsStrip& restarts() { return *restarts_; }
  [[nodiscard]] AdoptedRuns& adopted() { return *adopted_; }
  [[nodiscard]] TeachWorkspace& teach() { return *teach_; }
  [[nodiscard]] CompareWorkspace& compare() { return *compare_; }
  [[nodiscard]] WorkshopActions& workshop() { return *workshop_; }
  [[nodiscard]] Selecting& selecting() { return *selecting_; }
  [[nodiscard]] StatusLine& statusLine() { return *status_; }
  [[nodiscard]] MessageBar& messageBar() { return *messages_; }
  [[nodiscard]] Actions& actions() { return *actions_; }
  [[nodiscard]] const QString& whyNoDrawing() const { return whyNoDrawing_; }

protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

private:
  void makeViewport();
  void makePanels();
  void connectSession();
  void connectActions();
  void connectView();
  void showResult(const IterationPtr& result);
  void timeFirstPicture(const IterationResult& result);
  void showData();
  void offerStart();
  void showState();
  void enableRunning();
  void showRestarts();
  void renewColours();
  void explainDrawing(const QString& reason);
  void chooseVariant(Stage stage, const Variant& variant);
  void stepVariant(int direction);
  void say(const QString& text, bool error);

  WindowOptions options_;
  bool remembers_;
  std::optional<bool> chosenDark_; ///< nothing: the theme is the desktop's
  bool dark_ = true;
  int convergedAt_ = 0; ///< iterations, of the run that is shown
  QString converged_;   ///< what was said of the run that is shown
  QString timed_;       ///< and of the problem
  QString chosen_;      ///< and of a variant that nothing has timed yet
  Settings coloured_;   ///< which run the colours are of
  /// Whose variants are timed once, so that the ladder is not empty; nothing when that is done or unwanted.
  std::optional<DataRequest> firstPicture_;
  bool raceDue_ = false; ///< --race
  QString whyNoDrawing_;

  Session session_;
  DeviceLease lease_; ///< of all that measures; what counts or compares waits for it
  AxesFinder axes_{session_};
  VariantListModel ladder_;
  ClusterColours colours_;
  LiveBenchmark liveBenchmark_;
  FileActions files_;
  QTimer refreshTimer_; ///< tables and plots, at most five times a second

  Actions* actions_;
  QSplitter* column_ = nullptr; ///< views_, and the metrics of A and B beneath
  QSplitter* views_ = nullptr;  ///< the points, and beside them B's while there is a B
  Viewport* viewport_ = nullptr;
  QLabel* noDrawing_ = nullptr;
  StartPage* start_ = nullptr;
  MessageBar* messages_ = nullptr;
  PresentBar* presentBar_ = nullptr;
  RestartsStrip* restarts_ = nullptr;
  AdoptedRuns* adopted_ = nullptr;
  ToolBar* tools_ = nullptr;
  StatusLine* status_ = nullptr;
  BottomPanel* bottom_ = nullptr;
  DataPanel* dataPanel_ = nullptr;
  ClusteringPanel* clusteringPanel_ = nullptr;
  AppearancePanel* viewPanel_ = nullptr;
  AxesPanel* axesPanel_ = nullptr;
  TeachWorkspace* teach_ = nullptr;
  WorkshopActions* workshop_ = nullptr;
  CompareWorkspace* compare_ = nullptr;
  WorkspaceLayout* arrangement_ = nullptr;
  SessionFiles* savedSessions_ = nullptr;
  Selecting* selecting_ = nullptr;
};

} // namespace lloyd
