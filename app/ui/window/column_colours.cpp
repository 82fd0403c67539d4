// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/column_colours.hpp"

#include "app/data/table/table.hpp"
#include "app/render/points/palette.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/view/colour_key.hpp"
#include "app/ui/view/viewport.hpp"
#include "app/ui/window/workspace_layout.hpp"

#include <QEvent>

#include <utility>

namespace lloyd {

ColumnColours::ColumnColours(Session& session, AppearancePanel& panel, Viewport* viewport,
                             WorkspaceLayout& arrangement, QObject* parent)
    : QObject(parent), session_(session), panel_(panel), viewport_(viewport) {
  panel_.installEventFilter(this);
  connect(&session_, &Session::dataChanged, this, &ColumnColours::offer);
  connect(&panel_, &AppearancePanel::columnWanted, this, &ColumnColours::choose);
  const auto follow = [this, &arrangement] { setActive(arrangement.workspace() == Workspace::explore); };
  connect(&arrangement, &WorkspaceLayout::changed, this, follow);
  follow();
  offer();
}

void ColumnColours::setActive(bool active) {
  if (std::exchange(active_, active) == active) return;
  give();
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
  if (source != source_) column_.reset();
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
      give();
    });
  });
}

void ColumnColours::give() {
  const Theme theme = UiTheme::current().dark ? Theme::dark : Theme::light;
  const bool mine = column_ && groups_.groups && points_ == session_.data();
  const std::vector<Rgb> colours = !mine             ? std::vector<Rgb>()
                                   : groups_.ordered ? rampColours(groups_.count, theme)
                                                     : groupColours(groups_.count, theme);
  ColourKey key;
  if (mine)
    key = {.title = qtext(points_->table->columns[*column_].name),
           .names = groups_.names,
           .colours = colours,
           .ramp = groups_.ordered};
  panel_.showLegend(key);
  if (!viewport_) return;
  if (mine && active_ && viewport_->setGroups(groups_.groups, colours, key))
    given_ = groups_.groups;
  else if (const auto given = std::exchange(given_, nullptr); given && viewport_->groups() == given)
    viewport_->setGroups(nullptr, {}); // another workspace's would stay
}

} // namespace lloyd
