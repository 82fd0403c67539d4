// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/worker_thread.hpp"
#include "app/ui/view/view_picture.hpp"

#include <QDialog>
#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>

class QCheckBox;
class QLabel;
class QProgressDialog;
class QSpinBox;
class QWidget;

namespace lloyd {

class Session;
class Viewport;

/// Asks how large a picture of the points is to be, and whether anything is behind them.
class PictureDialog : public QDialog {
  Q_OBJECT
public:
  /// view: device pixels of the view.
  PictureDialog(QSize view, QWidget* parent);
  [[nodiscard]] PictureWish wish() const;

private:
  void showSize();

  QSize view_;
  QSpinBox* scale_;
  QCheckBox* transparent_;
  QLabel* pixels_;
};

/// Takes the view away as a picture: asks, draws it tile by tile behind a progress bar that can cancel it,
/// and writes it on a thread of its own. A run that plays waits meanwhile. GUI thread.
class ViewExport : public QObject {
  Q_OBJECT
public:
  /// viewport: null where nothing is drawn.
  ViewExport(Session& session, Viewport* viewport, QWidget& window);
  ~ViewExport() override;

  void choose();
  /// Draws and writes without asking.
  void write(const PictureWish& wish, const QString& path);

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  void begin(const PictureWish& wish, const QString& path);
  void advance();
  void end();
  void save(const QImage& picture, const QString& path);

  Session& session_;
  Viewport* viewport_;
  QWidget& window_;
  std::unique_ptr<ViewPicture> picture_;
  QProgressDialog* progress_ = nullptr;
  QString path_;
  bool busy_ = false;
  bool playOn_ = false; ///< the run played when the picture was asked for
  QTimer next_;
  WorkerThread writer_;
};

/// The whole picture at once; null where nothing is drawn. Throws std::runtime_error with a sentence.
[[nodiscard]] QImage pictureOf(Viewport& viewport, const PictureWish& wish);

} // namespace lloyd
