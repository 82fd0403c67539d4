// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/take_away/film.hpp"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <utility>

namespace lloyd {
namespace {

QString program() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

} // namespace

Film::Film(QObject* parent) : QObject(parent) {
  process_.setStandardOutputFile(QProcess::nullDevice());
  process_.setStandardInputFile(QProcess::nullDevice());
  connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    finished(status == QProcess::NormalExit && code == 0);
  });
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) finished(false);
  });
}

Film::~Film() {
  told_ = true;
  cancel();
}

QString Film::whyNot() {
  return program().isEmpty() ? tr("There is no ffmpeg on this machine, which makes films of frames")
                             : QString();
}

QString Film::pathIn(const QString& folder) { return QDir(folder).filePath(QStringLiteral("run.mp4")); }

void Film::make(const QString& folder, int rate) {
  if (busy()) return;
  told_ = false;
  path_ = pathIn(folder);
  if (const QString why = whyNot(); !why.isEmpty()) {
    told_ = true;
    return Q_EMIT ended(why);
  }
  // The colours of most players need an even number of pixels each way.
  process_.start(program(), {QStringLiteral("-nostdin"), QStringLiteral("-y"), QStringLiteral("-loglevel"),
                             QStringLiteral("error"), QStringLiteral("-framerate"), QString::number(rate),
                             QStringLiteral("-i"), QDir(folder).filePath(QStringLiteral("frame-%04d.png")),
                             QStringLiteral("-vf"), QStringLiteral("pad=ceil(iw/2)*2:ceil(ih/2)*2"),
                             QStringLiteral("-pix_fmt"), QStringLiteral("yuv420p"), path_});
}

void Film::cancel() {
  if (!busy()) return;
  process_.kill();
  process_.waitForFinished();
}

void Film::finished(bool whole) {
  if (!whole) QFile::remove(path_);
  if (std::exchange(told_, true)) return;
  if (whole) return Q_EMIT ended({});
  const QString said = QString::fromUtf8(process_.readAllStandardError()).section(QLatin1Char('\n'), 0, 0);
  Q_EMIT ended(said.isEmpty() ? tr("No film was made: ffmpeg was ended")
                              : tr("No film was made, ffmpeg says: %1").arg(said.trimmed()));
}

} // namespace lloyd
