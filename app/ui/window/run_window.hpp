// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/teach/point_groups.hpp"
#include "app/ui/view/view_picture.hpp"
#include "app/ui/window/window_settings.hpp"

#include <QEventLoop>
#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lloyd {

class MainWindow;

/// What the window starts with.
struct WindowOptions {
  std::optional<DataRequest> request; ///< none: the moving first picture
  QString session;                    ///< a session file, which says all of this but the look
  SharedPointSet points;              ///< the request's, where they are read already
  SharedPointSet whole;               ///< all points, where points are those of them that a rule chose
  double loadUs = 0;                  ///< how long reading these took
  Settings settings;
  std::string axes; ///< by which points are drawn, in the words of axesFrom(); empty: first columns
  std::optional<QString> theme;       ///< "dark" or "light"
  std::optional<Workspace> workspace; ///< none: the one of last time
  QString
      teach; ///< the variant that Teach opens with, by id; then Teach is the workspace. Empty: Teach's choice
  QString watch; ///< a kernel file of a person's own to be opened and tried; its folder is allowed by that
  bool race = false; ///< race the variants as soon as there is an iteration; then Compare is the workspace
  bool otherStarts = false; ///< whether runs may be taken over that nobody asked for: from other seeds
  std::optional<ColourBy> colourBy; ///< what colours say in Teach; none: the cluster
};

/// Drawing the real window for some frames and writing what it shows.
struct ScreenshotOptions {
  WindowOptions window;
  int frames = 120;
  QSize size{1440, 900};
  QString out = "lloydscope.png";
  bool viewOnly = false;     ///< the points alone
  PictureWish wish;          ///< how these are drawn
  QString record;            ///< a folder for a picture of each frame, from the first centroids; empty: out
  int filmRate = 0;          ///< frames a second of a film of those; 0: none
  bool printTimings = false; ///< the timing table on standard output when done
  bool quiet = false;
  /// When set, told what the picture leaves open.
  std::function<void(const QString& sentence)> remark;
  /// When set, called after the picture with the state that it shows; labels belong to the report's
  /// centroids.
  std::function<void(const RunReport& report, const std::vector<Label>& labels)> report;
};

/// Opens the window and runs the event loop; needs a QApplication. Returns the exit status.
[[nodiscard]] int runWindow(WindowOptions options);
/// Opens the window, plays the given number of frames, and writes a PNG of exactly size pixels (temporary
/// name, renamed).
[[nodiscard]] int runShot(const ScreenshotOptions& options);

/// Reports that the program was asked to end (SIGTERM, SIGINT, SIGHUP: a logout, a kill, Ctrl+C in its
/// terminal), so that a window closes as if a person had closed it and keeps its settings. A second such
/// signal ends the program at once. One object at a time, on the GUI thread.
class Termination : public QObject {
  Q_OBJECT
public:
  explicit Termination(QObject* parent = nullptr);
  ~Termination() override;

signals:
  void asked();
};

/// Waits until a window has shown its frames and has nothing left to draw.
class ScreenshotWait : public QObject {
  Q_OBJECT
public:
  ScreenshotWait(MainWindow& window, int frames);
  /// Empty when there is something to show; else what went wrong.
  [[nodiscard]] QString wait();
  /// Whether the program was asked to end before that.
  [[nodiscard]] bool cancelled() const { return cancelled_; }
  [[nodiscard]] Termination& termination() { return termination_; }
  /// Whether what went wrong is what was asked for.
  [[nodiscard]] bool wrongRequest() const { return wrongRequest_; }

private:
  void frame();
  void look();

  MainWindow& window_;
  QEventLoop loop_;
  QTimer look_;
  QTimer patience_;
  Termination termination_;
  bool cancelled_ = false;
  int left_;
  bool pausing_ = false;
  bool wrongRequest_ = false;
  QString said_;  ///< the last thing that went wrong, which need not be the end
  QString error_; ///< why there is nothing to show
};

} // namespace lloyd
