// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/teach/wait_model.hpp"

#include "app/text/numbers.hpp"

#include <algorithm>

namespace lloyd {
namespace {

constexpr double leastShown = 0.01;    ///< of the latency, in one of the versions
constexpr double leastSpoken = 0.0005; ///< less reads 0.0 %

} // namespace

void WaitModel::setVersions(const Version& before, const Version& now, std::optional<std::size_t> named) {
  beginResetModel();
  before_ = before;
  now_ = now;
  shown_.clear();
  others_.clear();
  const auto most = [&](std::size_t reason) {
    return std::max(before_.waits ? before_.waits->share(reason) : 0,
                    now_.waits ? now_.waits->share(reason) : 0);
  };
  const std::size_t reasons = before_.waits || now_.waits ? waitReasons : 0;
  for (std::size_t reason = 0; reason < reasons; ++reason) {
    if (most(reason) >= leastShown || reason == named)
      shown_.push_back(reason);
    else if (most(reason) > 0)
      others_.push_back(reason);
  }
  endResetModel();
}

QString WaitModel::labelOf(const Version& version, const Version& other) {
  if (!version.waits) return version.name;
  return (QStringList(version.name) + launchDifferences(*version.waits, other.waits)).join(QLatin1Char('\n'));
}

double WaitModel::othersShare(const WarpWaits& waits) const {
  double share = 0;
  for (const std::size_t reason : others_)
    share += waits.share(reason);
  return share;
}

QString WaitModel::spoken(const Version& version) {
  if (!version.waits) return {};
  QStringList parts;
  double rest = 1;
  for (std::size_t reason = 0; reason < waitReasons; ++reason)
    if (const double share = version.waits->share(reason); share >= leastShown) {
      parts << tr("%1 %2 %").arg(waitReasonName(reason), percentText(share));
      rest -= share;
    }
  if (rest >= leastSpoken) parts << tr("other %1 %").arg(percentText(rest));
  return tr("%1: %2 cycles an instruction; %3")
      .arg(version.name, significantText(version.waits->sum()), parts.join(QStringLiteral(", ")));
}

int WaitModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() || shown_.empty()) return 0;
  return static_cast<int>(shown_.size()) + (others_.empty() ? 1 : 2);
}

QString WaitModel::text(int row, int column) const {
  const auto at = static_cast<std::size_t>(row);
  const bool reason = at < shown_.size(), others = isOthers(at);
  if (column == nameColumn)
    return reason   ? waitReasonName(shown_[at]) + QStringLiteral(" %")
           : others ? tr("other %")
                    : tr("all, cycles");
  const Version& version = column == beforeColumn ? before_ : now_;
  if (!version.waits) return unknownText();
  if (others) return percentText(othersShare(*version.waits));
  return reason ? percentText(version.waits->share(shown_[at])) : significantText(version.waits->sum());
}

QString WaitModel::meaning(int row) const {
  const auto at = static_cast<std::size_t>(row);
  if (isOthers(at)) {
    QStringList names;
    for (const std::size_t reason : others_)
      names << waitReasonName(reason);
    return tr("Reasons that take less than 1 % each: %1.").arg(names.join(QStringLiteral(", ")));
  }
  if (at >= shown_.size()) return tr("Cycles of a warp for each instruction that it issues.");
  QStringList lines{waitReasonMeaning(shown_[at])};
  for (const Version* version : {&before_, &now_})
    if (version->waits)
      lines << tr("%1: %2 cycles an instruction")
                   .arg(version->name, significantText(version->waits->cycles[shown_[at]]));
  return lines.join(QLatin1Char('\n'));
}

std::optional<std::size_t> WaitModel::partOf(int row) const {
  const auto at = static_cast<std::size_t>(row);
  return at < shown_.size() ? std::optional(shown_[at]) : std::nullopt;
}

} // namespace lloyd
