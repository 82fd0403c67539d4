// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/window/column_colours.hpp"

#include "app/data/table/table.hpp"
#include "app/render/points/palette.hpp"
#include "app/text/strings.hpp"
#include "app/ui/common/theme.hpp"
#include "app/ui/explore/side_sections.hpp"
#include "app/ui/select/shown_colours.hpp"
#include "app/ui/view/colour_key.hpp"

#include <QEvent>

#include <memory>
#include <utility>
#include <vector>

namespace lloyd {

ColumnColours::ColumnColours(Session& session, AppearancePanel& panel, ShownColours& shown, QObject* parent)
    : QObject(parent), session_(session), panel_(panel), shown_(shown) {
  panel_.installEventFilter(this);
  connect(&session_, &Session::dataChanged, this, &ColumnColours::offer);
  connect(&panel_, &AppearancePanel::columnWanted, this, &ColumnColours::choose);
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
  shown_.setBase(mine ? groups_.groups : nullptr, colours, key);
}

} // namespace lloyd
