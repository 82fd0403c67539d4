// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/timeline/named_timeline.hpp"

#include <QByteArray>
#include <QString>

#include <optional>

namespace lloyd {

/// The timelines as the name of a file ends: .json as trace events, .csv as one line a bar, .svg as a
/// picture. Nothing for another name.
[[nodiscard]] std::optional<QByteArray> timelineAs(const QString& fileName, const NamedTimelines& timelines);
[[nodiscard]] bool isTimelineName(const QString& fileName);

/// The runs above each other on one axis, as a file of its own: light, with all that it needs within.
[[nodiscard]] QByteArray timelineSvg(const NamedTimelines& timelines);

} // namespace lloyd
