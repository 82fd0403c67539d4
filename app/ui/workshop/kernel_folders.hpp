// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

class QWidget;

namespace lloyd {

/// The folders whose kernel files a person allowed to be compiled and run, which is to run whatever they
/// hold. Remembered from one start to the next.
class KernelFolders {
public:
  [[nodiscard]] static bool allowed(const QString& file);
  static void allow(const QString& file);
  /// Of the kernel that was opened last; empty before the first.
  [[nodiscard]] static QString last();
  /// Whether the file's folder is allowed; asks where it is not yet.
  [[nodiscard]] static bool ask(QWidget* parent, const QString& file);
};

} // namespace lloyd
