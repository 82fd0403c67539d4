// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/timing_series.hpp"

#include <QAbstractTableModel>
#include <QString>

#include <optional>
#include <vector>

namespace lloyd {

/// The live timing table: one row a stage and variant, and the sums they add up to. When iterations run
/// beside the frame (worker paths) there are two sums, iteration and frame; on the shared path the iteration
/// is inside the frame and there is one. refresh() takes a new snapshot. GUI thread.
class TimingTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column {
    stageColumn,
    variantColumn,
    lastColumn,
    medianColumn,
    p95Column,
    minColumn,
    noiseColumn,
    samplesColumn,
    shareColumn,
    recheckedColumn,
    columnTotal
  };
  enum Role {
    currentRole = Qt::UserRole, ///< bool: part of the last iteration or frame
    sumRole,                    ///< bool: the row adds up those above it
    valueRole                   ///< double, for sorting and tests; invalid when unknown
  };

  explicit TimingTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// simulated: the rows of the iteration are a simulator's times, and say so.
  void refresh(const TimingSnapshotPtr& timings, bool simulated = false);

  /// Whether any row has a number of rechecked points.
  [[nodiscard]] bool anyRechecked() const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columnTotal;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// The table as aligned plain text, with its header and units.
  [[nodiscard]] QString text() const;

private:
  struct Line {
    QString stage;
    QString variant;
    QString meaning; ///< what the stage is, for a tooltip
    Summary summary;
    std::optional<double> share;
    std::optional<double> rechecked{};
    bool current = false;
    bool sum = false;
    bool simulated = false;
    [[nodiscard]] bool sameRow(const Line& other) const {
      return stage == other.stage && variant == other.variant && sum == other.sum &&
             simulated == other.simulated;
    }
  };

  [[nodiscard]] std::vector<Line> lines(const TimingSnapshot& timings, bool simulated) const;
  [[nodiscard]] QString cell(const Line& line, int column) const;
  [[nodiscard]] QVariant value(const Line& line, int column) const;

  std::vector<Line> lines_;
};

} // namespace lloyd
