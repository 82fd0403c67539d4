// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace lloyd {

class Actions;
class AdoptedRuns;
class AppearancePanel;
class AxesFinder;
class CentroidEdits;
class ClusterColours;
class ClusterWatch;
class CompareWorkspace;
class LiveBenchmark;
class SessionFiles;
class TeachWorkspace;
class Viewport;
class WorkspaceLayout;

class DataPanel;

/// Writes what the window shows to files. Results belong together: labels are those of the centroids written.
/// Writing happens on a thread of its own; nothing partial is ever left.
class ResultExporter : public QObject {
  Q_OBJECT
public:
  explicit ResultExporter(Session& session, QObject* parent = nullptr) : QObject(parent), session_(session) {}

  void labels(const QString& path);
  void table(const QString& path);
  void centroids(const QString& path);
  /// Of the clusters' names, which are asked for when something is written.
  void setNames(std::function<std::vector<QString>()> names) { names_ = std::move(names); }

Q_SIGNALS:
  void said(const QString& text, bool error);

private:
  [[nodiscard]] std::vector<std::string> names() const;

  Session& session_;
  std::function<std::vector<QString>()> names_ = [] { return std::vector<QString>(); };
  WorkerThread writer_;
};

/// What goes between the window and files: data to open, by dialog or dropped on the window, and results and
/// pictures to write. GUI thread.
class FileActions : public QObject {
  Q_OBJECT
public:
  /// Takes what is dropped on the window.
  FileActions(Session& session, QWidget& window);

  [[nodiscard]] ResultExporter& exporter() { return exporter_; }
  /// Opens the request's data and plays them, unless the present ones rest. Where they cannot be had, nothing
  /// else changes.
  void open(const DataRequest& request);
  /// The same of a sample, with the present number of clusters where it has none of its own.
  void openSample(DataRequest request);
  /// Opens the moving first picture, with as many points as move fluidly here.
  void openFirstPicture();
  /// Files dropped on the window: the first readable one is opened, the others are named. Of an archive with
  /// several files in it, a dialog asks for one; a session is told of with sessionWanted().
  void openFirst(const QStringList& paths);

  /// The files that were open, the last first; a file that cannot be opened any more goes once it is tried.
  [[nodiscard]] const QStringList& recent() const { return recent_; }
  void setRecent(const QStringList& paths);
  void addRecent(const QString& path);

  /// How columns of what openFirst() and openSample() open are scaled, each time anew: as the command line
  /// asked.
  void setScaling(Scale scaling) { asked_ = scaling; }
  /// How those of what they open next are.
  [[nodiscard]] Scale nextScaling() const { return next_.value_or(asked_); }

  /// Reads the file's rows as the first centroids of the present points, and begins from them.
  void beginFrom(const QString& path);

  /// Does what the panel asks for.
  void serve(DataPanel& panel);

  // Each asks for the file's name first.
  void chooseFile();
  void chooseCentroids(); ///< to begin from
  void chooseExport(bool labels);
  void chooseTable();
  void takeScreenshot();

  bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
  void message(const QString& text, bool error);
  void sessionWanted(const QString& path);
  void recentChanged();
  void firstPictureFound(const DataRequest& request); ///< openFirstPicture() opens it next

private:
  void remember(const QString& path);
  void openFile(const DataRequest& request);
  void askForMember(const DataRequest& request, const QStringList& members);

  Session& session_;
  QWidget& window_;
  ResultExporter exporter_;
  QStringList recent_;
  bool playDue_ = false;                   ///< the points that are being loaded are to be played
  Scale asked_ = Scale::none;              ///< for the window
  std::optional<Scale> next_;              ///< chosen where no points can be scaled: for those that come
  ImageColumns image_ = ImageColumns::rgb; ///< of the next image
  WorkerThread worker_;                    ///< looks for a GPU, reads centroids, and what is in archives
};

/// What of a window is saved, and asks for it.
struct SavedParts {
  Session& session;
  AxesFinder& axes;
  ClusterColours& colours;
  const Actions& actions;
  FileActions& files;
  WorkspaceLayout& arrangement;
  CompareWorkspace& compare;
  TeachWorkspace& teach;
  AppearancePanel& appearance;
  const LiveBenchmark& benchmark;
  const AdoptedRuns& adopted;
  const CentroidEdits& centroids;
  ClusterWatch& clusters;
  Viewport* viewport; ///< may be null
  QWidget& window;
};

/// Has keys, menus and dropped files save and open sessions, and take steps back. Called when all else of the
/// window listens to the session. The window owns what it returns.
[[nodiscard]] SessionFiles* connectSaved(const SavedParts& parts);

} // namespace lloyd
