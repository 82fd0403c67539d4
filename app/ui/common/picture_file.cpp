// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/picture_file.hpp"

#include <QCoreApplication>
#include <QSaveFile>

namespace lloyd {

namespace {

QString translated(const char* text) { return QCoreApplication::translate("PictureFile", text); }

} // namespace

QString savePicture(const QImage& picture, const QString& path) {
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) {
    return translated("The picture could not be written to %1: %2").arg(path, file.errorString());
  }
  if (!picture.save(&file, "PNG") || !file.commit()) {
    return translated("The picture could not be written to %1: %2").arg(path, file.errorString());
  }
  return {};
}

} // namespace lloyd
