// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/plot/timeline_table_model.hpp"

#include "app/model/timeline/timeline_texts.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"

#include <limits>

namespace lloyd {

void TimelineTableModel::show(const NamedTimelines& timelines, double from, double to) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  beginResetModel();
  timelines_ = timelines;
  places_ = barsBetween(timelines_, from, to);
  all_ = barsBetween(timelines_, -endless, endless).size();
  endResetModel();
}

QString TimelineTableModel::cell(const TimelinePlace& place, int column) const {
  const Timeline& timeline = *timelines_[place.timeline].timeline;
  const TimelineBar& bar = timeline.bars()[place.bar];
  const auto moment = [&](double value) {
    return timeline.hasSeconds() ? microsecondsText(value) : countText(static_cast<std::uint64_t>(value));
  };
  switch (column) {
  case run:
    return timelines_[place.timeline].name;
  case row:
    return qtext(timeline.rows()[bar.row].name);
  case what:
    return qtext(bar.what);
  case set:
    return bar.set ? QString::number(*bar.set + 1) : QString();
  case begin:
    return moment(bar.begin - timeline.begin());
  case duration:
    return moment(bar.length());
  default:
    return bar.bytes > 0 ? countText(bar.bytes) : QString();
  }
}

QVariant TimelineTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const TimelinePlace& place = places_[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return cell(place, index.column());
  case Qt::ToolTipRole: {
    const Timeline& timeline = *timelines_[place.timeline].timeline;
    return timelineBarText(timeline, timeline.bars()[place.bar]);
  }
  case Qt::TextAlignmentRole:
    return static_cast<int>((index.column() >= set ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  default:
    return {};
  }
}

QVariant TimelineTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columns) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section >= set ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const bool seconds = timelines_.empty() || timelines_.front().timeline->hasSeconds();
  const QString headings[columns] = {tr("run"),
                                     tr("row"),
                                     tr("what"),
                                     tr("set"),
                                     seconds ? tr("begin µs") : tr("begin, step"),
                                     seconds ? tr("takes µs") : tr("takes, steps"),
                                     tr("bytes")};
  return headings[section];
}

} // namespace lloyd
