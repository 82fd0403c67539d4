// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/race/race_columns.hpp"
#include "app/model/session/timing_series.hpp"
#include "gpu/engine/plan.hpp"

#include <QAbstractTableModel>

#include <array>
#include <compare>
#include <optional>
#include <vector>

namespace lloyd {

/// What a bar is drawn from, microseconds.
struct RaceBar {
  double median = 0; ///< 0: nothing to draw
  double low = 0;
  double high = 0;
  double longest = 0;    ///< the end of the stage's axis, which begins at 0
  double baselineUs = 0; ///< 0: no baseline at this stage
  bool live = false;
  bool current = false;
  bool ranked = false;
  /// Whether the slowest samples are beyond the axis' end.
  [[nodiscard]] bool goesOn() const { return longest > 0 && high > longest; }
};

/// A race as a table: below a heading for each stage its variants, ranked ones first, then those that differ,
/// then those that cannot run. Variants that cannot run for one and the same reason are folded into one line
/// at the foot. Before a race all variants stand there with live times, as far as there are any. GUI thread.
class RaceTableModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum class Kind { heading, variant, reason };
  enum Role {
    kindRole = Qt::UserRole, ///< Kind as int
    valueRole,               ///< double, or the text of word columns
    barRole,                 ///< RaceBar
    betterRole,              ///< -1 slower than the baseline, 1 faster, 0 neither or not known
    stateRole,               ///< RaceEntry::State as int; variants only
    liveRole,                ///< the times are live
    currentRole,             ///< in use in the session's plan
    markRole,                ///< "A", "B", "A B" or nothing
    openRole,                ///< a folded line shows what is in it
    foldedRole               ///< a variant that stands below such a line
  };

  explicit RaceTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  /// Which variants there are. whyDevice says why there is no better device, and goes with the reasons.
  void setField(const std::vector<Candidate>& candidates, const Problem& problem, const DeviceInfo& device,
                const QString& whyDevice = {});
  /// A result's numbers take the place of live ones; null for none.
  void setRace(const RaceResultPtr& race) {
    race_ = race;
    measure();
  }
  void setLive(const TimingSnapshotPtr& timings, const Plan& plan);
  void setBaseline(const Baseline& baseline) {
    baseline_ = baseline;
    judge();
    arrange();
  }
  void setCompared(const std::optional<Candidate>& a, const std::optional<Candidate>& b);

  [[nodiscard]] const RaceResultPtr& race() const { return race_; }
  [[nodiscard]] const std::vector<RaceEntry>& entries() const { return entries_; }
  /// The variant of a row; null for a heading and a folded line.
  [[nodiscard]] const RaceEntry* entryAt(int row) const;
  /// The row of a variant at a stage, -1 when it is folded away or not there.
  [[nodiscard]] int rowOf(Stage stage, const Variant* variant) const;

  [[nodiscard]] std::vector<Candidate> ticked() const; ///< empty: all are raced
  /// Ticks a variant, or all that can run.
  void setTicked(int row, bool ticked);
  void tickAll(bool ticked);
  void tickStage(Stage stage); ///< these alone
  /// Opens or closes a folded line; false when the row is none.
  bool toggleFold(int row);
  /// Whether any entry that can run has a number in the column.
  [[nodiscard]] bool known(RaceColumn column) const;

  /// Tab-separated, headings first, every variant with every column, folded ones too.
  [[nodiscard]] QString text() const;

  /// Within each stage; column -1 goes back to the race's order. What cannot run stays last.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override {
    sortColumn_ = column < raceColumns ? column : -1;
    sortOrder_ = order;
    arrange();
  }
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
  }
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : raceColumns;
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                    int role = Qt::DisplayRole) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
  void ticksChanged();

private:
  struct Line {
    Kind kind = Kind::variant;
    Stage stage = Stage::classify;
    std::size_t entry = 0; ///< kind variant
    QString reason;        ///< kind reason
    int count = 0;         ///< kind reason: how many variants it stands for
    bool folded = false;   ///< kind variant: below a reason
    bool operator==(const Line&) const = default;
  };

  void measure();
  void judge();
  void arrange();
  [[nodiscard]] std::vector<Line> lines() const;
  [[nodiscard]] bool before(const RaceEntry& a, const RaceEntry& b) const;
  [[nodiscard]] RaceBar barOf(const RaceEntry& entry) const;
  [[nodiscard]] QString toolTipOf(const RaceEntry& entry) const;
  [[nodiscard]] double longestUs(Stage stage) const;
  [[nodiscard]] double baselineUs(const RaceEntry& entry) const;
  [[nodiscard]] QVariant headingData(const Line& line, int column, int role) const;
  [[nodiscard]] QVariant reasonData(const Line& line, int column, int role) const;
  [[nodiscard]] QVariant entryData(const Line& line, int column, int role) const;
  void allChanged() {
    if (!lines_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, raceColumns - 1));
  }

  std::vector<RaceEntry> entries_; ///< in the order of the field
  std::vector<QString> whyNot_;    ///< of each entry, on the present device; empty when it can run
  std::vector<Line> lines_;
  QStringList open_; ///< reasons whose variants are shown
  QString whyDevice_;
  RaceResultPtr race_;
  Baseline baseline_ = Baseline::ofFirst();
  bool simulated_ = false;
  int sortColumn_ = -1;
  Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

} // namespace lloyd
