// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/session/worker_thread.hpp"
#include "app/ui/window/result_exporter.hpp"

#include <QObject>

class QWidget;

namespace lloyd {

/// What goes between the window and files: data to open, by dialog or dropped on the window, and results and
/// pictures to write. GUI thread.
class FileActions : public QObject {
  Q_OBJECT
public:
  /// Takes what is dropped on the window.
  FileActions(Session& session, QWidget& window);

  /// Opens the request's data and plays.
  void open(const DataRequest& request);
  /// Opens the moving first picture, with as many points as move fluidly here.
  void openFirstPicture();
  /// Files dropped on the window: the first readable one is opened, the others are named.
  void openFirst(const QStringList& paths);

  // Each asks for the file's name first.
  void chooseFile();
  void chooseExport(bool labels);
  void takeScreenshot();

  bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
  void message(const QString& text, bool error);
  void firstPictureFound(); ///< openFirstPicture() knows the device and opens it next

private:
  /// Asks where to write, beside the last file that was written or else the one that is open; the name gets
  /// the suffix of the chosen kind where it has none. Empty: nowhere.
  [[nodiscard]] QString askWhereTo(const QString& title, const QString& name, const QStringList& kinds);
  [[nodiscard]] QString folder() const;

  QString lastFolder_; ///< that something was written to
  Session& session_;
  QWidget& window_;
  ResultExporter exporter_;
  WorkerThread probe_; ///< looks for a GPU
};

} // namespace lloyd
