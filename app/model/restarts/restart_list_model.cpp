// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/restarts/restart_list_model.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>

namespace lloyd {
namespace {

/// Runs that end in the same minimum differ by rounding at most.
constexpr double sameWithin = 1e-6;

bool asGood(const RestartRun& run, const RestartRun& best) {
  return run.inertia() <= best.inertia() * (1 + sameWithin);
}

QString comparison(const RestartRun& run, const RestartRun& best) {
  if (&run == &best) return RestartListModel::tr("best");
  if (asGood(run, best)) return RestartListModel::tr("as the best");
  if (best.inertia() <= 0) return {};
  return RestartListModel::tr("+%1 %").arg(percentText(run.inertia() / best.inertia() - 1));
}

QString inertiaText(const RestartRun& run) { return significantText(run.inertia(), 5); }

QString toolTip(const RestartRun& run, const RestartRun& best) {
  QString text =
      RestartListModel::tr("Seed %1: inertia %2 (%3), %4, %5")
          .arg(run.seed)
          .arg(significantText(run.inertia(), 9), comparison(run, best),
               countedText(static_cast<std::uint64_t>(run.iterations), RestartListModel::tr("%1 iteration"),
                           RestartListModel::tr("%1 iterations")),
               run.converged ? RestartListModel::tr("converged") : RestartListModel::tr("not converged"));
  if (run.result.emptyClusters > 0)
    text +=
        countedText(static_cast<std::uint64_t>(run.result.emptyClusters),
                    RestartListModel::tr(", %1 empty cluster"), RestartListModel::tr(", %1 empty clusters"));
  return text;
}

} // namespace

RestartListModel::RestartListModel(const RestartsRunner& runner, QObject* parent)
    : QAbstractListModel(parent), runner_(runner) {
  // A new run may be the best, so that all that is said of the others changes.
  connect(&runner, &RestartsRunner::changed, this, [this] {
    beginResetModel();
    if (runner_.runs().empty()) shown_.reset();
    endResetModel();
  });
}

void RestartListModel::setShown(std::optional<std::uint64_t> seed) {
  if (shown_ == seed) return;
  shown_ = seed;
  if (rowCount() > 0) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

QVariant RestartListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const RestartRunPtr& run = runner_.runs()[static_cast<std::size_t>(index.row())];
  const RestartRunPtr best = runner_.best();
  switch (role) {
  case Qt::DisplayRole:
    return inertiaText(*run);
  case Qt::ToolTipRole:
  case Qt::AccessibleTextRole:
    return toolTip(*run, *best);
  case runRole:
    return QVariant::fromValue(run);
  case bestRole:
    return run == best;
  case shownRole:
    return shown_ == run->seed;
  case comparisonRole:
    return comparison(*run, *best);
  default:
    return {};
  }
}

QString restartsSentence(const RestartsRunner& runner) {
  const RestartRunPtr best = runner.best();
  if (!best) return {};
  const auto& runs = runner.runs();
  const auto reach = std::ranges::count_if(runs, [&](const auto& run) { return asGood(*run, *best); });
  const auto worst = std::ranges::max_element(runs, {}, [](const auto& run) { return run->inertia(); });
  const QString all =
      countedText(runs.size(), RestartListModel::tr("%1 run"), RestartListModel::tr("%1 runs"));
  if (runs.size() == 1)
    return RestartListModel::tr("%1: seed %2 has an inertia of %3")
        .arg(all)
        .arg(best->seed)
        .arg(inertiaText(*best));
  if (reach == std::ssize(runs))
    return RestartListModel::tr("%1: all end in the same inertia, %2").arg(all, inertiaText(*best));
  return RestartListModel::tr("%1: the best is seed %2 with an inertia of %3, which %4; the worst has %5")
      .arg(all)
      .arg(best->seed)
      .arg(inertiaText(*best),
           reach == 1 ? RestartListModel::tr("no other reaches")
                      : RestartListModel::tr("%1 of them reach").arg(reach),
           inertiaText(**worst));
}

} // namespace lloyd
