// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractTableModel>
#include <QString>

#include <cstddef>
#include <optional>

namespace lloyd {

/// Figures of a version and of the one before it beside each other, a row each; the first column is the
/// legend of bars. GUI thread.
class VersionModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { nameColumn, beforeColumn, nowColumn, columnCount_ };
  enum Role {
    partRole = Qt::UserRole ///< which part of the bars the row is of; invalid for a row that is of none
  };
  using QAbstractTableModel::QAbstractTableModel;

  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columnCount_;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

protected:
  [[nodiscard]] virtual QString text(int row, int column) const = 0;
  /// For a tooltip.
  [[nodiscard]] virtual QString meaning(int row) const = 0;
  [[nodiscard]] virtual std::optional<std::size_t> partOf(int row) const = 0;
  /// "V3"; empty where there is none.
  [[nodiscard]] virtual QString versionName(Column column) const = 0;
};

} // namespace lloyd
