// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/session.hpp"
#include "app/model/table/column_groups.hpp"
#include "app/render/points/colour.hpp"

#include <QObject>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace lloyd {

class AppearancePanel;
class ShownColours;

/// Colours points by their value in a column of their table: offers the columns in the panel, groups the
/// points on a thread of its own, and says what the colours mean. New data are coloured by cluster again,
/// unless they are of the same table. A class gets the colour of the cluster that most of its points are
/// in when a run first stands still, so that colours differ where the two do, and keeps it for as long as
/// the table is shown, whatever k is. GUI thread.
class ColumnColours : public QObject {
  Q_OBJECT
public:
  /// All outlive it, the panel as long as events are delivered.
  ColumnColours(Session& session, AppearancePanel& panel, ShownColours& shown, QObject* parent = nullptr);

  /// A change of the theme reaches the panel.
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  /// A class's places in the palette, by the order of its groups; none for a group without a cluster.
  struct Kept {
    QStringList names;
    std::vector<std::optional<std::size_t>> places;
  };

  void offer();
  void choose(std::optional<std::size_t> column);
  void give();
  void match();
  void keep(const std::vector<int>& clusters);
  [[nodiscard]] const Kept* kept() const;
  [[nodiscard]] std::vector<Rgb> colours() const;

  Session& session_;
  AppearancePanel& panel_;
  ShownColours& shown_;
  std::optional<std::size_t> column_;
  QString source_;
  SharedPointSet points_; ///< that groups_ are of
  ColumnGroups groups_;
  std::map<std::size_t, Kept> kept_; ///< by column of the table, once it is matched
  bool matching_ = false;            ///< on the thread
  HandOver toGui_;
  WorkerThread worker_;
};

} // namespace lloyd
