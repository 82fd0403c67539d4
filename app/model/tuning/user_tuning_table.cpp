// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/tuning/user_tuning_table.hpp"

#include "app/data/write/atomic_file.hpp"
#include "app/model/measure/report_strings.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/error.hpp"
#include "gpu/engine/defaults/tuning_table.hpp"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace lloyd {
namespace {

QString problemAtStart;

/// The choices of a table that exists; throws RequestError.
std::vector<TuningEntry> readTable(const QString& path) {
  QFile file(path);
  if (!QFileInfo(path).isFile()) // a pipe would be waited for
    throw RequestError(path.toStdString() + " cannot be read: it is no file");
  if (!file.open(QIODevice::ReadOnly))
    throw RequestError(path.toStdString() + " cannot be read: " + file.errorString().toStdString());
  const QByteArray bytes = file.readAll();
  return readTuning({bytes.constData(), static_cast<std::size_t>(bytes.size())}, path.toStdString());
}

/// The first name of this kind that no file has.
QString asideName(const QString& path) {
  QString name = path + QStringLiteral(".damaged");
  for (int i = 2; QFileInfo::exists(name); ++i)
    name = path + QStringLiteral(".damaged-%1").arg(i);
  return name;
}

} // namespace

QString userTuningPath() {
  return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
      .filePath(QStringLiteral("tuning.csv"));
}

QString addUserTuning() {
  problemAtStart.clear();
  const QString path = userTuningPath();
  if (!QFileInfo::exists(path)) return {};
  try {
    TuningTable::present().add(readTable(path), TuningTable::Owner::user);
  } catch (const RequestError& error) {
    problemAtStart = ReportStrings::tr("%1; the measurements that came with the program are used instead")
                         .arg(qtext(error.what()));
  }
  return problemAtStart;
}

const QString& userTuningProblem() { return problemAtStart; }

tl::expected<QString, std::string> saveTuning(const QString& path, const std::vector<TuningEntry>& entries) {
  QString remark;
  std::vector<TuningEntry> kept;
  if (QFileInfo(path).isFile()) {
    try {
      kept = readTable(path);
    } catch (const RequestError& error) {
      const QString aside = asideName(path);
      if (!QFile::rename(path, aside))
        return tl::unexpected(std::string(error.what()) + "; it is in the way and cannot be renamed");
      remark = ReportStrings::tr("%1; it is kept as %2").arg(qtext(error.what()), aside);
    }
  }
  if (!QDir().mkpath(QFileInfo(path).absolutePath()))
    return tl::unexpected(path.toStdString() + " cannot be written: its folder cannot be made");
  const std::string text = writeTuning(mergedTuning(std::move(kept), entries));
  if (const auto written = writeWholeFile(path.toStdString(), text); !written)
    return tl::unexpected(written.error());
  return remark;
}

} // namespace lloyd
