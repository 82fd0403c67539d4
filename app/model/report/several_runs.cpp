// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/report/several_runs.hpp"

#include "app/text/numbers.hpp"
#include "app/text/provenance.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lloyd {

QByteArray severalJson(std::span<const RunReport> runs, const QJsonObject& beside) {
  QJsonArray all;
  for (const RunReport& run : runs)
    all.append(runObject(run));
  QJsonObject json = beside;
  json.insert(QStringLiteral("program"), programJson());
  json.insert(QStringLiteral("runs"), all);
  return QJsonDocument(json).toJson();
}

std::vector<std::pair<QString, QString>> factsOf(const RunReport& run,
                                                 std::span<const std::string_view> names) {
  std::vector<std::pair<QString, QString>> facts;
  for (const auto& [fact, value] : runFacts(run))
    if (!value.isEmpty() && std::ranges::find(names, fact.toStdString()) != names.end())
      facts.emplace_back(fact, value);
  return facts;
}

QString worstText(const RunReport& run) {
  if (run.restarts.empty()) return unknownText();
  return inertiaText(std::ranges::max(run.restarts, {}, &Restart::inertia).inertia);
}

QString neededText(const RunReport& run) { return run.needed ? QString::number(*run.needed) : QString(); }

bool anyDidMore(std::span<const RunReport> runs) {
  return std::ranges::any_of(runs, [](const RunReport& run) { return run.needed.has_value(); });
}

QByteArray severalMarkdown(const QString& title, const std::vector<std::pair<QString, QString>>& facts,
                           const QString& heading, const TextTable& table) {
  QString text = QStringLiteral("# %1\n\n").arg(title);
  for (const auto& [fact, value] : facts)
    text += QStringLiteral("- %1: %2\n").arg(fact, markdownText(value));
  return (text + QStringLiteral("\n## %1\n\n").arg(heading) + table.markdown()).toUtf8();
}

QByteArray severalText(const std::vector<std::pair<QString, QString>>& facts, const TextTable& table) {
  QString text;
  for (const auto& [fact, value] : facts)
    text += fact.leftJustified(12) + value + QLatin1Char('\n');
  return (text + QLatin1Char('\n') + table.text()).toUtf8();
}

} // namespace lloyd
