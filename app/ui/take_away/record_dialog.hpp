// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/ui/take_away/view_recorder.hpp"

#include <QDialog>
#include <QObject>
#include <QSize>
#include <QString>

class QCheckBox;
class QLabel;
class QProgressDialog;
class QSpinBox;
class QWidget;

namespace lloyd {

class Session;
class Viewport;

/// Asks how many frames a recording is to have, and how large they are to be.
class RecordDialog : public QDialog {
  Q_OBJECT
public:
  /// view: device pixels of the view.
  RecordDialog(QSize view, QWidget* parent);
  [[nodiscard]] RecordingWish wish() const;

private:
  [[nodiscard]] QString whyNot() const;

  QSize view_;
  QSpinBox* frames_;
  QSpinBox* scale_;
  QCheckBox* transparent_;
  QCheckBox* fromStart_;
  QCheckBox* film_;
  QSpinBox* rate_;
};

/// Records the view on request: asks, then for a folder, and follows the recorder with a progress bar that
/// can end it. GUI thread.
class Recording : public QObject {
  Q_OBJECT
public:
  Recording(Session& session, Viewport& viewport, QWidget& window);

  void choose();
  /// Without asking.
  void record(const RecordingWish& wish, const QString& folder);
  [[nodiscard]] ViewRecorder& recorder() { return recorder_; }

Q_SIGNALS:
  void message(const QString& text, bool error);

private:
  Viewport& viewport_;
  QWidget& window_;
  ViewRecorder recorder_;
  QProgressDialog* progress_ = nullptr;
};

} // namespace lloyd
