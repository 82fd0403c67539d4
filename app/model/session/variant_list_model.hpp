// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/session/timing_series.hpp"
#include "gpu/core/contract/device.hpp"
#include "gpu/engine/plan.hpp"

#include <QAbstractListModel>
#include <QString>

#include <optional>
#include <vector>

namespace lloyd {

/// One variant at one stage, as a bar.
struct LadderRow {
  Stage stage = Stage::classify;
  const Variant* variant = nullptr;
  Summary times; ///< times.samples == 0: not timed yet
  bool current = false;
  QString whyNot; ///< not empty: it cannot run here, and this is the reason
};

/// Every variant and stage of this build: what each cost on these data, live. Those that can run come first,
/// in the order of stages, then the others with their reasons; those of layout, which is no part of an
/// iteration, are among the latter on every device. GUI thread.
class VariantListModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role { ladderRowRole = Qt::UserRole, firstOfStageRole, longestUsRole };

  explicit VariantListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

  /// Takes the list of variants and the reasons of those that cannot run.
  void setProblem(const Problem& problem, const DeviceInfo& device, const Tuning& tuning);
  /// Takes times and marks what is in use.
  void refresh(const TimingSnapshotPtr& timings, const Plan& plan);

  [[nodiscard]] const std::vector<LadderRow>& rows() const { return rows_; }
  /// The times are the SIMT simulator's, and nothing is said of what they are to a GPU's.
  [[nodiscard]] bool simulated() const { return simulated_; }
  /// The row of a variant at a stage; -1 when there is none.
  [[nodiscard]] int rowOf(Stage stage, const Variant* variant) const;
  /// The slowest median on the ladder, which sets the shared axis; 0 when nothing was timed.
  [[nodiscard]] double longestUs() const;
  /// The next runnable variant of the same stage, upwards or downwards; null at the end.
  [[nodiscard]] const Variant* neighbour(Stage stage, const Variant* from, int direction) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
  [[nodiscard]] QString toolTip(const LadderRow& row) const;

  std::vector<LadderRow> rows_;
  bool simulated_ = false;
};

/// "V7" of a tag "v7"; other tags as they are.
[[nodiscard]] QString versionText(const Variant& variant);
/// What a variant is called beside the name of its stage: the version within the stage's own family, "V7";
/// the id of one of another family, "cpu.v3".
[[nodiscard]] QString nameWithin(Stage stage, const Variant& variant);
/// The ladder's sentence, "reduce V7: 19 µs, 9.50 times as fast as V1 (live)": the variant in use whose gain
/// over the lowest-numbered timed variant of its stage is largest (a fused one may be held against the two
/// stages it replaces). Only measured medians; without a second measurement the time alone; empty before the
/// first. A simulated time is called so, and no gain is: "reduce V7: 310,000 µs (simulated)", of the slowest
/// stage.
[[nodiscard]] QString headline(const std::vector<LadderRow>& rows, bool simulated = false);

} // namespace lloyd

Q_DECLARE_METATYPE(lloyd::LadderRow)
