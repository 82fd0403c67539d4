// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/column_colours.hpp"

#include "app/data/table/table.hpp"
#include "app/model/quality/agreement.hpp"
#include "app/model/quality/class_agreement.hpp"
#include "app/render/points/palette.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/select/shown_colours.hpp"
#include "app/ui/view/colour_key.hpp"

#include <QEvent>

#include <algorithm>
#include <utility>
#include <vector>

namespace lloyd {

ColumnColours::ColumnColours(Session& session, AppearancePanel& panel, ShownColours& shown, QObject* parent)
    : QObject(parent), session_(session), panel_(panel), shown_(shown) {
  panel_.installEventFilter(this);
  connect(&session_, &Session::dataChanged, this, &ColumnColours::offer);
  connect(&panel_, &AppearancePanel::columnWanted, this, &ColumnColours::choose);
  connect(&session_, &Session::iterated, this, &ColumnColours::match);
  offer();
}

bool ColumnColours::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &panel_ && event->type() == QEvent::PaletteChange) give();
  return QObject::eventFilter(watched, event);
}

void ColumnColours::offer() {
  constexpr std::size_t most = 100; // of a list that a person reads
  const SharedPointSet points = session_.data();
  QStringList names;
  std::vector<std::size_t> columns;
  if (points && points->table)
    for (std::size_t c = 0; c < points->table->columns.size() && columns.size() < most; ++c) {
      const TableColumn& column = points->table->columns[c];
      if (column.type == ColumnType::empty || column.tooManyWords) continue;
      names << qtext(column.name);
      columns.push_back(c);
    }
  const QString source = points ? qtext(points->source) : QString();
  if (source != source_) {
    column_.reset();
    kept_.clear();
  }
  source_ = source;
  panel_.offerColumns(names, columns, column_);
  choose(column_);
}

void ColumnColours::choose(std::optional<std::size_t> column) {
  column_ = column;
  const SharedPointSet points = session_.data();
  if (!column || !points || !points->table || *column >= points->table->columns.size()) {
    column_.reset();
    groups_ = {};
    return give();
  }
  worker_.post([this, points, at = *column] {
    ColumnGroups groups = groupsByColumn(*points, at);
    toGui_.post([this, points, at, groups = std::move(groups)] {
      if (points != session_.data() || column_ != at) return; // another choice came meanwhile
      points_ = points;
      groups_ = groups;
      matching_ = false;
      give();
      match();
    });
  });
}

/// Once a run stands still, and once alone: with every k, classes would have other colours.
void ColumnColours::match() {
  const SharedPointSet points = session_.data();
  if (!column_ || !groups_.groups || groups_.ordered || points_ != points || kept() || matching_) return;
  if (!session_.last() || points->table->columns[*column_].role != ColumnRole::classes) return;
  if (session_.playing() && !session_.converged()) return;
  const auto k = static_cast<std::size_t>(session_.settings().k);
  const ShownLabels shown = session_.labels();
  if (shown.labels.size() != points->n || k * groups_.count > mostConfusionCells) return;
  matching_ = true;
  worker_.post([this, points, at = *column_, shown, groups = groups_, k] {
    auto clusters = clustersOfClasses(
        confusionOf(shown.labels, *groups.groups, static_cast<int>(k), static_cast<int>(groups.count)));
    toGui_.post([this, points, at, clusters = std::move(clusters)] {
      if (points != session_.data() || column_ != at) return; // another choice came meanwhile
      matching_ = false;
      keep(clusters);
      give();
    });
  });
}

/// Places in the palette rather than colours, so that the other theme has its own of them.
void ColumnColours::keep(const std::vector<int>& clusters) {
  const std::vector<Rgb>& ofClusters = shown_.clusterColours();
  const std::vector<Rgb>& all = palette(UiTheme::current().dark ? Theme::dark : Theme::light);
  Kept mine{.names = groups_.names, .places = {}};
  for (const int cluster : clusters) {
    const auto at = static_cast<std::size_t>(cluster);
    const auto place =
        cluster >= 0 && at < ofClusters.size() ? std::ranges::find(all, ofClusters[at]) : all.end();
    mine.places.push_back(place == all.end() ? std::nullopt
                                             : std::optional(static_cast<std::size_t>(place - all.begin())));
  }
  kept_[*column_] = std::move(mine);
}

/// Null where the class has not been matched, or had other groups then.
const ColumnColours::Kept* ColumnColours::kept() const {
  const auto found = column_ ? kept_.find(*column_) : kept_.end();
  const bool same = found != kept_.end() && found->second.names == groups_.names &&
                    found->second.places.size() == groups_.count;
  return same ? &found->second : nullptr;
}

/// Groups without a cluster have those colours of the palette, in their order, that no other group has.
std::vector<Rgb> ColumnColours::colours() const {
  const Theme theme = UiTheme::current().dark ? Theme::dark : Theme::light;
  if (groups_.ordered) return rampColours(groups_.count, theme);
  const Kept* its = kept();
  if (!its) return groupColours(groups_.count, theme);
  std::vector<Rgb> rest = groupColours(2 * groups_.count, theme);
  for (const auto& place : its->places)
    if (place && rest.size() > groups_.count) std::erase(rest, palette(theme)[*place]);
  rest.resize(std::max(rest.size(), groups_.count));
  std::vector<Rgb> all;
  all.reserve(its->places.size());
  std::size_t next = 0;
  for (const auto& place : its->places)
    all.push_back(place ? palette(theme)[*place] : rest[next++]);
  return all;
}

void ColumnColours::give() {
  const bool mine = column_ && groups_.groups && points_ == session_.data();
  const std::vector<Rgb> colours = mine ? this->colours() : std::vector<Rgb>();
  ColourKey key;
  if (mine)
    key = {.title = qtext(points_->table->columns[*column_].name),
           .names = groups_.names,
           .colours = colours,
           .ramp = groups_.ordered};
  panel_.showLegend(key);
  shown_.setBase(mine ? groups_.groups : nullptr, colours, key);
}

} // namespace lloyd
