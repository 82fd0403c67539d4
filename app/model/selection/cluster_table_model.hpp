// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/selection/cluster_watch.hpp"
#include "app/plot/plot_palette.hpp"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace lloyd {

/// A row for each cluster: its colour, what a person calls it, how many points it has, how wide it is, and
/// its centre, a column for each of the data's. Sorts by any of them; the number of the cluster stays. The
/// watch must outlive it. GUI thread.
class ClusterTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { clusterColumn, nameColumn, sizeColumn, shareColumn, spreadColumn, meanColumn, firstCentre };
  enum Role {
    colourRole = Qt::UserRole, ///< 0xrrggbb of the cluster; nothing before there are colours
    sortRole,                  ///< a number or a text to sort by
    focusRole                  ///< bool: the row is the one that is highlighted
  };

  explicit ClusterTableModel(ClusterWatch& watch, QObject* parent = nullptr);

  void setColours(const std::vector<PlotRgb>& colours);
  /// The cluster that is highlighted; -1 for none.
  void setFocus(int cluster);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  void renew();
  [[nodiscard]] QString text(std::size_t cluster, int column) const;
  [[nodiscard]] QVariant order(std::size_t cluster, int column) const;

  ClusterWatch& watch_;
  ClusterNumbersPtr numbers_;
  SharedPointSet points_;
  std::vector<PlotRgb> colours_;
  int focus_ = -1;
};

/// What the table says of a cluster, as lines of text; empty before its numbers are known.
[[nodiscard]] QString clusterText(const ClusterWatch& watch, std::size_t cluster);

} // namespace lloyd
