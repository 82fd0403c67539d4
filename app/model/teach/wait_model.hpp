// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/version_model.hpp"
#include "app/model/teach/warp_waits.hpp"

#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

namespace lloyd {

/// Why warps waited in a version and in the one before: a row for each reason that takes at least a hundredth
/// in one of them or that is spoken of, one for the others together, and one for all. GUI thread.
class WaitModel : public VersionModel {
  Q_OBJECT
public:
  struct Version {
    QString name;                     ///< "V3"; empty: there is none
    const WarpWaits* waits = nullptr; ///< outlives the model; null: not measured
  };

  explicit WaitModel(QObject* parent = nullptr) : VersionModel(parent) {}
  /// named: a reason that has a row in any case.
  void setVersions(const Version& before, const Version& now, std::optional<std::size_t> named = {});
  [[nodiscard]] const Version& before() const { return before_; }
  [[nodiscard]] const Version& now() const { return now_; }
  /// "V3: 15.2 cycles an instruction; not selected 30 %, wait 19 %", for who does not see bars.
  [[nodiscard]] static QString spoken(const Version& version);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString meaning(int row) const override;
  [[nodiscard]] std::optional<std::size_t> partOf(int row) const override;
  [[nodiscard]] QString versionName(Column column) const override {
    return column == beforeColumn ? labelOf(before_, now_) : labelOf(now_, before_);
  }

private:
  [[nodiscard]] static QString labelOf(const Version& version, const Version& other);
  [[nodiscard]] bool isOthers(std::size_t row) const { return !others_.empty() && row == shown_.size(); }
  /// 0 to 1 of the reasons without a row.
  [[nodiscard]] double othersShare(const WarpWaits& waits) const;

  Version before_;
  Version now_;
  std::vector<std::size_t> shown_;  ///< reasons with a row
  std::vector<std::size_t> others_; ///< those without one that take something
};

} // namespace lloyd
