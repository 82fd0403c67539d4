// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/timeline/named_timeline.hpp"

#include <QByteArray>

namespace lloyd {

/// Timelines as a JSON object of the Trace Event Format, which chrome://tracing and Perfetto read: a process
/// each, a thread for each row, and a complete event ("ph": "X") for each bar, whose ts and dur are
/// microseconds since the timeline's begin. Where a timeline has no seconds they are steps, which otherData
/// says. args have "bytes" of copies and fills, and "set", from 1, where it is one set's work.
[[nodiscard]] QByteArray traceEvents(const NamedTimelines& timelines);

} // namespace lloyd
