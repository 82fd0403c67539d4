// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/common/picture_file.hpp"

#include <QCoreApplication>
#include <QSaveFile>

namespace lloyd {

QString savePicture(const QImage& picture, const QString& path) {
  QSaveFile file(path);
  if (file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit()) return {};
  return QCoreApplication::translate("PictureFile", "The picture could not be written to %1: %2")
      .arg(path, file.errorString());
}

} // namespace lloyd
