// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace lloyd {

/// Asks for the name of a file to write. All of the program's questions share one memory, as a person has
/// one: the folder that was written to last, and the file whose points are open. GUI thread.
class SaveDialog {
public:
  /// Beside which files are proposed until one was written elsewhere; empty where points come from no file.
  static void setOpenFile(const QString& path);
  /// What a file is called: after the one whose points are open, or by what it is alone.
  enum class Naming { afterPoints, byItself };
  /// The path that is proposed: "/home/ada/iris-labels.csv" for "labels.csv".
  [[nodiscard]] static QString proposal(const QString& what, Naming naming = Naming::afterPoints);
  /// The folder of proposal().
  [[nodiscard]] static QString folder();

  /// kinds: "CSV (*.csv)"; the name's suffix follows the kind that is chosen. then gets the path once one is
  /// chosen, and nothing happens where none is. Everything else goes on meanwhile.
  static void ask(QWidget* parent, const QString& title, const QString& what, const QStringList& kinds,
                  std::function<void(const QString& path)> then, Naming naming = Naming::afterPoints);
};

/// Writes a PNG under a temporary name and renames it. The error is a sentence; empty when all went well.
[[nodiscard]] QString savePicture(const QImage& picture, const QString& path);

} // namespace lloyd
