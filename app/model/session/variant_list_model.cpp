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
  rungs_.clear();
  simulated_ = device.backend == Backend::simt;
  std::vector<LadderRow> others; // those that cannot run stand below all that can
  for (const Stage stage : ladderStages) {
    for (const Variant* variant : Registry::instance().all()) {
      if (!variant->has(stage)) continue;
      // Tuning parameters set for the variant in use need not exist here: each rung is judged with its own
      // values.
      const auto why = variant->whyNot(stage, problem, device, tuningParametersFor(*variant, tuning));
      (why ? others : rungs_)
          .push_back({stage, variant, {}, false, why ? QString::fromStdString(*why) : QString()});
    }
  }
  for (const Variant* variant : Registry::instance().all()) {
    if (!variant->has(Stage::layout)) continue;
    const QString why = tr("%1 is no part of an iteration: bench times it, and Teach shows it");
    others.push_back({Stage::layout, variant, {}, false, why.arg(QString::fromStdString(variant->id()))});
  }
  rungs_.insert(rungs_.end(), others.begin(), others.end());
  endResetModel();
}

void VariantListModel::refresh(const TimingSnapshotPtr& timings, const Plan& plan) {
  for (LadderRow& rung : rungs_) {
    rung.times = timings->timesOf(rung.stage, rung.variant->id());
    rung.current = plan.of(rung.stage) == rung.variant;
  }
  if (!rungs_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int VariantListModel::rowOf(Stage stage, const Variant* variant) const {
  for (std::size_t i = 0; i < rungs_.size(); ++i) {
    if (rungs_[i].stage == stage && rungs_[i].variant == variant) return static_cast<int>(i);
  }
  return -1;
}

double VariantListModel::longestUs() const {
  double longest = 0;
  for (const LadderRow& rung : rungs_) {
    if (rung.times.samples > 0) longest = std::max(longest, rung.times.median);
  }
  return longest;
}

const Variant* VariantListModel::neighbour(Stage stage, const Variant* from, int direction) const {
  std::vector<const Variant*> choices;
  for (const LadderRow& rung : rungs_) {
    if (rung.stage == stage && rung.whyNot.isEmpty()) choices.push_back(rung.variant);
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
  const LadderRow& rung = rungs_[static_cast<std::size_t>(index.row())];
  // A rung that cannot run stays selectable, so that a keyboard and a screen reader reach its reason.
  return rung.whyNot.isEmpty() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::ItemIsSelectable;
}

QString VariantListModel::toolTip(const LadderRow& rung) const {
  QString tip = QStringLiteral("%1: %2").arg(QString::fromStdString(rung.variant->id()),
                                             qtext(rung.variant->info.name));
  if (!rung.variant->info.idea.empty()) tip += QLatin1Char('\n') + qtext(rung.variant->info.idea);
  if (!rung.whyNot.isEmpty()) return tip + QLatin1Char('\n') + rung.whyNot;
  if (rung.times.samples > 0) {
    tip += QLatin1Char('\n') +
           (simulated_ ? tr("Simulated: median %1 µs of %n sample(s), fastest %2 µs, none of them a GPU's",
                            nullptr, static_cast<int>(rung.times.samples))
                       : tr("Live median %1 µs of %n sample(s), fastest %2 µs", nullptr,
                            static_cast<int>(rung.times.samples)))
               .arg(microsecondsText(rung.times.median), microsecondsText(rung.times.min));
  } else {
    tip += QLatin1Char('\n') + tr("Not timed on these data yet: choose it to time it");
  }
  if (rung.variant->info.publishedUs && !simulated_) {
    tip += QLatin1Char('\n') +
           tr("Published: %1 µs, %2")
               .arg(microsecondsText(rung.variant->info.publishedUs), qtext(rung.variant->info.publishedIn));
  }
  return tip;
}

QVariant VariantListModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const auto row = static_cast<std::size_t>(index.row());
  const LadderRow& rung = rungs_[row];
  switch (role) {
  case Qt::DisplayRole:
    return QStringLiteral("%1 %2").arg(qtext(name(rung.stage)), QString::fromStdString(rung.variant->id()));
  case Qt::AccessibleTextRole:
    return tr("%1, %2: %3")
        .arg(qtext(name(rung.stage)), QString::fromStdString(rung.variant->id()),
             !rung.whyNot.isEmpty()    ? rung.whyNot
             : rung.times.samples == 0 ? tr("not timed yet")
             : simulated_ ? tr("%1 simulated microseconds").arg(microsecondsText(rung.times.median))
                          : tr("%1 microseconds").arg(microsecondsText(rung.times.median)));
  case Qt::ToolTipRole:
    return toolTip(rung);
  case ladderRowRole:
    return QVariant::fromValue(rung);
  case firstOfStageRole:
    return row == 0 || rungs_[row - 1].stage != rung.stage;
  case longestUsRole:
    return longestUs();
  default:
    return {};
  }
}

namespace {

/// What a measured rung is compared with: the first timed rung of its stage; for one pass over the points,
/// when it is the only one timed, the two stages that it replaces.
struct Baseline {
  double us = 0;
  QString name;
};

const LadderRow* firstTimed(const std::vector<LadderRow>& rungs, Stage stage) {
  const auto found = std::find_if(rungs.begin(), rungs.end(), [&](const LadderRow& rung) {
    return rung.stage == stage && rung.times.samples > 0;
  });
  return found == rungs.end() ? nullptr : &*found;
}

std::optional<Baseline> baselineOf(const std::vector<LadderRow>& rungs, const LadderRow& rung) {
  const LadderRow* first = firstTimed(rungs, rung.stage);
  if (first && first->variant != rung.variant)
    return Baseline{first->times.median, nameWithin(rung.stage, *first->variant)};
  if (rung.stage != Stage::fused) return std::nullopt;
  const LadderRow* classify = firstTimed(rungs, Stage::classify);
  const LadderRow* reduce = firstTimed(rungs, Stage::reduce);
  if (!classify || !reduce) return std::nullopt;
  const QString names = classify->variant == reduce->variant
                            ? QString::fromStdString(classify->variant->id())
                            : QStringLiteral("%1 + %2").arg(QString::fromStdString(classify->variant->id()),
                                                            QString::fromStdString(reduce->variant->id()));
  return Baseline{classify->times.median + reduce->times.median, names};
}

} // namespace

QString headline(const std::vector<LadderRow>& rungs, bool simulated) {
  const LadderRow* best = nullptr;
  std::optional<Baseline> against;
  double bestGain = 0;
  for (const LadderRow& rung : rungs) {
    if (!rung.current || rung.times.samples == 0 || rung.stage == Stage::update) continue;
    const auto baseline = simulated ? std::nullopt : baselineOf(rungs, rung);
    double gain = baseline && rung.times.median > 0 ? baseline->us / rung.times.median : 0;
    if (simulated) gain = rung.times.median; // orders alone; no gain is shown
    if (!best || gain > bestGain) {
      best = &rung;
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
  return QCoreApplication::translate("VariantListModel", "%1, %2 %3 (live)")
      .arg(what, factorText(bestGain), against->name);
}

} // namespace lloyd
