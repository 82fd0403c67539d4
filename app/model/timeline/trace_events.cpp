// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/timeline/trace_events.hpp"

#include "app/text/provenance.hpp"
#include "app/text/strings.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lloyd {
namespace {

const QString nameKey = QStringLiteral("name");

/// What a viewer is told of a process or of a thread.
QJsonObject metadata(const char* what, int pid, int tid, const QString& key, const QJsonValue& value) {
  return {{nameKey, QLatin1String(what)},
          {QStringLiteral("ph"), QStringLiteral("M")},
          {QStringLiteral("pid"), pid},
          {QStringLiteral("tid"), tid},
          {QStringLiteral("args"), QJsonObject{{key, value}}}};
}

QJsonObject complete(const TimelineBar& bar, double zero, int pid) {
  QJsonObject args;
  if (bar.bytes > 0) args.insert(QStringLiteral("bytes"), countJson(bar.bytes));
  if (bar.set) args.insert(QStringLiteral("set"), countJson(*bar.set + 1));
  return {{nameKey, qtext(bar.what)},
          {QStringLiteral("cat"), qtext(name(bar.kind))},
          {QStringLiteral("ph"), QStringLiteral("X")},
          {QStringLiteral("ts"), bar.begin - zero},
          {QStringLiteral("dur"), bar.length()},
          {QStringLiteral("pid"), pid},
          {QStringLiteral("tid"), static_cast<int>(bar.row)},
          {QStringLiteral("args"), args}};
}

} // namespace

QByteArray traceEvents(const NamedTimelines& timelines) {
  QJsonArray events;
  QJsonArray runs;
  int pid = 0;
  for (const auto& [runName, timeline] : timelines) {
    ++pid;
    events << metadata("process_name", pid, 0, nameKey, runName)
           << metadata("process_sort_index", pid, 0, QStringLiteral("sort_index"), pid);
    for (int row = 0; row < static_cast<int>(timeline->rows().size()); ++row)
      events << metadata("thread_name", pid, row, nameKey,
                         qtext(timeline->rows()[static_cast<std::size_t>(row)].name))
             << metadata("thread_sort_index", pid, row, QStringLiteral("sort_index"), row);
    for (const TimelineBar& bar : timeline->bars())
      events << complete(bar, timeline->begin(), pid);
    runs << QJsonObject{{QStringLiteral("pid"), pid},
                        {nameKey, runName},
                        {QStringLiteral("times"), qtext(name(timeline->clock()))},
                        {QStringLiteral("missing"), countJson(timeline->missing())}};
  }
  return QJsonDocument(
             QJsonObject{{QStringLiteral("traceEvents"), events},
                         {QStringLiteral("displayTimeUnit"), QStringLiteral("ns")},
                         {QStringLiteral("otherData"), QJsonObject{{QStringLiteral("program"), programText()},
                                                                   {QStringLiteral("runs"), runs}}}})
      .toJson(QJsonDocument::Indented);
}

} // namespace lloyd
