// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/worker_thread.hpp"
#include "app/ui/view/view_picture.hpp"

#include <QByteArray>
#include <QDialog>
#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
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
  void saveAll();
  /// write: what is wrong, or nothing, on the thread.
  void save(std::function<QString()> write, const QString& said);

  Session& session_;
  Viewport* viewport_;
  QWidget& window_;
  std::unique_ptr<ViewPicture> picture_;
  QProgressDialog* progress_ = nullptr;
  PictureWish wish_;
  QString path_;
  bool busy_ = false;
  bool playOn_ = false; ///< the run played when the picture was asked for
  QTimer next_;
  WorkerThread writer_;
};

/// Whether a picture of that name is an SVG, and not a PNG.
[[nodiscard]] bool isSvgName(const QString& path);
/// What an SVG of the view says of its points; empty where each is a circle.
[[nodiscard]] QString svgRemark(const Viewport& viewport);

/// The whole picture at once; null where nothing is drawn. Throws std::runtime_error with a sentence.
[[nodiscard]] QImage pictureOf(Viewport& viewport, const PictureWish& wish);
/// The same as an SVG, in which scale is of the size that it says it has, and of an image of points.
[[nodiscard]] QByteArray svgOf(Viewport& viewport, const PictureWish& wish);

} // namespace lloyd
