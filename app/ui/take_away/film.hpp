// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QProcess>
#include <QString>

namespace lloyd {

/// Makes a film of a folder of numbered frames (ViewRecorder::frameName), where ffmpeg is on this machine:
/// run.mp4 beside them, H.264. GUI thread.
class Film : public QObject {
  Q_OBJECT
public:
  explicit Film(QObject* parent = nullptr);
  ~Film() override;

  static constexpr int framesASecond = 20;

  /// Why there can be no film, as a sentence; empty where ffmpeg was found.
  [[nodiscard]] static QString whyNot();
  [[nodiscard]] static QString pathIn(const QString& folder);

  /// Ends with ended(). rate: frames a second, at least 1.
  void make(const QString& folder, int rate);
  /// Nothing is left of a film that was not finished.
  void cancel();
  [[nodiscard]] bool busy() const { return process_.state() != QProcess::NotRunning; }

Q_SIGNALS:
  /// wrong: a sentence; empty when the film is there.
  void ended(const QString& wrong);

private:
  void finished(bool whole);

  QProcess process_;
  QString path_;
  bool told_ = true;
};

} // namespace lloyd
