// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/session/variant_list_model.hpp"

#include "app/model/compute/settings.hpp"
#include "app/text/numbers.hpp"
#include "app/text/strings.hpp"
#include "gpu/core/contract/registry.hpp"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace lloyd {

namespace {

/// What a person can choose between. Layout stands at the ladder's foot: it happens once, before iterating.
constexpr std::array ladderStages{Stage::classify, Stage::reduce, Stage::fused, Stage::update};

} // namespace

QString versionText(const Variant& variant) {
  const QString tag = qtext(variant.info.tag);
  const bool numbered = tag.size() > 1 && tag[0] == QLatin1Char('v') && tag[1].isDigit();
  return numbered ? QLatin1Char('V') + tag.mid(1) : tag;
}

QString nameWithin(Stage stage, const Variant& variant) {
  return variant.info.family == name(stage) ? versionText(variant) : QString::fromStdString(variant.id());
}

void VariantListModel::setProblem(const Problem& problem, const DeviceInfo& device, const Tuning& tuning) {
  beginResetModel();
  rows_.clear();
  simulated_ = device.backend == Backend::simt;
  std::vector<LadderRow> others; // those that cannot run stand below all that can
  for (const Stage stage : ladderStages) {
    for (const Variant* variant : Registry::instance().all()) {
      if (!variant->has(stage)) continue;
      // Tuning parameters set for the variant in use need not exist here: each row is judged with its own
      // values.
      const auto why = variant->whyNot(stage, problem, device, tuningParametersFor(*variant, tuning));
      (why ? others : rows_)
          .push_back({stage, variant, {}, false, why ? QString::fromStdString(*why) : QString()});
    }
  }
  for (const Variant* variant : Registry::instance().all()) {
    for (const Stage stage : {Stage::sets, Stage::layout}) {
      if (!variant->has(stage)) continue;
      const QString why = stage == Stage::layout
                              ? tr("%1 is no part of an iteration: bench times it, and Teach shows it")
                              : tr("%1 runs several sets from host memory to host memory: lloydscope run "
                                   "--schedule does, bench times it, and Teach shows it");
      others.push_back({stage, variant, {}, false, why.arg(QString::fromStdString(variant->id()))});
    }
  }
  rows_.insert(rows_.end(), others.begin(), others.end());
  endResetModel();
}

void VariantListModel::refresh(const TimingSnapshotPtr& timings, const Plan& plan) {
  for (LadderRow& row : rows_) {
    row.times = timings->timesOf(row.stage, row.variant->id());
    row.current = plan.of(row.stage) == row.variant;
  }
  if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int VariantListModel::rowOf(Stage stage, const Variant* variant) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].stage == stage && rows_[i].variant == variant) return static_cast<int>(i);
  }
  return -1;
}

double VariantListModel::longestUs() const {
  double longest = 0;
  for (const LadderRow& row : rows_) {
    if (row.times.samples > 0) longest = std::max(longest, row.times.median);
  }
  return longest;
}

const Variant* VariantListModel::neighbour(Stage stage, const Variant* from, int direction) const {
  std::vector<const Variant*> choices;
  for (const LadderRow& row : rows_) {
    if (row.stage == stage && row.whyNot.isEmpty()) choices.push_back(row.variant);
  }
  const auto at = std::find(choices.begin(), choices.end(), from);
  if (at == choices.end()) return choices.empty() ? nullptr : choices.front();
  const auto next = (at - choices.begin()) + direction;
  return next < 0 || next >= static_cast<std::ptrdiff_t>(choices.size())
             ? nullptr
             : choices[static_cast<std::size_t>(next)];
}

Qt::ItemFlags VariantListModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  const LadderRow& row = rows_[static_cast<std::size_t>(index.row())];
  // A row that cannot run stays selectable, so that a keyboard and a screen reader reach its reason.
  return row.whyNot.isEmpty() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemIsSelectable;
}

QString VariantListModel::toolTip(const LadderRow& row) const {
  QString tip =
      QStringLiteral("%1: %2").arg(QString::fromStdString(row.variant->id()), qtext(row.variant->info.name));
  if (!row.variant->info.idea.empty()) tip += QLatin1Char('\n') + qtext(row.variant->info.idea);
  if (!row.whyNot.isEmpty()) return tip + QLatin1Char('\n') + row.whyNot;
  if (row.times.samples > 0) {
    tip += QLatin1Char('\n') +
           (simulated_ ? tr("Simulated: median %1 µs of %n sample(s), fastest %2 µs, none of them a GPU's",
                            nullptr, static_cast<int>(row.times.samples))
                       : tr("Live median %1 µs of %n sample(s), fastest %2 µs", nullptr,
                            static_cast<int>(row.times.samples)))
               .arg(microsecondsText(row.times.median), microsecondsText(row.times.min));
  } else {
    tip += QLatin1Char('\n') + tr("Not timed on these data yet: choose it to time it");
  }
  if (row.variant->info.publishedUs && !simulated_) {
    tip += QLatin1Char('\n') +
           tr("Published: %1 µs, %2")
               .arg(microsecondsText(row.variant->info.publishedUs), qtext(row.variant->info.publishedIn));
  }
  return tip;
}

QVariant VariantListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto at = static_cast<std::size_t>(index.row());
  const LadderRow& row = rows_[at];
  switch (role) {
  case Qt::DisplayRole:
    return QStringLiteral("%1 %2").arg(qtext(name(row.stage)), QString::fromStdString(row.variant->id()));
  case Qt::AccessibleTextRole:
    return tr("%1, %2: %3")
        .arg(qtext(name(row.stage)), QString::fromStdString(row.variant->id()),
             !row.whyNot.isEmpty()    ? row.whyNot
             : row.times.samples == 0 ? tr("not timed yet")
             : simulated_ ? tr("%1 simulated microseconds").arg(microsecondsText(row.times.median))
                          : tr("%1 microseconds").arg(microsecondsText(row.times.median)));
  case Qt::ToolTipRole:
    return toolTip(row);
  case ladderRowRole:
    return QVariant::fromValue(row);
  case firstOfStageRole:
    return at == 0 || rows_[at - 1].stage != row.stage;
  case longestUsRole:
    return longestUs();
  default:
    return {};
  }
}

namespace {

/// What a measured row is compared with: the first timed row of its stage; for one pass over the points,
/// when it is the only one timed, the two stages that it replaces.
struct Baseline {
  double us = 0;
  QString name;
};

const LadderRow* firstTimed(const std::vector<LadderRow>& rows, Stage stage) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const LadderRow& row) {
    return row.stage == stage && row.times.samples > 0;
  });
  return found == rows.end() ? nullptr : &*found;
}

std::optional<Baseline> baselineOf(const std::vector<LadderRow>& rows, const LadderRow& row) {
  const LadderRow* first = firstTimed(rows, row.stage);
  if (first && first->variant != row.variant)
    return Baseline{first->times.median, nameWithin(row.stage, *first->variant)};
  if (row.stage != Stage::fused) return std::nullopt;
  const LadderRow* classify = firstTimed(rows, Stage::classify);
  const LadderRow* reduce = firstTimed(rows, Stage::reduce);
  if (!classify || !reduce) return std::nullopt;
  const QString names = classify->variant == reduce->variant
                            ? QString::fromStdString(classify->variant->id())
                            : QStringLiteral("%1 + %2").arg(QString::fromStdString(classify->variant->id()),
                                                            QString::fromStdString(reduce->variant->id()));
  return Baseline{classify->times.median + reduce->times.median, names};
}

/// As verdicts have it: a factor from 2 on, per cent below.
QString gainText(double gain, const QString& than) {
  const auto words = [](const char* text) { return QCoreApplication::translate("VariantListModel", text); };
  if (gain >= 2) return words("%1 times as fast as %2").arg(significantText(gain), than);
  if (gain <= 0.5) return words("takes %1 times as long as %2").arg(significantText(1 / gain), than);
  return gain >= 1 ? words("faster than %2 by %1 %").arg(percentText(1 - 1 / gain), than)
                   : words("slower than %2 by %1 %").arg(percentText(1 / gain - 1), than);
}

} // namespace

QString headline(const std::vector<LadderRow>& rows, bool simulated) {
  const LadderRow* best = nullptr;
  std::optional<Baseline> against;
  double bestGain = 0;
  for (const LadderRow& row : rows) {
    if (!row.current || row.times.samples == 0 || row.stage == Stage::update) continue;
    const auto baseline = simulated ? std::nullopt : baselineOf(rows, row);
    double gain = baseline && row.times.median > 0 ? baseline->us / row.times.median : 0;
    if (simulated) gain = row.times.median; // orders alone; no gain is shown
    if (!best || gain > bestGain) {
      best = &row;
      against = baseline;
      bestGain = gain;
    }
  }
  if (!best) return {};
  const QString what = QStringLiteral("%1 %2: %3 µs")
                           .arg(qtext(name(best->stage)), nameWithin(best->stage, *best->variant),
                                microsecondsText(best->times.median));
  if (simulated) return QCoreApplication::translate("VariantListModel", "%1 (simulated)").arg(what);
  if (!against) return QCoreApplication::translate("VariantListModel", "%1 (live)").arg(what);
  return QCoreApplication::translate("VariantListModel", "%1, %2 (live)")
      .arg(what, gainText(bestGain, against->name));
}

} // namespace lloyd
