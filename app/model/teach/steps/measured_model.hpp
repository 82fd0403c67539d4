// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/teach/version_model.hpp"
#include "app/model/teach/warp_waits.hpp"

#include <QString>

namespace lloyd {

/// What a card did with a version and with the one before: time, registers, bytes, and how busy it was. GUI
/// thread.
class MeasuredModel : public VersionModel {
  Q_OBJECT
public:
  struct Version {
    QString name;                     ///< "V3"; empty: there is none
    const WarpWaits* waits = nullptr; ///< outlives the model; null: not measured
    double us = 0;                    ///< CardTimes::us()
  };

  explicit MeasuredModel(QObject* parent = nullptr) : VersionModel(parent) {}
  /// timeMeaning: CardTimes::meaning().
  void setVersions(const Version& before, const Version& now, const QString& timeMeaning);
  [[nodiscard]] const Version& before() const { return before_; }
  [[nodiscard]] const Version& now() const { return now_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
  [[nodiscard]] QString text(int row, int column) const override;
  [[nodiscard]] QString meaning(int row) const override;
  [[nodiscard]] std::optional<std::size_t> partOf(int) const override { return std::nullopt; }
  [[nodiscard]] QString versionName(Column column) const override {
    return column == beforeColumn ? labelOf(before_, now_) : labelOf(now_, before_);
  }

private:
  [[nodiscard]] static QString labelOf(const Version& version, const Version& other);

  Version before_;
  Version now_;
  QString timeMeaning_;
};

} // namespace lloyd
