// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/measure/measurement.hpp"
#include "app/model/pair/pair_counters.hpp"
#include "app/model/pair/pair_difference.hpp"
#include "app/model/session/timing_series.hpp"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lloyd {

/// Everything that the metrics of two sides are made of; values and shared results, so that a test can make
/// them up.
struct PairMetrics {
  struct Side {
    const TimingSeries* timings = nullptr; ///< null: there is no such side
    Plan plan;
    bool simulated = false;
    IterationPtr result;
    Backend backend = Backend::cpu;
  };
  Side a;
  Side b;
  Problem problem; ///< of side A
  PairDifferencePtr difference;
  QString whyNotCompared;
  RaceResultPtr race;
  std::shared_ptr<const PairCounted> counted;

  /// The row of a race on this problem for the variant that a side uses; null without one that may be ranked.
  [[nodiscard]] const Measurement* raced(const Side& side, Stage stage) const;
};

/// The metrics of A and B beside each other: live medians of every stage, raced medians with their verdict,
/// what the two runs have found, and what their kernels ask of memory. GUI thread.
class PairMetricsModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column { nameColumn, aColumn, bColumn, differenceColumn, columnCount_ };
  enum Role { headingRole = Qt::UserRole }; ///< true: the row is a heading over those below it

  explicit PairMetricsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  void show(const PairMetrics& metrics);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : columnCount_;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;

private:
  struct Row {
    bool heading = false;
    QString texts[columnCount_];
    QString tips[columnCount_];
  };

  void addHeading(const QString& title, const QString& tip);
  void addRow(const QString& title, const QString& tip, const QString& a, const QString& b,
              const QString& difference, const QString& differenceTip = {});
  void addLive(const PairMetrics& metrics);
  void addRaced(const PairMetrics& metrics);
  void addFound(const PairMetrics& metrics);
  void addCounters(const PairMetrics& metrics);

  std::vector<Row> rows_;
};

/// B's time less A's, in words and sign: "20.3 % less (−2.51)", "the same within 1 %".
[[nodiscard]] QString timeDifferenceText(double aUs, double bUs);

} // namespace lloyd
