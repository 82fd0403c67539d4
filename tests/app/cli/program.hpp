// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace lloyd {

/// How one start of the program ended.
struct Outcome {
  int status = -1; ///< -1 when it crashed, did not start, or did not end in time
  QByteArray out;
  QByteArray err;

  [[nodiscard]] QJsonDocument json() const { return QJsonDocument::fromJson(out); }
  /// For messages of failed checks.
  [[nodiscard]] QString text() const;
};

/// Starts the program without a display and waits for its end.
[[nodiscard]] Outcome runProgram(const QStringList& arguments, const QProcessEnvironment& changes = {});
/// The same for another program.
[[nodiscard]] Outcome runProgramAt(const QString& path, const QStringList& arguments,
                                   const QProcessEnvironment& changes = {});
/// A sample file of the repository: "faithful.csv".
[[nodiscard]] QString sampleData(const QString& name);
[[nodiscard]] QString programPath();
/// Whether this machine has a GPU that the program uses.
[[nodiscard]] bool hasCuda();
[[nodiscard]] bool writeFile(const QString& path, const QByteArray& bytes);
[[nodiscard]] QByteArray readFile(const QString& path);

} // namespace lloyd
