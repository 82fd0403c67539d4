// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/saved/data_file.hpp"
#include "app/model/saved/saved_session.hpp"
#include "app/model/session/worker_thread.hpp"

#include <QObject>
#include <QString>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

class QWidget;

namespace lloyd {

class Session;
class WindowState;

/// Sessions as files: writes what the window shows, and opens it again. A file of points that has moved or
/// changed is asked for. Files are read and written on a thread of its own. GUI thread.
class SessionFiles : public QObject {
  Q_OBJECT
public:
  SessionFiles(Session& session, WindowState& state, QWidget& window);
  ~SessionFiles() override;

  /// Nothing of the window changes before the session and its points are known to be good.
  void open(const QString& path);
  /// To the file that the session is from; asks where there is none.
  void save();
  void saveAs();
  void saveTo(const QString& path);
  /// Where the session is kept; empty where it is not.
  [[nodiscard]] QString path() const;
  /// Nobody is there to be asked: what would be asked is said as an error.
  void setAsking(bool asks) { asks_ = asks; }

Q_SIGNALS:
  void message(const QString& text, bool error);
  void pathChanged();
  void kept(const QString& path); ///< read or written: one of the files that were open
  void ended();                   ///< what was to be opened is there, or is not to be had

private:
  /// A session on its way.
  struct Opening {
    QString path;
    SavedSession session;
    bool changed = false; ///< the points are others than they were
  };

  bool refusesPart();
  void takeData();
  void setPath(const QString& path);
  void written(const QString& path, const std::string& wrong, bool changed);
  void located(const FoundData& found);
  void askForChanged(const QString& dataPath);
  void askForMissing(const QString& dataPath);
  void choose(const QString& dataPath);
  void look(const QString& dataPath);
  void goOn(const std::string& dataPath, bool changed);
  void giveUp(const QString& sentence);
  void arrived(bool whole);

  Session& session_;
  WindowState& state_;
  QWidget& window_;
  bool asks_ = true;
  QString path_;
  std::string source_;             ///< of the session at path_: its file or generator
  FileStamp stamp_;                ///< of the file of the present points, when they came
  std::optional<Opening> opening_; ///< read, and asked about
  std::shared_ptr<std::atomic<bool>> cancel_;
  // Of the worker thread alone: what was read last.
  std::string hashedPath_;
  FileStamp hashedStamp_;
  FileFacts hashed_;
  HandOver toGui_;
  WorkerThread worker_; // last: joined before what its tasks use is gone
};

/// What a window on these points is called: the session, where it is kept, before its points.
[[nodiscard]] QString titleOf(const Session& session, const QString& sessionPath);

} // namespace lloyd
