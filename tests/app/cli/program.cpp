// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/cli/program.hpp"

#include <QFile>
#include <QProcess>

namespace lloyd {

QString Outcome::text() const {
  return QStringLiteral("status %1\n%2%3")
      .arg(QString::number(status), QString::fromUtf8(out.left(2000)), QString::fromUtf8(err.left(2000)));
}

Outcome runProgram(const QStringList& arguments, const QProcessEnvironment& changes) {
  return runProgramAt(programPath(), arguments, changes);
}

Outcome runProgramAt(const QString& path, const QStringList& arguments, const QProcessEnvironment& changes) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    environment.remove(QString::fromLatin1(variable));
  environment.insert(changes);
  QProcess process;
  process.setProcessEnvironment(environment);
  process.start(path, arguments);
  Outcome outcome;
  const bool ended = process.waitForFinished(240'000);
  outcome.out = process.readAllStandardOutput();
  outcome.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit) outcome.status = process.exitCode();
  return outcome;
}

QString sampleData(const QString& name) { return QStringLiteral(LLOYD_SOURCE_DIR "/resources/data/") + name; }

QString programPath() { return QStringLiteral(LLOYD_PROGRAM); }

bool hasCuda() {
  static const bool has =
      runProgram({QStringLiteral("list"), QStringLiteral("devices"), QStringLiteral("--json")})
          .json()
          .object()
          .value(QStringLiteral("backend")) == QStringLiteral("cuda");
  return has;
}

bool writeFile(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

QByteArray readFile(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace lloyd
