// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QString>

namespace lloyd {

/// Writes a PNG under a temporary name and renames it. The error is a sentence; empty when all went well.
[[nodiscard]] QString savePicture(const QImage& picture, const QString& path);

} // namespace lloyd
