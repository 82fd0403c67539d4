// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/view_recorder.hpp"

#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/save_dialog.hpp"
#include "app/ui/view/viewport.hpp"

#include <QDir>
#include <QFileInfo>

#include <stdexcept>
#include <utility>

namespace lloyd {

ViewRecorder::ViewRecorder(Session& session, Viewport& viewport, QObject* parent)
    : QObject(parent), session_(session), viewport_(viewport) {
  next_.setSingleShot(true);
  connect(&next_, &QTimer::timeout, this, &ViewRecorder::tile);
  connect(&session_, &Session::iterated, this, [this] {
    if (std::exchange(awaits_, false)) settle();
  });
  // What a person or the command line is told already ends the wait for an iteration, too.
  connect(&session_, &Session::message, this, [this](const QString& text, bool error) {
    if (awaits_ && error) end(text, true);
  });
  connect(&film_, &Film::ended, this, [this](const QString& wrong) {
    if (wrong.isEmpty()) return end(tr("%1, and %2").arg(filmOf_, Film::pathIn(folder_)), false);
    end(tr("%1. %2").arg(filmOf_, wrong), !cancelled_);
  });
  connect(&viewport_, &Viewport::lost, this,
          [this] { end(tr("The view was drawn anew: %1").arg(writtenText()), true); });
}

ViewRecorder::~ViewRecorder() {
  if (picture_) viewport_.endPicture(std::move(picture_));
}

QString ViewRecorder::frameName(int frame) {
  return QStringLiteral("frame-%1.png").arg(frame, 4, 10, QLatin1Char('0'));
}

QString ViewRecorder::whyNotInto(const QString& folder) {
  const QFileInfo info(folder);
  if (info.exists() && !info.isDir()) return tr("%1 is a file; a recording needs a folder").arg(folder);
  if (!info.exists() && !QDir().mkdir(folder))
    return tr("%1 cannot be made: the folder that it would be in is missing or read-only").arg(folder);
  if (!QFileInfo(folder).isWritable()) return tr("%1 is a folder that cannot be written to").arg(folder);
  if (!QDir(folder).entryList({QStringLiteral("frame-*.png")}, QDir::Files).isEmpty())
    return tr("%1 has frames of another recording: choose an empty folder").arg(folder);
  return {};
}

void ViewRecorder::start(const RecordingWish& wish, const QString& folder) {
  if (busy_) return;
  busy_ = true;
  cancelled_ = false;
  wish_ = wish;
  folder_ = folder;
  written_ = 0;
  if (const QString why = whyNotInto(folder); !why.isEmpty()) return end(why, true);
  session_.pause();
  // Once it answers nothing is under way that would be taken for the first iteration.
  session_.fetchLabels([this](const std::vector<Label>&, const IterationPtr& result) {
    if (!busy_) return;
    if (!result) return end(tr("Nothing was recorded: the points could not be labelled"), true);
    if (!wish_.fromStart) return draw();
    awaits_ = true; // what the first centroids make of the points
    session_.restart();
  });
}

QString ViewRecorder::writtenText() const {
  return countedText(static_cast<std::uint64_t>(written_), tr("%1 frame written to %2"),
                     tr("%1 frames written to %2"))
      .arg(folder_);
}

void ViewRecorder::cancel() {
  cancelled_ = true;
  if (film_.busy()) return film_.cancel();
  if (!saving_) end(tr("The recording was cancelled; %1").arg(writtenText()), false);
}

void ViewRecorder::step() {
  awaits_ = true;
  session_.step();
}

/// Nothing is under way then that would change what is drawn.
void ViewRecorder::settle() {
  session_.fetchLabels([this](const std::vector<Label>&, const IterationPtr& result) {
    if (!busy_) return;
    result ? draw() : end(tr("The recording ends: the points could not be labelled"), true);
  });
}

void ViewRecorder::draw() {
  try {
    picture_ = viewport_.beginPicture(wish_.picture);
  } catch (const std::runtime_error& error) {
    return end(QString::fromUtf8(error.what()), true);
  }
  if (!picture_) return end(tr("Nothing was recorded: no points are drawn here"), true);
  next_.start(0);
}

void ViewRecorder::tile() {
  if (!picture_) return;
  try {
    if (viewport_.advancePicture(*picture_)) return next_.start(0);
  } catch (const std::runtime_error& error) {
    return end(QString::fromUtf8(error.what()), true);
  }
  const QImage picture = picture_->image();
  viewport_.endPicture(std::move(picture_));
  save(picture);
}

void ViewRecorder::save(const QImage& picture) {
  saving_ = true;
  const QString path = QDir(folder_).filePath(frameName(written_ + 1));
  writer_.post([this, picture, path] {
    const QString wrong = savePicture(picture, path);
    QMetaObject::invokeMethod(this, [this, wrong] { saved(wrong); });
  });
}

void ViewRecorder::saved(const QString& wrong) {
  saving_ = false;
  if (!wrong.isEmpty()) return end(wrong, true);
  ++written_;
  Q_EMIT advanced(written_);
  if (cancelled_) return cancel();
  if (written_ == wish_.frames) return finish(writtenText());
  if (session_.converged()) return finish(tr("%1: the run has converged").arg(writtenText()));
  step();
}

void ViewRecorder::finish(const QString& text) {
  if (wish_.filmRate == 0) return end(text, false);
  filmOf_ = text;
  film_.make(folder_, wish_.filmRate);
}

void ViewRecorder::end(const QString& text, bool error) {
  if (!std::exchange(busy_, false)) return;
  awaits_ = false;
  next_.stop();
  if (picture_) viewport_.endPicture(std::move(picture_));
  Q_EMIT ended(text, error);
}

} // namespace lloyd
