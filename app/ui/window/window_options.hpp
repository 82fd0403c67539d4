// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/data/point_set.hpp"
#include "app/model/compute/settings.hpp"
#include "app/model/report/run_report.hpp"
#include "app/model/teach/point_groups.hpp"
#include "app/ui/common/workspace.hpp"

#include <QSize>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace lloyd {

/// What the window starts with.
struct WindowOptions {
  std::optional<DataRequest> request; ///< none: the moving first picture
  SharedPointSet points;              ///< the request's, where they are read already
  double loadUs = 0;                  ///< how long reading these took
  Settings settings;
  std::optional<QString> theme;       ///< "dark" or "light"
  std::optional<Workspace> workspace; ///< none: the one of last time
  QString
      teach; ///< the variant that Teach opens with, by id; then Teach is the workspace. Empty: Teach's choice
  bool race = false; ///< race the variants as soon as there is an iteration; then Compare is the workspace
  std::optional<ColourBy> colourBy; ///< what colours say in Teach; none: the cluster
};

/// Drawing the real window for some frames and writing what it shows.
struct ScreenshotOptions {
  WindowOptions window;
  int frames = 120;
  QSize size{1440, 900};
  QString out = "lloydscope.png";
  bool viewOnly = false;     ///< the points alone
  bool printTimings = false; ///< the timing table on standard output when done
  bool quiet = false;
  /// When set, called after the picture with the state that it shows; labels belong to the report's
  /// centroids.
  std::function<void(const RunReport& report, const std::vector<Label>& labels)> report;
};

/// Opens the window and runs the event loop; needs a QApplication. Returns the exit status.
[[nodiscard]] int runWindow(WindowOptions options);
/// Opens the window, plays the given number of frames, and writes a PNG of exactly size pixels (temporary
/// name, renamed).
[[nodiscard]] int runShot(const ScreenshotOptions& options);

} // namespace lloyd
