// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text/build_info.hpp"

#include <QJsonValue>
#include <QStringList>

namespace lloyd {
namespace {

QString compilerName() {
#if defined(__clang__)
  return QStringLiteral("Clang " __clang_version__).trimmed();
#elif defined(__GNUC__)
  return QStringLiteral("GCC " __VERSION__);
#else
  return {};
#endif
}

BuildInfo& info() {
  static BuildInfo all{QStringLiteral(LLOYD_VERSION), {}, compilerName()};
  return all;
}

QJsonValue orNull(const QString& text) { return text.isEmpty() ? QJsonValue() : QJsonValue(text); }

} // namespace

const BuildInfo& buildInfo() { return info(); }
void setCommit(const QString& commit) { info().commit = commit; }

QJsonObject programJson() {
  return {{QStringLiteral("name"), QStringLiteral("lloydscope")},
          {QStringLiteral("version"), info().version},
          {QStringLiteral("commit"), orNull(info().commit)},
          {QStringLiteral("compiler"), orNull(info().compiler)}};
}

QString programText() {
  QStringList parts{QStringLiteral("lloydscope ") + info().version};
  if (!info().commit.isEmpty()) parts << QStringLiteral("commit ") + info().commit;
  if (!info().compiler.isEmpty()) parts << info().compiler;
  return parts.join(QStringLiteral(", "));
}

} // namespace lloyd
