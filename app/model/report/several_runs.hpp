// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/report/run_report.hpp"
#include "app/model/report/text_table.hpp"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace lloyd {

// What reports of several runs, at least one, say alike, whatever it is that sets the runs apart.

/// "runs": a full report of each, and what else there is to say of all.
[[nodiscard]] QByteArray severalJson(std::span<const RunReport> runs, const QJsonObject& beside = {});
/// Of the first run's facts those of the names, as name and value.
[[nodiscard]] std::vector<std::pair<QString, QString>> factsOf(const RunReport& run,
                                                               std::span<const std::string_view> names);
/// The most inertia that a restart came to; an en dash for a run without.
[[nodiscard]] QString worstText(const RunReport& run);
/// How many iterations were needed, where more were done because flags were looked at late; else empty.
[[nodiscard]] QString neededText(const RunReport& run);
[[nodiscard]] bool anyDidMore(std::span<const RunReport> runs);
/// A title, the facts as a list, a heading and the table.
[[nodiscard]] QByteArray severalMarkdown(const QString& title,
                                         const std::vector<std::pair<QString, QString>>& facts,
                                         const QString& heading, const TextTable& table);
/// The facts a line each, and the table.
[[nodiscard]] QByteArray severalText(const std::vector<std::pair<QString, QString>>& facts,
                                     const TextTable& table);

} // namespace lloyd
