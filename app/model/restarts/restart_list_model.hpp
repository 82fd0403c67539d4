// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/model/restarts/restarts_runner.hpp"

#include <QAbstractListModel>
#include <QString>

#include <optional>

namespace lloyd {

/// The runs of a RestartsRunner, in the order of their seeds: what each came to, held against the best. The
/// runner must outlive it. GUI thread.
class RestartListModel : public QAbstractListModel {
  Q_OBJECT
public:
  enum Role {
    runRole = Qt::UserRole, ///< RestartRunPtr
    bestRole,               ///< bool: of the least inertia
    shownRole,              ///< bool: the one that was taken over
    comparisonRole          ///< "best", "+81 %", "as the best"
  };

  explicit RestartListModel(const RestartsRunner& runner, QObject* parent = nullptr);

  /// Which run is shown large; nothing for none of them.
  void setShown(std::optional<std::uint64_t> seed);

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(runner_.runs().size());
  }
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
  const RestartsRunner& runner_;
  std::optional<std::uint64_t> shown_;
};

/// "16 runs: the best is seed 3 with an inertia of 78.85, which 5 of them reach; the worst has 142.75.";
/// empty without runs.
[[nodiscard]] QString restartsSentence(const RestartsRunner& runner);

} // namespace lloyd

Q_DECLARE_METATYPE(lloyd::RestartRunPtr)
